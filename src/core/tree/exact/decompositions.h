/*
 * decompositions.h
 *	  The left and the right decomposition of a tree, and its heavy paths.
 */
#ifndef TED_DECOMPOSITIONS_H
#define TED_DECOMPOSITIONS_H

#include "../ted.h"

/*
 * A tree in one of the two directions; arrays by postorder number in this direction.  The level of
 * a node is the number of key roots among its ancestors and itself, the root of the tree not
 * counted.
 */
typedef struct TedDecomposition
{
	TedTree tree;         /* the tree, or its mirror image if seen from the right */
	int32_t *node;        /* postorder number in the tree itself */
	int32_t *number;      /* by number in the tree itself: number in this direction */
	int32_t *preorder;    /* by node: preorder number */
	int32_t *at_preorder; /* by preorder number: the node */
	int32_t *own;         /* by node: preorder number of its key root */
	int32_t *level;
	int32_t *levels; /* number of distinct levels in the subtree */
	int32_t *cost;   /* by node: cost of deleting or inserting it */
} TedDecomposition;

enum
{
	TED_FROM_LEFT,
	TED_FROM_RIGHT,
	TED_DECOMPOSITIONS
};

/* Both decompositions of a tree; arrays by number in the tree itself. */
typedef struct TedDecompositions
{
	TedDecomposition decomposition[TED_DECOMPOSITIONS];
	int32_t *parent; /* by node: its parent; -1 for the root */
	int32_t *heavy;  /* by node: its child with the largest subtree; -1 for a leaf */
} TedDecompositions;

/*
 * Builds both decompositions of a tree; `cost` returns the cost of deleting or inserting a node by
 * its label.
 */
extern size_t ted_decompositions_memory(int32_t size);
extern TedStatus ted_decompositions_build(const TedTree *tree, const TedCosts *costs,
										  int32_t (*cost)(const TedCosts *costs, int32_t label),
										  TedArena *arena, const TedInterrupt *interrupt,
										  TedDecompositions *decompositions);

/*
 * Whether x has children after its child c in this direction; they are added to c in this
 * direction's postorder.
 */
static inline bool
ted_hangs(const TedTree *tree, int direction, int32_t x, int32_t c)
{
	return direction == TED_FROM_LEFT ? c != x - 1 : ted_first(tree, c) != ted_first(tree, x);
}

#endif /* TED_DECOMPOSITIONS_H */
