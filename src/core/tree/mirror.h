/*
 * mirror.h
 *	  Trees whose children are in opposite order.
 */
#ifndef TED_MIRROR_H
#define TED_MIRROR_H

#include "ted.h"

/* The arrays of a tree that is made of another one, or of several in a row. */
typedef struct TedTreeArrays
{
	int32_t *label;
	int32_t *subtree_size;
	int32_t *depth;
	int32_t *key_root;
} TedTreeArrays;

/* Takes these arrays. */
static inline TedTreeArrays
ted_take_tree_arrays(TedArena *arena, int32_t size)
{
	return (TedTreeArrays){.label = ted_arena_int32(arena, (size_t) size),
						   .subtree_size = ted_arena_int32(arena, (size_t) size),
						   .depth = ted_arena_int32(arena, (size_t) size),
						   .key_root = ted_arena_int32(arena, (size_t) size)};
}

/* Gives a tree, whose sums are set, its arrays. */
static inline void
ted_set_tree_arrays(TedTree *tree, const TedTreeArrays *arrays)
{
	tree->label = arrays->label;
	tree->subtree_size = arrays->subtree_size;
	tree->depth = arrays->depth;
	tree->key_root = arrays->key_root;
}

/*
 * Makes a tree, or several in a row, whose children are in opposite order;
 * number[x] is what node x has become.
 */
extern size_t ted_mirror_memory(int32_t size);
extern TedStatus ted_mirror(const TedTree *tree, TedArena *arena, const TedInterrupt *interrupt,
							TedTree *mirrored, int32_t **number);

/* The sums of the mirror image of a tree, without its arrays. */
static inline TedTree
ted_mirror_sums(const TedTree *tree)
{
	return (TedTree){.size = tree->size,
					 .leaves = tree->leaves,
					 .height = tree->height,
					 .left_nodes = tree->right_nodes,
					 .right_nodes = tree->left_nodes};
}

/* Whether rightmost paths make for fewer cells than leftmost ones. */
extern bool ted_prefers_right(const TedTree *a, const TedTree *b);

/*
 * A pair of trees as the cheaper decomposition sees it: the trees themselves,
 * for leftmost paths, or mirrored ones, for rightmost paths.
 */
typedef struct TedPairView
{
	TedTree a;
	TedTree b;
	const int32_t *number_a; /* what node x of a has become, or NULL where it is still x */
	const int32_t *number_b;
} TedPairView;

extern size_t ted_orient_memory(const TedTree *a, const TedTree *b);
extern TedStatus ted_orient(const TedTree *a, const TedTree *b, TedArena *arena,
							const TedInterrupt *interrupt, TedPairView *view);

#endif /* TED_MIRROR_H */
