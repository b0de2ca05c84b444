/*
 * model_costs.h
 *	  The costs of a model for the labels of some trees.
 *
 * Costs depend on a label and on what the node is that has it.  So trees that are
 * compared by a model get labels of their own, which the core knows by number: one
 * for each label and each set of terms that nodes with this label have, and two where
 * it is a string here and a text there, of which different parts are compared.  Where
 * equal numbers are equal labels, they count as one, the first of them.  Where a model says the
 *same of all nodes, they keep theirs.  Patterns see all of a tree: subtrees in it are compared as
 *it is.
 */
#ifndef TED_MODEL_COSTS_H
#define TED_MODEL_COSTS_H

#include "../../common/labels.h"
#include "../../core/tree/ted.h"
#include "cost_model.h"
#include "label_marks.h"

/* Costs by label, for trees that were decoded with one table of labels. */
typedef struct ModelCosts ModelCosts;

/*
 * Makes costs for trees whose labels are, or come to be, in a table, in the current
 * memory context.  The model and the table stay in use.  Labels may be
 * marked.
 */
extern ModelCosts *ModelCostsCreate(const CostModel *model, const LabelTable *table,
									LabelMarks marks);

/*
 * Leaves ignored nodes out of the bounds on all costs, for callers that leave them out of
 * trees, or includes them again.
 */
extern void ModelCostsLeaveIgnoredOut(ModelCosts *costs, bool left_out);

/* An upper bound on the memory that relabelling trees with this number of nodes takes. */
extern Size RelabelBytes(const CostModel *model, int64 nodes);

/*
 * Makes a copy of a tree with the labels that the costs are for; what else the tree has
 * is shared.
 */
extern void RelabelTree(ModelCosts *costs, const TedTree *tree, TedTree *relabelled);

/*
 * Warns of the patterns of the model that select no node of two trees, whose labels are those of
 * the table; once for each time that the model is read.  Parallel workers do not warn.  The check
 * takes this memory for trees of this number of nodes in all.
 */
extern Size PatternCheckBytes(const CostModel *model, int64 nodes);
extern void WarnOfUnusedPatterns(ModelCosts *costs, const TedTree *a, const TedTree *b);

/* The traits of a label of relabelled trees that filters use. */
typedef struct LabelTraits
{
	int32 spelling;  /* id in the table; of equal numbers that are equal labels, the first one's */
	int32 rename;    /* what renaming it costs, before that is graded; or TED_NEVER_RENAMED */
	bool is_graded;  /* renaming it to another graded label may cost next to nothing */
	bool is_ignored; /* its nodes cost nothing, and match no others */
} LabelTraits;

extern LabelTraits TraitsOfLabel(const ModelCosts *costs, int32 label);

/* How a label of relabelled trees is graded. */
typedef struct LabelGrade
{
	TedTextMeasure texts;
	bool is_number; /* two of these are compared as numbers */
	Label text;     /* what is compared */
	int32 like;     /* an older label with the same spelling, or -1 */
} LabelGrade;

extern LabelGrade GradeOfLabel(const ModelCosts *costs, int32 label);

/*
 * Keeps the labels so far, when the table keeps its own, and forgets the others, when the
 * table forgets its own.
 */
extern void ModelCostsKeep(ModelCosts *costs);
extern void ModelCostsForget(ModelCosts *costs);

/* The costs for all trees that have been relabelled; they stay up to date. */
extern const TedCosts *ModelTedCosts(const ModelCosts *costs);

/* Costs of deleting all of a relabelled tree, and of inserting it. */
extern int64 DeletionCost(const ModelCosts *costs, const TedTree *relabelled);
extern int64 InsertionCost(const ModelCosts *costs, const TedTree *relabelled);

/* A cost of the core as the number that it stands for. */
extern float8 CostInModel(const ModelCosts *costs, int64 cost);
extern float8 CostModelNumber(const CostModel *model, int64 cost);

/* The greatest cost of the core that stands for at most this number, -1, or TED_NO_LIMIT. */
extern int32 LimitOfModel(const ModelCosts *costs, float8 limit);
extern int32 CostModelLimit(const CostModel *model, float8 limit);

/*
 * The similarity of two trees, from 0 to 1, by their distance and the larger cost, that of
 * deleting one of them or of inserting the other; 1 for equal trees, and where all is ignored.
 */
static inline float8
ModelSimilarity(int64 distance, int64 larger_cost)
{
	return larger_cost == 0 ? 1.0 : Max(1.0 - (float8) distance / (float8) larger_cost, 0.0);
}

/* The normalized distance, by the sum of both costs: from 0, for equal trees, to 1. */
static inline float8
ModelNormalizedDistance(int64 distance, int64 both_costs)
{
	return distance == 0 ? 0.0 : 2.0 * (float8) distance / (float8) (both_costs + distance);
}

/* The greatest distance at which trees have at least this similarity, below 0 for none. */
extern int64 CostBySimilarity(float8 min_similarity, int64 larger_cost);

/* The greatest distance at which the normalized one is at most a number from 0 to below 1. */
extern int64 CostByNormalized(float8 max_normalized, int64 both_costs);

#endif /* TED_MODEL_COSTS_H */
