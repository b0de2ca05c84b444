/*
 * int32_tables.c
 *	  Zhang and Shasha's tables cell by cell.
 */
#include "int32_tables.h"

#define NUMBER int32_t
#define LESSER ted_min
#define COSTS TedCosts
#define INSERT_COST ted_insert_cost
#define DELETE_COST ted_delete_cost
#define RENAME_COST ted_rename_cost
#include "forest_template.h"

/* Fills the forest table of two subtrees, and the subtree distances that follow from it. */
TedStatus
ted_forest_fill(const TedTree *a, const TedTree *b, int32_t root_a, int32_t root_b, TedCosts costs,
				int32_t *restrict subtree, int32_t *restrict forest, const TedInterrupt *interrupt,
				int64_t *steps)
{
	return fill_forest_table(a, b, root_a, root_b, costs, subtree, forest, interrupt, steps);
}

/* Allocates the tables, and returns the forest table that all pairs of key roots share. */
static int32_t *
take_int32_tables(TedArena *arena, int32_t size_a, int32_t size_b, TedTables *tables)
{
	tables->cells32 = ted_arena_int32(arena, (size_t) size_a * (size_t) size_b);
	return ted_arena_int32(arena, ted_forest_cells(size_a, size_b));
}

/* Bytes that ted_int32_fill() takes. */
size_t
ted_int32_memory(int32_t size_a, int32_t size_b)
{
	TedArena counted = {0};
	TedTables tables;

	take_int32_tables(&counted, size_a, size_b, &tables);
	return counted.used;
}

/* Computes the distances between all pairs of subtrees, cell by cell. */
TedStatus
ted_int32_fill(const TedTree *a, const TedTree *b, const TedCosts *costs, TedArena *arena,
			   const TedInterrupt *interrupt, TedTables *tables)
{
	int32_t *forest;

	*tables = (TedTables){.b = b};
	forest = take_int32_tables(arena, a->size, b->size, tables);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	return fill_forests(a, b, *costs, tables->cells32, forest, interrupt);
}
