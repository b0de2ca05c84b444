/*
 * strip.c
 *	  Tree edit distance up to a limit by a k-strip around equal postorder numbers.
 *
 * A mapping that maps x to y can map nodes left of, right of and above x only to nodes left of,
 * right of and above y.  So it has at least as many insertions and deletions as the numbers of
 * these nodes differ, and as the sizes of the subtrees differ.  Pairs for which these are more than
 * k in total cannot be mapped within the limit.  The other pairs are relevant, and only forest
 * tables with a relevant pair are filled.
 *
 * Wherever such a mapping divides both trees, y - x is the number of insertions less that of
 * deletions among the nodes up to x and y, and the deletions less the insertions of the whole
 * mapping are the difference of the sizes.  So y - x has at most k + 1 values, for pairs as well as
 * for the cells of all tables.
 *
 * The idea is the k-strip of Touzet (2005).  But a band for each table by its topmost pair, as in
 * that paper, would lose results, since that pair need not be relevant.
 */
#include "strip.h"

#include <stdlib.h>

#include "../../common/simd.h"
#include "../exact/tables.h"

/* Whether the rows of a strip of this k are vectors. */
bool
ted_strip_takes_vectors(const TedCosts *costs, int32_t k)
{
	return k < TED_STRIP_LANES &&
		   (ted_costs_by_label(costs) ||
			ted_uniform_costs(costs).insert <= TED_INFINITE / TED_STRIP_LANES) &&
		   ted_simd() >= TED_SIMD_AVX512;
}

/* Compares two node numbers for qsort(). */
static int
compare_nodes(const void *a, const void *b)
{
	int32_t x = *(const int32_t *) a;
	int32_t y = *(const int32_t *) b;

	return (x > y) - (x < y);
}

/* Whether node numbers are in ascending order, as they mostly are where siblings are leaves. */
static bool
ascending(const int32_t *nodes, int32_t count)
{
	for (int32_t i = 1; i < count; i++)
		if (nodes[i] < nodes[i - 1])
			return false;
	return true;
}

/* Adds a relevant pair to the table of its key roots, a new one if the pair is the first. */
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

/* Adds the relevant pairs of node x of a to their tables. */
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
 * Finds and counts the tables that the relevant pairs of one leftmost path of a need, and sets all
 * distances of the path to TED_INFINITE.
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

/* Fills row 0 of a forest table, that of the empty forest; the origin must be set. */
static void
fill_first_row(const TedStrip *strip, int32_t first_b, int32_t last_b)
{
	const int32_t *label = strip->b->label;
	int32_t *row = strip->forest;

	row[strip->origin] = 0;
	for (int32_t y = first_b, lane = strip->origin + 1; y <= last_b && lane < strip->width;
		 y++, lane++)
		row[lane] = row[lane - 1] + ted_insert_cost(&strip->costs, label[y]);
}

/*
 * Fills the row of node x in the forest table of the subtrees that begin at first_a and first_b,
 * inlined so that the compiler sees whether `labels` is NULL.
 */
static inline __attribute__((always_inline)) void
fill_row_by(const TedStrip *strip, const TedLabelCosts *labels, int32_t x, int32_t first_a,
			int32_t first_b, int32_t last_b, int32_t *row)
{
	const TedTree *b = strip->b;
	const TedCosts costs = {strip->costs.insert, strip->costs.delete_, strip->costs.rename, labels};
	int32_t width = strip->width;
	int32_t label_a = strip->a->label[x];
	int32_t size_a = strip->a->subtree_size[x];
	int32_t delete_cost = ted_delete_cost(&costs, label_a);
	bool on_path = size_a == x - first_a + 1;
	const int32_t *above = row - width;
	const int32_t *beside = row - (size_t) size_a * (size_t) width;
	int32_t *distance = strip->subtree + (size_t) x * (size_t) width;
	int32_t lane_0 = x - strip->deletions; /* the node in lane 0 */
	int32_t first = first_b - lane_0;
	int32_t last = ted_min(last_b - lane_0, width - 1);
	int32_t before = TED_INFINITE;

	/* the empty forest */
	if (first > 0)
	{
		before = ted_min(above[first] + delete_cost, TED_INFINITE);
		row[first - 1] = before;
	}
	for (int32_t lane = ted_max(first, 0); lane <= last; lane++)
	{
		int32_t y = lane_0 + lane;
		int32_t size_b = b->subtree_size[y];
		int32_t source = lane + size_a - size_b;
		int32_t best = ted_min(before + ted_insert_cost(&costs, b->label[y]), TED_INFINITE);

		if (lane < width - 1)
			best = ted_min(best, above[lane + 1] + delete_cost);
		if (on_path && size_b == y - first_b + 1)
		{
			best = ted_min(best, above[lane] + ted_rename_cost(&costs, label_a, b->label[y]));
			distance[lane] = best;
		}
		else if ((uint32_t) source < (uint32_t) width)
			best = ted_min(best, beside[source] + distance[lane]);
		row[lane] = best;
		before = best;
	}
}

