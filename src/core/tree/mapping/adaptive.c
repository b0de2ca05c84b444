/*
 * adaptive.c
 *	  The distance of large trees, in little time and memory where they are similar.
 *
 * Bounds come first.  Where the lower bound equals the upper bound, that is the distance.  Else
 * strips are tried: a little wider than the lower bound, which is mostly close, then twice as wide
 * and so on, as long as all of them take a small part of the time of the exact algorithm.  A strip
 * as wide as the upper bound, or the limit, is certain to settle the pair, so its time is compared
 * with that of the exact algorithm.
 *
 * Where the exact algorithm takes too much memory, an approximate mapping is computed after the
 * bounds.  It is optimal where its cost equals a lower bound.  The Euler strings then show whether
 * any strip that fits can be wide enough.
 */
#include "adaptive.h"

#include <math.h>
#include <string.h>

#include "../../common/processor_tuning.h"
#include "../bounded/bounded.h"
#include "../bounded/bounds.h"
#include "../bounded/strip.h"
#include "../exact/strategy.h"
#include "../exact/zhang_shasha.h"
#include "approximate.h"

/* Pairs whose smaller tree has fewer nodes than this are not even estimated. */
#define LEAST_NODES 100

/* Most seconds of the widest strip where the exact algorithm takes too much memory. */
#define LONGEST_STRIP 300

/* The search for the widest strip stops within this fraction of its limit, 1 / 64. */
#define WIDEST_PRECISION 64

/*
 * Most seconds of the first bounds, and of the traversal bound after an approximate mapping, where
 * the exact algorithm takes too much memory.
 */
#define LONGEST_FIRST_BOUND 0.2
#define LONGEST_BOUND 2

/* An approximate mapping that costs this many times a limit makes a distance within it unlikely. */
#define FAR_ABOVE 100

/* The best path strategy is assumed to take this many times ted_strategy_least_seconds(). */
#define STRATEGY_FACTOR 30

/* Returns the estimated seconds of the exact algorithm. */
static double
exact_seconds(const TedPairPlan *plan)
{
	return fmin(plan->tables.seconds,
				STRATEGY_FACTOR * ted_strategy_least_seconds(plan->a->size, plan->b->size));
}

/* Plans the strip of a limit; its seconds are INFINITY if it is not narrower than the second tree.
 */
static TedPairPlan
plan_strip(const TedPairPlan *pair, int32_t limit)
{
	if (ted_strip_width(&pair->costs, limit) < pair->b->size)
		return ted_plan_strip(pair->a, pair->b, &pair->costs, limit);
	return (TedPairPlan){.seconds = INFINITY};
}

/* Whether the stages may save time. */
bool
ted_stages_pay(const TedPairPlan *plan)
{
	double bounds = TED_INDEX_TIME * 1e-9 * ((double) plan->a->size + plan->b->size);

	return ted_min(plan->a->size, plan->b->size) >= LEAST_NODES &&
		   ted_least_indel_cost(&plan->costs) > 0 && plan->way != TED_BY_SIZES &&
		   bounds < ted_tuning.stages_share * exact_seconds(plan) &&
		   bounds < ted_tuning.stages_share * plan_strip(plan, plan->limit).seconds;
}

/* Whether two trees are equal. */
static bool
equal(const TedTree *a, const TedTree *b)
{
	size_t bytes = sizeof(int32_t) * (size_t) a->size;

	return a->size == b->size && memcmp(a->label, b->label, bytes) == 0 &&
		   memcmp(a->subtree_size, b->subtree_size, bytes) == 0;
}

/* Ends the stages with a distance. */
static void
settle(TedStages *stages, int32_t distance)
{
	stages->stage = TED_STAGE_DONE;
	stages->distance = distance <= stages->limit ? distance : TED_BEYOND;
}

