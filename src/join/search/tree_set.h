/*
 * tree_set.h
 *	  The distinct trees of one side of a join, with what the filters need of them.
 */
#ifndef TED_TREE_SET_H
#define TED_TREE_SET_H

#include "postgres.h"

#include "../../core/tree/bounded/bounds.h"
#include "../../core/tree/filters/candidates.h"
#include "../../engine/session.h"
#include "model_trees.h"
#include "shared_trees.h"

/* One distinct tree. */
typedef struct JoinTree
{
	const TedTree *tree;     /* for the filters */
	const TedTree *compared; /* these are the same without a model of costs */
	const TedTree *stored;
	ModelTree *by_model;    /* NULL without a model */
	TreeTotals totals;      /* by a model, of an indexed tree once all of them are there */
	int32 number;           /* in the session, once members of a team have put theirs together */
	TedBoundsIndex *bounds; /* made when it is first asked for; NULL until then */
} JoinTree;

/* Distinct trees, numbered in the order in which they first came. */
typedef struct JoinTrees JoinTrees;

/*
 * Makes an empty set, which lives in a memory context of its own.  Trees that
 * others have, which may be NULL, are taken from there.  A model, which may be NULL,
 * says what is compared.  With a team, which may be NULL, trees are added for its members:
 * they can be looked at once the set has what all members have added.
 */
extern JoinTrees *JoinTreesCreate(EngineSession *session, ModelTrees *model,
								  const JoinTrees *others, Team *team);

/* Adds a tree; returns its number, which equal trees share. */
extern int32 JoinTreesAdd(JoinTrees *trees, Datum tree);

/* Publishes the trees for the members of the team. */
extern void JoinTreesPublish(const JoinTrees *trees);

/* Replaces the trees by those of all members, whose numbers are their places. */
extern void JoinTreesTakeAll(JoinTrees *trees, const SharedTrees *all);

/* Completes the trees to be indexed, once all of them are there. */
extern void JoinTreesFinish(JoinTrees *trees);

/* Number of distinct trees. */
extern int32 JoinTreesCount(const JoinTrees *trees);

/* One tree; the pointer is good until the next one is added. */
extern JoinTree *JoinTreesGet(const JoinTrees *trees, int32 number);

/* Index of a tree for the bounds, and memory that one of a tree of some nodes takes. */
extern const TedBoundsIndex *JoinTreesBounds(JoinTrees *trees, int32 number);
extern Size JoinTreesBoundsBytes(int32 size);

/* Forgets all trees, which must be those that came to be looked up after SessionKeepTrees(). */
extern void JoinTreesReset(JoinTrees *trees);

/* The nodes of a tree, by hashes of their labels; see search.h. */
extern int32 ListTreeNodes(Datum tree, int32 **label, int32 **occurrence);

#endif /* TED_TREE_SET_H */
