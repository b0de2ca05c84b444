/*
 * model_trees.h
 *	  The trees of a join by a model of costs: what is compared, and what filters look at.
 *
 * Nodes that the model ignores are left out of both.  Filters look at trees with
 * labels of their own, in which no two labels differ that may be renamed to each
 * other for next to nothing: all that the model grades are one label.  Then each of
 * the unit-cost operations between two such trees costs at least the least cost of
 * the model.
 *
 * Labels that are one label for filters are distinguished again by the characters of graded
 * labels, as far as these bound the cost of renaming from below.
 *
 * A spelling can be of nodes that are graded and of others, which match at no cost.
 * If indexed trees have such nodes, all nodes with the spelling are blurred.  A tree
 * looked up whose graded nodes are spelt as others of the indexed trees, and as no
 * graded one, cannot be filtered.
 */
#ifndef TED_MODEL_TREES_H
#define TED_MODEL_TREES_H

#include "postgres.h"

#include "../../core/tree/filters/grade_bound.h"
#include "../../core/tree/filters/rename_bound.h"
#include "model_totals.h"

typedef struct ModelTrees ModelTrees;

/* A tree as it is compared, and as filters see it. */
typedef struct ModelTree
{
	TedTree compared;
	TedTree filtered;
	TedGradedNodes graded; /* those of `compared` */
	bool unfiltered;       /* `filtered` cannot be used */
} ModelTree;

/* Starts with no tree, in the current memory context; labels are, or come to be, in a table. */
extern ModelTrees *ModelTreesCreate(const CostModel *model, const LabelTable *labels);

/* The costs of comparing trees. */
extern const TedCosts *ModelTreesCosts(const ModelTrees *trees);

/* Makes a ModelTree of a decoded tree, whose arrays stay in use, in the current memory context. */
extern ModelTree *ModelTreesAdd(ModelTrees *trees, const TedTree *decoded);

/* The profiles of the labels of all trees, by label. */
extern const TedLabelProfile *ModelTreesProfiles(const ModelTrees *trees);

/*
 * A lower bound of the distance of two trees by their labels, some of which are graded, up to
 * a limit, or one more than that; 0 where it takes too much memory, or costs are too great.
 */
typedef TedStatus (*LabelBound)(const TedProfiledPair *pair, int32_t limit, TedArena *arena,
								const TedInterrupt *interrupt, int64_t *steps, int32_t *bound);

extern int32 ModelTreesBound(ModelTrees *trees, LabelBound function, const TedTree *a,
							 const TedTree *b, int32 limit);

/* Keeps all trees so far, which are those to be indexed; later ones are looked up. */
extern void ModelTreesKeep(ModelTrees *trees);

/* Adapts what filters see of a tree to be indexed to all of these, once they are there. */
extern void ModelTreesFinish(const ModelTrees *trees, ModelTree *tree);

/*
 * What a tree that is compared costs in all: of one to be indexed, once all of them are
 * there, or of one that is looked up.
 */
extern TreeTotals ModelTreesTotals(const ModelTrees *trees, const TedTree *compared);

/* Forgets the trees looked up. */
extern void ModelTreesForget(ModelTrees *trees);

/* Memory that a tree of a size takes, besides its decoded form. */
extern Size ModelTreeBytes(int32 size);

#endif /* TED_MODEL_TREES_H */
