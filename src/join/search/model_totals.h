/*
 * model_totals.h
 *	  What the trees of a join cost in all by a model, and what follows for their distances.
 *
 * A label has a weight that no deletion of a node with it costs less than, and that differs
 * from the weight of another label by no more than it costs to rename the one to the other.
 * Then no operation changes the sum of a tree's weights by more than it costs, and
 * trees are at least as far apart as these sums.  Another weight is for insertions.
 *
 * Nodes that are spelt alike match at no cost, so the weight is one of a spelling: the
 * least that its labels may have.  It is known when all indexed trees are there.  A tree
 * looked up in which a node would have to weigh less has no sums.
 */
#ifndef TED_MODEL_TOTALS_H
#define TED_MODEL_TOTALS_H

#include "postgres.h"

#include "../../tree/costs/model_costs.h"

typedef struct ModelTotals ModelTotals;

/* What is known of a tree. */
typedef struct TreeTotals
{
	int64 delete_all; /* costs of deleting all of it, and of inserting it */
	int64 insert_all;
	bool is_weighed; /* these are there: */
	int64 deletions; /* sums of weights */
	int64 insertions;
} TreeTotals;

/* Starts with no tree, in the current memory context. */
extern ModelTotals *ModelTotalsCreate(const CostModel *model, const ModelCosts *costs);

/* Notes the labels of a tree to be indexed; `spellings` is the number of spellings so far. */
extern void ModelTotalsNote(ModelTotals *totals, const TedTree *compared, int32 spellings);

/* Sums up a tree, once all trees to be indexed are there. */
extern TreeTotals ModelTotalsOf(const ModelTotals *totals, const TedTree *compared);

/* A lower bound on the distance from a to b. */
static inline int64
LeastByTotals(const TreeTotals *a, const TreeTotals *b)
{
	if (!a->is_weighed || !b->is_weighed)
		return 0;
	return Max(a->deletions - b->deletions, b->insertions - a->insertions);
}

#endif /* TED_MODEL_TOTALS_H */
