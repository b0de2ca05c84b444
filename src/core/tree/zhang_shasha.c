/*
 * zhang_shasha.c
 *	  Exact tree edit distance: Zhang and Shasha, SIAM J. Comput. 18(6), 1989.
 *
 * For every pair of key roots a table of distances between forests is filled,
 * which yields the distances between all subtrees whose roots share their
 * leftmost leaves with the key roots.  The left decomposition takes leftmost
 * paths; the right one takes rightmost paths and is the left one of the
 * mirrored trees.  The number of cells is known beforehand, and the cheaper one
 * is run: by vectors where that is possible (vector_tables.h), else cell by cell.  Where
 * both have so many cells that other paths may be faster, the best strategy of
 * all paths is looked for and run if it is estimated to be (path_distance.h).
 */
#include "zhang_shasha.h"

#include "../common/tuning.h"
#include "path_distance.h"
#include "strategy.h"
#include "vector_tables.h"

/* Bytes that ted_orient() takes. */
size_t
ted_orient_memory(const TedTree *a, const TedTree *b)
{
	return ted_prefers_right(a, b) ? ted_mirror_memory(a->size) + ted_mirror_memory(b->size) : 0;
}

/* Mirrors both trees where rightmost paths make for fewer cells. */
TedStatus
ted_orient(const TedTree *a, const TedTree *b, TedArena *arena, const TedInterrupt *interrupt,
		   TedPairView *view)
{
	int32_t *number_a;
	int32_t *number_b;
	TedStatus status;

	*view = (TedPairView){.a = *a, .b = *b};
	if (!ted_prefers_right(a, b))
		return TED_OK;
	status = ted_mirror(a, arena, interrupt, &view->a, &number_a);
	if (status == TED_OK)
		status = ted_mirror(b, arena, interrupt, &view->b, &number_b);
	if (status != TED_OK)
		return status;
	view->number_a = number_a;
	view->number_b = number_b;
	return TED_OK;
}

/* Fills the forest table of one pair of key roots and the subtree distances that it yields. */
static TedStatus
fill_forest(const TedTree *a, const TedTree *b, int32_t root_a, int32_t root_b, TedCosts costs,
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

/* Computes the distances between all pairs of subtrees, cell by cell. */
static TedStatus
fill_int32(const TedTree *a, const TedTree *b, const TedCosts *costs, TedArena *arena,
		   const TedInterrupt *interrupt, TedTables *tables)
{
	int32_t *forest = ted_arena_alloc(arena, sizeof(int32_t) * ted_forest_cells(a->size, b->size));
	int64_t steps = 0;

	tables->cells32 = ted_arena_alloc(arena, sizeof(int32_t) * (size_t) a->size * (size_t) b->size);
	if (tables->cells32 == NULL || forest == NULL)
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
			status = fill_forest(a, b, x, y, *costs, tables->cells32, forest, interrupt, &steps);
			if (status != TED_OK)
				return status;
		}
	}
	return TED_OK;
}

/* Bytes of tables that are computed cell by cell. */
size_t
ted_int32_memory(int32_t size_a, int32_t size_b)
{
	return ted_arena_bytes(sizeof(int32_t) * (size_t) size_a * (size_t) size_b) +
		   ted_arena_bytes(sizeof(int32_t) * ted_forest_cells(size_a, size_b));
}

/* The sums of a pair as ted_orient() turns it. */
static void
orient_sums(const TedTree *a, const TedTree *b, TedTree *view_a, TedTree *view_b)
{
	bool mirrored = ted_prefers_right(a, b);

	*view_a = mirrored ? ted_mirror_sums(a) : *a;
	*view_b = mirrored ? ted_mirror_sums(b) : *b;
}

/* Seconds that the tables of key roots take by leftmost paths, about. */
static double
left_seconds(const TedTree *a, const TedTree *b, int32_t lanes)
{
	double cells = (double) a->left_nodes * (double) b->left_nodes;

	return (cells * ted_cell_time[lanes == 0 ? TED_SIMD_NONE : ted_simd()] +
			TED_NODE_TIME * (double) b->size) *
		   1e-9;
}

