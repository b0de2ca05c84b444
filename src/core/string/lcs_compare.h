/*
 * lcs_compare.h
 *	  One comparison of a pattern and a text by codes.
 */
#ifndef TED_LCS_COMPARE_H
#define TED_LCS_COMPARE_H

#include "lcs_scan.h"
#include "lcs_sparse.h"

/* A pattern and a text, and the state of their comparison for backtracking. */
typedef struct LcsComparison
{
	LcsPair pair;       /* without equal symbols at the ends of both strings */
	bool sparse_enough; /* `sparse` was used, else `scan` */
	LcsSparse sparse;
	LcsScan scan;
} LcsComparison;

/* Returns the bytes of a comparison; `side` is that of lcs_scan(). */
extern size_t lcs_compare_memory(int32_t m, int32_t n, int32_t side);

/*
 * Computes the length of the longest common subsequence of the pair if it is at least `least`, else
 * LCS_BELOW.  Leaves the data for backtracking in the arena unless `side` is 0; there are none for
 * a length of 0.
 */
extern TedStatus lcs_compare(LcsComparison *comparison, int32_t least, int32_t side,
							 TedArena *arena, const TedInterrupt *interrupt, int32_t *length);

#endif /* TED_LCS_COMPARE_H */
