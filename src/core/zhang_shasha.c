/*
 * zhang_shasha.c
 *	  Exact tree edit distance: Zhang and Shasha, SIAM J. Comput. 18(6), 1989.
 *
 * For every pair of key roots a table of distances between forests is filled,
 * which yields the distances between all subtrees whose roots share their
 * leftmost leaves with the key roots.  The left decomposition takes leftmost
 * paths; the right one takes rightmost paths and is the left one of the
 * mirrored trees.  The number of cells is known beforehand, and the cheaper one
 * is run: by vectors where that is possible (sweep.h), else cell by cell.  Where
 * both have so many cells that other paths may be faster, the best strategy of
 * all paths is looked for and run if it is estimated to be (path_distance.h).
 */
#include "zhang_shasha.h"

#include "path_distance.h"
#include "strategy.h"
#include "sweep.h"

/* Bytes of a mirrored copy of a tree and of the numbers of its nodes in it. */
size_t
ted_mirror_memory(int32_t size)
{
	return 5 * ted_arena_bytes(sizeof(int32_t) * (size_t) size);
}

/*
 * Makes a tree whose children are in opposite order; number[x] is what node x
 * has become, which is its preorder number counted from the end.
 */
TedStatus
ted_mirror(const TedTree *tree, TedArena *arena, TedTree *mirrored, int32_t **number)
{
	size_t bytes = sizeof(int32_t) * (size_t) tree->size;
	int32_t *label = ted_arena_alloc(arena, bytes);
	int32_t *subtree_size = ted_arena_alloc(arena, bytes);
	int32_t *depth = ted_arena_alloc(arena, bytes);
	int32_t *key_root = ted_arena_alloc(arena, bytes);

	*number = ted_arena_alloc(arena, bytes);
	if (*number == NULL)
		return TED_OUT_OF_ARENA;
	for (int32_t x = 0; x < tree->size; x++)
	{
		int32_t preorder = x - tree->subtree_size[x] + 1 + tree->depth[x];
		int32_t mirror_x = tree->size - 1 - preorder;

		(*number)[x] = mirror_x;
		label[mirror_x] = tree->label[x];
		subtree_size[mirror_x] = tree->subtree_size[x];
	}
	*mirrored = (TedTree){.size = tree->size, .label = label, .subtree_size = subtree_size};
	ted_tree_index(mirrored, depth, key_root);
	return TED_OK;
}

/* Sum of the sizes of all key roots' subtrees, by leftmost paths. */
static int64_t
left_cells(const TedTree *tree)
{
	int64_t cells = 0;

	for (int32_t x = 0; x < tree->size; x++)
		if (tree->key_root[x] == x)
			cells += tree->subtree_size[x];
	return cells;
}

/* Sum of the sizes of all key roots' subtrees, by rightmost paths. */
static int64_t
right_cells(const TedTree *tree)
{
	int32_t root = tree->size - 1;
	int64_t cells = tree->subtree_size[root];

	/* x is the last child of x + 1 unless that one is a leaf */
	for (int32_t x = 0; x < root; x++)
		if (tree->subtree_size[x + 1] == 1)
			cells += tree->subtree_size[x];
	return cells;
}

/* Whether rightmost paths make for fewer cells than leftmost ones. */
static bool
prefers_right(const TedTree *a, const TedTree *b)
{
	return (double) right_cells(a) * (double) right_cells(b) <
		   (double) left_cells(a) * (double) left_cells(b);
}

/* Mirrors both trees where rightmost paths make for fewer cells. */
TedStatus
ted_orient(const TedTree *a, const TedTree *b, TedArena *arena, TedPairView *view)
{
	int32_t *number_a;
	int32_t *number_b;

	*view = (TedPairView){.a = *a, .b = *b};
	if (!prefers_right(a, b))
		return TED_OK;
	if (ted_mirror(a, arena, &view->a, &number_a) != TED_OK ||
		ted_mirror(b, arena, &view->b, &number_b) != TED_OK)
		return TED_OUT_OF_ARENA;
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
fill_wide(const TedTree *a, const TedTree *b, const TedCosts *costs, TedArena *arena,
		  const TedInterrupt *interrupt, TedTables *tables)
{
	int32_t *forest = ted_arena_alloc(arena, sizeof(int32_t) * ted_forest_cells(a->size, b->size));
	int64_t steps = 0;

	tables->wide = ted_arena_alloc(arena, sizeof(int32_t) * (size_t) a->size * (size_t) b->size);
	if (tables->wide == NULL || forest == NULL)
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
			status = fill_forest(a, b, x, y, *costs, tables->wide, forest, interrupt, &steps);
			if (status != TED_OK)
				return status;
		}
	}
	return TED_OK;
}

