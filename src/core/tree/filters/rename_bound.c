/*
 * rename_bound.c
 *	  Lower bounds on the distance by the string edit distance of labels, for graded costs.
 *
 * The first table has lower bounds by characters on the distances between all suffixes of both
 * strings of labels.  It is filled from the last nodes to the first.  The second table has the
 * distances between prefixes by rename costs.  It is filled from the first nodes to the last, but
 * only where the sum of both tables is within the limit.  Both are confined to the pairs of nodes
 * that the limit allows to match (Touzet, CPM 2005).
 */
#include "rename_bound.h"

#include "../bounded/bounds.h"
#include "../bounded/strip.h"

/* Columns that are computed together; arrays have room for this number of columns more. */
#define LANES 8

/* The tables of a pair. */
typedef struct Tables
{
	TedProfiledPair pair;
	int32_t limit;
	int32_t deletions; /* most deletions of a mapping within the limit */
	int32_t insertions;
	size_t width;    /* of a row, with columns before and after it that are infinite */
	int32_t *rest;   /* [size_a + 1][width], the first table: by numbers of nodes before the
					  * suffixes */
	int32_t *row[2]; /* two rows of the second table */
	int32_t *least;  /* by node of b: least cost of renaming the node of the row to it */

	/* by node of b */
	int32_t *insert;
	int32_t *rename;
	int32_t *spelling;
	int32_t *graded;       /* the nodes whose labels are graded */
	int32_t *graded_until; /* number of graded nodes before a node */

	const TedInterrupt *interrupt;
	int64_t *steps;
} Tables;

/*
 * Returns the first column of row i: the least number of nodes of b that a mapping within the limit
 * can have before the same point as i nodes of a.
 */
static inline int32_t
first_column(const Tables *tables, int32_t i)
{
	return ted_max(i - tables->deletions, 0);
}

/* Returns the last column of row i, the greatest such number. */
static inline int32_t
last_column(const Tables *tables, int32_t i)
{
	return ted_min(i + tables->insertions, tables->pair.b->size);
}

/* Returns a row of the first table, shifted so that the column is the index. */
static inline int32_t *
rest_row(const Tables *tables, int32_t i)
{
	return tables->rest + tables->width * (size_t) i + 1 - first_column(tables, i);
}

/* Allocates the tables. */
static Tables
take_tables(const TedProfiledPair *pair, int32_t limit, TedArena *arena)
{
	int32_t size_a = pair->a->size;
	int32_t size_b = pair->b->size;
	int32_t k = ted_min(ted_strip_width(pair->costs, limit), size_a + size_b);
	size_t columns = (size_t) size_b + 1 + LANES;
	Tables tables = {.pair = *pair,
					 .limit = limit,
					 .deletions = ted_strip_deletions(size_a, size_b, k),
					 .insertions = ted_strip_deletions(size_b, size_a, k)};

	tables.width = (size_t) ted_min(tables.deletions + tables.insertions, size_b) + 2 + LANES;
	tables.rest = ted_arena_int32(arena, tables.width * ((size_t) size_a + 1));
	for (int i = 0; i < 2; i++)
		tables.row[i] = ted_arena_int32(arena, columns);
	tables.least = ted_arena_int32(arena, columns);
	tables.insert = ted_arena_int32(arena, columns);
	tables.rename = ted_arena_int32(arena, columns);
	tables.spelling = ted_arena_int32(arena, columns);
	tables.graded = ted_arena_int32(arena, columns);
	tables.graded_until = ted_arena_int32(arena, columns);
	return tables;
}

/* Bytes that the bounds take. */
size_t
ted_rename_bound_memory(const TedProfiledPair *pair, int32_t limit)
{
	TedArena counted = {0};

	take_tables(pair, limit, &counted);
	return counted.used;
}

/* Whether a label is graded. */
static inline bool
is_graded(const TedLabelProfile *profile)
{
	return profile->is_number || profile->measure != TED_TEXTS_EXACT;
}

/* Fills the arrays by node of b. */
static void
note_columns(const Tables *tables)
{
	const TedProfiledPair *pair = &tables->pair;
	int32_t size = pair->b->size;
	int32_t graded = 0;

	for (int32_t y = 0; y < size; y++)
	{
		const TedLabelProfile *profile = &pair->profiles[pair->b->label[y]];

		tables->insert[y] = ted_insert_cost(pair->costs, pair->b->label[y]);
		tables->rename[y] = profile->rename;
		tables->spelling[y] = profile->spelling;
		tables->graded_until[y] = graded;
		if (is_graded(profile))
			tables->graded[graded++] = y;
	}
	tables->graded_until[size] = graded;
	for (int32_t y = size; y <= size + LANES; y++)
		tables->insert[y] = tables->rename[y] = tables->spelling[y] = 0;
}

