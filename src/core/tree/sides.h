/*
 * sides.h
 *	  A tree as seen from its left and from its right, and its heavy paths.
 */
#ifndef TED_CORE_TREE_SIDES_H
#define TED_CORE_TREE_SIDES_H

#include "ted.h"

/*
 * A tree in one of the two directions; arrays by number in this direction.  A
 * level is the number of key roots above a node, less its own.
 */
typedef struct TedSide
{
	TedTree tree;               /* mirrored, seen from the right */
	const int32_t *node;        /* number in the tree itself */
	const int32_t *number;      /* number in this direction, by that in the tree itself */
	const int32_t *preorder;    /* preorder number */
	const int32_t *at_preorder; /* node, by preorder number */
	const int32_t *own;         /* preorder number of the key root */
	const int32_t *level;
	const int32_t *levels; /* distinct levels in the subtree */
	const int32_t *cost;   /* of deleting or inserting the node */
} TedSide;

enum
{
	TED_FROM_LEFT,
	TED_FROM_RIGHT,
	TED_SIDES
};

/* Arrays by number in the tree itself. */
typedef struct TedSides
{
	TedSide side[TED_SIDES];
	const int32_t *parent; /* -1 for the root */
	const int32_t *heavy;  /* the child with the largest subtree; -1 for a leaf */
} TedSides;

/* Looks at a tree from both sides; `cost` is that of deleting or inserting a node by its label. */
extern size_t ted_sides_memory(int32_t size);
extern TedStatus ted_sides_build(const TedTree *tree, const TedCosts *costs,
								 int32_t (*cost)(const TedCosts *costs, int32_t label),
								 TedArena *arena, const TedInterrupt *interrupt, TedSides *sides);

/* First node of the subtree of x. */
static inline int32_t
ted_first(const TedTree *tree, int32_t x)
{
	return x - tree->subtree_size[x] + 1;
}

/*
 * Whether x has children that come after c in this direction: those are added
 * to c in this direction's postorder.
 */
static inline bool
ted_hangs(const TedTree *tree, int direction, int32_t x, int32_t c)
{
	return direction == TED_FROM_LEFT ? c != x - 1 : ted_first(tree, c) != ted_first(tree, x);
}

#endif /* TED_CORE_TREE_SIDES_H */
