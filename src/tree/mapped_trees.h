/*
 * mapped_trees.h
 *	  Two trees, mapped to each other, as those who tell the differences look at them.
 */
#ifndef TED_TREE_MAPPED_TREES_H
#define TED_TREE_MAPPED_TREES_H

#include "tree.h"

/* One of the trees. */
typedef struct MappedTree
{
	TedTree tree;
	int32 *map;       /* partner by postorder number, or -1 */
	int32 *postorder; /* by preorder number */
	int32 *preorder;  /* by postorder number */
	int32 *mapped;    /* by postorder number: nodes before it that have a partner */
	int32 *equal;     /* the same, and its label */
} MappedTree;

typedef struct MappedTrees
{
	LabelTable *labels;
	MappedTree a;
	MappedTree b;
	bool is_optimal; /* the mapping */
} MappedTrees;

/* Maps two trees to each other by unit costs, optimally if ted.max_memory allows. */
extern void MapValues(MappedTrees *trees, const Tree *a, const Tree *b);

/* Bytes of the label of a node. */
static inline Label
NodeLabel(const MappedTrees *trees, const MappedTree *side, int32 node)
{
	return LabelTableGet(trees->labels, side->tree.label[node]);
}

/* Whether a subtree, by its root, has no node with a partner. */
static inline bool
IsUnmapped(const MappedTree *side, int32 node)
{
	return side->mapped[node + 1] == side->mapped[node + 1 - side->tree.subtree_size[node]];
}

/* Whether a subtree of one side is the same as its root's partner's of the other. */
static inline bool
IsUnchanged(const MappedTree *side, const MappedTree *other, int32 node)
{
	int32 size = side->tree.subtree_size[node];

	return side->map[node] >= 0 && other->tree.subtree_size[side->map[node]] == size &&
		   side->equal[node + 1] - side->equal[node + 1 - size] == size;
}

#endif /* TED_TREE_MAPPED_TREES_H */