/* Seconds that the tables of key roots take, about. */
double
ted_tables_seconds(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	TedTree view_a;
	TedTree view_b;

	orient_sums(a, b, &view_a, &view_b);
	return left_seconds(&view_a, &view_b, ted_int16_lanes(&view_a, &view_b, b->size, costs));
}

/* Bytes of the tables of key roots by leftmost paths. */
static size_t
left_memory(const TedTree *a, const TedTree *b, int32_t lanes)
{
	return lanes == 0 ? ted_int32_memory(a->size, b->size) : ted_int16_memory(a, b, lanes);
}

/* Seconds below which a path strategy is taken, or 0 where looking for one does not pay. */
static double
path_limit(const TedTree *a, const TedTree *b, int32_t lanes)
{
	double seconds = ted_tuning.path_preference * left_seconds(a, b, lanes);
	double least = ted_strategy_least_seconds(a->size, b->size);

	if (seconds <= least || (seconds < TED_PATH_GAIN * least &&
							 ted_path_memory(a, b) > left_memory(a, b, lanes) + TED_MORE_MEMORY))
		return 0;
	return seconds;
}

/* Whether a path strategy is looked for. */
bool
ted_path_may_pay(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	TedTree view_a;
	TedTree view_b;

	orient_sums(a, b, &view_a, &view_b);
	return path_limit(&view_a, &view_b, ted_int16_lanes(&view_a, &view_b, b->size, costs)) > 0;
}

/* Whether a pair's tables are of 16 bits for sure: no path strategy is looked for. */
bool
ted_tables_int16(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	TedTree view_a;
	TedTree view_b;
	int32_t lanes;

	orient_sums(a, b, &view_a, &view_b);
	lanes = ted_int16_lanes(&view_a, &view_b, b->size, costs);
	return lanes != 0 && path_limit(&view_a, &view_b, lanes) == 0;
}

/* Bytes that ted_orient() and ted_tables_fill() take. */
size_t
ted_tables_memory(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	TedTree view_a;
	TedTree view_b;
	int32_t lanes;
	size_t bytes;
	size_t paths = 0;

	orient_sums(a, b, &view_a, &view_b);
	lanes = ted_int16_lanes(&view_a, &view_b, b->size, costs);
	bytes =
		lanes == 0 ? ted_int32_memory(a->size, b->size) : ted_int16_memory(&view_a, &view_b, lanes);
	if (path_limit(&view_a, &view_b, lanes) > 0)
		paths = ted_path_memory(a, b);
	return ted_orient_memory(a, b) + (bytes > paths ? bytes : paths);
}

/* Computes the distances between all pairs of subtrees of an oriented pair. */
TedStatus
ted_tables_fill(const TedTree *a, const TedTree *b, const TedCosts *costs, TedArena *arena,
				const TedInterrupt *interrupt, TedTables *tables)
{
	int32_t lanes = ted_int16_lanes(a, b, b->size, costs);
	double limit = path_limit(a, b, lanes);

	*tables = (TedTables){.b = b};
	if (limit > 0)
	{
		size_t used = arena->used;
		TedStatus status =
			ted_path_distances(a, b, costs, limit, arena, interrupt, &tables->cells32);

		if (status != TED_OK || tables->cells32 != NULL)
			return status;
		arena->used = used;
	}
	if (lanes == 0)
		return fill_int32(a, b, costs, arena, interrupt, tables);
	return ted_int16_fill(a, b, costs, lanes, arena, interrupt, tables);
}

/* Bytes that ted_distance() takes. */
size_t
ted_distance_memory(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	return ted_tables_memory(a, b, costs);
}

/* Exact distance between two trees. */
TedStatus
ted_distance(const TedTree *a, const TedTree *b, const TedCosts *costs, TedArena *arena,
			 const TedInterrupt *interrupt, int32_t *distance)
{
	size_t used = arena->used;
	TedPairView view;
	TedTables tables;
	TedStatus status = ted_orient(a, b, arena, interrupt, &view);

	if (status == TED_OK)
		status = ted_tables_fill(&view.a, &view.b, costs, arena, interrupt, &tables);
	if (status == TED_OK)
		*distance = ted_subtree_distance(&tables, a->size - 1, b->size - 1);
	arena->used = used;
	return status;
}
