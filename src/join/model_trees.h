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
 * A spelling can be of nodes that are graded and of others, which match at no cost.
 * If indexed trees have such nodes, all nodes with the spelling are blurred.  A tree
 * looked up whose graded nodes are spelt as others of the indexed trees, and as no
 * graded one, cannot be filtered.
 */
#ifndef TED_JOIN_MODEL_TREES_H
#define TED_JOIN_MODEL_TREES_H

#include "postgres.h"

#include "model_totals.h"

typedef struct ModelTrees ModelTrees;

/* Starts with no tree, in the current memory context; labels are, or come to be, in a table. */
extern ModelTrees *ModelTreesCreate(const CostModel *model, const LabelTable *labels);

/* The costs of comparing trees. */
extern const TedCosts *ModelTreesCosts(const ModelTrees *trees);

/*
 * Makes of a decoded tree, whose arrays stay in use, one to be compared and one to be
 * filtered, in the current memory context; false if it cannot be filtered.
 */
extern bool ModelTreesAdd(ModelTrees *trees, const TedTree *decoded, TedTree *compared,
						  TedTree *filtered);

/* Has all trees so far stay, which are those to be indexed; what follows is looked up. */
extern void ModelTreesKeep(ModelTrees *trees);

/* Blurs the labels of a tree to be indexed, once all of them are there. */
extern void ModelTreesBlur(const ModelTrees *trees, const TedTree *filtered);

/*
 * What a tree that is compared costs in all: of one to be indexed, once all of them are
 * there, or of one that is looked up.
 */
extern TreeTotals ModelTreesTotals(const ModelTrees *trees, const TedTree *compared);

/* Forgets the trees looked up. */
extern void ModelTreesForget(ModelTrees *trees);

/* Memory that a tree of a size takes, besides its decoded form. */
extern Size ModelTreeBytes(int32 size);

#endif /* TED_JOIN_MODEL_TREES_H */
