/*
 * tree_mapping.c
 *	  An edit mapping of two trees: an optimal one, by CPU or GPU, or an approximate
 *	  one.
 */
#include "postgres.h"

#include "../../compat.h"
#include "../../core/tree/mapping/adaptive.h"
#include "../../core/tree/mapping/approximate.h"
#include "../../core/tree/bounded/bounds.h"
#include "../../engine/session.h"
#include "../../common/host.h"
#include "tree_mapping.h"

/* The approximate time in seconds that the first lower bound may take. */
#define LONGEST_FIRST_BOUND 0.2

/* The hint if an optimal mapping needs too much memory. */
#define MAPPING_HINT                                                                               \
	"Increase \"ted.max_memory\", or ask for an approximate mapping, as tree_edit_mapping() "      \
	"makes with \"approximate => true\"."

/* Returns a lower bound on the distance, up to a limit, else TED_BEYOND. */
static int32
BoundDistance(const TedTree *a, const TedTree *b, const TedCosts *costs, int32 limit)
{
	Size bytes = ted_bounds_index_memory(a->size) + ted_bounds_index_memory(b->size) +
				 ted_traversal_bound_memory(a->size, b->size, costs, limit);
	TedBoundsIndex left;
	TedBoundsIndex right;
	TedArena arena;
	int32 bound;

	CheckMemoryLimit(bytes, "tree edit mapping");
	ArenaInit(&arena, bytes);
	CheckStatus(ted_bounds_index(a, &arena, &PgInterrupt, &left));
	CheckStatus(ted_bounds_index(b, &arena, &PgInterrupt, &right));
	CheckStatus(ted_traversal_bound(&left, &right, costs, limit, &arena, &PgInterrupt, &bound));
	pfree(arena.base);
	return bound;
}

/* Maps the trees with the help of the GPU; false if the CPU is to do it. */
static bool
MapByGpu(const TedTree *a, const TedTree *b, const TedCosts *costs, int32 *map_a, int32 *map_b)
{
	TedPairPlan plan = ted_plan_subtrees_mapping(a, b, costs);
	EngineSession *session;
	void *subtrees;
	int32 x;
	int32 y;

	if (plan.bytes + ted_subtrees_bytes(a, b, costs) > (Size) ted_max_memory * 1024)
		return false;
	session = SessionOpen(costs);
	x = SessionUploadTree(session, a);
	y = SessionUploadTree(session, b);
	subtrees = SessionSubtrees(session, x, y);
	if (subtrees != NULL)
	{
		TedArena arena;
		int32 distance;

		ArenaInit(&arena, plan.bytes);
		CheckStatus(
			ted_pair_mapping(&plan, subtrees, &arena, &PgInterrupt, map_a, map_b, &distance));
		pfree(arena.base);
	}
	SessionClose(session);
	return subtrees != NULL;
}

/* Maps the trees approximately.  Returns the cost of the mapping. */
static int32
Approximate(const TedTree *a, const TedTree *b, const TedCosts *costs, int32 *map_a, int32 *map_b)
{
	Size bytes = ted_approximate_mapping_memory(a->size, b->size);
	TedArena arena;
	int32 cost;

	CheckMemoryLimit(bytes, "approximate tree edit mapping");
	ArenaInit(&arena, bytes);
	CheckStatus(ted_approximate_mapping(a, b, costs, &arena, &PgInterrupt, map_a, map_b, &cost));
	pfree(arena.base);
	return cost;
}

/*
 * Returns an upper bound on the distance if a search within the limit may succeed, else
 * TED_BEYOND.  Without enough memory for that, returns the limit.  The maps are scratch
 * memory.
 */
static int32
BoundAbove(const TedTree *a, const TedTree *b, const TedCosts *costs, int32 limit, int32 *map_a,
		   int32 *map_b)
{
	Size bytes = ted_euler_within_memory(a->size, b->size);
	TedStripOutlook outlook;
	TedArena arena;
	int32 cost;

	if (Max(bytes, ted_approximate_mapping_memory(a->size, b->size)) > (Size) ted_max_memory * 1024)
		return limit;
	cost = Approximate(a, b, costs, map_a, map_b);
	ArenaInit(&arena, bytes);
	CheckStatus(ted_strip_outlook(a, b, costs, limit, cost, &arena, &PgInterrupt, &outlook));
	pfree(arena.base);
	return outlook == TED_STRIP_POSSIBLE ? cost : TED_BEYOND;
}

/*
 * Maps the trees to each other.  If they are similar, tries limits from a lower bound of
 * the distance on, doubling them until the distance is within the limit; otherwise computes
 * all distances at once, on the GPU if that pays.  If a lower bound up to the last limit
 * would take long, an upper bound shows whether the limits can suffice.
 */
bool
MapTrees(const TedTree *a, const TedTree *b, const TedCosts *costs, MappingKind kind, int32 *map_a,
		 int32 *map_b)
{
	int32 last; /* last limit to try */
	int32 known;
	int32 limit;
	int32 distance = TED_BEYOND;

	CheckCostsFit(costs, a, b);
	if (kind == MAPPING_APPROXIMATE)
	{
		Approximate(a, b, costs, map_a, map_b);
		return false;
	}
	last = ted_mapping_limit(a, b, costs);
	known = Min(last, ted_traversal_limit(a->size, b->size, costs, LONGEST_FIRST_BOUND));
	limit = known > 0 ? BoundDistance(a, b, costs, known) : TED_BEYOND;
	if (limit == TED_BEYOND && known < last)
	{
		int32 upper = BoundAbove(a, b, costs, last, map_a, map_b);

		if (upper != TED_BEYOND)
		{
			last = Min(last, upper);
			limit = Min(Max(known + 1, ted_least_indel_cost(costs)), last);
		}
	}
	while (distance == TED_BEYOND)
	{
		TedPairPlan plan;
		TedArena arena;

		if (limit > last)
		{
			if (MapByGpu(a, b, costs, map_a, map_b))
				return true;
			limit = TED_MAX_DISTANCE;
		}
		plan = ted_plan_mapping(a, b, costs, limit);
		if (kind == MAPPING_FITTING && plan.bytes > (Size) ted_max_memory * 1024)
		{
			Approximate(a, b, costs, map_a, map_b);
			return false;
		}
		CheckMemoryOrHint(plan.bytes, "tree edit mapping", MAPPING_HINT);
		ArenaInit(&arena, plan.bytes);
		CheckStatus(ted_pair_mapping(&plan, NULL, &arena, &PgInterrupt, map_a, map_b, &distance));
		pfree(arena.base);
		limit = limit < last ? Min(2 * limit + 1, last) : TED_BEYOND;
	}
	return true;
}

bool
MapAtNoCost(const TedTree *a, const TedTree *b, const TedCosts *costs, int32 *map_a, int32 *map_b)
{
	TedPairPlan plan;
	int32 distance;
	TedArena arena;

	CheckCostsFit(costs, a, b);
	if (ted_least_indel_cost(costs) > 0 && ted_least_costs(costs).rename > 0)
		return false;
	plan = ted_plan_mapping(a, b, costs, 0);
	if (plan.bytes > (Size) ted_max_memory * 1024)
		return false;
	ArenaInit(&arena, plan.bytes);
	CheckStatus(ted_pair_mapping(&plan, NULL, &arena, &PgInterrupt, map_a, map_b, &distance));
	pfree(arena.base);
	return distance == 0;
}