/*
 * Computes the least cost of renaming a label without grading to the labels of some columns, or of
 * deleting it and inserting the other.
 */
static inline void
least_of_lanes(int32_t own_rename, int32_t own_spelling, int32_t delete_, const int32_t *rename,
			   const int32_t *spelling, const int32_t *insert, int32_t *restrict least)
{
	for (int lane = 0; lane < LANES; lane++)
	{
		int32_t cost = ted_max(own_rename, rename[lane]);

		cost = own_spelling == spelling[lane] ? 0 : cost;
		least[lane] = ted_min(cost, delete_ + insert[lane]);
	}
}

/* Computes the costs of some cells without insertions; `cost` has the costs of renaming before. */
static inline void
cost_of_lanes(const int32_t *next, int32_t delete_, int32_t *restrict cost)
{
	for (int lane = 0; lane < LANES; lane++)
		cost[lane] = ted_min(next[lane] + delete_, next[lane + 1] + cost[lane]);
}

/*
 * Fills lower bounds on the cost of renaming the node of a row, or of deleting it and inserting the
 * other one.
 */
static void
fill_least(const Tables *tables, int32_t x, int32_t delete_)
{
	const TedProfiledPair *pair = &tables->pair;
	const TedLabelProfile *profile = &pair->profiles[pair->a->label[x]];
	int32_t *least = tables->least;
	int32_t first = first_column(tables, x);
	int32_t last = last_column(tables, x);
	int32_t end = tables->graded_until[ted_min(last + 1, pair->b->size)];

	for (int32_t y = first; y <= last; y += LANES)
		least_of_lanes(profile->rename, profile->spelling, delete_, tables->rename + y,
					   tables->spelling + y, tables->insert + y, least + y);
	if (!is_graded(profile))
		return;
	for (int32_t i = tables->graded_until[first]; i < end; i++)
	{
		int32_t y = tables->graded[i];
		int32_t cost = ted_least_rename_cost(pair->costs, pair->profiles, pair->a->label[x],
											 pair->b->label[y]);

		least[y] = ted_min(least[y], cost);
	}
}

/* Makes the columns before and after a row infinite. */
static void
close_row(int32_t *row, int32_t first, int32_t last)
{
	row[first - 1] = TED_INFINITE;
	for (int lane = 1; lane <= LANES; lane++)
		row[last + lane] = TED_INFINITE;
}

/* Fills a row of the first table from the next row; returns its least number. */
static int32_t
fill_rest(const Tables *tables, int32_t i)
{
	const int32_t *next = rest_row(tables, i + 1);
	int32_t *row = rest_row(tables, i);
	int32_t *cost = tables->least;
	int32_t delete_ = ted_delete_cost(tables->pair.costs, tables->pair.a->label[i]);
	int32_t first = first_column(tables, i);
	int32_t last = last_column(tables, i);
	int32_t inserted = TED_INFINITE;
	int32_t least = TED_INFINITE;

	fill_least(tables, i, delete_);
	for (int32_t j = first; j <= last; j += LANES)
		cost_of_lanes(next + j, delete_, cost + j);
	close_row(row, first, last);
	for (int32_t j = last; j >= first; j--)
	{
		inserted = ted_min(inserted + tables->insert[j], cost[j]);
		least = ted_min(least, inserted);
		row[j] = inserted;
	}
	return least;
}

/* Fills the first table; stops early if the bound exceeds the limit. */
static TedStatus
fill_bound_table(Tables *tables, bool *within)
{
	const TedTree *b = tables->pair.b;
	int32_t size = tables->pair.a->size;
	int32_t *row = rest_row(tables, size);
	int32_t first = first_column(tables, size);
	int32_t least = 0;

	note_columns(tables);
	close_row(row, first, b->size);
	row[b->size] = 0;
	for (int32_t j = b->size - 1; j >= first; j--)
		row[j] = row[j + 1] + tables->insert[j];
	for (int32_t i = size - 1; i >= 0 && least <= tables->limit; i--)
	{
		if (ted_interrupted(tables->interrupt, tables->steps, (int64_t) tables->width))
			return TED_CANCELLED;
		least = fill_rest(tables, i);
	}
	*within = least <= tables->limit && *rest_row(tables, 0) <= tables->limit;
	return TED_OK;
}

/* Allocates the tables, fills the first one, and returns its bound. */
static TedStatus
begin(const TedProfiledPair *pair, int32_t limit, TedArena *arena, const TedInterrupt *interrupt,
	  int64_t *steps, Tables *tables, int32_t *bound)
{
	bool within = false;
	TedStatus status;

	*bound = TED_BEYOND;
	if (ted_size_bound(pair->a->size, pair->b->size, pair->costs) > limit)
		return TED_OK;
	*tables = take_tables(pair, limit, arena);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	tables->interrupt = interrupt;
	tables->steps = steps;
	status = fill_bound_table(tables, &within);
	if (within)
		*bound = *rest_row(tables, 0);
	return status;
}

