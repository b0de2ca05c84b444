/*
 * lcs_sparse.h
 *	  Longest common subsequences of strings with few pairs of equal symbols.
 */
#ifndef TED_LCS_SPARSE_H
#define TED_LCS_SPARSE_H

#include "lcs_pattern.h"

/* A change of `reach`, which can be undone. */
typedef struct LcsChange
{
	int32_t column;
	int32_t index;
	int32_t before;
} LcsChange;

/* State of a pair of strings, which is processed column by column. */
typedef struct LcsSparse
{
	const LcsPair *pair;
	const TedInterrupt *interrupt;
	int64_t steps;      /* since the last interrupt check */
	int32_t *first;     /* by code: index of its first position; one more entry at the end */
	int32_t *position;  /* positions in the pattern, by code, increasing */
	int32_t *reach;     /* [k]: first position of the pattern up to which k + 1 symbols are
						 * common */
	int32_t length;     /* number of entries of `reach` */
	LcsChange *changes; /* changes of all columns so far, or NULL */
	size_t changed;     /* number of entries of `changes` */
} LcsSparse;

/* Returns the bytes of lcs_sparse() for any pair of this size. */
extern size_t lcs_sparse_memory(int32_t m, int32_t n, bool keep);

/*
 * Sets sparse->length to the length of the longest common subsequence if the pair has so few equal
 * symbols that this is the fastest way; else sets *sparse_enough to false.  Leaves the data for
 * lcs_sparse_positions() in the arena if `keep`.
 */
extern TedStatus lcs_sparse(LcsSparse *sparse, const LcsPair *pair, bool keep, TedArena *arena,
							const TedInterrupt *interrupt, bool *sparse_enough);

/* Computes the positions after lcs_sparse(), by the tie rule of lcs_positions.h. */
extern TedStatus lcs_sparse_positions(LcsSparse *sparse, int32_t *pattern_position,
									  int32_t *text_position);

#endif /* TED_LCS_SPARSE_H */