/* Bytes of the tables of fill_wide(). */
static size_t
wide_memory(int32_t size_a, int32_t size_b)
{
	return ted_arena_bytes(sizeof(int32_t) * (size_t) size_a * (size_t) size_b) +
		   ted_arena_bytes(sizeof(int32_t) * ted_forest_cells(size_a, size_b));
}

/* What the layout of a tree takes its room from. */
typedef struct Measure
{
	int32_t key_roots;
	int32_t depth;
	int64_t key_root_nodes;
} Measure;

/* Measures a pair's decomposition; the number of key roots is that of the leaves either way. */
static Measure
measure(const TedTree *tree, bool mirrored)
{
	Measure result = {.key_root_nodes = mirrored ? right_cells(tree) : left_cells(tree)};

	for (int32_t x = 0; x < tree->size; x++)
	{
		result.key_roots += tree->subtree_size[x] == 1;
		result.depth = tree->depth[x] > result.depth ? tree->depth[x] : result.depth;
	}
	return result;
}

/* Most rows that wait on the stack of a sweep at once. */
static size_t
slots(const Measure *a)
{
	return (size_t) ted_min(a->depth, a->key_roots) + 1;
}

/* Bytes of a scratch row, with a vector of room before and behind. */
static size_t
row_bytes(int64_t width, int32_t lanes)
{
	return sizeof(int16_t) * ((size_t) width + 2 * (size_t) lanes);
}

/* Numbers from one row of distances to the next, with a vector of room in between. */
static size_t
row_stride(int32_t size_b, int32_t lanes)
{
	return (size_t) size_b + (size_t) lanes;
}

/* Bytes of the tables of fill_narrow(). */
static size_t
narrow_memory(int32_t size_a, const Measure *a, int32_t size_b, const Measure *b, int32_t lanes)
{
	int64_t width = ted_columns_bound(b->key_roots, b->key_root_nodes, b->depth, lanes);

	return ted_equal_key_roots_memory(size_a) +
		   ted_columns_memory(size_b, b->key_roots, b->key_root_nodes, b->depth, lanes) +
		   ted_arena_bytes(sizeof(int32_t) * (size_t) size_a) +
		   ted_arena_bytes(sizeof(int16_t) * row_stride(size_b, lanes) * ((size_t) size_a + 2)) +
		   3 * ted_arena_bytes(row_bytes(width, lanes)) +
		   ted_arena_bytes(row_bytes(width * (int64_t) slots(a), lanes));
}

/* Takes a scratch row, and gives it room before. */
static int16_t *
new_row(TedArena *arena, size_t bytes, int32_t lanes)
{
	int16_t *row = ted_arena_alloc(arena, bytes);

	return row == NULL ? NULL : row + lanes;
}

/* Computes the distances between all pairs of subtrees by vectors. */
static TedStatus
fill_narrow(const TedTree *a, const Measure *measure_a, const TedTree *b, const TedCosts *costs,
			int32_t lanes, TedArena *arena, const TedInterrupt *interrupt, TedTables *tables)
{
	TedColumns columns;
	TedSweep sweep = {.a = a,
					  .columns = &columns,
					  .stride = row_stride(b->size, lanes),
					  .insert = (int16_t) costs->insert,
					  .delete_ = (int16_t) costs->delete_,
					  .rename = (int16_t) ted_min(costs->rename, costs->insert + costs->delete_)};
	int32_t *first;
	int32_t rows = 0;
	int64_t width;
	TedStatus status = ted_columns_build(b, lanes, arena, &columns);

	if (status == TED_OK)
		status = ted_equal_key_roots(a, arena, &first);
	if (status != TED_OK)
		return status;
	width = columns.width;

	*tables = (TedTables){.stride = sweep.stride, .insert = costs->insert, .b = b};
	tables->row = ted_arena_alloc(arena, sizeof(int32_t) * (size_t) a->size);
	tables->narrow = new_row(arena, sizeof(int16_t) * sweep.stride * ((size_t) a->size + 2), lanes);
	sweep.above = new_row(arena, row_bytes(width, lanes), lanes);
	sweep.current = new_row(arena, row_bytes(width, lanes), lanes);
	sweep.wide = new_row(arena, row_bytes(width, lanes), lanes);
	sweep.beside = new_row(arena, row_bytes(width * (int64_t) slots(measure_a), lanes), lanes);
	if (tables->row == NULL || tables->narrow == NULL || sweep.above == NULL ||
		sweep.current == NULL || sweep.wide == NULL || sweep.beside == NULL)
		return TED_OUT_OF_ARENA;

	/* nodes that correspond in equal subtrees share a row */
	for (int32_t x = 0; x < a->size; x++)
	{
		int32_t root = a->key_root[x];

		tables->row[x] = first[root] == root ? rows++ : tables->row[x - root + first[root]];
	}
	sweep.first = first;
	sweep.row = tables->row;
	sweep.distance = tables->narrow;
	return ted_sweep(&sweep, interrupt);
}

