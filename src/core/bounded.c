/*
 * bounded.c
 *	  Tree edit distance up to a limit: a k-strip around equal postorder numbers.
 *
 * A mapping that maps x to y leaves the nodes left of, right of and above x to
 * those left of, right of and above y, so it costs at least as many insertions
 * and deletions as these numbers differ; the sizes of the subtrees differ, too.
 * Pairs for which that is more than k cannot be mapped within the limit.  The
 * others are relevant, and only forest tables with a relevant pair are filled,
 * in a band as wide as the most generous of their relevant pairs allows.
 *
 * The idea is the k-strip of Touzet (2005), whose bookkeeping of the band by
 * the topmost pair of a table alone would lose results: that pair need not be
 * relevant.
 */
#include <stdlib.h>

#include "bounds.h"
#include "strip.h"
#include "zhang_shasha.h"

/*
 * Seconds that a strip takes, about: for each pair of nodes in it, and for the
 * cells of its tables, of which similar trees have the most.
 */
static double
strip_seconds(const TedTree *a, int32_t k)
{
	double width = 2 * (double) k + 1;

	return 12.5e-9 * a->size * width + 1e-9 * (double) a->left_nodes * k * k;
}

/* Whether a strip is narrower and faster than the tables of the exact algorithm. */
bool
ted_strip_pays(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit)
{
	int32_t k = ted_strip_width(costs, limit);

	return 2 * (int64_t) k + 1 < b->size && strip_seconds(a, k) < ted_tables_seconds(a, b, costs);
}

/* Orders node numbers. */
static int
compare_nodes(const void *a, const void *b)
{
	int32_t x = *(const int32_t *) a;
	int32_t y = *(const int32_t *) b;

	return (x > y) - (x < y);
}

/* Notes the tables that the relevant pairs of one leftmost path of a need, and counts them. */
static TedStatus
find_tables(TedStrip *strip, int32_t root_a, int32_t *count)
{
	const TedTree *a = strip->a;
	const TedTree *b = strip->b;

	*count = 0;
	for (int32_t x = root_a; x >= 0; x = strip->below[x])
	{
		int32_t last = ted_min(b->size - 1, x + strip->k);

		for (int32_t y = x > strip->k ? x - strip->k : 0; y <= last; y++)
		{
			int32_t band = strip->k - ted_edits_outside(a, b, x, y);
			TedStripTable *table = &strip->table[b->key_root[y]];

			if (band < ted_edits_inside(a, b, x, y))
				continue;
			if (table->band < 0)
			{
				strip->touched[(*count)++] = b->key_root[y];
				*table = (TedStripTable){.top_a = x, .top_b = y, .band = band};
				continue;
			}
			if (table->top_b < y)
				table->top_b = y;
			if (table->band < band)
				table->band = band;
		}
		if (ted_interrupted(strip->interrupt, &strip->steps, 2 * strip->k + 1))
			return TED_CANCELLED;
	}
	qsort(strip->touched, (size_t) *count, sizeof(int32_t), compare_nodes);
	return TED_OK;
}

