/*
 * strip.h
 *	  The k-strip: pairs of nodes that mappings with at most k insertions and deletions can map.
 */
#ifndef TED_STRIP_H
#define TED_STRIP_H

#include <stdlib.h>

#include "../ted.h"

/* Larger than any distance; the sum of two of them still fits in 32 bits. */
#define TED_INFINITE (INT32_MAX / 2)

/*
 * Returns the least insertions and deletions outside the subtrees of x and y if x is mapped to y:
 * nodes left of, right of and above x are mapped to those left of, right of and above y.
 */
static inline int32_t
ted_edits_outside(const TedTree *a, const TedTree *b, int32_t x, int32_t y)
{
	int32_t left = (x - a->subtree_size[x]) - (y - b->subtree_size[y]);
	int32_t right = (a->size - x - a->depth[x]) - (b->size - y - b->depth[y]);
	int32_t above = a->depth[x] - b->depth[y];

	return abs(left) + abs(right) + abs(above);
}

/* Returns the least insertions and deletions inside the subtrees of x and y if x is mapped to y. */
static inline int32_t
ted_edits_inside(const TedTree *a, const TedTree *b, int32_t x, int32_t y)
{
	return abs(a->subtree_size[x] - b->subtree_size[y]);
}

/* Returns the insertions and deletions that a limit allows. */
static inline int32_t
ted_strip_width(const TedCosts *costs, int32_t limit)
{
	int32_t least = ted_least_indel_cost(costs);

	return least > 0 ? limit / least : INT32_MAX;
}

/*
 * Returns the most deletions of a mapping with at most k insertions and deletions; with the sizes
 * exchanged, the most insertions.
 */
static inline int32_t
ted_strip_deletions(int32_t size_a, int32_t size_b, int32_t k)
{
	return (k + (size_a - size_b)) / 2;
}

/* The highest nodes of the relevant pairs of one pair of key roots; top_a is -1 without any. */
typedef struct TedStripTable
{
	int32_t top_a;
	int32_t top_b;
} TedStripTable;

/* The pair of trees and scratch memory.  Nodes x and y meet in lane y - x + deletions of row x. */
typedef struct TedStrip
{
	const TedTree *a;
	const TedTree *b;
	TedCosts costs;
	int32_t k;         /* insertions and deletions that the limit allows */
	int32_t deletions; /* the most deletions among them */
	int32_t width;     /* number of lanes of a row */
	bool vectors;      /* each row is one vector */
	int32_t *subtree;  /* [size_a][width], distances of subtrees within the strip */

	/* the current forest table; row 0 and column 0 are empty forests */
	int32_t *forest; /* [size_a + 1][width] */
	int32_t origin;  /* lane of column 0 in row 0 */

	int32_t *inserted; /* by node of b: cost of inserting all nodes before it, where rows are
						* vectors and costs differ by label; else NULL */

	int32_t *below;       /* by node of a: the next lower node on its leftmost path, or -1 */
	TedStripTable *table; /* table of a key root of b */
	int32_t *touched;     /* key roots of b that have a table */
	int64_t steps;
	const TedInterrupt *interrupt;
} TedStrip;

/* Returns the distance of the subtrees of x and y, TED_INFINITE outside of the strip. */
static inline int32_t
ted_strip_distance(const TedStrip *strip, int32_t x, int32_t y)
{
	int32_t lane = y - x + strip->deletions;

	return lane >= 0 && lane < strip->width
			   ? strip->subtree[(size_t) x * (size_t) strip->width + (size_t) lane]
			   : TED_INFINITE;
}

/* Returns cell (i, j) of the forest table filled last, TED_INFINITE outside of the strip. */
static inline int32_t
ted_strip_cell(const TedStrip *strip, int32_t i, int32_t j)
{
	int32_t lane = strip->origin + j - i;

	return lane >= 0 && lane < strip->width
			   ? strip->forest[(size_t) i * (size_t) strip->width + (size_t) lane]
			   : TED_INFINITE;
}

/*
 * Computes the distances of all pairs of subtrees that mappings within the limit can map to each
 * other; the distances of other pairs are too large.  The sizes of the trees must allow a mapping
 * within the limit.
 */
extern size_t ted_strip_memory(int32_t size_a, int32_t size_b, const TedCosts *costs,
							   int32_t limit);
extern TedStatus ted_strip_fill(const TedTree *a, const TedTree *b, const TedCosts *costs,
								int32_t limit, TedArena *arena, const TedInterrupt *interrupt,
								TedStrip *strip);

/* Fills the forest table of two subtrees within the strip once more. */
extern TedStatus ted_strip_refill(TedStrip *strip, int32_t x, int32_t y);

/* Number of lanes of a row that is one vector. */
#define TED_STRIP_LANES 16

/* Whether the rows of a strip of this k are vectors. */
extern bool ted_strip_takes_vectors(const TedCosts *costs, int32_t k);

/* For rows that are vectors: returns a mask of the lanes of row x with relevant pairs. */
extern uint32_t ted_strip_relevant_avx512(const TedStrip *strip, int32_t x);
/* For rows that are vectors: fills a forest table and the subtree distances that it yields. */
extern void ted_strip_table_avx512(const TedStrip *strip, TedStripTable table);

#endif /* TED_STRIP_H */