/* Whether a strip fits in memory and takes no more than LONGEST_STRIP seconds. */
static bool
strip_fits(const TedStages *stages, int32_t limit)
{
	TedPairPlan strip = plan_strip(&stages->exact, limit);

	return strip.seconds <= LONGEST_STRIP && strip.bytes <= stages->memory;
}

/* Finds about the greatest limit whose strip fits; less than the lower bound if no strip fits. */
static TedStatus
find_widest(TedStages *stages, const TedInterrupt *interrupt)
{
	/* a strip has a number for each node and diagonal */
	double diagonals = (double) stages->memory / (sizeof(int32_t) * (double) stages->exact.a->size);
	double most = ted_least_indel_cost(&stages->exact.costs) *
				  fmin(diagonals, (double) stages->exact.b->size);
	int32_t low = stages->lower - 1;
	int32_t high = (int32_t) fmin(fmin(most, TED_MAX_DISTANCE), stages->limit);
	int64_t steps = 0;

	if (high == stages->limit && strip_fits(stages, high))
		low = high;
	while (high - low > ted_max(low, 0) / WIDEST_PRECISION)
	{
		int32_t middle = low + (high - low + 1) / 2;

		if (strip_fits(stages, middle))
			low = middle;
		else
			high = middle - 1;
		if (ted_interrupted(interrupt, &steps, stages->exact.a->size))
			return TED_CANCELLED;
	}
	stages->widest = low;
	return TED_OK;
}

/*
 * Returns the seconds that a bound may take: a share of the time of the way that is certain to
 * settle the pair, and little where the exact algorithm does not fit.
 */
static double
bound_seconds(const TedStages *stages)
{
	double certain = fmin(stages->tables, plan_strip(&stages->exact, stages->widest).seconds);

	return fmin(ted_tuning.stages_share * certain, stages->fits ? INFINITY : LONGEST_FIRST_BOUND);
}

/* Returns a limit up to which the traversal bound takes about this long, or -1 for none. */
static int32_t
traversal_limit(const TedStages *stages, double seconds)
{
	return ted_traversal_limit(stages->exact.a->size, stages->exact.b->size, &stages->exact.costs,
							   seconds);
}

/* Returns the limit of the first lower bound, or -1 for none. */
static int32_t
lower_limit(const TedStages *stages)
{
	return ted_min(traversal_limit(stages, stages->bounds), stages->widest);
}

/* Returns the bytes of the bounds. */
static size_t
bounds_memory(const TedStages *stages)
{
	int32_t size_a = stages->exact.a->size;
	int32_t size_b = stages->exact.b->size;
	int32_t limit = lower_limit(stages);
	size_t lower =
		limit < 0 ? 0 : ted_traversal_bound_memory(size_a, size_b, &stages->exact.costs, limit);
	size_t upper = ted_greedy_mapping_memory(size_a, size_b) +
				   ted_arena_bytes(sizeof(int32_t) * (size_t) size_a) +
				   ted_arena_bytes(sizeof(int32_t) * (size_t) size_b);

	return ted_bounds_index_memory(size_a) + ted_bounds_index_memory(size_b) +
		   ted_max_bytes(lower, upper);
}

/* Records that the distance exceeds a limit. */
static void
exclude(TedStages *stages, int32_t limit)
{
	stages->lower = ted_max(stages->lower, limit + 1);
	if (limit == stages->limit)
		settle(stages, TED_BEYOND);
}