/* Fills the row of node x in a forest table, with costs by label or without. */
static void
fill_strip_row(const TedStrip *strip, int32_t x, int32_t first_a, int32_t first_b, int32_t last_b,
			   int32_t *row)
{
	if (strip->costs.labels == NULL)
		fill_row_by(strip, NULL, x, first_a, first_b, last_b, row);
	else
		fill_row_by(strip, strip->costs.labels, x, first_a, first_b, last_b, row);
}

/*
 * Fills a forest table whose rows are not vectors.  Lanes outside of the table, which are most
 * lanes of small tables, are neither read nor written.
 */
static TedStatus
fill_plain(TedStrip *strip, TedStripTable table)
{
	int32_t first_a = table.top_a - strip->a->subtree_size[table.top_a] + 1;
	int32_t first_b = table.top_b - strip->b->subtree_size[table.top_b] + 1;
	int32_t last_a = ted_min(table.top_a, table.top_b + strip->deletions);
	int32_t *row = strip->forest;

	fill_first_row(strip, first_b, table.top_b);
	for (int32_t x = first_a; x <= last_a; x++)
	{
		row += strip->width;
		fill_strip_row(strip, x, first_a, first_b, table.top_b, row);
		if (ted_interrupted(strip->interrupt, &strip->steps, strip->width))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Fills one forest table, and the subtree distances that it yields. */
static TedStatus
fill_strip_table(TedStrip *strip, TedStripTable table)
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
fill_strip_tables(TedStrip *strip)
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

			if (fill_strip_table(strip, *table) != TED_OK)
				return TED_CANCELLED;
			table->top_a = -1;
		}
	}
	return TED_OK;
}

/* Links every node to the next lower node on its leftmost path. */
static void
link_paths(const TedTree *tree, int32_t *below)
{
	for (int32_t x = 0; x < tree->size; x++)
	{
		int32_t root = tree->key_root[x];
		int32_t lower = tree->subtree_size[x] > 1 ? below[root] : -1;

		/* until the key root is visited, its entry is the last visited node of its path */
		below[root] = x;
		below[x] = lower;
	}
}

/* Returns the lanes that a row of a strip of this k has room for. */
static size_t
row_room(int32_t k)
{
	return k < TED_STRIP_LANES ? TED_STRIP_LANES : (size_t) k + 1;
}

/* Allocates the arrays of a strip. */
static void
take_strip_arrays(TedArena *arena, int32_t size_a, int32_t size_b, const TedCosts *costs, int32_t k,
				  TedStrip *strip)
{
	size_t a = (size_t) size_a;
	size_t b = (size_t) size_b;

	strip->subtree = ted_arena_int32(arena, row_room(k) * a);
	strip->forest = ted_arena_int32(arena, row_room(k) * (a + 1));
	strip->below = ted_arena_int32(arena, a);
	strip->table = ted_arena_alloc(arena, sizeof(TedStripTable) * b);
	strip->touched = ted_arena_int32(arena, b);
	strip->inserted = NULL;
	if (ted_costs_by_label(costs) && ted_strip_takes_vectors(costs, k))
		strip->inserted = ted_arena_int32(arena, b + 1);
}

/* Bytes that ted_strip_fill() takes. */
size_t
ted_strip_memory(int32_t size_a, int32_t size_b, const TedCosts *costs, int32_t limit)
{
	TedArena counted = {0};
	TedStrip strip;

	take_strip_arrays(&counted, size_a, size_b, costs, ted_strip_width(costs, limit), &strip);
	return counted.used;
}

/*
 * Computes the distances of all pairs of subtrees within the strip; the sizes must differ by at
 * most k.
 */
TedStatus
ted_strip_fill(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit,
			   TedArena *arena, const TedInterrupt *interrupt, TedStrip *strip)
{
	int32_t k = ted_strip_width(costs, limit);
	int32_t deletions = ted_strip_deletions(a->size, b->size, k);
	int32_t insertions = ted_strip_deletions(b->size, a->size, k);
	bool vectors = ted_strip_takes_vectors(costs, k);

	*strip = (TedStrip){.a = a,
						.b = b,
						.costs = *costs,
						.k = k,
						.deletions = deletions,
						.width = vectors ? TED_STRIP_LANES : deletions + insertions + 1,
						.vectors = vectors,
						.interrupt = interrupt};
	take_strip_arrays(arena, a->size, b->size, costs, k, strip);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;

	for (int32_t y = 0; y < b->size; y++)
		strip->table[y].top_a = -1;
	if (strip->inserted != NULL)
		ted_sum_insertions(&strip->costs, b, strip->inserted);
	link_paths(a, strip->below);
	return fill_strip_tables(strip);
}

/* Fills the forest table of two subtrees within the strip once more. */
TedStatus
ted_strip_refill(TedStrip *strip, int32_t x, int32_t y)
{
	return fill_strip_table(strip, (TedStripTable){.top_a = x, .top_b = y});
}
