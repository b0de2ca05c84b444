/*
 * decompositions.c
 *	  The left and the right decomposition of a tree, and its heavy paths.
 */
#include "decompositions.h"

#include "../mirror.h"

/* Allocates the arrays of one decomposition, except those of its tree and its numbers. */
static void
take_decomposition_arrays(TedArena *arena, int32_t size, TedDecomposition *decomposition)
{
	decomposition->preorder = ted_arena_int32(arena, (size_t) size);
	decomposition->at_preorder = ted_arena_int32(arena, (size_t) size);
	decomposition->own = ted_arena_int32(arena, (size_t) size);
	decomposition->level = ted_arena_int32(arena, (size_t) size);
	decomposition->levels = ted_arena_int32(arena, (size_t) size);
	decomposition->cost = ted_arena_int32(arena, (size_t) size);
}

/* Allocates the arrays of both decompositions, except those of the mirrored tree. */
static void
take_all_arrays(TedArena *arena, int32_t size, TedDecompositions *decompositions)
{
	TedDecomposition *left = &decompositions->decomposition[TED_FROM_LEFT];
	TedDecomposition *right = &decompositions->decomposition[TED_FROM_RIGHT];

	left->node = left->number = ted_arena_int32(arena, (size_t) size);
	right->node = ted_arena_int32(arena, (size_t) size);
	take_decomposition_arrays(arena, size, left);
	take_decomposition_arrays(arena, size, right);
	decompositions->parent = ted_arena_int32(arena, (size_t) size);
	decompositions->heavy = ted_arena_int32(arena, (size_t) size);
}

/* Bytes that ted_decompositions_build() takes. */
size_t
ted_decompositions_memory(int32_t size)
{
	TedArena counted = {0};
	TedDecompositions decompositions;

	take_all_arrays(&counted, size, &decompositions);
	return ted_mirror_memory(size) + counted.used;
}

/* Numbers the nodes of one decomposition in preorder. */
static void
add_preorder(TedDecomposition *decomposition)
{
	const TedTree *tree = &decomposition->tree;
	int32_t *preorder = decomposition->preorder;

	for (int32_t x = 0; x < tree->size; x++)
	{
		preorder[x] = ted_first(tree, x) + tree->depth[x];
		decomposition->at_preorder[preorder[x]] = x;
	}
	for (int32_t x = 0; x < tree->size; x++)
		decomposition->own[x] = preorder[tree->key_root[x]];
}

/* Computes the levels of one decomposition. */
static void
add_levels(TedDecomposition *decomposition)
{
	const TedTree *tree = &decomposition->tree;
	int32_t *level = decomposition->level;
	int32_t *levels = decomposition->levels;

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
}

/* Completes one decomposition, whose tree and numbers are already set. */
static void
complete(TedDecomposition *decomposition, const TedCosts *costs,
		 int32_t (*cost)(const TedCosts *costs, int32_t label))
{
	const TedTree *tree = &decomposition->tree;

	add_preorder(decomposition);
	add_levels(decomposition);
	for (int32_t x = 0; x < tree->size; x++)
		decomposition->cost[x] = cost(costs, tree->label[x]);
}

/* Finds the parents and heavy children of all nodes. */
static void
add_paths(const TedTree *tree, TedDecompositions *decompositions)
{
	int32_t *parent = decompositions->parent;
	int32_t *heavy = decompositions->heavy;

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
}

/* Builds both decompositions of a tree. */
TedStatus
ted_decompositions_build(const TedTree *tree, const TedCosts *costs,
						 int32_t (*cost)(const TedCosts *costs, int32_t label), TedArena *arena,
						 const TedInterrupt *interrupt, TedDecompositions *decompositions)
{
	TedDecomposition *left = &decompositions->decomposition[TED_FROM_LEFT];
	TedDecomposition *right = &decompositions->decomposition[TED_FROM_RIGHT];
	TedStatus status;

	take_all_arrays(arena, tree->size, decompositions);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	status = ted_mirror(tree, arena, interrupt, &right->tree, &right->number);
	if (status != TED_OK)
		return status;
	left->tree = *tree;
	for (int32_t x = 0; x < tree->size; x++)
	{
		left->number[x] = x;
		right->node[right->number[x]] = x;
	}
	complete(left, costs, cost);
	complete(right, costs, cost);
	add_paths(tree, decompositions);
	return TED_OK;
}
