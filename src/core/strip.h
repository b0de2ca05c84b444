/*
 * strip.h
 *	  What mappings with few insertions and deletions can map, and their distances.
 */
#ifndef STRIP_H
#define STRIP_H

#include <stdlib.h>

#include "zhang_shasha.h"

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
	int32_t least = ted_min(costs->insert, costs->delete_);

	return least > 0 ? limit / least : INT32_MAX;
}

/* Whether a strip is narrower and faster than the tables of the exact algorithm. */
extern bool ted_strip_pays(const TedTree *a, const TedTree *b, const TedCosts *costs,
						   int32_t limit);

/* What the relevant pairs of one pair of key roots ask of its forest table. */
typedef struct TedStripTable
{
	int32_t top_a; /* the highest relevant nodes */
	int32_t top_b;
	int32_t band; /* insertions and deletions left to spend; -1 for no table */
} TedStripTable;

/* The pair under comparison and its scratch memory. */
typedef struct TedStrip
{
	const TedTree *a;
	const TedTree *b;
	TedCosts costs;
	int32_t limit;
	int32_t k;        /* insertions and deletions that the limit allows */
	int32_t *subtree; /* [size_a][2 k + 1], distances of subtrees within the strip */
	int32_t *forest;  /* [size_a + 1][2 band + 3], one forest table at a time */

	/* the table filled last: column j of row i is origin[i * stride + j], infinite or without
	 * meaning where i and j are more than `band` apart */
	const int32_t *origin;
	size_t stride;
	int32_t band;

	int32_t *below;       /* the next lower node on the same leftmost path, or -1 */
	TedStripTable *table; /* by key root of b */
	int32_t *touched;     /* key roots of b that have a table */
	int64_t steps;
	const TedInterrupt *interrupt;
} TedStrip;

/* Where the distance of the subtrees of x and y, at most k apart, is kept. */
static inline int32_t *
ted_strip_distance(const TedStrip *strip, int32_t x, int32_t y)
{
	return &strip->subtree[(size_t) x * (2 * (size_t) strip->k + 1) + (y - x + strip->k)];
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
extern TedStatus ted_strip_refill(TedStrip *strip, int32_t x, int32_t y);

#endif /* STRIP_H */
