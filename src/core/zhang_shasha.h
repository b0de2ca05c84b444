/*
 * zhang_shasha.h
 *	  Distances between all pairs of subtrees, shared by the distance and the mapping.
 */
#ifndef ZHANG_SHASHA_H
#define ZHANG_SHASHA_H

#include "ted.h"

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

extern size_t ted_orient_memory(int32_t size_a, int32_t size_b);
extern TedStatus ted_orient(const TedTree *a, const TedTree *b, TedArena *arena, TedPairView *view);

/* Distances between all pairs of subtrees, and room for one forest table. */
typedef struct TedTables
{
	int32_t *subtree; /* [size_a][size_b] */
	int32_t *forest;  /* (size_a + 1) (size_b + 1) entries of scratch */
} TedTables;

extern size_t ted_tables_memory(int32_t size_a, int32_t size_b);
extern TedStatus ted_tables_fill(const TedTree *a, const TedTree *b, const TedCosts *costs,
								 TedArena *arena, const TedInterrupt *interrupt, TedTables *tables);

/* Smaller of two distances. */
static inline int32_t
ted_min(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

#endif /* ZHANG_SHASHA_H */
