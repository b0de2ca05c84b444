/*
 * decompositions.c
 *	  A tree as seen from its left and from its right, and its heavy paths.
 */
#include "decompositions.h"

#include "zhang_shasha.h"

/* Arrays of one decomposition besides those of a mirrored tree. */
#define SIDE_ARRAYS 6

/* Takes an array of a number for each node. */
static int32_t *
node_array(TedArena *arena, int32_t size)
{
	return ted_arena_alloc(arena, sizeof(int32_t) * (size_t) size);
}

/* Numbers the nodes of one decomposition in preorder. */
static TedStatus
add_preorder(TedDecomposition *decomposition, TedArena *arena)
{
	const TedTree *tree = &decomposition->tree;
	int32_t *preorder = node_array(arena, tree->size);
	int32_t *at_preorder = node_array(arena, tree->size);
	int32_t *own = node_array(arena, tree->size);

	if (preorder == NULL || at_preorder == NULL || own == NULL)
		return TED_OUT_OF_ARENA;
	for (int32_t x = 0; x < tree->size; x++)
	{
		preorder[x] = ted_first(tree, x) + tree->depth[x];
		at_preorder[preorder[x]] = x;
	}
	for (int32_t x = 0; x < tree->size; x++)
		own[x] = preorder[tree->key_root[x]];
	decomposition->preorder = preorder;
	decomposition->at_preorder = at_preorder;
	decomposition->own = own;
	return TED_OK;
}

/* Finds the levels of one decomposition. */
static TedStatus
add_levels(TedDecomposition *decomposition, TedArena *arena)
{
	const TedTree *tree = &decomposition->tree;
	int32_t *level = node_array(arena, tree->size);
	int32_t *levels = node_array(arena, tree->size);

	if (level == NULL || levels == NULL)
		return TED_OUT_OF_ARENA;
	level[tree->size - 1] = 0;
	for (int32_t x = tree->size - 1; x >= 0; x--)
		for (int32_t c = x - 1; c >= ted_first(tree, x); c -= tree->subtree_size[c])
			level[c] = level[x] + (tree->key_root[c] == c);
	for (int32_t x = 0; x < tree->size; x++)
	{
		levels[x] = 1;
		for (int32_t c = x - 1; c >= ted_first(tree, x); c -= tree->subtree_size[c])
		{
			int32_t below = levels[c] + (tree->key_root[c] == c);

			levels[x] = below > levels[x] ? below : levels[x];
		}
	}
	decomposition->level = level;
	decomposition->levels = levels;
	return TED_OK;
}

/* Completes one decomposition, whose tree and numbers are set. */
static TedStatus
finish_side(TedDecomposition *decomposition, const TedCosts *costs,
			int32_t (*node_cost)(const TedCosts *costs, int32_t label), TedArena *arena)
{
	int32_t *cost = node_array(arena, decomposition->tree.size);

	if (cost == NULL || add_preorder(decomposition, arena) != TED_OK ||
		add_levels(decomposition, arena) != TED_OK)
		return TED_OUT_OF_ARENA;
	for (int32_t x = 0; x < decomposition->tree.size; x++)
		cost[x] = node_cost(costs, decomposition->tree.label[x]);
	decomposition->cost = cost;
	return TED_OK;
}

/* Finds parents and heavy children. */
static TedStatus
add_paths(const TedTree *tree, TedArena *arena, TedDecompositions *decompositions)
{
	int32_t *parent = node_array(arena, tree->size);
	int32_t *heavy = node_array(arena, tree->size);

	if (parent == NULL || heavy == NULL)
		return TED_OUT_OF_ARENA;
	parent[tree->size - 1] = -1;
	for (int32_t x = 0; x < tree->size; x++)
	{
		heavy[x] = -1;
		for (int32_t c = x - 1; c >= ted_first(tree, x); c -= tree->subtree_size[c])
		{
			parent[c] = x;
			if (heavy[x] < 0 || tree->subtree_size[c] > tree->subtree_size[heavy[x]])
				heavy[x] = c;
		}
	}
	decompositions->parent = parent;
	decompositions->heavy = heavy;
	return TED_OK;
}

/* Bytes that ted_decompositions_build() takes. */
size_t
ted_decompositions_memory(int32_t size)
{
	return ted_mirror_memory(size) +
		   (2 * SIDE_ARRAYS + 4) * ted_arena_bytes(sizeof(int32_t) * (size_t) size);
}

/* Looks at a tree from both decompositions. */
TedStatus
ted_decompositions_build(const TedTree *tree, const TedCosts *costs,
						 int32_t (*cost)(const TedCosts *costs, int32_t label), TedArena *arena,
						 const TedInterrupt *interrupt, TedDecompositions *decompositions)
{
	TedDecomposition *left = &decompositions->decomposition[TED_FROM_LEFT];
	TedDecomposition *right = &decompositions->decomposition[TED_FROM_RIGHT];
	int32_t *same = node_array(arena, tree->size);
	int32_t *node = node_array(arena, tree->size);
	int32_t *number;
	TedStatus status;

	if (same == NULL || node == NULL)
		return TED_OUT_OF_ARENA;
	status = ted_mirror(tree, arena, interrupt, &right->tree, &number);
	if (status != TED_OK)
		return status;
	for (int32_t x = 0; x < tree->size; x++)
	{
		same[x] = x;
		node[number[x]] = x;
	}
	left->tree = *tree;
	left->node = left->number = same;
	right->node = node;
	right->number = number;
	if (finish_side(left, costs, cost, arena) != TED_OK ||
		finish_side(right, costs, cost, arena) != TED_OK)
		return TED_OUT_OF_ARENA;
	return add_paths(tree, arena, decompositions);
}
