/*
 * rare_labels.h
 *	  The rarest labels of a tree, by how often these occur in a set of trees.
 *
 * Of two trees within k unit-cost operations of each other, either has at most k
 * nodes that no node of the other one equals.  So the k + 1 nodes of each that
 * come first in any order of the labels have a label in common (prefix filter;
 * Chaudhuri et al., ICDE 2006; for trees Huetter et al., TJoin, ICDE 2019).
 */
#ifndef TED_RARE_LABELS_H
#define TED_RARE_LABELS_H

#include "../ted.h"

/* A tree of the set. */
typedef struct TedIndexedTree
{
	const TedTree *tree;
	int32_t size;  /* of the tree */
	int32_t limit; /* k of pairs with trees that are not larger */
} TedIndexedTree;

/* The labels of the set, those below `labels`. */
typedef struct TedRareLabels
{
	int32_t *rank; /* by label, from 1, less for rarer ones; NULL where these have smaller ids */
	int32_t labels;
} TedRareLabels;

/* Ranks labels; scratch memory is given back, the ranks stay. */
extern size_t ted_rare_labels_memory(int32_t labels);
extern TedStatus ted_rare_labels(const TedIndexedTree *trees, int32_t count, int32_t labels,
								 TedArena *arena, const TedInterrupt *interrupt,
								 TedRareLabels *rare);

/* Nodes of a prefix. */
static inline int32_t
ted_prefix_nodes(int32_t size, int32_t limit)
{
	return limit < size ? ted_max(limit, 0) + 1 : size;
}

/*
 * The ranks of the labels of a tree's prefix, each once; labels that are not of
 * the set come before all others, but are left out.  The ranks stay in the arena.
 */
extern size_t ted_prefix_memory(int32_t size, int32_t limit);
extern TedStatus ted_prefix(const TedRareLabels *rare, const TedTree *tree, int32_t limit,
							TedArena *arena, const TedInterrupt *interrupt, int32_t **ranks,
							int32_t *count);

#endif /* TED_RARE_LABELS_H */
