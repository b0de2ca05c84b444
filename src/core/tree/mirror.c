/*
 * mirror.c
 *	  Trees whose children are in opposite order.
 */
#include "zhang_shasha.h"

/* Bytes of a mirrored copy of a tree and of the numbers of its nodes in it. */
size_t
ted_mirror_memory(int32_t size)
{
	return 5 * ted_arena_bytes(sizeof(int32_t) * (size_t) size);
}

/*
 * Makes a tree whose children are in opposite order; number[x] is what node x
 * has become, which is its preorder number counted from the end.
 */
TedStatus
ted_mirror(const TedTree *tree, TedArena *arena, const TedInterrupt *interrupt, TedTree *mirrored,
		   int32_t **number)
{
	size_t bytes = sizeof(int32_t) * (size_t) tree->size;
	int32_t *label = ted_arena_alloc(arena, bytes);
	int32_t *subtree_size = ted_arena_alloc(arena, bytes);
	int32_t *depth = ted_arena_alloc(arena, bytes);
	int32_t *key_root = ted_arena_alloc(arena, bytes);
	int64_t steps = 0;

	*number = ted_arena_alloc(arena, bytes);
	if (*number == NULL)
		return TED_OUT_OF_ARENA;
	for (int32_t begin = 0, end; begin < tree->size; begin = end)
	{
		end = ted_run_end(begin, tree->size);
		for (int32_t x = begin; x < end; x++)
		{
			int32_t preorder = x - tree->subtree_size[x] + 1 + tree->depth[x];
			int32_t mirror_x = tree->size - 1 - preorder;

			(*number)[x] = mirror_x;
			label[mirror_x] = tree->label[x];
			subtree_size[mirror_x] = tree->subtree_size[x];
			depth[mirror_x] = tree->depth[x];
		}
		if (ted_interrupted(interrupt, &steps, end - begin))
			return TED_CANCELLED;
	}
	*mirrored = ted_mirror_sums(tree);
	mirrored->label = label;
	mirrored->subtree_size = subtree_size;
	mirrored->depth = depth;
	mirrored->key_root = key_root;
	return ted_tree_key_roots(mirrored, key_root, interrupt);
}

/* Whether rightmost paths make for fewer cells than leftmost ones. */
bool
ted_prefers_right(const TedTree *a, const TedTree *b)
{
	return (double) a->right_nodes * (double) b->right_nodes <
		   (double) a->left_nodes * (double) b->left_nodes;
}
