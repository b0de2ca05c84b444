/*
 * tree_set.h
 *	  The distinct trees of one side of a join, with data for filters.
 */
#ifndef TED_TREE_SET_H
#define TED_TREE_SET_H

#include "postgres.h"

#include "../../core/tree/bounded/bounds.h"
#include "../../core/tree/filters/candidates.h"
#include "../../engine/session.h"
#include "model_trees.h"
#include "packed.h"
#include "shared_trees.h"

/* A distinct tree. */
typedef struct JoinTree
{
	const TedTree *tree;     /* tree for filters */
	const TedTree *compared; /* tree for comparing, the same as `tree` without a cost model */
	/* decoded tree */
	const TedTree *stored;
	ModelTree *by_model;    /* NULL without a cost model */
	TreeTotals totals;      /* with a cost model, valid for indexed trees after JoinTreesFinish() */
	int32 number;           /* in the session; -1 before the trees of a team have been combined */
	TedBoundsIndex *bounds; /* NULL until it is first needed */
} JoinTree;

/* Distinct trees, numbered in the order in which they first came. */
typedef struct JoinTrees
{
	MemoryContext context; /* context of the trees */
	EngineSession *session;
	ModelTrees *model;              /* trees by a cost model, or NULL */
	const struct JoinTrees *others; /* a set from which equal trees are copied; or NULL */
	JoinTree *trees;                /* by number; they move when another tree is added */
	int32 count;
	int32 capacity;
	struct treetable_hash *table;
	PackedMemory packed;
	Team *team;          /* trees are added for its members; or NULL */
	dsa_pointer *shared; /* address of each tree in the team's memory */
	int32 shared_capacity;
} JoinTrees;

/*
 * Makes an empty set, which has its own memory context.  If `others` is not NULL, trees that this
 * set has are copied from it.  If `model` is not NULL, trees are compared by it.  If `team` is not
 * NULL, trees are added for its members; they can be read after JoinTreesTakeAll().
 */
extern JoinTrees *JoinTreesCreate(EngineSession *session, ModelTrees *model,
								  const JoinTrees *others, Team *team);

/* Adds a tree; returns its number, which equal trees share. */
extern int32 JoinTreesAdd(JoinTrees *trees, Datum tree);

/* Replaces the trees by those of all members; a tree's number then is its place. */
extern void JoinTreesTakeAll(JoinTrees *trees, const SharedTrees *all);

/* Completes the trees to be indexed after all of them have been added. */
extern void JoinTreesFinish(JoinTrees *trees);

/* Returns the bounds index of a tree; returns the bytes of that of a tree of this size. */
extern const TedBoundsIndex *JoinTreesBounds(JoinTrees *trees, int32 number);
extern Size JoinTreesBoundsBytes(int32 size);

/* Forgets all trees, which must have been added after SessionKeepTrees(). */
extern void JoinTreesReset(JoinTrees *trees);

/* Lists the nodes of a tree by hashes of their labels, see search.h. */
extern int32 ListTreeNodes(Datum tree, int32 **label, int32 **occurrence);

#endif /* TED_TREE_SET_H */
