/*
 * mapped_trees.h
 *	  Two trees and a mapping between them, for the code that writes their differences.
 */
#ifndef TED_MAPPED_TREES_H
#define TED_MAPPED_TREES_H

#include "../costs/cost_model.h"
#include "../costs/label_marks.h"
#include "tree_mapping.h"
#include "../value/tree.h"

/* One of the trees. */
typedef struct MappedTree
{
	TedTree tree;
	int32 *map;       /* partner by postorder number, or -1 */
	int32 *postorder; /* by preorder number */
	int32 *preorder;  /* by postorder number */
	int32 *mapped;    /* by postorder number: nodes before it that have a partner */
	int32 *equal;     /* the same, at no cost */
	int32 *paid;      /* nodes before it whose operation costs something */

	/* by postorder number, where IndexTrees() has been called */
	int32 *parent;   /* or -1 */
	int32 *ordinal;  /* among the children of the parent, from 0 */
	int32 *children; /* how many */
	uint64 *hash;    /* of the subtree */
} MappedTree;

typedef struct MappedTrees
{
	LabelTable *labels;
	MappedTree a;
	MappedTree b;
	LabelMarks marks; /* the caller's */
	bool has_ignored; /* the caller's: ignored nodes have partners, too */
	bool is_optimal;  /* the mapping */
} MappedTrees;

/* Decodes a tree with a table of labels, numbers its nodes, and makes room for its map. */
extern void DecodeMappedTree(MappedTree *side, const Tree *tree, LabelTable *labels);

/*
 * Maps two trees to each other by a model of costs, or by unit costs where that is NULL;
 * `what` names the computation in errors about memory.  For a mapping by names, the trees are of
 * JSON, or of XML with marks; members of the second document's objects come to be in an order in
 * which partners follow each other as in the first document.
 */
extern void MapValues(MappedTrees *trees, const Tree *a, const Tree *b, const CostModel *model,
					  MappingKind kind, const char *what);

/*
 * Leaves out of both trees the subtrees that are left alone, but for the roots.  The
 * numbers of the other nodes change.
 */
extern void LeaveOutFreeSubtrees(MappedTrees *trees);

/* Operations of the edit script that cost something, and nodes that keep their labels. */
typedef struct OperationCounts
{
	int32 equal;
	int32 renamed;
	int32 deleted;
	int32 inserted;
} OperationCounts;

extern OperationCounts CountOperations(const MappedTrees *trees);

/*
 * Whether the mapping makes one subtree of another at no cost.  If so, a patch
 * leaves the first one as it is.
 */
extern bool CostsNothing(const MappedTrees *trees, int32 x, int32 y);

/* Finds parents and children, and hashes subtrees. */
extern void IndexTrees(MappedTrees *trees, const char *what);

/* Whether the subtrees of two nodes of trees that are indexed are equal. */
extern bool SubtreesEqual(const MappedTrees *trees, int32 x, int32 y);

/* The children of a node from left to right, in an array of the current memory context. */
extern int32 *ListChildren(const MappedTree *side, int32 node);

/* The same without those that are left alone; returns their number, too. */
extern int32 *ListPatchedChildren(const MappedTree *side, int32 node, int32 *count);

/* Bytes of the label of a node. */
static inline Label
NodeLabel(const MappedTrees *trees, const MappedTree *side, int32 node)
{
	return LabelTableGet(trees->labels, side->tree.label[node]);
}

/* Difference of sums at the ends of a subtree. */
static inline int32
SumOfSubtree(const MappedTree *side, const int32 *sums, int32 node)
{
	return sums[node + 1] - sums[node + 1 - side->tree.subtree_size[node]];
}

/* Whether a subtree, by its root, has no node with a partner. */
static inline bool
IsUnmapped(const MappedTree *side, int32 node)
{
	return SumOfSubtree(side, side->mapped, node) == 0;
}

/*
 * Whether a subtree is left alone: no node has a partner, and to delete or to insert
 * it costs nothing.
 */
static inline bool
IsLeftAlone(const MappedTree *side, int32 node)
{
	return IsUnmapped(side, node) && SumOfSubtree(side, side->paid, node) == 0;
}

/* Whether a node has a partner, to which renaming it costs nothing. */
static inline bool
KeepsLabel(const MappedTree *side, int32 node)
{
	return side->equal[node + 1] > side->equal[node];
}

/* Whether a node is deleted or inserted at no cost. */
static inline bool
IsFree(const MappedTree *side, int32 node)
{
	return side->map[node] < 0 && side->paid[node + 1] == side->paid[node];
}

/* Nodes of a subtree that are deleted or inserted at no cost. */
static inline int32
FreeNodes(const MappedTree *side, int32 node)
{
	return side->tree.subtree_size[node] - SumOfSubtree(side, side->paid, node) -
		   SumOfSubtree(side, side->equal, node);
}

/* Whether a subtree of one side becomes that of its root's partner at no cost. */
static inline bool
IsUnchanged(const MappedTree *side, const MappedTree *other, int32 node)
{
	int32 size = side->tree.subtree_size[node];

	return side->map[node] >= 0 && other->tree.subtree_size[side->map[node]] == size &&
		   SumOfSubtree(side, side->equal, node) == size;
}

/* Edit operations on the subtrees of two nodes that cost something. */
static inline int32
EditOperations(const MappedTrees *trees, int32 x, int32 y)
{
	return SumOfSubtree(&trees->a, trees->a.paid, x) + SumOfSubtree(&trees->b, trees->b.paid, y) +
		   SumOfSubtree(&trees->b, trees->b.equal, y) - SumOfSubtree(&trees->b, trees->b.mapped, y);
}

/* Nodes of the second tree below a node that have a partner at no cost. */
static inline int32
KeptBelow(const MappedTrees *trees, int32 y)
{
	const int32 *equal = trees->b.equal;

	return SumOfSubtree(&trees->b, equal, y) - (equal[y + 1] - equal[y]);
}

/* Whether one node is in the subtree of another one. */
static inline bool
InSubtree(const MappedTree *side, int32 node, int32 root)
{
	return node <= root && node > root - side->tree.subtree_size[root];
}

#endif /* TED_MAPPED_TREES_H */
