/*
 * model_totals.h
 *	  Total costs of the trees of a join by a cost model, and a bound on distances by them.
 *
 * A label has a weight that is at most the cost of deleting a node with the label, and that differs
 * from the weight of another label by at most the cost of renaming one label to the other.  So no
 * operation changes the sum of a tree's weights by more than its cost, and the distance of two
 * trees is at least the difference of their sums.  There are separate weights for insertions.
 *
 * Nodes with the same spelling match at no cost, so a weight belongs to a spelling: it is the least
 * weight of the spelling's labels.  It is known when all trees to be indexed have been added.  A
 * tree that is looked up has no sums if one of its nodes would need a smaller weight.
 */
#ifndef TED_MODEL_TOTALS_H
#define TED_MODEL_TOTALS_H

#include "postgres.h"

#include "../../tree/costs/model_costs.h"

typedef struct ModelTotals ModelTotals;

/* Total costs of a tree. */
typedef struct TreeTotals
{
	int64 delete_all; /* cost of deleting all nodes */
	int64 insert_all; /* cost of inserting all nodes */
	bool is_weighed;  /* whether the sums below are valid */
	int64 deletions;  /* sum of weights for deletions */
	int64 insertions; /* sum of weights for insertions */
} TreeTotals;

/* Makes totals without trees, in the current memory context. */
extern ModelTotals *ModelTotalsCreate(const CostModel *model, const ModelCosts *costs);

/* Weighs the labels of a tree to be indexed; `spellings` is the number of spellings so far. */
extern void ModelTotalsNote(ModelTotals *totals, const TedTree *compared, int32 spellings);

/* Sums the costs and weights of a tree, after all trees to be indexed have been weighed. */
extern TreeTotals ModelTotalsOf(const ModelTotals *totals, const TedTree *compared);

/* Returns a lower bound on the distance from a to b. */
static inline int64
LeastByTotals(const TreeTotals *a, const TreeTotals *b)
{
	if (!a->is_weighed || !b->is_weighed)
		return 0;
	return Max(a->deletions - b->deletions, b->insertions - a->insertions);
}

#endif /* TED_MODEL_TOTALS_H */