/* Computes the bounds, and settles the pair if they are equal or exceed the limit. */
static TedStatus
compute_bounds(TedStages *stages, TedArena *arena, const TedInterrupt *interrupt)
{
	int32_t limit = lower_limit(stages);
	int32_t lower = stages->lower;
	int32_t upper;
	double width;
	int32_t *map_a;
	int32_t *map_b;
	TedBoundsIndex a;
	TedBoundsIndex b;
	TedStatus status = ted_bounds_index(stages->exact.a, arena, interrupt, &a);

	if (status == TED_OK)
		status = ted_bounds_index(stages->exact.b, arena, interrupt, &b);
	if (status == TED_OK && limit >= 0)
		status = ted_traversal_bound(&a, &b, &stages->exact.costs, limit, arena, interrupt, &lower);
	if (status != TED_OK)
		return status;
	if (lower == TED_BEYOND)
	{
		/* the trees are far apart, so an upper bound would not help */
		exclude(stages, limit);
		return TED_OK;
	}
	stages->lower = lower;
	map_a = ted_arena_int32(arena, (size_t) a.size);
	map_b = ted_arena_int32(arena, (size_t) b.size);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	/* as many insertions and deletions as there is time for */
	width = fmin(stages->bounds / (4 * TED_GREEDY_TIME * 1e-9 * a.size), (double) a.size + b.size);
	status = ted_upper_bound(&a, &b, &stages->exact.costs, (int32_t) fmin(width, stages->widest),
							 arena, interrupt, map_a, map_b, &upper);
	if (status != TED_OK)
		return status;
	stages->upper = ted_min(upper, stages->limit);
	if (upper == lower)
		settle(stages, upper);
	return TED_OK;
}

/* Returns the bytes of this stage; the upper bound can only decrease until the traversal bound. */
static size_t
approximate_memory(const TedStages *stages)
{
	int32_t size_a = stages->exact.a->size;
	int32_t size_b = stages->exact.b->size;
	int32_t limit = traversal_limit(stages, LONGEST_BOUND);
	size_t mapping = ted_approximate_mapping_memory(size_a, size_b) +
					 ted_arena_bytes(sizeof(int32_t) * (size_t) size_a) +
					 ted_arena_bytes(sizeof(int32_t) * (size_t) size_b);
	size_t traversals = limit < 0
							? 0
							: ted_bounds_index_memory(size_a) + ted_bounds_index_memory(size_b) +
								  ted_traversal_bound_memory(size_a, size_b, &stages->exact.costs,
															 ted_min(limit, stages->upper));

	return ted_max_bytes(ted_max_bytes(mapping, traversals),
						 ted_max_bytes(ted_label_bound_memory(size_a, size_b),
									   ted_euler_within_memory(size_a, size_b)));
}

/* Computes the cost of an approximate mapping. */
static TedStatus
approximate(const TedStages *stages, TedArena *arena, const TedInterrupt *interrupt, int32_t *cost)
{
	size_t used = arena->used;
	int32_t *map_a = ted_arena_int32(arena, (size_t) stages->exact.a->size);
	int32_t *map_b = ted_arena_int32(arena, (size_t) stages->exact.b->size);
	TedStatus status = TED_OUT_OF_ARENA;

	if (!ted_arena_exceeded(arena))
		status = ted_approximate_mapping(stages->exact.a, stages->exact.b, &stages->exact.costs,
										 arena, interrupt, map_a, map_b, cost);
	arena->used = used;
	return status;
}

/* Computes the traversal bound up to a limit. */
static TedStatus
bound_traversals(const TedStages *stages, int32_t limit, TedArena *arena,
				 const TedInterrupt *interrupt, int32_t *bound)
{
	size_t used = arena->used;
	TedBoundsIndex a;
	TedBoundsIndex b;
	TedStatus status = ted_bounds_index(stages->exact.a, arena, interrupt, &a);

	if (status == TED_OK)
		status = ted_bounds_index(stages->exact.b, arena, interrupt, &b);
	if (status == TED_OK)
		status = ted_traversal_bound(&a, &b, &stages->exact.costs, limit, arena, interrupt, bound);
	arena->used = used;
	return status;
}

/* Raises the lower bound; TED_BEYOND means that the distance exceeds `upper`. */
static void
raise_lower(TedStages *stages, int32_t bound)
{
	if (bound == TED_BEYOND)
		exclude(stages, stages->upper);
	else
		stages->lower = ted_max(stages->lower, bound);
}

