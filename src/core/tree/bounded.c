/*
 * bounded.c
 *	  Tree edit distance up to a limit: a k-strip around equal postorder numbers.
 *
 * A mapping that maps x to y leaves the nodes left of, right of and above x to
 * those left of, right of and above y, so it costs at least as many insertions
 * and deletions as these numbers differ; the sizes of the subtrees differ, too.
 * Pairs for which that is more than k cannot be mapped within the limit.  The
 * others are relevant, and only forest tables with a relevant pair are filled.
 *
 * Wherever such a mapping divides both trees, y - x is the insertions less the
 * deletions among the nodes up to x and y, and deletions less insertions of the
 * whole mapping is the difference of the sizes.  That leaves k + 1 values of
 * y - x at most, for pairs as well as for the cells of all tables.
 *
 * The idea is the k-strip of Touzet (2005), whose bookkeeping of a band for
 * each table by its topmost pair would lose results: that pair need not be
 * relevant.
 */
#include <stdlib.h>

#include "../common/tuning.h"
#include "bounds.h"
#include "strip.h"
#include "vector_tables.h"
#include "zhang_shasha.h"

/* Whether the rows of a strip of k are vectors. */
static bool
takes_vectors(const TedCosts *costs, int32_t k)
{
	return k < TED_STRIP_LANES && costs->insert <= TED_INFINITE / TED_STRIP_LANES &&
		   ted_simd() == TED_SIMD_AVX512;
}

/* Whether the mirror images of trees are to be compared: their tables have fewer rows. */
static bool
mirrors(const TedTree *a)
{
	return a->right_nodes + TED_MIRROR_ROWS * (int64_t) a->size < a->left_nodes;
}

/*
 * Seconds that a strip takes, about: for the pairs of nodes in it, and for the
 * tables, of which similar trees have the most: about k of each key root.
 */
static double
strip_seconds(const TedTree *a, const TedCosts *costs, int32_t k)
{
	double rows = (double) (mirrors(a) ? a->right_nodes : a->left_nodes) * k;

	if (takes_vectors(costs, k))
		return (TED_STRIP_NODE_TIME * (double) a->size + TED_STRIP_ROW_TIME * rows) * 1e-9;
	return (TED_STRIP_DIAGONAL_TIME * (double) a->size * ((double) k + 1) +
			TED_STRIP_CELL_TIME * rows * k) *
		   1e-9;
}

/* Whether x begins a path of the direction in which the strip takes the tree. */
static bool
begins_path(const TedTree *tree, bool mirrored, int32_t x)
{
	if (mirrored) /* the last node, or one that is not a last child */
		return x == tree->size - 1 || tree->subtree_size[x + 1] == 1;
	return tree->key_root[x] == x;
}

/*
 * Seconds that a strip takes, about, for large trees: O(|a|), and more careful
 * about small tables, which have fewer columns than the strip has diagonals.
 */
double
ted_strip_pair_seconds(const TedTree *a, const TedCosts *costs, int32_t limit)
{
	int32_t k = ted_strip_width(costs, limit);
	bool mirrored = mirrors(a);
	double cells = 0;

	if (takes_vectors(costs, k))
		return strip_seconds(a, costs, k);
	for (int32_t x = 0; x < a->size; x++)
		if (begins_path(a, mirrored, x))
			cells += (double) a->subtree_size[x] * ted_min(a->subtree_size[x] - 1, k) + 1;
	return (TED_STRIP_DIAGONAL_TIME * (double) a->size + TED_STRIP_PLAIN_TIME * cells) *
		   ((double) k + 1) * 1e-9;
}

/* Whether a strip is narrower than the trees and faster than this number of seconds. */
static bool
strip_pays(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit, double seconds)
{
	int32_t k = ted_strip_width(costs, limit);

	return k < b->size && strip_seconds(a, costs, k) < seconds;
}

/* Whether a strip is faster than the tables of the exact algorithm in a batch. */
bool
ted_strip_pays(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit)
{
	return strip_pays(a, b, costs, limit, ted_tables_seconds(a, b, costs));
}

