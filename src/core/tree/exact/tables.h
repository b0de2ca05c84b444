/*
 * tables.h
 *	  Distances between all pairs of subtrees.
 */
#ifndef TED_TABLES_H
#define TED_TABLES_H

#include "../ted.h"

/*
 * Distances between all pairs of subtrees, as 32-bit numbers or, where sizes and costs allow and
 * the processor has vectors, as the 16-bit numbers of vector_tables.h.
 */
typedef struct TedTables
{
	int32_t *cells32; /* [size_a][size_b], or NULL */
	int16_t *cells16; /* rows of `stride` numbers, each less the cost of inserting the second
					   * subtree; or NULL */
	int32_t *row;     /* by node of a: its row of `cells16` */
	size_t stride;
	int32_t insert;
	int32_t *inserted; /* by node of b: cost of inserting all nodes before it, where costs differ by
						* label; else NULL */
	const TedTree *b;
} TedTables;

/* Computes the prefix sums of the costs of inserting the nodes of b. */
static inline void
ted_sum_insertions(const TedCosts *costs, const TedTree *b, int32_t *inserted)
{
	inserted[0] = 0;
	for (int32_t y = 0; y < b->size; y++)
		inserted[y + 1] = inserted[y] + ted_insert_cost(costs, b->label[y]);
}

/* Returns the cost of inserting nodes `first` to end - 1 of b, where there are `cells16`. */
static inline int32_t
ted_inserted(const TedTables *tables, int32_t first, int32_t end)
{
	return tables->inserted == NULL ? tables->insert * (end - first)
									: tables->inserted[end] - tables->inserted[first];
}

/* Returns the distance between the subtrees of x and y. */
static inline int32_t
ted_subtree_distance(const TedTables *tables, int32_t x, int32_t y)
{
	if (tables->cells32 != NULL)
		return tables->cells32[(size_t) x * (size_t) tables->b->size + (size_t) y];
	return tables->cells16[(size_t) tables->row[x] * tables->stride + (size_t) y] +
		   ted_inserted(tables, y + 1 - tables->b->subtree_size[y], y + 1);
}

#endif /* TED_TABLES_H */
