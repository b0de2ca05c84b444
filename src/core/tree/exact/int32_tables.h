/*
 * int32_tables.h
 *	  Zhang and Shasha's tables cell by cell.
 */
#ifndef TED_INT32_TABLES_H
#define TED_INT32_TABLES_H

#include "tables.h"

/* Returns the number of cells of the forest table of two subtrees of these sizes. */
static inline size_t
ted_forest_cells(int32_t size_a, int32_t size_b)
{
	return ((size_t) size_a + 1) * ((size_t) size_b + 1);
}

/*
 * Fills the forest table of two subtrees, an array of ted_forest_cells() numbers.  Writes to
 * subtree[size_a][size_b] the distances of those pairs of subtrees that begin at the leftmost
 * leaves of root_a and root_b.  The distances of all other pairs inside the two subtrees must be
 * known.
 */
extern TedStatus ted_forest_fill(const TedTree *a, const TedTree *b, int32_t root_a, int32_t root_b,
								 TedCosts costs, int32_t *restrict subtree,
								 int32_t *restrict forest, const TedInterrupt *interrupt,
								 int64_t *steps);

/* Fills the distances of all pairs of subtrees. */
extern size_t ted_int32_memory(int32_t size_a, int32_t size_b);
extern TedStatus ted_int32_fill(const TedTree *a, const TedTree *b, const TedCosts *costs,
								TedArena *arena, const TedInterrupt *interrupt, TedTables *tables);

#endif /* TED_INT32_TABLES_H */
