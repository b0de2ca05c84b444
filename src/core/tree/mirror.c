/*
 * mirror.c
 *	  Trees whose children are in reverse order.
 */
#include "mirror.h"

/* The arrays of a mirrored tree, and the number of each node in it. */
typedef struct Arrays
{
	TedTreeArrays tree;
	int32_t *number;
} Arrays;

/* Allocates the arrays of a mirrored tree. */
static Arrays
take_mirror_arrays(TedArena *arena, int32_t size)
{
	return (Arrays){.tree = ted_take_tree_arrays(arena, size),
					.number = ted_arena_int32(arena, (size_t) size)};
}

/* Bytes that ted_mirror() takes. */
size_t
ted_mirror_memory(int32_t size)
{
	TedArena counted = {0};

	take_mirror_arrays(&counted, size);
	return counted.used;
}

/*
 * Builds the mirror image of a tree; number[x] is the postorder number of node x in it, which is
 * the preorder number of x counted from the end.
 */
TedStatus
ted_mirror(const TedTree *tree, TedArena *arena, const TedInterrupt *interrupt, TedTree *mirrored,
		   int32_t **number)
{
	Arrays to = take_mirror_arrays(arena, tree->size);
	int64_t steps = 0;

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	for (int32_t begin = 0, end; begin < tree->size; begin = end)
	{
		end = ted_run_end(begin, tree->size);
		for (int32_t x = begin; x < end; x++)
		{
			int32_t preorder = ted_first(tree, x) + tree->depth[x];
			int32_t mirror_x = tree->size - 1 - preorder;

			to.number[x] = mirror_x;
			to.tree.label[mirror_x] = tree->label[x];
			to.tree.subtree_size[mirror_x] = tree->subtree_size[x];
			to.tree.depth[mirror_x] = tree->depth[x];
		}
		if (ted_interrupted(interrupt, &steps, end - begin))
			return TED_CANCELLED;
	}
	*mirrored = ted_mirror_sums(tree);
	ted_set_tree_arrays(mirrored, &to.tree);
	*number = to.number;
	return ted_tree_key_roots(mirrored, to.tree.key_root, interrupt);
}

/* Mirrors both trees. */
TedStatus
ted_mirror_pair(const TedTree *a, const TedTree *b, TedArena *arena, const TedInterrupt *interrupt,
				TedPairView *view)
{
	TedStatus status = ted_mirror(a, arena, interrupt, &view->a, &view->number_a);

	return status == TED_OK ? ted_mirror(b, arena, interrupt, &view->b, &view->number_b) : status;
}

/* Whether the right decomposition has fewer cells than the left one. */
bool
ted_prefers_right(const TedTree *a, const TedTree *b)
{
	return (double) a->right_nodes * (double) b->right_nodes <
		   (double) a->left_nodes * (double) b->left_nodes;
}

/* Bytes that ted_orient() takes. */
size_t
ted_orient_memory(const TedTree *a, const TedTree *b)
{
	return ted_prefers_right(a, b) ? ted_mirror_memory(a->size) + ted_mirror_memory(b->size) : 0;
}

/* Mirrors both trees where the right decomposition has fewer cells. */
TedStatus
ted_orient(const TedTree *a, const TedTree *b, TedArena *arena, const TedInterrupt *interrupt,
		   TedPairView *view)
{
	*view = (TedPairView){.a = *a, .b = *b};
	return ted_prefers_right(a, b) ? ted_mirror_pair(a, b, arena, interrupt, view) : TED_OK;
}
