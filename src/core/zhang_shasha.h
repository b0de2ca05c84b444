/*
 * zhang_shasha.h
 *	  Distances between all pairs of subtrees, shared by the distance and the mapping.
 */
#ifndef ZHANG_SHASHA_H
#define ZHANG_SHASHA_H

#include "ted.h"

/* Distances between all pairs of subtrees, and room for one forest table. */
typedef struct TedTables
{
	int32_t *subtree;      /* [size_a][size_b], by the numbers below */
	const int32_t *row;    /* row of a node of a, NULL where it is its postorder number */
	const int32_t *column; /* column of a node of b, likewise */
	int32_t *forest;       /* (size_a + 1) (size_b + 1) entries of scratch */
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