/* Fills one forest table within its band and the subtree distances that it yields. */
static TedStatus
fill_band(TedStrip *strip, TedStripTable table)
{
	const TedTree *a = strip->a;
	const TedTree *b = strip->b;
	TedCosts costs = strip->costs;
	int32_t limit = strip->limit;
	int32_t k = strip->k;
	int32_t band = table.band;
	int32_t rows = a->subtree_size[table.top_a];
	int32_t columns = b->subtree_size[table.top_b];
	int32_t first_a = table.top_a - rows + 1;
	int32_t first_b = table.top_b - columns + 1;
	size_t stride = 2 * (size_t) band + 2; /* from a cell to the one below it */
	int32_t *origin = strip->forest + band + 1;

	/* shifted so that they are indexed by the column */
	const int32_t *label_b = b->label + first_b - 1;
	const int32_t *size_b = b->subtree_size + first_b - 1;

	/* column j of row i is ROW(i)[j], for |i - j| <= band + 1 */
#define ROW(i) (origin + (size_t) (i) *stride)

	strip->origin = origin;
	strip->stride = stride;
	strip->band = band;

	/* the row of the empty forest */
	for (int32_t j = -band - 1; j <= band + 1; j++)
		ROW(0)[j] = TED_INFINITE;
	ROW(0)[0] = 0;
	for (int32_t j = 1; j <= ted_min(columns, band); j++)
	{
		int32_t inserted = ROW(0)[j - 1] + ted_insert_cost(&costs, label_b[j]);

		ROW(0)[j] = inserted <= limit ? inserted : TED_INFINITE;
	}

	for (int32_t i = 1; i <= rows && i - band <= columns; i++)
	{
		int32_t *restrict row = ROW(i);
		const int32_t *above = ROW(i - 1);
		int32_t x = first_a + i - 1;
		int32_t label_a = a->label[x];
		int32_t delete_cost = ted_delete_cost(&costs, label_a);
		int32_t left_a = i - a->subtree_size[x];
		const int32_t *beside = ROW(left_a);
		int32_t *subtree = ted_strip_distance(strip, x, x) - (x - first_b + 1); /* by column */
		int32_t high = ted_min(columns, i + band);
		int32_t j = i > band ? i - band : 1;

		/* cells left of the band, and the empty forest if that is in it */
		for (int32_t left = i - band - 1; left < j; left++)
			row[left] = TED_INFINITE;
		if (i <= band)
		{
			int32_t deleted = above[0] + delete_cost;

			row[0] = deleted <= limit ? deleted : TED_INFINITE;
		}
		for (; j <= high; j++)
		{
			int32_t y = first_b + j - 1;
			int32_t left_b = j - size_b[j];
			bool in_strip = abs(x - y) <= k;
			int32_t best =
				ted_min(above[j] + delete_cost, row[j - 1] + ted_insert_cost(&costs, label_b[j]));

			if (left_a == 0 && left_b == 0)
			{
				best = ted_min(best, above[j - 1] + ted_rename_cost(&costs, label_a, label_b[j]));
				best = best <= limit ? best : TED_INFINITE;
				if (in_strip)
					subtree[j] = best;
			}
			else
			{
				if (in_strip && abs(left_a - left_b) <= band)
					best = ted_min(best, beside[left_b] + subtree[j]);
				best = best <= limit ? best : TED_INFINITE;
			}
			row[j] = best;
		}
		for (; j <= i + band + 1; j++)
			row[j] = TED_INFINITE;
		if (ted_interrupted(strip->interrupt, &strip->steps, 2 * band + 3))
			return TED_CANCELLED;
	}
#undef ROW
	return TED_OK;
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
			TedStatus status = fill_band(strip, *table);

			if (status != TED_OK)
				return status;
			table->band = -1;
		}
	}
	return TED_OK;
}

/* Links every node to the next lower one on its leftmost path; `last` is scratch. */
static void
link_paths(const TedTree *tree, int32_t *below, int32_t *last)
{
	for (int32_t x = 0; x < tree->size; x++)
		last[x] = -1;
	for (int32_t x = 0; x < tree->size; x++)
	{
		below[x] = last[tree->key_root[x]];
		last[tree->key_root[x]] = x;
	}
}

/* Entries of the strip of subtree distances, for a strip of k. */
static size_t
subtree_cells(int32_t size_a, int32_t k)
{
	return (size_t) size_a * (2 * (size_t) k + 1);
}

/* Entries of the largest forest table, for a strip of k. */
static size_t
forest_cells(int32_t size_a, int32_t k)
{
	return ((size_t) size_a + 1) * (2 * (size_t) k + 3);
}

