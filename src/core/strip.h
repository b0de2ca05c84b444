/*
 * strip.h
 *	  Which nodes a mapping with few insertions and deletions can map to each other.
 */
#ifndef STRIP_H
#define STRIP_H

#include <stdlib.h>

#include "ted.h"

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

#endif /* STRIP_H */
