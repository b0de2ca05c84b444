/*
 * mapping.c
 *	  An optimal edit mapping, traced back through the tables of the exact distance.
 *
 * The distances between all pairs of subtrees are computed once, by the cheaper decomposition, and
 * the mapping is traced in the same decomposition.  The trace fills the forest table of a pair of
 * subtrees once more and follows it back to its origin.  Where it finds that two smaller subtrees
 * are matched, it pushes them on a stack for later.
 *
 * Where the distances are 16-bit numbers less the cost of inserting the second subtree
 * (vector_tables.h), the forest tables have 16-bit numbers, too, less the cost of inserting all
 * nodes on the left: insertions then are a prefix minimum along a row.
 *
 * Within a limit, the distances and tables are those of a k-strip instead.  The result is the same:
 * at each step, the strip has the distances of all optimal choices, and no distance that is too
 * small.  This requires that renaming costs no more than deleting and inserting, as subtrees
 * without any mapped nodes can be too far apart for the strip.
 */
#include <string.h>

#include "../bounded/bounds.h"
#include "../exact/int32_tables.h"
#include "../mirror.h"
#include "../bounded/strip.h"
#include "../exact/zhang_shasha.h"

/* Rows of 16-bit numbers are filled by vectors that all processors of these architectures have. */
#define TARGET
#define NUMBER_BITS 16
#define LANES 8
#include "../../common/vectors.h"

/* Two subtrees that are matched with each other, by their roots. */
typedef struct Match
{
	int32_t x;
	int32_t y;
} Match;

/* State of tracing a mapping. */
typedef struct Trace
{
	const TedTree *a;
	const TedTree *b;
	TedCosts costs;
	bool in_strip; /* distances and forest tables are in `strip` */
	TedStrip strip;
	TedTables tables;

	/* the current forest table, one of these two arrays; cell (i, j) is at i * stride + j */
	int32_t *cells32;
	int16_t *cells16;
	size_t stride;
	int16_t *beside; /* [columns + 1]: numbers of an earlier 16-bit row, by the columns that need
					  * them */

	Match *stack;
	int32_t waiting; /* number of matches on the stack */
	int32_t *map_a;
	int32_t *map_b;
	int32_t *inverse; /* scratch of renumber() */
	int64_t steps;
	const TedInterrupt *interrupt;
} Trace;

/* Fills a 16-bit row from column 1 on; column 0 must be set. */
static void
fill_int16_row(const int16_t *above, const int16_t *beside, const int16_t *distance,
			   int16_t delete_, int32_t columns, int16_t *row)
{
	int32_t j = 1;

#if defined(__SSE2__) || defined(TED_NEON)
	Vec deletion = v_set(delete_);
	Vec before = v_set(row[0]); /* the last cell so far, in all lanes */

	for (; j + LANES - 1 <= columns; j += LANES)
	{
		Vec best = v_min(v_add(v_load(above + j), deletion),
						 v_add(v_load(beside + j), v_load(distance + j)));

		best = v_min(best, v_up(best, 0));
		best = v_min(best, v_up(best, 1));
		best = v_min(best, v_up(best, 2));
		best = v_min(best, before);
		v_store(row + j, best);
		before = v_last(best);
	}
#endif
	for (; j <= columns; j++)
	{
		int32_t best = ted_min(above[j] + delete_, beside[j] + distance[j]);

		row[j] = (int16_t) ted_min(best, row[j - 1]);
	}
}