/* Computes an approximate mapping and lower bounds, and settles the pair if they meet. */
static TedStatus
meet_bounds(TedStages *stages, TedArena *arena, const TedInterrupt *interrupt, int32_t *cost)
{
	int32_t bound;
	TedStatus status = approximate(stages, arena, interrupt, cost);

	if (status != TED_OK)
		return status;
	stages->upper = ted_min(stages->upper, *cost);
	status = ted_label_bound(stages->exact.a, stages->exact.b, &stages->exact.costs, stages->upper,
							 arena, interrupt, &bound);
	if (status != TED_OK)
		return status;
	raise_lower(stages, bound);
	if (stages->stage != TED_STAGE_DONE && stages->lower < stages->upper &&
		stages->upper <= traversal_limit(stages, LONGEST_BOUND))
	{
		status = bound_traversals(stages, stages->upper, arena, interrupt, &bound);
		if (status != TED_OK)
			return status;
		raise_lower(stages, bound);
	}
	if (stages->stage != TED_STAGE_DONE && stages->lower == *cost)
		settle(stages, *cost);
	return TED_OK;
}

/*
 * Computes whether the Euler strings exclude a strip.  Where some renames cost hardly anything,
 * they exclude nothing.  Then the strip counts as hopeless if an approximate mapping costs far more
 * than the limit and the Euler strings exclude k operations of cost 1.
 */
TedStatus
ted_strip_outlook(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit,
				  int32_t cost, TedArena *arena, const TedInterrupt *interrupt,
				  TedStripOutlook *outlook)
{
	int32_t k = ted_strip_width(costs, limit);
	bool within;
	TedStatus status = ted_euler_within(a, b, costs, limit, arena, interrupt, &within);

	*outlook = within ? TED_STRIP_POSSIBLE : TED_STRIP_EXCLUDED;
	if (status == TED_OK && within && cost / FAR_ABOVE > limit)
	{
		status = ted_euler_within(a, b, &TED_UNIT_COSTS, k, arena, interrupt, &within);
		*outlook = within ? TED_STRIP_POSSIBLE : TED_STRIP_HOPELESS;
	}
	return status;
}

/* Records whether all strips that fit are excluded or hopeless. */
static TedStatus
exclude_strips(TedStages *stages, int32_t cost, TedArena *arena, const TedInterrupt *interrupt)
{
	TedStripOutlook outlook;
	TedStatus status = ted_strip_outlook(stages->exact.a, stages->exact.b, &stages->exact.costs,
										 stages->widest, cost, arena, interrupt, &outlook);

	if (status == TED_OK && outlook == TED_STRIP_EXCLUDED)
		exclude(stages, stages->widest);
	stages->hopeless = status == TED_OK && outlook == TED_STRIP_HOPELESS;
	return status;
}

/*
 * Chooses a strip or the exact algorithm as the next stage: a strip as wide as the upper bound
 * settles the pair; a narrower one is tried before it where that takes little time.
 */
static void
choose(TedStages *stages)
{
	int32_t last = ted_min(stages->upper, stages->widest);

	stages->stage = TED_STAGE_TABLES;
	if (stages->lower <= last && !stages->hopeless)
	{
		TedPairPlan certain = plan_strip(&stages->exact, last);

		if (stages->next < last)
		{
			stages->strip = plan_strip(&stages->exact, stages->next);
			if (isfinite(stages->strip.seconds) && stages->strip.seconds <= stages->spendable &&
				2 * stages->strip.seconds <= fmin(certain.seconds, stages->tables) &&
				stages->strip.bytes <= stages->memory)
			{
				stages->spendable -= stages->strip.seconds;
				stages->stage = TED_STAGE_STRIP;
				return;
			}
		}
		if (certain.seconds < stages->tables && certain.bytes <= stages->memory)
		{
			stages->strip = certain;
			stages->stage = TED_STAGE_STRIP;
		}
	}
	stages->next = last;
}