/* Seconds that a pair takes in a batch, by tables or by a strip, about. */
double
ted_pair_seconds(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit)
{
	double tables = ted_tables_seconds(a, b, costs);

	if (ted_size_bound(a->size, b->size, costs) > limit)
		return 0;
	return strip_pays(a, b, costs, limit, tables)
			   ? strip_seconds(a, costs, ted_strip_width(costs, limit))
			   : tables;
}

/* Whether a strip is faster than ted_distance(), whose tables are set up for this pair alone. */
static bool
strip_pays_alone(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit)
{
	double set_up = TED_SET_UP_TIME * 1e-9 * ((double) a->size + b->size);

	return strip_pays(a, b, costs, limit, set_up + ted_tables_seconds(a, b, costs));
}

/* Orders node numbers. */
static int
compare_nodes(const void *a, const void *b)
{
	int32_t x = *(const int32_t *) a;
	int32_t y = *(const int32_t *) b;

	return (x > y) - (x < y);
}

/* Whether node numbers are in ascending order, as most are where siblings are leaves. */
static bool
ascending(const int32_t *nodes, int32_t count)
{
	for (int32_t i = 1; i < count; i++)
		if (nodes[i] < nodes[i - 1])
			return false;
	return true;
}

/* Takes a relevant pair into its forest table, a new one if the pair is the first. */
static void
note_pair(TedStrip *strip, int32_t x, int32_t y, int32_t *count)
{
	int32_t root_b = strip->b->key_root[y];
	TedStripTable *table = &strip->table[root_b];

	if (table->top_a < 0)
	{
		strip->touched[(*count)++] = root_b;
		*table = (TedStripTable){.top_a = x, .top_b = y};
	}
	else if (table->top_b < y)
		table->top_b = y;
}

/* Notes the relevant pairs of a node of a. */
static void
note_pairs(TedStrip *strip, int32_t x, int32_t *count)
{
	int32_t first = x - strip->deletions;
	int32_t last = ted_min(strip->b->size, first + strip->width) - 1;

	if (strip->vectors)
	{
		for (uint32_t lanes = ted_strip_relevant_avx512(strip, x); lanes != 0; lanes &= lanes - 1)
			note_pair(strip, x, first + __builtin_ctz(lanes), count);
		return;
	}
	for (int32_t y = first > 0 ? first : 0; y <= last; y++)
		if (ted_edits_outside(strip->a, strip->b, x, y) +
				ted_edits_inside(strip->a, strip->b, x, y) <=
			strip->k)
			note_pair(strip, x, y, count);
}

/*
 * Notes the tables that the relevant pairs of one leftmost path of a need, and
 * counts them; all distances of the path are infinite as yet.
 */
static TedStatus
find_tables(TedStrip *strip, int32_t root_a, int32_t *count)
{
	*count = 0;
	for (int32_t x = root_a; x >= 0; x = strip->below[x])
	{
		int32_t *distance = strip->subtree + (size_t) x * (size_t) strip->width;

		for (int32_t lane = 0; lane < strip->width; lane++)
			distance[lane] = TED_INFINITE;
		note_pairs(strip, x, count);
		if (ted_interrupted(strip->interrupt, &strip->steps, strip->width))
			return TED_CANCELLED;
	}
	if (!ascending(strip->touched, *count))
		qsort(strip->touched, (size_t) *count, sizeof(int32_t), compare_nodes);
	return TED_OK;
}

/*
 * The same as ted_strip_table_avx512() for rows of any width; lanes outside of
 * the table, of which small tables leave most, are not read and not written.
 */
