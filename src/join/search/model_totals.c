/*
 * model_totals.c
 *	  Total costs of the trees of a join by a cost model, and a bound on distances by them.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "model_totals.h"

/* Weight of a spelling that no indexed tree has. */
#define NO_WEIGHT ((NodeCosts){PG_INT32_MAX, PG_INT32_MAX})

struct ModelTotals
{
	const ModelCosts *costs;
	NodeCosts least; /* least costs of any node that is not ignored */
	MemoryContext context;
	NodeCosts *weight; /* of each spelling */
	int32 spellings;
	int32 capacity;
	int32 labels; /* labels that have been weighed */
};

ModelTotals *
ModelTotalsCreate(const CostModel *model, const ModelCosts *costs)
{
	ModelTotals *totals = palloc0_object(ModelTotals);
	OperationCosts least = CostModelLeastCosts(model);

	totals->costs = costs;
	totals->least = (NodeCosts){.insert = least.insert, .delete_ = least.delete_};
	totals->context = CurrentMemoryContext;
	return totals;
}

/*
 * Returns the weight of a label; a graded one weighs as little as any, as renaming may cost little.
 */
static NodeCosts
WeightOf(const ModelTotals *totals, int32 label, const LabelTraits *traits)
{
	const TedCosts *costs = ModelTedCosts(totals->costs);
	int64 delete_ = (int64) totals->least.delete_ + traits->rename;
	int64 insert = (int64) totals->least.insert + traits->rename;

	if (traits->is_graded)
		return totals->least;
	return (NodeCosts){.insert = (int32) Min(insert, ted_insert_cost(costs, label)),
					   .delete_ = (int32) Min(delete_, ted_delete_cost(costs, label))};
}

void
ModelTotalsNote(ModelTotals *totals, const TedTree *compared, int32 spellings)
{
	RESERVE(totals->context, totals->weight, totals->capacity, spellings);
	for (; totals->spellings < spellings; totals->spellings++)
		totals->weight[totals->spellings] = NO_WEIGHT;
	for (int32 x = 0; x < compared->size; x++)
		for (; totals->labels <= compared->label[x]; totals->labels++)
		{
			LabelTraits traits = TraitsOfLabel(totals->costs, totals->labels);
			NodeCosts weight = WeightOf(totals, totals->labels, &traits);
			NodeCosts *least = &totals->weight[traits.spelling];

			if (traits.is_ignored)
				continue;
			least->insert = Min(least->insert, weight.insert);
			least->delete_ = Min(least->delete_, weight.delete_);
		}
}

TreeTotals
ModelTotalsOf(const ModelTotals *totals, const TedTree *compared)
{
	const TedCosts *costs = ModelTedCosts(totals->costs);
	TreeTotals sums = {.is_weighed = true};

	for (int32 x = 0; x < compared->size; x++)
	{
		LabelTraits traits = TraitsOfLabel(totals->costs, compared->label[x]);
		NodeCosts own = WeightOf(totals, compared->label[x], &traits);
		NodeCosts weight =
			traits.spelling < totals->spellings ? totals->weight[traits.spelling] : NO_WEIGHT;

		sums.delete_all += ted_delete_cost(costs, compared->label[x]);
		sums.insert_all += ted_insert_cost(costs, compared->label[x]);
		if (traits.is_ignored)
			continue;
		if (weight.insert == PG_INT32_MAX)
			weight = own;
		sums.is_weighed =
			sums.is_weighed && own.insert >= weight.insert && own.delete_ >= weight.delete_;
		sums.insertions += weight.insert;
		sums.deletions += weight.delete_;
	}
	return sums;
}
