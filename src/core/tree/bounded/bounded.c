/*
 * bounded.c
 *	  The way to the distance of a pair: by a k-strip, along leftmost, rightmost or heavy paths, or
 *	  by the exact algorithm where that is faster.
 */
#include "bounded.h"

#include "../../common/processor_tuning.h"
#include "bounds.h"
#include "heavy_strip.h"
#include "../mirror.h"
#include "strip.h"
#include "../exact/zhang_shasha.h"

/* Whether the mirrored trees are to be compared, as their tables have fewer rows. */
static bool
mirrors(const TedTree *a)
{
	return a->right_nodes + TED_MIRROR_ROWS * (int64_t) a->size < a->left_nodes;
}

/*
 * Returns the estimated seconds of a strip along leftmost or rightmost paths: for the pairs of
 * nodes in it, and for its tables.  Similar trees have the most tables, about k of each key root.
 */
static double
path_strip_seconds(const TedTree *a, const TedCosts *costs, int32_t k)
{
	double rows = (double) (mirrors(a) ? a->right_nodes : a->left_nodes) * k;

	if (ted_strip_takes_vectors(costs, k))
		return (TED_STRIP_NODE_TIME * (double) a->size + TED_STRIP_ROW_TIME * rows) * 1e-9;
	return (TED_STRIP_DIAGONAL_TIME * (double) a->size * ((double) k + 1) +
			TED_STRIP_CELL_TIME * rows * k) *
		   1e-9;
}

/*
 * Chooses between a strip along leftmost or rightmost paths and one along heavy paths, which are
 * summed up only where that strip may be faster.
 */
static void
choose_strip(TedPairPlan *plan, int32_t k)
{
	const TedTree *a = plan->a;
	const TedTree *b = plan->b;
	double most;

	plan->way = TED_BY_STRIP;
	plan->seconds = path_strip_seconds(a, &plan->costs, k);
	plan->heavy = (TedHeavySums){.nodes = a->size - 1};
	most = plan->seconds / TED_HEAVY_GAIN;
	if (ted_heavy_strip_seconds(a, &plan->heavy, k) < most)
	{
		double heavy;

		plan->heavy = ted_heavy_sums(a);
		heavy = ted_heavy_strip_seconds(a, &plan->heavy, k);
		if (heavy < most)
		{
			plan->way = TED_BY_HEAVY_STRIP;
			plan->seconds = heavy;
			plan->bytes = ted_heavy_strip_memory(a, b, &plan->heavy, &plan->costs, plan->limit);
			return;
		}
	}
	plan->bytes = ted_strip_memory(a->size, b->size, &plan->costs, plan->limit);
	if (mirrors(a))
		plan->bytes += ted_mirror_memory(a->size) + ted_mirror_memory(b->size);
}

/* Whether x begins a leftmost path or, in a mirrored tree, a rightmost path. */
static bool
begins_path(const TedTree *tree, bool mirrored, int32_t x)
{
	if (mirrored) /* the last node, or one that is not a last child */
		return x == tree->size - 1 || tree->subtree_size[x + 1] == 1;
	return tree->key_root[x] == x;
}

/* Plans a strip. */
TedPairPlan
ted_plan_strip(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit)
{
	TedPairPlan plan = {.a = a, .b = b, .costs = *costs, .limit = limit};
	int32_t k = ted_strip_width(costs, limit);
	bool mirrored = mirrors(a);
	double cells = 0;

	choose_strip(&plan, k);
	if (plan.way == TED_BY_HEAVY_STRIP || ted_strip_takes_vectors(costs, k))
		return plan;
	for (int32_t x = 0; x < a->size; x++)
		if (begins_path(a, mirrored, x))
			cells += (double) a->subtree_size[x] * ted_min(a->subtree_size[x] - 1, k) + 1;
	plan.seconds = (TED_STRIP_DIAGONAL_TIME * (double) a->size + TED_STRIP_PLAIN_TIME * cells) *
				   ((double) k + 1) * 1e-9;
	return plan;
}

/* Plans the distance of a pair. */
TedPairPlan
ted_plan_pair(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit)
{
	TedPairPlan plan = {.a = a, .b = b, .costs = *costs, .limit = limit};
	int32_t k = ted_strip_width(costs, limit);

	if (ted_size_bound(a->size, b->size, costs) > limit)
	{
		plan.way = TED_BY_SIZES;
		return plan;
	}
	plan.tables = ted_plan_tables(a, b, costs);
	if (k < b->size && path_strip_seconds(a, costs, k) < plan.tables.seconds)
	{
		choose_strip(&plan, k);
		return plan;
	}
	plan.way = TED_BY_TABLES;
	plan.seconds = plan.tables.seconds;
	plan.bytes = plan.tables.bytes;
	return plan;
}

/* Computes the distance of a planned pair. */
TedStatus
ted_pair_distance(const TedPairPlan *plan, TedArena *arena, const TedInterrupt *interrupt,
				  int32_t *distance)
{
	const TedTree *a = plan->a;
	const TedTree *b = plan->b;
	size_t used = arena->used;
	TedPairView view = {.a = *a, .b = *b};
	TedTables tables;
	TedStrip strip;
	TedStatus status = TED_OK;

	switch (plan->way)
	{
		case TED_BY_SIZES:
		case TED_BY_SUBTREES: /* only mappings are planned so */
			*distance = TED_BEYOND;
			break;
		case TED_BY_TABLES:
			status = ted_orient(a, b, arena, interrupt, &view);
			if (status == TED_OK)
				status = ted_tables_fill(&view.a, &view.b, &plan->costs, &plan->tables, arena,
										 interrupt, &tables);
			if (status == TED_OK)
				*distance = ted_subtree_distance(&tables, a->size - 1, b->size - 1);
			break;
		case TED_BY_STRIP:
			if (mirrors(a))
				status = ted_mirror_pair(a, b, arena, interrupt, &view);
			if (status == TED_OK)
				status = ted_strip_fill(&view.a, &view.b, &plan->costs, plan->limit, arena,
										interrupt, &strip);
			if (status == TED_OK)
				*distance = ted_strip_distance(&strip, a->size - 1, b->size - 1);
			break;
		case TED_BY_HEAVY_STRIP:
			status = ted_heavy_strip_distance(a, b, &plan->heavy, &plan->costs, plan->limit, arena,
											  interrupt, distance);
			break;
	}
	arena->used = used;
	/* a strip's result above the limit need not be exact */
	if (status == TED_OK && *distance > plan->limit)
		*distance = TED_BEYOND;
	return status;
}
