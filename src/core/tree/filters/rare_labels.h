/*
 * rare_labels.h
 *	  The rarest labels of a tree, by their frequencies in a set of trees.
 *
 * If two trees are within k unit-cost operations of each other, each has at most k nodes without an
 * equal node in the other one.  So the first k + 1 nodes of each, in any order of the labels, have
 * a label in common (prefix filter; Chaudhuri et al., ICDE 2006; for trees Huetter et al., TJoin,
 * ICDE 2019).
 */
#ifndef TED_RARE_LABELS_H
#define TED_RARE_LABELS_H

#include "../ted.h"

/* A tree of the set. */
typedef struct TedIndexedTree
{
	const TedTree *tree;
	int32_t size;  /* nodes of the tree */
	int32_t limit; /* k for pairs with trees that are not larger */
} TedIndexedTree;

/* The order of the labels of the set, which are below `labels`. */
typedef struct TedRareLabels
{
	int32_t *rank; /* by label: rank from 1, the rarest first; NULL where label ids are in that
					* order */
	int32_t labels;
} TedRareLabels;

/* Ranks labels.  The ranks stay in the arena; scratch memory is freed. */
extern size_t ted_rare_labels_memory(int32_t labels);
extern TedStatus ted_rare_labels(const TedIndexedTree *trees, int32_t count, int32_t labels,
								 TedArena *arena, const TedInterrupt *interrupt,
								 TedRareLabels *rare);

/* Returns the number of nodes of a prefix, limit + 1 unless the tree is smaller. */
static inline int32_t
ted_prefix_nodes(int32_t size, int32_t limit)
{
	return limit < size ? ted_max(limit, 0) + 1 : size;
}

/*
 * Computes the ranks of the labels of a tree's prefix, each once.  Labels outside the set come
 * before all others in the prefix, but are left out of the result.  The ranks stay in the arena.
 */
extern size_t ted_prefix_memory(int32_t size, int32_t limit);
extern TedStatus ted_prefix(const TedRareLabels *rare, const TedTree *tree, int32_t limit,
							TedArena *arena, const TedInterrupt *interrupt, int32_t **ranks,
							int32_t *count);

#endif /* TED_RARE_LABELS_H */
