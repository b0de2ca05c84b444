/*
 * mapped_pair.h
 *	  Two trees mapped to each other by unit costs, with what patches ask of them.
 */
#ifndef TED_TREE_MAPPED_PAIR_H
#define TED_TREE_MAPPED_PAIR_H

#include "tree.h"

/* A tree of the pair; arrays by postorder number, sums before it, so that they have one more. */
typedef struct MappedTree
{
	TedTree tree;
	int32 *map;       /* partner, or -1 */
	int32 *parent;    /* or -1 */
	int32 *ordinal;   /* among the children of the parent, from 0 */
	int32 *children;  /* how many */
	int32 *postorder; /* by preorder number */
	uint64 *hash;     /* of the subtree */
	int32 *changed;   /* sum: nodes without a partner; of the first tree also the renamed ones */
	int32 *kept;      /* sum: nodes whose partner has the same label */
} MappedTree;

typedef struct MappedPair
{
	LabelTable *labels;
	MappedTree a;
	MappedTree b;
} MappedPair;

/* Maps two trees; `what` says for whom in errors about memory. */
extern void MappedPairInit(MappedPair *pair, Datum a, Datum b, const char *what);

/* Tells whether the subtrees of two nodes are equal. */
extern bool SubtreesEqual(const MappedPair *pair, int32 x, int32 y);

/* Edit operations on the subtrees of two nodes. */
extern int32 EditOperations(const MappedPair *pair, int32 x, int32 y);

/* Nodes of the second tree below a node that keep partner and label. */
extern int32 KeptBelow(const MappedPair *pair, int32 y);

/* The children of a node from left to right, in an array of the current memory context. */
extern int32 *ListChildren(const MappedTree *side, int32 node);

/* Preorder number of a node, from 0. */
extern int32 PreorderNumber(const MappedTree *side, int32 node);

/* Label of a node. */
extern Label LabelOfNode(const MappedPair *pair, const MappedTree *side, int32 node);

/* Tells whether one node is in the subtree of another one. */
static inline bool
InSubtree(const MappedTree *side, int32 node, int32 root)
{
	return node <= root && node > root - side->tree.subtree_size[root];
}

#endif /* TED_TREE_MAPPED_PAIR_H */
