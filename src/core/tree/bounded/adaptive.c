/*
 * adaptive.c
 *	  The distance of large trees, in little time and memory where they are alike.
 *
 * Bounds come first.  Where the lower one meets the upper one, they are the
 * distance.  Else strips are tried: a little wider than the lower bound, which
 * is mostly close, then twice as wide and so on, as long as all of them take a
 * small part of the time of the exact algorithm.  A strip as wide as the upper
 * bound, or the limit, settles the pair for certain, so it is measured against
 * the exact algorithm itself.
 */
#include "adaptive.h"

#include <math.h>
#include <string.h>

#include "../../common/processor_tuning.h"
#include "bounded.h"
#include "bounds.h"
#include "../exact/strategy.h"
#include "strip.h"
#include "../exact/zhang_shasha.h"

/* Nodes of the smaller tree below which the time of a pair is not even estimated. */
#define LEAST_NODES 100

/* A path strategy takes at least this many times what no strategy undercuts. */
#define STRATEGY_FACTOR 30

/* Estimated seconds that ted_distance() takes. */
static double
exact_seconds(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	return fmin(ted_tables_seconds(a, b, costs),
				STRATEGY_FACTOR * ted_strategy_least_seconds(a->size, b->size));
}

/* Whether a strip can be laid for the limit at all. */
static bool
has_strip(const TedTree *b, const TedCosts *costs, int32_t limit)
{
	return ted_strip_width(costs, limit) < b->size;
}

/* Estimated seconds that a strip for the limit takes. */
static double
stage_strip_seconds(const TedStages *stages, int32_t limit)
{
	return has_strip(stages->b, &stages->costs, limit)
			   ? ted_strip_pair_seconds(stages->a, &stages->costs, limit)
			   : INFINITY;
}

/* Whether the stages may save time. */
bool
ted_stages_pay(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit)
{
	double bounds = TED_INDEX_TIME * 1e-9 * ((double) a->size + b->size);

	return ted_min(a->size, b->size) >= LEAST_NODES && ted_least_indel_cost(costs) > 0 &&
		   ted_size_bound(a->size, b->size, costs) <= limit &&
		   bounds < ted_tuning.stages_share * exact_seconds(a, b, costs) &&
		   (!has_strip(b, costs, limit) ||
			bounds < ted_tuning.stages_share * ted_strip_pair_seconds(a, costs, limit));
}

/* Whether two trees are the same. */
static bool
equal(const TedTree *a, const TedTree *b)
{
	size_t bytes = sizeof(int32_t) * (size_t) a->size;

	return a->size == b->size && memcmp(a->label, b->label, bytes) == 0 &&
		   memcmp(a->subtree_size, b->subtree_size, bytes) == 0;
}

/* Ends with a distance. */
static void
settle(TedStages *stages, int32_t distance)
{
	stages->stage = TED_STAGE_DONE;
	stages->distance = distance <= stages->limit ? distance : TED_BEYOND;
}

/* Starts the stages of a pair. */
TedStages
ted_stages_begin(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit,
				 size_t memory)
{
	TedStages stages = {.a = a,
						.b = b,
						.costs = *costs,
						.limit = limit,
						.memory = memory,
						.stage = TED_STAGE_BOUNDS,
						.lower = ted_size_bound(a->size, b->size, costs),
						.upper = limit,
						.tables = exact_seconds(a, b, costs)};

	if (equal(a, b))
		settle(&stages, 0);
	return stages;
}

/* The seconds that a bound may take: a share of those that settle the pair for certain. */
static double
bound_seconds(const TedStages *stages)
{
	return ted_tuning.stages_share *
		   fmin(stages->tables, stage_strip_seconds(stages, stages->limit));
}

/* A cost up to which a lower bound takes about as long as it may, or -1 for none. */
static int32_t
lower_limit(const TedStages *stages)
{
	const TedCosts *costs = &stages->costs;
	int32_t rename = ted_least_costs(costs).rename;
	double most = ted_size_bound(stages->a->size, stages->b->size, costs) +
				  sqrt(bound_seconds(stages) / (TED_DIAGONAL_STEP_TIME * 1e-9)) *
					  ted_min(ted_least_indel_cost(costs), rename);

	/* where renaming costs nothing, traversals say no more than sizes */
	if (rename == 0)
		return -1;
	return (int32_t) fmin(fmin(most, TED_MAX_DISTANCE), stages->limit);
}

/* Insertions and deletions up to which an upper bound takes about as long as it may. */
static int32_t
upper_width(const TedStages *stages)
{
	int32_t size_a = stages->a->size;
	int32_t size_b = stages->b->size;
	double most = bound_seconds(stages) / (4 * TED_GREEDY_TIME * 1e-9 * size_a);

	return (int32_t) fmin(most, (double) size_a + size_b);
}

/* Bytes of the bounds. */
static size_t
bounds_memory(const TedStages *stages)
{
	int32_t size_a = stages->a->size;
	int32_t size_b = stages->b->size;
	int32_t limit = lower_limit(stages);
	size_t lower =
		limit < 0 ? 0 : ted_traversal_bound_memory(size_a, size_b, &stages->costs, limit);
	size_t upper = ted_greedy_mapping_memory(size_a, size_b) +
				   ted_arena_bytes(sizeof(int32_t) * (size_t) size_a) +
				   ted_arena_bytes(sizeof(int32_t) * (size_t) size_b);

	return ted_bounds_index_memory(size_a) + ted_bounds_index_memory(size_b) +
		   (lower > upper ? lower : upper);
}

