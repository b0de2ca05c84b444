/*
 * zhang_shasha.h
 *	  Distances between all pairs of subtrees, shared by the distance and the mapping.
 */
#ifndef TED_CORE_TREE_ZHANG_SHASHA_H
#define TED_CORE_TREE_ZHANG_SHASHA_H

#include "ted.h"

/*
 * Makes a tree, or several in a row, whose children are in opposite order;
 * number[x] is what node x has become.
 */
extern size_t ted_mirror_memory(int32_t size);
extern TedStatus ted_mirror(const TedTree *tree, TedArena *arena, const TedInterrupt *interrupt,
							TedTree *mirrored, int32_t **number);

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

/*
 * Distances between all pairs of subtrees, as 32-bit numbers or, where sizes
 * and costs allow and the processor has vectors, as the 16-bit ones of vector_tables.h.
 */
typedef struct TedTables
{
	int32_t *cells32; /* [size_a][size_b], or NULL */
	int16_t *cells16; /* rows of `stride`, each less the cost of inserting the second subtree */
	int32_t *row;     /* row of `cells16` by node of a */
	size_t stride;
	int32_t insert;
	const TedTree *b;
} TedTables;

/* Whether a path strategy is looked for. */
extern bool ted_path_may_pay(const TedTree *a, const TedTree *b, const TedCosts *costs);

/* Whether a pair's tables are of 16 bits for sure: no path strategy is looked for. */
extern bool ted_tables_int16(const TedTree *a, const TedTree *b, const TedCosts *costs);

/* Bytes that orienting a pair and filling its tables take. */
extern size_t ted_tables_memory(const TedTree *a, const TedTree *b, const TedCosts *costs);

/* Fills the tables of an oriented pair. */
extern TedStatus ted_tables_fill(const TedTree *a, const TedTree *b, const TedCosts *costs,
								 TedArena *arena, const TedInterrupt *interrupt, TedTables *tables);

/* Distance between the subtrees of x and y. */
static inline int32_t
ted_subtree_distance(const TedTables *tables, int32_t x, int32_t y)
{
	if (tables->cells32 != NULL)
		return tables->cells32[(size_t) x * (size_t) tables->b->size + (size_t) y];
	return tables->cells16[(size_t) tables->row[x] * tables->stride + (size_t) y] +
		   tables->insert * tables->b->subtree_size[y];
}

/* Whether rightmost paths make for fewer cells than leftmost ones. */
extern bool ted_prefers_right(const TedTree *a, const TedTree *b);

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

/*
 * The functions below want to know of a tree, or of several in a row, what
 * ted_tree_index() sums up; `largest` is the size of the largest one.
 */

/* Bytes of tables that are computed cell by cell. */
extern size_t ted_int32_memory(int32_t size_a, int32_t size_b);

/* Whether 16 bits hold all numbers of the tables by vectors. */
extern bool ted_int16_fits(int32_t size_a, int32_t size_b, const TedCosts *costs);

/* Lanes of the vectors to compute a pair with, or 0 to compute it cell by cell. */
extern int32_t ted_int16_lanes(const TedTree *a, const TedTree *b, int32_t largest,
							   const TedCosts *costs);

/* Fills the tables by vectors of this number of lanes. */
extern size_t ted_int16_memory(const TedTree *a, const TedTree *b, int32_t lanes);
extern TedStatus ted_int16_fill(const TedTree *a, const TedTree *b, const TedCosts *costs,
								int32_t lanes, TedArena *arena, const TedInterrupt *interrupt,
								TedTables *tables);

/* Seconds that the tables of key roots take, about. */
extern double ted_tables_seconds(const TedTree *a, const TedTree *b, const TedCosts *costs);

/* Entries of a forest table. */
static inline size_t
ted_forest_cells(int32_t size_a, int32_t size_b)
{
	return ((size_t) size_a + 1) * ((size_t) size_b + 1);
}

#endif /* TED_CORE_TREE_ZHANG_SHASHA_H */