/* Computes the lower bound by the characters of labels. */
TedStatus
ted_character_bound(const TedProfiledPair *pair, int32_t limit, TedArena *arena,
					const TedInterrupt *interrupt, int64_t *steps, int32_t *bound)
{
	size_t used = arena->used;
	Tables tables;
	TedStatus status = begin(pair, limit, arena, interrupt, steps, &tables, bound);

	arena->used = used;
	return status;
}

/* The range of the columns of a row of the second table that are within the limit. */
typedef struct Reached
{
	int32_t first;
	int32_t last;
} Reached;

/*
 * Returns the cost of a cell: `other`, the cost by an insertion or deletion, or less if the nodes
 * before it are mapped.  Compares their labels only where that can be less and within the limit.
 */
static inline int32_t
cell_match_cost(const Tables *tables, int32_t x, int32_t y, int32_t before, int32_t rest,
				int32_t other)
{
	const TedProfiledPair *pair = &tables->pair;
	int32_t from = pair->a->label[x];
	int32_t to = pair->b->label[y];
	int32_t most = ted_min(other - 1, tables->limit - rest) - before;

	if (most < 0 || ted_least_rename_cost(pair->costs, pair->profiles, from, to) > most)
		return other;
	return ted_min(other, before + ted_rename_cost(pair->costs, from, to));
}

/* Extends a row by insertions after its last column within the limit. */
static void
reach_on(const Tables *tables, const int32_t *rest, int32_t *row, int32_t last, Reached *reached)
{
	int32_t j = reached->last;

	for (; j < last && row[j] + tables->insert[j] + rest[j + 1] <= tables->limit; j++)
		row[j + 1] = row[j] + tables->insert[j];
	reached->last = j;
}

/* Fills a row of the second table from the row before; reaches no column if `last` < `first`. */
static Reached
fill_bound_row(const Tables *tables, int32_t i, Reached before, const int32_t *above, int32_t *row)
{
	const int32_t *rest = rest_row(tables, i);
	int32_t delete_ = ted_delete_cost(tables->pair.costs, tables->pair.a->label[i - 1]);
	int32_t begin = ted_max(before.first, first_column(tables, i));
	int32_t last = last_column(tables, i);
	Reached reached = {.first = last + 1, .last = -1};

	for (int32_t j = begin; j <= ted_min(before.last + 1, last); j++)
	{
		int32_t cost = j <= before.last ? above[j] + delete_ : TED_INFINITE;

		if (j > begin)
			cost = ted_min(cost, row[j - 1] + tables->insert[j - 1]);
		if (j > before.first)
			cost = cell_match_cost(tables, i - 1, j - 1, above[j - 1], rest[j], cost);
		row[j] = cost + rest[j] <= tables->limit ? cost : TED_INFINITE;
		if (row[j] < TED_INFINITE)
			reached = (Reached){ted_min(reached.first, j), j};
	}
	if (reached.last == before.last + 1)
		reach_on(tables, rest, row, last, &reached);
	return reached;
}

/* Fills the second table; the bound is TED_BEYOND if the last cell exceeds the limit. */
static TedStatus
fill_costs(Tables *tables, int32_t *bound)
{
	int32_t size = tables->pair.a->size;
	Reached reached = {0, 0};

	*bound = TED_BEYOND;
	tables->row[0][0] = 0;
	reach_on(tables, rest_row(tables, 0), tables->row[0], last_column(tables, 0), &reached);
	for (int32_t i = 1; i <= size && reached.last >= reached.first; i++)
	{
		if (ted_interrupted(tables->interrupt, tables->steps, 1 + reached.last - reached.first))
			return TED_CANCELLED;
		reached = fill_bound_row(tables, i, reached, tables->row[(i - 1) % 2], tables->row[i % 2]);
	}
	if (reached.last == tables->pair.b->size)
		*bound = tables->row[size % 2][reached.last];
	return TED_OK;
}

/* Computes the lower bound by rename costs. */
TedStatus
ted_rename_bound(const TedProfiledPair *pair, int32_t limit, TedArena *arena,
				 const TedInterrupt *interrupt, int64_t *steps, int32_t *bound)
{
	size_t used = arena->used;
	Tables tables;
	TedStatus status = begin(pair, limit, arena, interrupt, steps, &tables, bound);

	if (status == TED_OK && *bound != TED_BEYOND)
		status = fill_costs(&tables, bound);
	arena->used = used;
	return status;
}
