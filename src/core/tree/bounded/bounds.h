/*
 * bounds.h
 *	  Bounds on the tree edit distance that take far less time than the distance.
 *
 * A tree is indexed once for all its pairs.  The lower bounds are meant to be computed from the
 * cheapest to the most expensive one: sizes, labels, traversals.  All require ted_costs_fit().
 */
#ifndef TED_BOUNDS_H
#define TED_BOUNDS_H

#include "../ted.h"

/* Index of a tree for the bounds. */
typedef struct TedBoundsIndex
{
	const TedTree *tree;
	int32_t size;
	const int32_t *preorder; /* labels in preorder */
	const int32_t *parent;   /* by postorder number: the parent, -1 for the root */
} TedBoundsIndex;

/*
 * Indexes a tree, which the index refers to.  The arrays of the index are in the arena, or are
 * passed by the caller, both with an entry for each node.
 */
extern size_t ted_bounds_index_memory(int32_t size);
extern TedStatus ted_bounds_index(const TedTree *tree, TedArena *arena,
								  const TedInterrupt *interrupt, TedBoundsIndex *index);
extern TedStatus ted_bounds_index_in(const TedTree *tree, int32_t *preorder, int32_t *parent,
									 const TedInterrupt *interrupt, TedBoundsIndex *index);

/* Returns the lower bound by sizes: the cost of deleting or inserting the difference. */
static inline int32_t
ted_size_bound(int32_t size_a, int32_t size_b, const TedCosts *costs)
{
	TedUniformCosts least = ted_least_costs(costs);
	int32_t difference = size_a - size_b;

	return difference > 0 ? difference * least.delete_ : -difference * least.insert;
}

/*
 * Computes the lower bound by the labels that the trees share, max(|a|, |b|) - overlap for unit
 * costs; TED_BEYOND where it is above the limit.  O(|a| + |b|).
 */
extern size_t ted_label_bound_memory(int32_t size_a, int32_t size_b);
extern TedStatus ted_label_bound(const TedTree *a, const TedTree *b, const TedCosts *costs,
								 int32_t limit, TedArena *arena, const TedInterrupt *interrupt,
								 int32_t *bound);

/*
 * Computes the lower bound by the string edit distances of the postorder and the preorder labels;
 * TED_BEYOND where it is above the limit.  O(|a| k) time where the limit allows k operations, and
 * O(|a| + k^2) for most pairs.  ted_traversal_limit() returns the limit up to which that takes
 * about this number of seconds, or -1 where the bound is no better than that by sizes.
 */
extern int32_t ted_traversal_limit(int32_t size_a, int32_t size_b, const TedCosts *costs,
								   double seconds);
extern size_t ted_traversal_bound_memory(int32_t size_a, int32_t size_b, const TedCosts *costs,
										 int32_t limit);
extern TedStatus ted_traversal_bound(const TedBoundsIndex *a, const TedBoundsIndex *b,
									 const TedCosts *costs, int32_t limit, TedArena *arena,
									 const TedInterrupt *interrupt, int32_t *bound);

/*
 * Returns the symbol of the Euler string where a node with this label begins.  The Euler string of
 * a tree has a symbol for the label of a node where the node begins, and another one where it ends.
 */
static inline int32_t
ted_begin_symbol(int32_t label)
{
	return 2 * label;
}

/* Returns the symbol where a node with this label ends. */
static inline int32_t
ted_end_symbol(int32_t label)
{
	return 2 * label + 1;
}

/*
 * Returns the position of the symbol where a node begins: after the symbols of all nodes that begin
 * or end before.
 */
static inline int32_t
ted_begin_place(const TedTree *tree, int32_t x)
{
	return 2 * ted_first(tree, x) + tree->depth[x];
}

/* Returns the position of the symbol where a node ends. */
static inline int32_t
ted_end_place(const TedTree *tree, int32_t x)
{
	return 2 * x + 1 + tree->depth[x];
}

/* Writes the Euler string of a tree, two symbols for each node. */
extern TedStatus ted_euler_string(const TedTree *tree, const TedInterrupt *interrupt,
								  int32_t *string);

/*
 * Whether the Euler strings have so long a common subsequence that the distance may be within the
 * limit.  O(|a| + |b|) memory; the time of lcs_length_at_least().
 */
extern size_t ted_euler_within_memory(int32_t size_a, int32_t size_b);
extern TedStatus ted_euler_within(const TedTree *a, const TedTree *b, const TedCosts *costs,
								  int32_t limit, TedArena *arena, const TedInterrupt *interrupt,
								  bool *within);

/*
 * Computes an upper bound: the cost of a valid mapping, found greedily among pairs of nodes that a
 * mapping with at most k insertions and deletions can map.  The mapping is written as by
 * ted_pair_mapping().  O((|a| + |b|) k) time.
 */
extern size_t ted_greedy_mapping_memory(int32_t size_a, int32_t size_b);
extern TedStatus ted_greedy_mapping(const TedBoundsIndex *a, const TedBoundsIndex *b,
									const TedCosts *costs, int32_t k, TedArena *arena,
									const TedInterrupt *interrupt, int32_t *map_a, int32_t *map_b,
									int32_t *bound);

/*
 * Computes the least of such bounds, where k doubles until the bound allows no more insertions and
 * deletions than k, or k reaches `widest`.  Takes the memory of ted_greedy_mapping(); map_a and
 * map_b are scratch.
 */
extern TedStatus ted_upper_bound(const TedBoundsIndex *a, const TedBoundsIndex *b,
								 const TedCosts *costs, int32_t widest, TedArena *arena,
								 const TedInterrupt *interrupt, int32_t *map_a, int32_t *map_b,
								 int32_t *bound);

#endif /* TED_BOUNDS_H */
