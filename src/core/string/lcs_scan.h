/*
 * lcs_scan.h
 *	  Computes the table of lengths of a pair of coded strings, stripe by stripe.
 */
#ifndef TED_LCS_SCAN_H
#define TED_LCS_SCAN_H

#include "lcs_pattern.h"
#include "lcs_stripe.h"

/*
 * State of a scan.  Columns are divided into runs; a tile is a stripe in a run.  For backtracking,
 * it keeps V before each run, and the carries into the first of each `stripes` stripes.
 */
typedef struct LcsScan
{
	const LcsPair *pair;
	const TedInterrupt *interrupt;
	int64_t steps; /* since the last interrupt check */
	const LcsStripe *stripe;
	int32_t run;        /* columns of a run, a multiple of LCS_GROUP */
	size_t run_carries; /* words of the carries of a run */
	size_t words;       /* words of V */
	uint64_t *v;        /* of each stripe, after its last column so far */
	uint64_t *carry;    /* carries into the next stripe, by run */
	uint16_t *row;      /* as in LcsTile */
	uint64_t *match;    /* as in LcsTile */
	int32_t least;      /* lengths below this are not wanted */

	int32_t stripes;      /* stripes between two kept rows of carries; 0 if nothing is kept */
	uint64_t *kept_v;     /* [runs][words] */
	uint64_t *kept_carry; /* [rows of carries][runs][run_carries] */
	uint64_t *history;    /* [stripes][history_words] */
	size_t history_words; /* words of the history of a tile */
	bool at_once;         /* there is room for all histories, so that no tile is scanned again */
} LcsScan;

/*
 * Returns the side of the squares in which backtracking goes through a table of this size, the cube
 * root of its cells, so that both the data at the borders of all squares and the columns of one
 * square take O((m n)^(2/3)) memory.
 */
extern int32_t lcs_scan_side(int32_t m, int32_t n);

/* Returns the estimated picoseconds of lcs_scan() for a length only. */
extern double lcs_scan_cost(const LcsPair *pair, int32_t least);

/* Returns the bytes of lcs_scan() for any pair of this size; a side of 0 is for a length only. */
extern size_t lcs_scan_memory(int32_t m, int32_t n, int32_t side);

/*
 * Computes the length of the longest common subsequence if it is at least `least`, else LCS_BELOW.
 * Leaves the data for lcs_scan_again() in the arena unless `side` is 0.
 */
extern TedStatus lcs_scan(LcsScan *scan, const LcsPair *pair, int32_t least, int32_t side,
						  TedArena *arena, const TedInterrupt *interrupt, int32_t *length);

/*
 * Computes the length of the longest common subsequence by one kernel, in tiles of `width` columns,
 * a multiple of LCS_GROUP.  Used to compare measured times with the cost model of tiles.
 */
extern size_t lcs_scan_tiled_memory(const LcsStripe *stripe, int32_t m, int32_t n, int32_t width);
extern TedStatus lcs_scan_tiled(const LcsPair *pair, const LcsStripe *stripe, int32_t width,
								TedArena *arena, const TedInterrupt *interrupt, int32_t *length);

/* Returns the number of rows of a stripe. */
static inline int32_t
lcs_stripe_rows(const LcsStripe *stripe)
{
	return stripe->words * LCS_WORD_ROWS;
}

/*
 * Scans tiles of a run again, up to column end - 1: those of stripes `first`, a multiple of
 * scan->stripes, to `last`, less than first + scan->stripes.  Their histories are consecutive, and
 * start at the first column of the run.
 */
extern TedStatus lcs_scan_again(LcsScan *scan, int32_t run, int32_t first, int32_t last,
								int32_t end);

#endif /* TED_LCS_SCAN_H */