/* Whether all numbers of a sweep fit 16 bits. */
static bool
fits_narrow(int32_t size_a, int32_t size_b, const TedCosts *costs)
{
	int64_t most_deleted = (int64_t) size_a * costs->delete_;
	int64_t most_inserted = (int64_t) size_b * costs->insert;
	int64_t most = most_deleted > most_inserted ? most_deleted : most_inserted;

	return 2 * most + costs->insert + costs->delete_ < INT16_MAX;
}

double ted_cells_for_sweep = 1500;

/* Memory that a sweep may take beyond that of the tables it replaces. */
#define SWEEP_MEMORY ((size_t) 64 << 20)

/* Lanes of the vectors to compute a pair with, or 0 to compute it cell by cell. */
static int32_t
choose_lanes(int32_t size_a, const Measure *a, int32_t size_b, const Measure *b,
			 const TedCosts *costs)
{
	TedSimd simd = ted_simd();
	int32_t lanes = simd == TED_SIMD_AVX512 ? TED_AVX512_LANES : TED_AVX2_LANES;

	if (simd == TED_SIMD_NONE || !fits_narrow(size_a, size_b, costs) ||
		(double) a->key_root_nodes * (double) b->key_root_nodes < ted_cells_for_sweep ||
		narrow_memory(size_a, a, size_b, b, lanes) > wide_memory(size_a, size_b) + SWEEP_MEMORY)
		return 0;
	return lanes;
}

double ted_path_preference = 1;

/* Nanoseconds that a cell takes, by the kind of vectors. */
static const double cell_time[] = {
	[TED_SIMD_NONE] = 2.2, [TED_SIMD_AVX2] = 0.42, [TED_SIMD_AVX512] = 0.21};

/* Seconds below which a path strategy is taken, or 0 where looking for one does not pay. */
static double
path_limit(int32_t size_a, const Measure *a, int32_t size_b, const Measure *b, int32_t lanes)
{
	double cells = (double) a->key_root_nodes * (double) b->key_root_nodes;
	double seconds =
		ted_path_preference * cells * cell_time[lanes == 0 ? TED_SIMD_NONE : ted_simd()] * 1e-9;

	return seconds > ted_strategy_least_seconds(size_a, size_b) ? seconds : 0;
}

/* Bytes of the tables of one decomposition. */
static size_t
decomposition_memory(const TedTree *a, const TedTree *b, const TedCosts *costs, bool mirrored)
{
	Measure measure_a = measure(a, mirrored);
	Measure measure_b = measure(b, mirrored);
	int32_t lanes = choose_lanes(a->size, &measure_a, b->size, &measure_b, costs);

	size_t sweeps = lanes == 0 ? wide_memory(a->size, b->size)
							   : narrow_memory(a->size, &measure_a, b->size, &measure_b, lanes);
	size_t paths =
		path_limit(a->size, &measure_a, b->size, &measure_b, lanes) > 0 ? ted_path_memory(a, b) : 0;

	return sweeps > paths ? sweeps : paths;
}

/* Bytes that ted_orient() and ted_tables_fill() take. */
size_t
ted_tables_memory(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	bool mirrored = prefers_right(a, b);

	return decomposition_memory(a, b, costs, mirrored) +
		   (mirrored ? ted_mirror_memory(a->size) + ted_mirror_memory(b->size) : 0);
}

/* Computes the distances between all pairs of subtrees, by leftmost paths. */
TedStatus
ted_tables_fill(const TedTree *a, const TedTree *b, const TedCosts *costs, TedArena *arena,
				const TedInterrupt *interrupt, TedTables *tables)
{
	Measure measure_a = measure(a, false);
	Measure measure_b = measure(b, false);
	int32_t lanes = choose_lanes(a->size, &measure_a, b->size, &measure_b, costs);

	double limit = path_limit(a->size, &measure_a, b->size, &measure_b, lanes);
	size_t used = arena->used;

	*tables = (TedTables){.b = b};
	if (limit > 0)
	{
		TedStatus status = ted_path_distances(a, b, costs, limit, arena, interrupt, &tables->wide);

		if (status != TED_OK || tables->wide != NULL)
			return status;
		arena->used = used;
	}
	if (lanes == 0)
		return fill_wide(a, b, costs, arena, interrupt, tables);
	return fill_narrow(a, &measure_a, b, costs, lanes, arena, interrupt, tables);
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
	TedStatus status = ted_orient(a, b, arena, &view);

	if (status == TED_OK)
		status = ted_tables_fill(&view.a, &view.b, costs, arena, interrupt, &tables);
	if (status == TED_OK)
		*distance = ted_subtree_distance(&tables, a->size - 1, b->size - 1);
	arena->used = used;
	return status;
}
