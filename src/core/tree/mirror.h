/*
 * mirror.h
 *	  Trees whose children are in reverse order.
 */
#ifndef TED_MIRROR_H
#define TED_MIRROR_H

#include "ted.h"

/* The arrays of a tree, or of several in a row, that is derived from another one. */
typedef struct TedTreeArrays
{
	int32_t *label;
	int32_t *subtree_size;
	int32_t *depth;
	int32_t *key_root;
} TedTreeArrays;

/* Allocates the arrays of a tree. */
static inline TedTreeArrays
ted_take_tree_arrays(TedArena *arena, int32_t size)
{
	return (TedTreeArrays){.label = ted_arena_int32(arena, (size_t) size),
						   .subtree_size = ted_arena_int32(arena, (size_t) size),
						   .depth = ted_arena_int32(arena, (size_t) size),
						   .key_root = ted_arena_int32(arena, (size_t) size)};
}

/* Sets the array pointers of a tree whose other members are set. */
static inline void
ted_set_tree_arrays(TedTree *tree, const TedTreeArrays *arrays)
{
	tree->label = arrays->label;
	tree->subtree_size = arrays->subtree_size;
	tree->depth = arrays->depth;
	tree->key_root = arrays->key_root;
}

/*
 * Builds the mirror image of a tree, or of several in a row; number[x] is the postorder number of
 * node x in the mirror image.
 */
extern size_t ted_mirror_memory(int32_t size);
extern TedStatus ted_mirror(const TedTree *tree, TedArena *arena, const TedInterrupt *interrupt,
							TedTree *mirrored, int32_t **number);

/* Returns the mirror image of a tree without its arrays. */
static inline TedTree
ted_mirror_sums(const TedTree *tree)
{
	return (TedTree){.size = tree->size,
					 .leaves = tree->leaves,
					 .height = tree->height,
					 .left_nodes = tree->right_nodes,
					 .right_nodes = tree->left_nodes};
}

/* Whether the right decomposition has fewer cells than the left one. */
extern bool ted_prefers_right(const TedTree *a, const TedTree *b);

/*
 * A pair of trees for the cheaper decomposition: the trees themselves for the left decomposition,
 * mirrored trees for the right one.
 */
typedef struct TedPairView
{
	TedTree a;
	TedTree b;
	int32_t *number_a; /* number of node x of a in the view, or NULL where the trees are not
						* mirrored */
	int32_t *number_b;
} TedPairView;

/* Mirrors both trees. */
extern TedStatus ted_mirror_pair(const TedTree *a, const TedTree *b, TedArena *arena,
								 const TedInterrupt *interrupt, TedPairView *view);

/* Mirrors both trees where the right decomposition has fewer cells, else copies the structs. */
extern size_t ted_orient_memory(const TedTree *a, const TedTree *b);
extern TedStatus ted_orient(const TedTree *a, const TedTree *b, TedArena *arena,
							const TedInterrupt *interrupt, TedPairView *view);

#endif /* TED_MIRROR_H */
