/*
 * bounds.h
 *	  Bounds on the tree edit distance that cost far less than the distance.
 *
 * What they need of a tree is indexed once, for all pairs that it is part of.
 * The lower bounds are meant to be asked from the cheapest to the dearest:
 * sizes, labels, traversals.  All require ted_costs_fit().
 */
#ifndef BOUNDS_H
#define BOUNDS_H

#include "ted.h"

/* What the bounds need to know of a tree. */
typedef struct TedBoundsIndex
{
	const TedTree *tree;
	const int32_t *sorted;   /* labels in ascending order */
	const int32_t *preorder; /* labels in preorder */
	const int32_t *parent;   /* by postorder number; -1 for the root */
} TedBoundsIndex;

/* Indexes a tree, which stays in use; the index stays in the arena. */
extern size_t ted_bounds_index_memory(int32_t size);
extern TedStatus ted_bounds_index(const TedTree *tree, TedArena *arena, TedBoundsIndex *index);

/* Lower bound: what the difference of the sizes costs. */
extern int32_t ted_size_bound(int32_t size_a, int32_t size_b, const TedCosts *costs);

/*
 * Lower bound by the labels that the trees share, max(|a|, |b|) - overlap for
 * unit costs; TED_BEYOND where it is above the limit.  O(|a| + |b|).
 */
extern int32_t ted_label_bound(const TedBoundsIndex *a, const TedBoundsIndex *b,
							   const TedCosts *costs, int32_t limit);

/*
 * Lower bound by the string edit distances of the postorder and the preorder
 * labels; TED_BEYOND where it is above the limit.  O(|a| k) where the limit
 * allows k operations, and O(|a| + k^2) for most pairs.
 */
extern size_t ted_traversal_bound_memory(int32_t size_a, int32_t size_b, const TedCosts *costs,
										 int32_t limit);
extern TedStatus ted_traversal_bound(const TedBoundsIndex *a, const TedBoundsIndex *b,
									 const TedCosts *costs, int32_t limit, TedArena *arena,
									 const TedInterrupt *interrupt, int32_t *bound);

/*
 * Upper bound: the cost of a valid mapping, found greedily among pairs of nodes
 * that a mapping with at most k insertions and deletions can have.  The mapping
 * is told as by ted_mapping().  O((|a| + |b|) k).
 */
extern size_t ted_greedy_mapping_memory(int32_t size_a, int32_t size_b);
extern TedStatus ted_greedy_mapping(const TedBoundsIndex *a, const TedBoundsIndex *b,
									const TedCosts *costs, int32_t k, TedArena *arena,
									const TedInterrupt *interrupt, int32_t *map_a, int32_t *map_b,
									int32_t *bound);

#endif /* BOUNDS_H */
