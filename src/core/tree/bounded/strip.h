/*
 * strip.h
 *	  Pairs of nodes that mappings with few insertions and deletions can map (k-strip).
 */
#ifndef TED_STRIP_H
#define TED_STRIP_H

#include <stdlib.h>

#include "../ted.h"

/* More than any distance; the sum of two of them still fits in 32 bits. */
#define TED_INFINITE (INT32_MAX / 2)

/*
 * Insertions and deletions that mapping x to y takes outside of their subtrees:
 * nodes left of, right of and above x are mapped to those left of, right of and
 * above y.
 */
static inline int32_t
ted_edits_outside(const TedTree *a, const TedTree *b, int32_t x, int32_t y)
{
	int32_t left = (x - a->subtree_size[x]) - (y - b->subtree_size[y]);
	int32_t right = (a->size - x - a->depth[x]) - (b->size - y - b->depth[y]);
	int32_t above = a->depth[x] - b->depth[y];

	return abs(left) + abs(right) + abs(above);
}

/* Insertions and deletions that mapping the subtrees of x and y to each other takes inside. */
static inline int32_t
ted_edits_inside(const TedTree *a, const TedTree *b, int32_t x, int32_t y)
{
	return abs(a->subtree_size[x] - b->subtree_size[y]);
}

/* Insertions and deletions that a limit allows. */
static inline int32_t
ted_strip_width(const TedCosts *costs, int32_t limit)
{
	int32_t least = ted_least_indel_cost(costs);

	return least > 0 ? limit / least : INT32_MAX;
}

/* Deletions of a mapping with at most k insertions and deletions; insertions are those vice versa.
 */
static inline int32_t
ted_strip_deletions(int32_t size_a, int32_t size_b, int32_t k)
{
	return (k + (size_a - size_b)) / 2;
}

/* The highest nodes of the relevant pairs of one pair of key roots; top_a is -1 for no table. */
typedef struct TedStripTable
{
	int32_t top_a;
	int32_t top_b;
} TedStripTable;

/*
 * The pair under comparison and its scratch memory.  Nodes x and y meet in lane
 * y - x + deletions of row x.
 */
typedef struct TedStrip
{
	const TedTree *a;
	const TedTree *b;
	TedCosts costs;
	int32_t k;         /* insertions and deletions that the limit allows */
	int32_t deletions; /* of a mapping with at most k of both */
	int32_t width;     /* lanes of a row */
	bool vectors;      /* whether a row is one vector */
	int32_t *subtree;  /* [size_a][width], distances of subtrees within the strip */

	/* one forest table at a time; row 0 and column 0 are empty forests */
	int32_t *forest; /* [size_a + 1][width] */
	int32_t origin;  /* lane of column 0 in row 0 */

	int32_t *inserted; /* what inserting all nodes before each of b costs: where rows are vectors
						* and costs differ by label, else NULL */

	int32_t *below;       /* the next lower node on the same leftmost path, or -1 */
	TedStripTable *table; /* by key root of b */
	int32_t *touched;     /* key roots of b that have a table */
	int64_t steps;
	const TedInterrupt *interrupt;
} TedStrip;

/* Distance of the subtrees of x and y, infinite outside of the strip. */
static inline int32_t
ted_strip_distance(const TedStrip *strip, int32_t x, int32_t y)
{
	int32_t lane = y - x + strip->deletions;

	return lane >= 0 && lane < strip->width
			   ? strip->subtree[(size_t) x * (size_t) strip->width + (size_t) lane]
			   : TED_INFINITE;
}

/* Distance in column j of row i of the forest table filled last, infinite outside of the strip. */
static inline int32_t
ted_strip_cell(const TedStrip *strip, int32_t i, int32_t j)
{
	int32_t lane = strip->origin + j - i;

	return lane >= 0 && lane < strip->width
			   ? strip->forest[(size_t) i * (size_t) strip->width + (size_t) lane]
			   : TED_INFINITE;
}

/*
 * Distances of all subtrees that mappings within the limit map to each other,
 * others being too large; the sizes of the trees must allow such a mapping.
 */
extern size_t ted_strip_memory(int32_t size_a, int32_t size_b, const TedCosts *costs,
							   int32_t limit);
extern TedStatus ted_strip_fill(const TedTree *a, const TedTree *b, const TedCosts *costs,
								int32_t limit, TedArena *arena, const TedInterrupt *interrupt,
								TedStrip *strip);

/* Fills the forest table of two subtrees that are within the strip again. */
extern TedStatus ted_strip_refill(TedStrip *strip, int32_t x, int32_t y);

/* Lanes of a row that is a vector. */
#define TED_STRIP_LANES 16

/* Whether the rows of a strip of k are vectors. */
extern bool ted_strip_takes_vectors(const TedCosts *costs, int32_t k);

/* With vectors: which lanes of row x hold relevant pairs, and a forest table. */
extern uint32_t ted_strip_relevant_avx512(const TedStrip *strip, int32_t x);
extern void ted_strip_table_avx512(const TedStrip *strip, TedStripTable table);

#endif /* TED_STRIP_H */
