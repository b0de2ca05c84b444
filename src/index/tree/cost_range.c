/*
 * cost_range.c
 *	  Necessary conditions for the trees in a range by a cost model.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "../../tree/costs/cost_type.h"
#include "../../tree/costs/model_costs.h"
#include "../../tree/distance/threshold.h"
#include "cost_range.h"

#define ST_SORT SortModelLabels
#define ST_ELEMENT_TYPE ModelLabel
#define ST_COMPARE(a, b) (((a)->hash > (b)->hash) - ((a)->hash < (b)->hash))
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

CostRange *
ReadCostRange(const TreeRange *range)
{
	CostRange *made = palloc0_object(CostRange);
	const CostModel *model = DatumGetCostModel(range->costs);
	OperationCosts least = CostModelLeastCosts(model);
	Tree *tree = DatumGetTree(range->tree);

	ReadModelLabels(ModelKeysCreate(model), tree, &made->labels);
	made->limit = CostModelLimit(model, range->max_cost);
	made->ignores = CostModelIgnores(model);
	made->indel_cost = Min(least.insert, least.delete_);
	made->node_cost = Min(made->indel_cost, least.rename);
	return made;
}

void
SortCostRange(CostRange *range)
{
	SortModelLabels(range->labels.plain, (size_t) range->labels.plain_count);
}

/* Returns the most operations that a range allows if each operation has at least this cost. */
static int32
RangeOperationsAllowed(const CostRange *range, int32 cost)
{
	return cost == 0 || range->limit == TED_NO_LIMIT ? LARGEST_DISTANCE
													 : Min(range->limit / cost, LARGEST_DISTANCE);
}

int32
MostMissing(const CostRange *range)
{
	return RangeOperationsAllowed(range, range->node_cost);
}

int32
LeastNodes(const CostRange *range)
{
	return Max(range->labels.nodes - RangeOperationsAllowed(range, range->indel_cost), 1);
}

int32
MostNodes(const CostRange *range)
{
	return range->ignores
			   ? TREE_MAX_NODES
			   : Min(range->labels.nodes + RangeOperationsAllowed(range, range->indel_cost),
					 TREE_MAX_NODES);
}

/* Returns the lesser one of a label's costs in the two directions. */
static inline int32
LeastCost(const ModelLabel *label)
{
	return Min(label->delete_, label->insert);
}

/*
 * Whether a range may contain a tree whose number of nodes is between two sizes.  The tree
 * lacks plain nodes of the range's tree at a total of `missing_cost` units, and has `excess`
 * nodes that match no plain node.
 */
static bool
MayBeInRange(const CostRange *range, int64 missing_cost, int32 excess, int32 least_size,
			 int32 greatest_size)
{
	int64 more = Max((int64) least_size - range->labels.nodes, 0);
	int64 less = Max((int64) range->labels.nodes - greatest_size, 0) * range->indel_cost;
	int64 unmatched = Max(excess - range->labels.graded_nodes, 0);

	if (range->ignores)
		return Max(missing_cost, less) <= range->limit;
	return missing_cost + more * range->indel_cost <= range->limit &&
		   unmatched * range->node_cost + less <= range->limit;
}

/*
 * Returns the number of nodes whose labels have a hash, and moves `next` past these labels,
 * which are in ascending order of their hashes.
 */
static int32
NodesWith(uint32 hash, const LabelCount *counts, int32 labels, int32 *next)
{
	int32 nodes = 0;

	while (*next < labels && counts[*next].hash < hash)
		(*next)++;
	while (*next < labels && counts[*next].hash == hash)
		nodes += counts[(*next)++].count;
	return nodes;
}

bool
MayBeInCostRange(const CostRange *range, const LabelCount *counts, int32 labels)
{
	const ModelLabel *plain = range->labels.plain;
	int32 count = range->labels.plain_count;
	int64 missing_cost = 0;
	int32 shared = 0;
	int32 size = 0;
	int32 next = 0;

	for (int32 i = 0; i < labels; i++)
		size += counts[i].count;
	for (int32 i = 0; i < count;)
	{
		uint32 hash = plain[i].hash;
		int32 nodes = 0;
		int32 cost = PG_INT32_MAX;
		int32 matched = NodesWith(hash, counts, labels, &next);

		CHECK_FOR_INTERRUPTS();
		for (; i < count && plain[i].hash == hash; i++)
		{
			nodes += plain[i].count;
			cost = Min(cost, LeastCost(&plain[i]));
		}
		matched = Min(matched, nodes);
		shared += matched;
		missing_cost += (int64) (nodes - matched) * cost;
	}
	return MayBeInRange(range, missing_cost, size - shared, size, size);
}

/* Summarizes the tree of a range. */
void
SummarizeCostRange(const CostRange *range, CostSummary *summary)
{
	memset(summary, 0, sizeof(*summary));
	for (int i = 0; i < SUMMARY_BUCKETS; i++)
		summary->cost[i] = PG_INT32_MAX;
	for (int32 i = 0; i < range->labels.plain_count; i++)
	{
		const ModelLabel *label = &range->labels.plain[i];
		int bucket = label->hash % SUMMARY_BUCKETS;

		CHECK_FOR_INTERRUPTS();
		summary->plain[bucket] = (uint8) Min(summary->plain[bucket] + label->count, PG_UINT8_MAX);
		summary->cost[bucket] = Min(summary->cost[bucket], LeastCost(label));
	}
}

/* Whether the summary of a set allows one of its trees to be in a range. */
bool
SummaryMayBeInCostRange(const TreeSummary *set, const CostRange *range, const CostSummary *summary)
{
	int64 missing_cost = 0;
	int32 excess = 0;

	for (int i = 0; i < SUMMARY_BUCKETS; i++)
	{
		missing_cost += (int64) Max(summary->plain[i] - set->greatest[i], 0) * summary->cost[i];
		excess += Max(set->least[i] - summary->plain[i], 0);
	}
	return MayBeInRange(range, missing_cost, excess, set->least_size, set->greatest_size);
}
