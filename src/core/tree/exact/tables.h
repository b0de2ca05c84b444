/*
 * tables.h
 *	  Distances between all pairs of subtrees.
 */
#ifndef TED_TABLES_H
#define TED_TABLES_H

#include "../ted.h"

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
	int32_t *inserted; /* what inserting all nodes before each of b costs, where that differs
						* by label, else NULL */
	const TedTree *b;
} TedTables;

/* Cost of inserting the nodes of b from one to before another, where there are `cells16`. */
static inline int32_t
ted_inserted(const TedTables *tables, int32_t first, int32_t end)
{
	return tables->inserted == NULL ? tables->insert * (end - first)
									: tables->inserted[end] - tables->inserted[first];
}

/* Distance between the subtrees of x and y. */
static inline int32_t
ted_subtree_distance(const TedTables *tables, int32_t x, int32_t y)
{
	if (tables->cells32 != NULL)
		return tables->cells32[(size_t) x * (size_t) tables->b->size + (size_t) y];
	return tables->cells16[(size_t) tables->row[x] * tables->stride + (size_t) y] +
		   ted_inserted(tables, y + 1 - tables->b->subtree_size[y], y + 1);
}

#endif /* TED_TABLES_H */
