/*
 * int32_tables.c
 *	  Zhang and Shasha's tables cell by cell.
 */
#include "int32_tables.h"

/* Fills the forest table of two subtrees and the subtree distances that it yields. */
TedStatus
ted_forest_fill(const TedTree *a, const TedTree *b, int32_t root_a, int32_t root_b, TedCosts costs,
				int32_t *restrict subtree, int32_t *restrict forest, const TedInterrupt *interrupt,
				int64_t *steps)
{
	int32_t rows = a->subtree_size[root_a];
	int32_t columns = b->subtree_size[root_b];
	int32_t first_a = root_a - rows + 1;
	int32_t first_b = root_b - columns + 1;
	size_t stride = (size_t) columns + 1;

	/* shifted so that they are indexed by the column */
	const int32_t *label_b = b->label + first_b - 1;
	const int32_t *size_b = b->subtree_size + first_b - 1;

	forest[0] = 0;
	for (int32_t j = 1; j <= columns; j++)
		forest[j] = forest[j - 1] + ted_insert_cost(&costs, label_b[j]);

	for (int32_t i = 1; i <= rows; i++)
	{
		int32_t x = first_a + i - 1;
		int32_t label_a = a->label[x];
		int32_t delete_cost = ted_delete_cost(&costs, label_a);
		int32_t left = i - a->subtree_size[x]; /* nodes left of the subtree of x */
		int32_t *restrict row = forest + (size_t) i * stride;
		const int32_t *above = row - stride;
		const int32_t *beside = forest + (size_t) left * stride;
		int32_t *restrict distance = subtree + (size_t) x * b->size + first_b - 1;

		row[0] = above[0] + delete_cost;
		for (int32_t j = 1; j <= columns; j++)
		{
			int32_t best =
				ted_min(above[j] + delete_cost, row[j - 1] + ted_insert_cost(&costs, label_b[j]));

			if (left == 0 && size_b[j] == j)
			{
				best = ted_min(best, above[j - 1] + ted_rename_cost(&costs, label_a, label_b[j]));
				distance[j] = best;
			}
			else
				best = ted_min(best, beside[j - size_b[j]] + distance[j]);
			row[j] = best;
		}
		if (ted_interrupted(interrupt, steps, columns))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Takes the tables, and returns the forest table that serves all pairs of key roots. */
static int32_t *
take_arrays(TedArena *arena, int32_t size_a, int32_t size_b, TedTables *tables)
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

	take_arrays(&counted, size_a, size_b, &tables);
	return counted.used;
}

/* Computes the distances between all pairs of subtrees, cell by cell. */
TedStatus
ted_int32_fill(const TedTree *a, const TedTree *b, const TedCosts *costs, TedArena *arena,
			   const TedInterrupt *interrupt, TedTables *tables)
{
	int32_t *forest;
	int64_t steps = 0;

	*tables = (TedTables){.b = b};
	forest = take_arrays(arena, a->size, b->size, tables);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;

	for (int32_t x = 0; x < a->size; x++)
	{
		if (a->key_root[x] != x)
			continue;
		for (int32_t y = 0; y < b->size; y++)
		{
			TedStatus status;

			if (b->key_root[y] != y)
				continue;
			status =
				ted_forest_fill(a, b, x, y, *costs, tables->cells32, forest, interrupt, &steps);
			if (status != TED_OK)
				return status;
		}
	}
	return TED_OK;
}