/* Fills the 16-bit forest table of a pair of subtrees from known distances. */
static TedStatus
fill_int16(Trace *trace, Match match)
{
	const TedTree *a = trace->a;
	const TedTables *tables = &trace->tables;
	int32_t rows = a->subtree_size[match.x];
	int32_t columns = trace->b->subtree_size[match.y];
	const int32_t *size_b = trace->b->subtree_size + match.y - columns; /* by column: size */
	int16_t deleted = 0;
	int32_t gathered = -1; /* number of the row in trace->beside */

	memset(trace->cells16, 0, sizeof(int16_t) * ((size_t) columns + 1));
	for (int32_t i = 1; i <= rows; i++)
	{
		int32_t x = match.x - rows + i;
		int32_t left = i - a->subtree_size[x];
		int16_t delete_cost = (int16_t) ted_delete_cost(&trace->costs, a->label[x]);
		const int16_t *distance =
			tables->cells16 + (size_t) tables->row[x] * tables->stride + match.y - columns;
		int16_t *row = trace->cells16 + (size_t) i * trace->stride;

		if (left != gathered)
		{
			const int16_t *source = trace->cells16 + (size_t) left * trace->stride;

			for (int32_t j = 1; j <= columns; j++)
				trace->beside[j] = source[j - size_b[j]];
			gathered = left;
		}
		deleted = (int16_t) (deleted + delete_cost);
		row[0] = deleted;
		fill_int16_row(row - trace->stride, trace->beside, distance, delete_cost, columns, row);
		if (ted_interrupted(trace->interrupt, &trace->steps, columns))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Fills the forest table of a pair of subtrees. */
static TedStatus
fill_forest(Trace *trace, Match match)
{
	if (trace->in_strip)
		return ted_strip_refill(&trace->strip, match.x, match.y);
	trace->stride = (size_t) trace->b->subtree_size[match.y] + 1;
	if (trace->cells16 != NULL)
		return fill_int16(trace, match);
	return ted_forest_fill(trace->a, trace->b, match.x, match.y, trace->costs,
						   trace->tables.cells32, trace->cells32, trace->interrupt, &trace->steps);
}

/* Returns cell (i, j) of the forest table, whose columns are nodes of b from `first` on. */
static inline int32_t
cell(const Trace *trace, int32_t first, int32_t i, int32_t j)
{
	size_t at = (size_t) i * trace->stride + (size_t) j;

	if (trace->in_strip)
		return ted_strip_cell(&trace->strip, i, j);
	return trace->cells16 == NULL
			   ? trace->cells32[at]
			   : trace->cells16[at] + ted_inserted(&trace->tables, first, first + j);
}

/* Returns the distance between the subtrees of x and y. */
static inline int32_t
match_cost(const Trace *trace, int32_t x, int32_t y)
{
	return trace->in_strip ? ted_strip_distance(&trace->strip, x, y)
						   : ted_subtree_distance(&trace->tables, x, y);
}

/* Follows the forest table of a pair of subtrees back, by the tie rule of ted.h. */
static void
follow(Trace *trace, Match match)
{
	const TedTree *a = trace->a;
	const TedTree *b = trace->b;
	int32_t rows = a->subtree_size[match.x];
	int32_t columns = b->subtree_size[match.y];
	int32_t first = match.y - columns + 1;
	int32_t i = rows;
	int32_t j = columns;

	while (i > 0 && j > 0)
	{
		int32_t x = match.x - rows + i;
		int32_t y = match.y - columns + j;
		int32_t left_a = i - a->subtree_size[x];
		int32_t left_b = j - b->subtree_size[y];
		int32_t distance = cell(trace, first, i, j);

		if (left_a == 0 && left_b == 0 &&
			distance == cell(trace, first, i - 1, j - 1) +
							ted_rename_cost(&trace->costs, a->label[x], b->label[y]))
		{
			trace->map_a[x] = y;
			trace->map_b[y] = x;
			i--;
			j--;
		}
		else if ((left_a > 0 || left_b > 0) &&
				 distance == cell(trace, first, left_a, left_b) + match_cost(trace, x, y))
		{
			trace->stack[trace->waiting++] = (Match){x, y};
			i = left_a;
			j = left_b;
		}
		else if (distance ==
				 cell(trace, first, i - 1, j) + ted_delete_cost(&trace->costs, a->label[x]))
			i--;
		else
			j--;
	}
}

/* Traces all matched pairs of subtrees, from the roots on. */
static TedStatus
trace_back(Trace *trace)
{
	trace->stack[trace->waiting++] = (Match){trace->a->size - 1, trace->b->size - 1};
	while (trace->waiting > 0)
	{
		Match match = trace->stack[--trace->waiting];
		TedStatus status = fill_forest(trace, match);

		if (status != TED_OK)
			return status;
		follow(trace, match);
	}
	return TED_OK;
}

/* Converts a mapping of mirrored trees to one of the trees themselves; `inverse` is scratch. */
static void
renumber(const int32_t *mirrored, const int32_t *number, const int32_t *partner_number,
		 int32_t size, int32_t partner_size, int32_t *inverse, int32_t *map)
{
	for (int32_t y = 0; y < partner_size; y++)
		inverse[partner_number[y]] = y;
	for (int32_t x = 0; x < size; x++)
		map[x] = mirrored[number[x]] < 0 ? -1 : inverse[mirrored[number[x]]];
}

/* Allocates the arrays of a trace other than distances and forest tables. */
static void
take_trace(TedArena *arena, int32_t size_a, int32_t size_b, Trace *trace)
{
	size_t larger = (size_t) ted_max(size_a, size_b);

	trace->inverse = ted_arena_int32(arena, larger);
	trace->map_a = ted_arena_int32(arena, larger);
	trace->map_b = ted_arena_int32(arena, larger);
	trace->stack = ted_arena_alloc(arena, sizeof(Match) * (size_t) ted_min(size_a, size_b));
}

/* Allocates the forest table, large enough for all pairs of subtrees. */
static void
take_forest(TedArena *arena, int32_t size_a, int32_t size_b, bool int16, Trace *trace)
{
	size_t cells = ted_forest_cells(size_a, size_b);

	if (int16)
	{
		trace->cells16 = ted_arena_alloc(arena, sizeof(int16_t) * cells);
		trace->beside = ted_arena_alloc(arena, sizeof(int16_t) * ((size_t) size_b + 1));
	}
	else
		trace->cells32 = ted_arena_int32(arena, cells);
}

/* Sets the tables from the distances between all pairs of subtrees. */
static TedStatus
read_subtrees(Trace *trace, void *subtrees, TedArena *arena)
{
	const TedTree *a = trace->a;
	const TedTree *b = trace->b;
	TedTables *tables = &trace->tables;

	*tables = (TedTables){.row = ted_arena_int32(arena, (size_t) a->size),
						  .stride = (size_t) b->size,
						  .insert = ted_uniform_costs(&trace->costs).insert,
						  .b = b};
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	if (ted_subtrees_int16(a, b, &trace->costs))
	{
		tables->cells16 = subtrees;
		for (int32_t x = 0; x < a->size; x++)
			tables->row[x] = x;
		return TED_OK;
	}
	tables->cells32 = subtrees;
	for (int32_t x = 0; x < a->size; x++)
	{
		for (int32_t y = 0; y < b->size; y++)
			tables->cells32[(size_t) x * tables->stride + (size_t) y] +=
				tables->insert * b->subtree_size[y];
		if (ted_interrupted(trace->interrupt, &trace->steps, b->size))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/*
 * Computes an optimal mapping if the distance is at most the limit: the distances by tables, in a
 * strip or from `subtrees`, and then the trace through them.
 */
TedStatus
ted_pair_mapping(const TedPairPlan *plan, void *subtrees, TedArena *arena,
				 const TedInterrupt *interrupt, int32_t *map_a, int32_t *map_b, int32_t *distance)
{
	const TedTree *a = plan->a;
	const TedTree *b = plan->b;
	size_t used = arena->used;
	TedPairView view;
	Trace trace = {.a = &view.a,
				   .b = &view.b,
				   .costs = plan->costs,
				   .in_strip = plan->way == TED_BY_STRIP,
				   .interrupt = interrupt};
	TedStatus status;

	*distance = TED_BEYOND;
	if (plan->way == TED_BY_SIZES)
		return TED_OK;
	take_trace(arena, a->size, b->size, &trace);
	if (ted_arena_exceeded(arena))
	{
		arena->used = used;
		return TED_OUT_OF_ARENA;
	}
	for (int32_t x = 0; x < a->size; x++)
		trace.map_a[x] = -1;
	for (int32_t y = 0; y < b->size; y++)
		trace.map_b[y] = -1;

	status = ted_orient(a, b, arena, interrupt, &view);
	if (status == TED_OK && trace.in_strip)
		status = ted_strip_fill(&view.a, &view.b, &plan->costs, plan->limit, arena, interrupt,
								&trace.strip);
	else if (status == TED_OK)
	{
		status = plan->way == TED_BY_SUBTREES
					 ? read_subtrees(&trace, subtrees, arena)
					 : ted_tables_fill(&view.a, &view.b, &plan->costs, &plan->tables, arena,
									   interrupt, &trace.tables);
		if (status == TED_OK)
			take_forest(arena, a->size, b->size, trace.tables.cells16 != NULL, &trace);
		if (status == TED_OK && ted_arena_exceeded(arena))
			status = TED_OUT_OF_ARENA;
	}
	if (status == TED_OK)
	{
		int32_t found = match_cost(&trace, a->size - 1, b->size - 1);

		if (found <= plan->limit)
		{
			*distance = found;
			status = trace_back(&trace);
		}
	}

	if (status == TED_OK && view.number_a != NULL)
	{
		renumber(trace.map_a, view.number_a, view.number_b, a->size, b->size, trace.inverse, map_a);
		renumber(trace.map_b, view.number_b, view.number_a, b->size, a->size, trace.inverse, map_b);
	}
	else if (status == TED_OK)
	{
		memcpy(map_a, trace.map_a, sizeof(int32_t) * (size_t) a->size);
		memcpy(map_b, trace.map_b, sizeof(int32_t) * (size_t) b->size);
	}
	arena->used = used;
	return status;
}

/* Returns the greatest limit for which a mapping is traced through a strip, or -1 for none. */
int32_t
ted_mapping_limit(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	TedUniformCosts least = ted_least_costs(costs);
	int64_t size = ted_min(a->size, b->size);
	int32_t indel = ted_least_indel_cost(costs);
	int64_t k = 0;
	int64_t limit;

	if (indel == 0 || ted_most_costs(costs).rename > (int64_t) least.insert + least.delete_)
		return -1;
	while ((k + 1) * (k + 1) <= size)
		k++;
	limit = k * indel;
	return limit < TED_MAX_DISTANCE ? (int32_t) limit : TED_MAX_DISTANCE;
}

/* Plans a mapping. */
TedPairPlan
ted_plan_mapping(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit)
{
	TedPairPlan plan = {.a = a, .b = b, .costs = *costs, .limit = limit, .way = TED_BY_SIZES};
	TedArena counted = {0};
	Trace trace;

	if (ted_size_bound(a->size, b->size, costs) > limit)
		return plan;
	take_trace(&counted, a->size, b->size, &trace);
	if (limit > ted_mapping_limit(a, b, costs))
	{
		plan.way = TED_BY_TABLES;
		plan.tables = ted_plan_tables(a, b, costs);
		plan.bytes = plan.tables.bytes;
		take_forest(&counted, a->size, b->size, ted_tables_int16(&plan.tables), &trace);
	}
	else
	{
		plan.way = TED_BY_STRIP;
		plan.bytes = ted_orient_memory(a, b) + ted_strip_memory(a->size, b->size, costs, limit);
	}
	plan.bytes += counted.used;
	return plan;
}

/* Plans a mapping from the distances between all pairs of subtrees. */
TedPairPlan
ted_plan_subtrees_mapping(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	TedArena counted = {0};
	Trace trace;

	take_trace(&counted, a->size, b->size, &trace);
	ted_arena_int32(&counted, (size_t) a->size); /* rows of the tables */
	take_forest(&counted, a->size, b->size, ted_subtrees_int16(a, b, costs), &trace);
	return (TedPairPlan){.a = a,
						 .b = b,
						 .costs = *costs,
						 .limit = TED_NO_LIMIT,
						 .way = TED_BY_SUBTREES,
						 .bytes = ted_orient_memory(a, b) + counted.used};
}
