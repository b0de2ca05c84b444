/*
 * model_trees.h
 *	  The trees of a join by a cost model: one for comparing and one for filters.
 *
 * Nodes that the cost model ignores are left out of both trees.  The tree for filters has its own
 * labels: labels that may be renamed to each other at almost no cost are the same label, so all
 * graded labels are one.  Then each unit-cost operation between two such trees costs at least the
 * least cost of the cost model.
 *
 * The characters of graded labels distinguish these labels again, as far as they give a lower bound
 * on the cost of renaming.
 *
 * Graded and other nodes can have the same spelling, and then match at no cost.  If indexed trees
 * have both, all nodes with the spelling are blurred.  If a tree that is looked up has a graded
 * node whose spelling only ungraded nodes of the indexed trees have, it cannot be filtered.
 */
#ifndef TED_MODEL_TREES_H
#define TED_MODEL_TREES_H

#include "postgres.h"

#include "../../core/tree/filters/grade_bound.h"
#include "../../core/tree/filters/rename_bound.h"
#include "model_totals.h"

/* The trees of a join, the indexed ones first. */
typedef struct ModelTrees
{
	ModelCosts *costs;   /* by which trees are compared */
	ModelTotals *totals; /* of the indexed trees, after all of them have been added */
	const LabelTable *labels;
	MemoryContext context;
	TedGradedNode *nodes; /* graded nodes of one tree */
	int32 node_capacity;
	bool grades;     /* whether some labels are graded */
	bool ignores;    /* whether some nodes are ignored */
	int32 count;     /* number of indexed trees */
	int32 most_rare; /* the most nodes of a rare label in the indexed trees */
	uint8 *seen;     /* flags of each spelling */
	int32 capacity;
	TedLabelProfile *profiles; /* by label, if some labels are graded */
	int32 profile_count;
	int32 kept_profiles;
	int32 profile_capacity;
	uint32 *characters; /* characters of one label */
	int32 character_capacity;
	bool kept;        /* whether all indexed trees have been added */
	TedArena scratch; /* for bounds */
	int64 steps;      /* steps of bounds since the last interrupt check */
} ModelTrees;

/* A tree for comparing, and the same tree for filters. */
typedef struct ModelTree
{
	TedTree compared;
	TedTree filtered;
	TedGradedNodes graded; /* graded nodes of `compared` */
	bool unfiltered;       /* whether `filtered` cannot be used */
} ModelTree;

/* Makes an empty set of trees in the current memory context; their labels are in `labels`. */
extern ModelTrees *ModelTreesCreate(const CostModel *model, const LabelTable *labels);

/*
 * Makes a ModelTree in the current memory context from a decoded tree, whose arrays it keeps using.
 */
extern ModelTree *ModelTreesAdd(ModelTrees *trees, const TedTree *decoded);

/*
 * Returns a lower bound on the distance of two trees by their labels, some of which are graded;
 * limit + 1 if the bound is above the limit.  Returns 0 if it would take too much memory, or if
 * costs are too large.
 */
typedef TedStatus (*LabelBound)(const TedProfiledPair *pair, int32_t limit, TedArena *arena,
								const TedInterrupt *interrupt, int64_t *steps, int32_t *bound);

extern int32 ModelTreesBound(ModelTrees *trees, LabelBound function, const TedTree *a,
							 const TedTree *b, int32 limit);

/* Marks the trees added so far as the indexed ones; later trees are looked up. */
extern void ModelTreesKeep(ModelTrees *trees);

/* Blurs labels of an indexed tree for filters, after all indexed trees have been added. */
extern void ModelTreesFinish(const ModelTrees *trees, ModelTree *tree);

/* Forgets the trees that were looked up. */
extern void ModelTreesForget(ModelTrees *trees);

/* Returns the bytes of a tree of this size, besides its decoded form. */
extern Size ModelTreeBytes(int32 size);

#endif /* TED_MODEL_TREES_H */