/* Finds the upper bound. */
static TedStatus
bound_above(const TedStages *stages, const TedBoundsIndex *a, const TedBoundsIndex *b,
			TedArena *arena, const TedInterrupt *interrupt, int32_t *bound)
{
	int32_t *map_a = ted_arena_alloc(arena, sizeof(int32_t) * (size_t) a->size);
	int32_t *map_b = ted_arena_alloc(arena, sizeof(int32_t) * (size_t) b->size);

	if (map_a == NULL || map_b == NULL)
		return TED_OUT_OF_ARENA;
	return ted_upper_bound(a, b, &stages->costs, upper_width(stages), arena, interrupt, map_a,
						   map_b, bound);
}

/* Finds the bounds, and settles the pair where they do. */
static TedStatus
run_bounds(TedStages *stages, TedArena *arena, const TedInterrupt *interrupt)
{
	int32_t limit = lower_limit(stages);
	int32_t lower = stages->lower;
	int32_t upper;
	TedBoundsIndex a;
	TedBoundsIndex b;
	TedStatus status = ted_bounds_index(stages->a, arena, interrupt, &a);

	if (status == TED_OK)
		status = ted_bounds_index(stages->b, arena, interrupt, &b);
	if (status == TED_OK && limit >= 0)
		status = ted_traversal_bound(&a, &b, &stages->costs, limit, arena, interrupt, &lower);
	if (status != TED_OK)
		return status;
	if (lower == TED_BEYOND)
	{
		/* far apart: an upper bound would not help */
		stages->lower = ted_max(stages->lower, limit);
		if (limit == stages->limit)
			settle(stages, TED_BEYOND);
		return TED_OK;
	}
	stages->lower = lower;
	status = bound_above(stages, &a, &b, arena, interrupt, &upper);
	if (status != TED_OK)
		return status;
	stages->upper = ted_min(upper, stages->limit);
	if (upper == lower)
		settle(stages, upper);
	return TED_OK;
}

/* Whether the next strip is worth its time though it may settle nothing. */
static bool
try_strip(TedStages *stages, double certain)
{
	double seconds = stage_strip_seconds(stages, stages->next);

	if (stages->next >= stages->upper || seconds > stages->spendable || 2 * seconds > certain ||
		ted_strip_pair_memory(stages->a, stages->b, &stages->costs, stages->next) > stages->memory)
		return false;
	stages->spendable -= seconds;
	return true;
}

/* Chooses a strip or the exact algorithm for what is left. */
static void
choose_stage(TedStages *stages)
{
	const TedTree *a = stages->a;
	const TedTree *b = stages->b;
	const TedCosts *costs = &stages->costs;
	double strip = stage_strip_seconds(stages, stages->upper);
	bool fits = ted_distance_memory(a, b, costs) <= stages->memory;

	stages->stage = TED_STAGE_STRIP;
	if (try_strip(stages, fmin(strip, stages->tables)))
		return;
	stages->next = stages->upper;
	if (strip >= stages->tables &&
		(fits || !has_strip(b, costs, stages->upper) ||
		 ted_strip_pair_memory(a, b, costs, stages->upper) > stages->memory))
		stages->stage = TED_STAGE_TABLES;
}

/* Bytes that the next stage takes. */
size_t
ted_stage_memory(const TedStages *stages)
{
	switch (stages->stage)
	{
		case TED_STAGE_BOUNDS:
			return bounds_memory(stages);
		case TED_STAGE_STRIP:
			return ted_strip_pair_memory(stages->a, stages->b, &stages->costs, stages->next);
		case TED_STAGE_TABLES:
			return ted_distance_memory(stages->a, stages->b, &stages->costs);
		default:
			return 0;
	}
}

/* Runs the bounds, and chooses the stage after them. */
static TedStatus
leave_bounds(TedStages *stages, TedArena *arena, const TedInterrupt *interrupt)
{
	TedStatus status = run_bounds(stages, arena, interrupt);

	if (status != TED_OK || stages->stage == TED_STAGE_DONE)
		return status;
	stages->next = stages->lower + stages->lower / 8 + 1;
	stages->spendable = 3 * ted_tuning.stages_share * stages->tables;
	choose_stage(stages);
	return TED_OK;
}

/* Runs a strip, and chooses the stage after it. */
static TedStatus
leave_strip(TedStages *stages, TedArena *arena, const TedInterrupt *interrupt)
{
	int32_t distance;
	TedStatus status = ted_strip_pair(stages->a, stages->b, &stages->costs, stages->next, arena,
									  interrupt, &distance);

	if (status != TED_OK)
		return status;
	if (distance != TED_BEYOND || stages->next == stages->upper)
	{
		settle(stages, distance);
		return TED_OK;
	}
	stages->lower = stages->next + 1;
	stages->next = 2 * stages->next + 1;
	choose_stage(stages);
	return TED_OK;
}

/* Runs the next stage. */
TedStatus
ted_stage_run(TedStages *stages, TedArena *arena, const TedInterrupt *interrupt)
{
	size_t used = arena->used;
	int32_t distance;
	TedStatus status;

	if (stages->stage == TED_STAGE_BOUNDS)
		status = leave_bounds(stages, arena, interrupt);
	else if (stages->stage == TED_STAGE_STRIP)
		status = leave_strip(stages, arena, interrupt);
	else
	{
		status = ted_distance(stages->a, stages->b, &stages->costs, arena, interrupt, &distance);
		if (status == TED_OK)
			settle(stages, distance);
	}
	arena->used = used;
	return status;
}