static TedStatus
fill_plain(TedStrip *strip, TedStripTable table)
{
	const TedTree *a = strip->a;
	const TedTree *b = strip->b;
	const TedCosts *costs = &strip->costs;
	int32_t width = strip->width;
	int32_t first_a = table.top_a - a->subtree_size[table.top_a] + 1;
	int32_t first_b = table.top_b - b->subtree_size[table.top_b] + 1;
	int32_t last_a = ted_min(table.top_a, table.top_b + strip->deletions);
	int32_t *row = strip->forest;

	row[strip->origin] = 0;
	for (int32_t y = first_b, lane = strip->origin + 1; y <= table.top_b && lane < width;
		 y++, lane++)
		row[lane] = row[lane - 1] + ted_insert_cost(costs, b->label[y]);

	for (int32_t x = first_a; x <= last_a; x++)
	{
		const int32_t *above = row;
		int32_t label_a = a->label[x];
		int32_t size_a = a->subtree_size[x];
		int32_t delete_cost = ted_delete_cost(costs, label_a);
		bool on_path = size_a == x - first_a + 1;
		int32_t *distance = strip->subtree + (size_t) x * (size_t) width;
		int32_t lane_0 = x - strip->deletions; /* the node in lane 0 */
		int32_t first = first_b - lane_0;
		int32_t last = ted_min(table.top_b - lane_0, width - 1);
		int32_t before = TED_INFINITE;
		const int32_t *beside;
		int32_t lane = ted_max(first, 0);

		row += width;
		beside = row - (size_t) size_a * (size_t) width;

		/* the empty forest */
		if (first > 0)
		{
			before = ted_min(above[first] + delete_cost, TED_INFINITE);
			row[first - 1] = before;
		}
		for (; lane <= last; lane++)
		{
			int32_t y = lane_0 + lane;
			int32_t size_b = b->subtree_size[y];
			int32_t source = lane + size_a - size_b;
			int32_t best = ted_min(before + ted_insert_cost(costs, b->label[y]), TED_INFINITE);

			if (lane < width - 1)
				best = ted_min(best, above[lane + 1] + delete_cost);
			if (on_path && size_b == y - first_b + 1)
			{
				best = ted_min(best, above[lane] + ted_rename_cost(costs, label_a, b->label[y]));
				distance[lane] = best;
			}
			else if (source >= 0 && source < width)
				best = ted_min(best, beside[source] + distance[lane]);
			row[lane] = best;
			before = best;
		}
		if (ted_interrupted(strip->interrupt, &strip->steps, last - first + 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Fills one forest table and the subtree distances that it yields. */
static TedStatus
fill_table(TedStrip *strip, TedStripTable table)
{
	int32_t rows = strip->a->subtree_size[table.top_a];
	int32_t columns = strip->b->subtree_size[table.top_b];

	strip->origin = (table.top_b - columns) - (table.top_a - rows) + strip->deletions;
	if (!strip->vectors)
		return fill_plain(strip, table);
	ted_strip_table_avx512(strip, table);
	return ted_interrupted(strip->interrupt, &strip->steps, rows * (int64_t) TED_STRIP_LANES)
			   ? TED_CANCELLED
			   : TED_OK;
}

/* Fills all tables, in ascending order of key roots of a, then of b. */
static TedStatus
fill_tables(TedStrip *strip)
{
	const TedTree *a = strip->a;

	for (int32_t x = 0; x < a->size; x++)
	{
		int32_t count;

		if (a->key_root[x] != x)
			continue;
		if (find_tables(strip, x, &count) != TED_OK)
			return TED_CANCELLED;
		for (int32_t i = 0; i < count; i++)
		{
			TedStripTable *table = &strip->table[strip->touched[i]];

			if (fill_table(strip, *table) != TED_OK)
				return TED_CANCELLED;
			table->top_a = -1;
		}
	}
	return TED_OK;
}

/* Links every node to the next lower one on its leftmost path. */
static void
link_paths(const TedTree *tree, int32_t *below)
{
	for (int32_t x = 0; x < tree->size; x++)
	{
		int32_t root = tree->key_root[x];
		int32_t lower = tree->subtree_size[x] > 1 ? below[root] : -1;

		/* until the root comes, its entry is the node of its path that came last */
		below[root] = x;
		below[x] = lower;
	}
}

/* Lanes of a row that there is room for, for a strip of k. */
static size_t
row_room(int32_t k)
{
	return k < TED_STRIP_LANES ? TED_STRIP_LANES : (size_t) k + 1;
}

/* Bytes that ted_strip_fill() takes. */
size_t
ted_strip_memory(int32_t size_a, int32_t size_b, const TedCosts *costs, int32_t limit)
{
	size_t row = sizeof(int32_t) * row_room(ted_strip_width(costs, limit));

	return ted_arena_bytes(row * (size_t) size_a) + ted_arena_bytes(row * ((size_t) size_a + 1)) +
		   ted_arena_bytes(sizeof(int32_t) * (size_t) size_a) +
		   ted_arena_bytes(sizeof(TedStripTable) * (size_t) size_b) +
		   ted_arena_bytes(sizeof(int32_t) * (size_t) size_b);
}

/* Computes the distances of all subtrees within the strip; the sizes differ by at most k. */
TedStatus
ted_strip_fill(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit,
			   TedArena *arena, const TedInterrupt *interrupt, TedStrip *strip)
{
	int32_t k = ted_strip_width(costs, limit);
	size_t row = sizeof(int32_t) * row_room(k);
	int32_t deletions = (k + (a->size - b->size)) / 2;
	int32_t insertions = (k - (a->size - b->size)) / 2;
	bool vectors = takes_vectors(costs, k);

	*strip = (TedStrip){.a = a,
						.b = b,
						.costs = *costs,
						.k = k,
						.deletions = deletions,
						.width = vectors ? TED_STRIP_LANES : deletions + insertions + 1,
						.vectors = vectors,
						.interrupt = interrupt};
	strip->subtree = ted_arena_alloc(arena, row * (size_t) a->size);
	strip->forest = ted_arena_alloc(arena, row * ((size_t) a->size + 1));
	strip->below = ted_arena_alloc(arena, sizeof(int32_t) * (size_t) a->size);
	strip->table = ted_arena_alloc(arena, sizeof(TedStripTable) * (size_t) b->size);
	strip->touched = ted_arena_alloc(arena, sizeof(int32_t) * (size_t) b->size);
	if (strip->subtree == NULL || strip->forest == NULL || strip->below == NULL ||
		strip->table == NULL || strip->touched == NULL)
		return TED_OUT_OF_ARENA;

	for (int32_t y = 0; y < b->size; y++)
		strip->table[y].top_a = -1;
	link_paths(a, strip->below);
	return fill_tables(strip);
}

/* Fills the forest table of two subtrees that are within the strip again. */
TedStatus
ted_strip_refill(TedStrip *strip, int32_t x, int32_t y)
{
	return fill_table(strip, (TedStripTable){.top_a = x, .top_b = y});
}

/* Bytes that ted_strip_pair() takes. */
size_t
ted_strip_pair_memory(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit)
{
	return ted_strip_memory(a->size, b->size, costs, limit) +
		   (mirrors(a) ? ted_mirror_memory(a->size) + ted_mirror_memory(b->size) : 0);
}

/* Bytes that ted_bounded_distance() takes. */
size_t
ted_bounded_distance_memory(const TedTree *a, const TedTree *b, const TedCosts *costs,
							int32_t limit)
{
	if (ted_size_bound(a->size, b->size, costs) > limit)
		return 0;
	if (!strip_pays_alone(a, b, costs, limit))
		return ted_distance_memory(a, b, costs);
	return ted_strip_pair_memory(a, b, costs, limit);
}

/* Distance by a strip, if it is at most the limit. */
TedStatus
ted_strip_pair(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit,
			   TedArena *arena, const TedInterrupt *interrupt, int32_t *distance)
{
	size_t used = arena->used;
	TedStrip strip;
	TedTree view_a = *a;
	TedTree view_b = *b;
	int32_t *number;
	TedStatus status = TED_OK;

	if (mirrors(a))
	{
		status = ted_mirror(a, arena, interrupt, &view_a, &number);
		if (status == TED_OK)
			status = ted_mirror(b, arena, interrupt, &view_b, &number);
	}
	if (status == TED_OK)
		status = ted_strip_fill(&view_a, &view_b, costs, limit, arena, interrupt, &strip);
	if (status == TED_OK)
		*distance = ted_strip_distance(&strip, a->size - 1, b->size - 1);
	arena->used = used;
	if (status == TED_OK && *distance > limit)
		*distance = TED_BEYOND;
	return status;
}

/* Distance if it is at most `limit`, else TED_BEYOND. */
TedStatus
ted_bounded_distance(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit,
					 TedArena *arena, const TedInterrupt *interrupt, int32_t *distance)
{
	TedStatus status = TED_OK;

	if (ted_size_bound(a->size, b->size, costs) > limit)
		*distance = TED_BEYOND;
	else if (strip_pays_alone(a, b, costs, limit))
		status = ted_strip_pair(a, b, costs, limit, arena, interrupt, distance);
	else
		status = ted_distance(a, b, costs, arena, interrupt, distance);

	if (status == TED_OK && *distance > limit)
		*distance = TED_BEYOND;
	return status;
}