/*
 * Chooses the stage after the bounds: an approximate mapping where no strip that fits settles the
 * pair.
 */
static void
choose_first(TedStages *stages)
{
	stages->next = stages->lower + stages->lower / 8 + 1;
	stages->spendable = 3 * ted_tuning.stages_share * stages->tables;
	if (stages->widest < stages->upper && approximate_memory(stages) <= stages->memory)
		stages->stage = TED_STAGE_APPROXIMATE;
	else
		choose(stages);
}

/* Starts the stages of a pair. */
TedStages
ted_stages_begin(const TedPairPlan *plan, size_t memory)
{
	TedStages stages = {.exact = *plan,
						.limit = plan->limit,
						.memory = memory,
						.stage = TED_STAGE_BOUNDS,
						.lower = ted_size_bound(plan->a->size, plan->b->size, &plan->costs),
						.upper = plan->limit,
						.widest = plan->limit,
						.fits = plan->tables.bytes <= memory};

	stages.exact.way = TED_BY_TABLES;
	stages.exact.bytes = plan->tables.bytes;
	stages.tables = stages.fits ? exact_seconds(plan) : INFINITY;
	stages.bounds = bound_seconds(&stages);
	if (equal(plan->a, plan->b))
		settle(&stages, 0);
	else if (!stages.fits)
		stages.stage = TED_STAGE_WIDTH;
	return stages;
}

/* Returns the bytes that the next stage takes. */
size_t
ted_stage_memory(const TedStages *stages)
{
	switch (stages->stage)
	{
		case TED_STAGE_BOUNDS:
			return bounds_memory(stages);
		case TED_STAGE_APPROXIMATE:
			return approximate_memory(stages);
		case TED_STAGE_STRIP:
			return stages->strip.bytes;
		case TED_STAGE_TABLES:
			return stages->exact.bytes;
		default:
			return 0;
	}
}

/* Runs the next stage, and chooses the one after it. */
TedStatus
ted_stage_run(TedStages *stages, TedArena *arena, const TedInterrupt *interrupt)
{
	size_t used = arena->used;
	int32_t distance;
	int32_t cost;
	TedStatus status = TED_OK;

	switch (stages->stage)
	{
		case TED_STAGE_WIDTH:
			status = find_widest(stages, interrupt);
			stages->bounds = bound_seconds(stages);
			stages->stage = TED_STAGE_BOUNDS;
			if (status == TED_OK && stages->widest < stages->lower)
				choose_first(stages);
			break;
		case TED_STAGE_BOUNDS:
			status = compute_bounds(stages, arena, interrupt);
			if (status == TED_OK && stages->stage != TED_STAGE_DONE)
				choose_first(stages);
			break;
		case TED_STAGE_APPROXIMATE:
			status = meet_bounds(stages, arena, interrupt, &cost);
			if (status == TED_OK && stages->stage != TED_STAGE_DONE &&
				stages->lower <= stages->widest && stages->widest < stages->upper)
				status = exclude_strips(stages, cost, arena, interrupt);
			if (status == TED_OK && stages->stage != TED_STAGE_DONE)
				choose(stages);
			break;
		case TED_STAGE_STRIP:
			status = ted_pair_distance(&stages->strip, arena, interrupt, &distance);
			if (status != TED_OK)
				break;
			if (distance != TED_BEYOND || stages->next == stages->upper)
				settle(stages, distance);
			else
			{
				stages->lower = stages->next + 1;
				stages->next = 2 * stages->next + 1;
				choose(stages);
			}
			break;
		case TED_STAGE_TABLES:
			status = ted_pair_distance(&stages->exact, arena, interrupt, &distance);
			if (status == TED_OK)
				settle(stages, distance);
			break;
		case TED_STAGE_DONE:
			break;
	}
	arena->used = used;
	return status;
}
