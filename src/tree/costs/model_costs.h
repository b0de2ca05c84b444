/*
 * model_costs.h
 *	  The costs of a cost model for the labels of some trees.
 *
 * Costs depend on the label of a node and on its kind, and with some models on its
 * ancestors.  So trees that are compared by a model are relabelled with label ids of their
 * own, which the core uses: one for each label and each set of terms that nodes with this
 * label have, and two for a label that is a JSON string at some nodes and a text at others,
 * since different parts of it are compared.  Labels that are equal numbers share the id of
 * the first of them, if the model says so.  If all nodes have the same costs, trees keep
 * their labels.  Patterns see the whole tree: subtrees keep the costs that they have in it.
 */
#ifndef TED_MODEL_COSTS_H
#define TED_MODEL_COSTS_H

#include "../../common/labels.h"
#include "../../core/tree/ted.h"
#include "cost_model.h"
#include "label_marks.h"

/* Costs by label, for trees decoded with one label table. */
typedef struct ModelCosts ModelCosts;

/*
 * Makes costs for trees with labels in `table`, including labels added to it later, in the
 * current memory context.  The cost model and the table must stay valid.
 */
extern ModelCosts *ModelCostsCreate(const CostModel *model, const LabelTable *table,
									LabelMarks marks);

/*
 * Sets whether the bounds on all costs include ignored nodes.  Callers that remove these
 * from trees leave them out.
 */
extern void ModelCostsLeaveIgnoredOut(ModelCosts *costs, bool left_out);

/* Returns an upper bound on the memory, in bytes, for relabelling trees with `nodes` nodes. */
extern Size RelabelBytes(const CostModel *model, int64 nodes);

/*
 * Makes a copy of a tree with the label ids that the costs are for.  All other arrays are
 * shared.
 */
extern void RelabelTree(ModelCosts *costs, const TedTree *tree, TedTree *relabelled);

/*
 * Warns of the patterns of the model that select no node of two trees, decoded with the
 * label table; once for each reading of the model, and not in parallel workers.
 * PatternCheckBytes() returns the memory of the check in bytes, for trees with `nodes`
 * nodes together.
 */
extern Size PatternCheckBytes(const CostModel *model, int64 nodes);
extern void WarnOfUnusedPatterns(ModelCosts *costs, const TedTree *a, const TedTree *b);

/* The properties of a label of relabelled trees that filters use. */
typedef struct LabelTraits
{
	int32 spelling;     /* id in the label table, or that of an earlier equal number */
	int32 rename;       /* cost of renaming it, before grading, or TED_NEVER_RENAMED */
	bool is_graded;     /* renaming it to another graded label can cost almost nothing */
	bool is_ignored;    /* its nodes cost nothing, and match no other nodes */
	bool has_tolerance; /* renaming it to a number near it is free */
	bool is_unordered;  /* the children of its nodes have no order */
	int32 key;          /* of elements with an equal key; 0 for nodes without one */
} LabelTraits;

/* Returns the properties of a label that filters use. */
extern LabelTraits TraitsOfLabel(const ModelCosts *costs, int32 label);

/* How renaming a label of relabelled trees is graded. */
typedef struct LabelGrade
{
	TedTextMeasure texts;
	bool is_number; /* two such labels are compared as numbers, perhaps as others then */
	Label text;     /* the part of the label that is compared */
	int32 like;     /* an earlier label with the same spelling, or -1 */
} LabelGrade;

/* Returns how renaming a label is graded. */
extern LabelGrade GradeOfLabel(const ModelCosts *costs, int32 label);

/*
 * Keep the labels so far, and forget all later ones.  To be called together with
 * LabelTableKeep() and LabelTableForget() of the label table.
 */
extern void ModelCostsKeep(ModelCosts *costs);
extern void ModelCostsForget(ModelCosts *costs);

/* Returns the costs for all relabelled trees.  They include labels of trees relabelled later. */
extern const TedCosts *ModelTedCosts(const ModelCosts *costs);

/* Return the costs of deleting all nodes of a relabelled tree, and of inserting them. */
extern int64 DeletionCost(const ModelCosts *costs, const TedTree *relabelled);
extern int64 InsertionCost(const ModelCosts *costs, const TedTree *relabelled);

/* Convert a cost in units, as the core uses them, to a number. */
extern float8 CostInModel(const ModelCosts *costs, int64 cost);
extern float8 CostModelNumber(const CostModel *model, int64 cost);

/*
 * Return the greatest cost in units that is at most a number, -1 for negative numbers, or
 * TED_NO_LIMIT.
 */
extern int32 LimitOfModel(const ModelCosts *costs, float8 limit);
extern int32 CostModelLimit(const CostModel *model, float8 limit);

/*
 * Returns the similarity of two trees, from 0 to 1, from their distance and the larger one
 * of the costs of deleting the first and of inserting the second; 1 if that cost is 0.
 */
static inline float8
ModelSimilarity(int64 distance, int64 larger_cost)
{
	return larger_cost == 0 ? 1.0 : Max(1.0 - (float8) distance / (float8) larger_cost, 0.0);
}

/*
 * Returns the normalized distance, from 0 for distance 0 to 1, from the distance and the
 * sum of both costs.
 */
static inline float8
ModelNormalizedDistance(int64 distance, int64 both_costs)
{
	return distance == 0 ? 0.0 : 2.0 * (float8) distance / (float8) (both_costs + distance);
}

/*
 * Returns the greatest distance at which trees have at least a similarity; below 0 if there
 * is none.
 */
extern int64 CostBySimilarity(float8 min_similarity, int64 larger_cost);

/*
 * Returns the greatest distance whose normalized distance is at most a number, which is in
 * [0, 1).
 */
extern int64 CostByNormalized(float8 max_normalized, int64 both_costs);

#endif /* TED_MODEL_COSTS_H */