/* Bytes that ted_strip_fill() takes. */
size_t
ted_strip_memory(int32_t size_a, int32_t size_b, const TedCosts *costs, int32_t limit)
{
	int32_t k = ted_strip_width(costs, limit);

	return ted_arena_bytes(sizeof(int32_t) * subtree_cells(size_a, k)) +
		   ted_arena_bytes(sizeof(int32_t) * forest_cells(size_a, k)) +
		   2 * ted_arena_bytes(sizeof(int32_t) * (size_t) size_a) +
		   ted_arena_bytes(sizeof(TedStripTable) * (size_t) size_b) +
		   ted_arena_bytes(sizeof(int32_t) * (size_t) size_b);
}

/* Computes the distances of all subtrees within the strip; the sizes differ by at most k. */
TedStatus
ted_strip_fill(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit,
			   TedArena *arena, const TedInterrupt *interrupt, TedStrip *strip)
{
	int32_t k = ted_strip_width(costs, limit);
	size_t cells = subtree_cells(a->size, k);
	int32_t *scratch;

	*strip =
		(TedStrip){.a = a, .b = b, .costs = *costs, .limit = limit, .k = k, .interrupt = interrupt};
	strip->subtree = ted_arena_alloc(arena, sizeof(int32_t) * cells);
	strip->forest = ted_arena_alloc(arena, sizeof(int32_t) * forest_cells(a->size, k));
	strip->below = ted_arena_alloc(arena, sizeof(int32_t) * (size_t) a->size);
	scratch = ted_arena_alloc(arena, sizeof(int32_t) * (size_t) a->size);
	strip->table = ted_arena_alloc(arena, sizeof(TedStripTable) * (size_t) b->size);
	strip->touched = ted_arena_alloc(arena, sizeof(int32_t) * (size_t) b->size);
	if (strip->subtree == NULL || strip->forest == NULL || strip->below == NULL ||
		scratch == NULL || strip->table == NULL || strip->touched == NULL)
		return TED_OUT_OF_ARENA;

	for (size_t i = 0; i < cells; i++)
	{
		strip->subtree[i] = TED_INFINITE;
		if (ted_interrupted(interrupt, &strip->steps, 1))
			return TED_CANCELLED;
	}
	for (int32_t y = 0; y < b->size; y++)
		strip->table[y].band = -1;
	link_paths(a, strip->below, scratch);
	return fill_tables(strip);
}

/* Fills the forest table of two subtrees that are within the strip again. */
TedStatus
ted_strip_refill(TedStrip *strip, int32_t x, int32_t y)
{
	int32_t band = strip->k - ted_edits_outside(strip->a, strip->b, x, y);

	return fill_band(strip, (TedStripTable){.top_a = x, .top_b = y, .band = band});
}

/* Bytes that ted_bounded_distance() takes. */
size_t
ted_bounded_distance_memory(const TedTree *a, const TedTree *b, const TedCosts *costs,
							int32_t limit)
{
	if (ted_size_bound(a->size, b->size, costs) > limit)
		return 0;
	if (!ted_strip_pays(a, b, costs, limit))
		return ted_distance_memory(a, b, costs);
	return ted_strip_memory(a->size, b->size, costs, limit);
}

/* Distance if it is at most `limit`, else TED_BEYOND. */
TedStatus
ted_bounded_distance(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit,
					 TedArena *arena, const TedInterrupt *interrupt, int32_t *distance)
{
	size_t used = arena->used;
	TedStatus status = TED_OK;

	if (ted_size_bound(a->size, b->size, costs) > limit)
		*distance = TED_BEYOND;
	else if (ted_strip_pays(a, b, costs, limit))
	{
		TedStrip strip;

		status = ted_strip_fill(a, b, costs, limit, arena, interrupt, &strip);
		if (status == TED_OK)
			*distance = *ted_strip_distance(&strip, a->size - 1, b->size - 1);
	}
	else
		status = ted_distance(a, b, costs, arena, interrupt, distance);

	arena->used = used;
	if (status == TED_OK && *distance > limit)
		*distance = TED_BEYOND;
	return status;
}
