/*
 * lcs_compare.h
 *	  One comparison of a pattern and a text, by the way that is the fastest.
 */
#ifndef TED_LCS_COMPARE_H
#define TED_LCS_COMPARE_H

#include "lcs_band.h"
#include "lcs_scan.h"
#include "lcs_sparse.h"

/* A pattern and a text, and what their comparison leaves for going back. */
typedef struct LcsComparison
{
	LcsPair pair;       /* without the equal symbols that were taken from the ends */
	bool sparse_enough; /* whether `sparse` was used, else `scan` */
	LcsSparse sparse;
	LcsScan scan;
} LcsComparison;

/* Bytes that a comparison takes; `side` is that of lcs_scan(). */
extern size_t lcs_compare_memory(int32_t m, int32_t n, int32_t side);

/* Encodes a text, and takes equal symbols from the end of both strings. */
extern TedStatus lcs_compare_begin(LcsComparison *comparison, const LcsPattern *pattern,
								   const uint32_t *text, int32_t n, TedArena *arena,
								   const TedInterrupt *interrupt);

/* Whether the band of a pair is the fastest way to a length of at least `least`. */
extern bool lcs_goes_by_band(const LcsBandPair *pair, int32_t least);

/*
 * Length of the longest common subsequence of the pair if it is at least `least`, else
 * LCS_BELOW.  Leaves in the arena what going back needs, unless `side` is 0; nothing is
 * needed for a length of 0.
 */
extern TedStatus lcs_compare(LcsComparison *comparison, int32_t least, int32_t side,
							 TedArena *arena, const TedInterrupt *interrupt, int32_t *length);

#endif /* TED_LCS_COMPARE_H */
