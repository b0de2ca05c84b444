/*
 * lcs_scan.h
 *	  Scanning the table of lengths of a pair of coded strings, stripe by stripe.
 */
#ifndef TED_LCS_SCAN_H
#define TED_LCS_SCAN_H

#include "lcs_pattern.h"
#include "lcs_stripe.h"

/*
 * A scan.  Columns fall into runs; a tile is a stripe in a run.  What is kept
 * for going back: V before each run, and the carries into the first of each
 * `stripes` stripes.
 */
typedef struct LcsScan
{
	const LcsPair *pair;
	const TedInterrupt *interrupt;
	int64_t steps; /* since the last interrupt check */
	const LcsStripe *stripe;
	int32_t run;        /* columns of a run, a multiple of LCS_GROUP */
	size_t run_carries; /* words of carries of a run */
	size_t words;       /* of V */
	uint64_t *v;        /* each stripe after its last column so far */
	uint64_t *carry;    /* by run */
	uint16_t *row;      /* as in LcsTile */
	uint64_t *match;    /* as in LcsTile */
	int32_t least;      /* lengths below this do not matter */

	int32_t stripes;      /* from one row of carries kept to the next; 0 where nothing is kept */
	uint64_t *kept_v;     /* [runs][words] */
	uint64_t *kept_carry; /* [rows of carries][runs][run_carries] */
	uint64_t *history;    /* [stripes][history_words] */
	size_t history_words; /* of a stripe in a run */
	bool at_once;         /* there is room for all histories, so that nothing is scanned again */
} LcsScan;

/*
 * Side of the squares in which to go back through a table of this size, the
 * cube root of its cells: so neither what enters them nor the columns of one
 * of them takes more than O((m n)^(2/3)) memory.
 */
extern int32_t lcs_scan_side(int32_t m, int32_t n);

/* Estimated time that lcs_scan() takes for a length alone, in picoseconds. */
extern double lcs_scan_cost(const LcsPair *pair, int32_t least);

/* Bytes that lcs_scan() takes for any pair up to this size; a side of 0 is for the length alone. */
extern size_t lcs_scan_memory(int32_t m, int32_t n, int32_t side);

/*
 * Length of the longest common subsequence if it is at least `least`, else
 * LCS_BELOW.  Leaves in the arena what lcs_scan_again() needs, unless `side` is 0.
 */
extern TedStatus lcs_scan(LcsScan *scan, const LcsPair *pair, int32_t least, int32_t side,
						  TedArena *arena, const TedInterrupt *interrupt, int32_t *length);

/*
 * Length of the longest common subsequence by one kernel, in tiles of this number of
 * columns, a multiple of LCS_GROUP.  The model of tiles is compared with it.
 */
extern size_t lcs_scan_tiled_memory(const LcsStripe *stripe, int32_t m, int32_t n, int32_t width);
extern TedStatus lcs_scan_tiled(const LcsPair *pair, const LcsStripe *stripe, int32_t width,
								TedArena *arena, const TedInterrupt *interrupt, int32_t *length);

/* Rows of a stripe. */
static inline int32_t
lcs_stripe_rows(const LcsStripe *stripe)
{
	return stripe->words * LCS_WORD_ROWS;
}

/*
 * Scans tiles of a run again, up to before column `end`: those of stripes
 * `first`, a multiple of scan->stripes, to `last`, fewer than scan->stripes
 * further on.  Their histories follow each other, from the start of the run on.
 */
extern TedStatus lcs_scan_again(LcsScan *scan, int32_t run, int32_t first, int32_t last,
								int32_t end);

#endif /* TED_LCS_SCAN_H */
