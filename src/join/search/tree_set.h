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

/* One distinct tree. */
typedef struct JoinTree
{
	const TedTree *tree;     /* for the filters */
	const TedTree *compared; /* these are the same without a model of costs */
	const TedTree *stored;
	ModelTree *by_model;    /* NULL without a model */
	TreeTotals totals;      /* by the model; of an indexed tree, once all of them are there */
	int32 number;           /* in the session */
	int64 order;            /* a number that all processes with the same trees agree on */
	TedBoundsIndex *bounds; /* made when it is first asked for; NULL until then */
} JoinTree;

/* Distinct trees, numbered in the order in which they first came. */
typedef struct JoinTrees JoinTrees;

/* How a tree is decoded: a function of session_trees.h. */
typedef TedTree *(*TreeDecoder)(EngineSession *session, Datum tree);

/*
 * Makes an empty set, which lives in a memory context of its own.  Trees that
 * others have, which may be NULL, are taken from there.  A model, which may be NULL,
 * says what is compared.
 */
extern JoinTrees *JoinTreesCreate(EngineSession *session, TreeDecoder decode, ModelTrees *model,
								  const JoinTrees *others);

/* Adds a tree; returns its number, which equal trees share. */
extern int32 JoinTreesAdd(JoinTrees *trees, Datum tree);

/* Writes the trees, for other processes, to memory aligned for any type. */
extern Size JoinTreesExportBytes(const JoinTrees *trees);
extern void JoinTreesExport(const JoinTrees *trees, char *image);

/*
 * Adds the trees that another process, by its ParallelWorkerNumber, has written with
 * JoinTreesExport(), and leaves them where they are; returns the number of each, in
 * the order of the numbers that they had.
 */
extern int32 *JoinTreesImport(JoinTrees *trees, const char *image, int worker);

/* Number of distinct trees. */
extern int32 JoinTreesCount(const JoinTrees *trees);

/* One tree; the pointer is good until the next one is added. */
extern JoinTree *JoinTreesGet(const JoinTrees *trees, int32 number);

/* Index of a tree for the bounds, and memory that one of a tree of some nodes takes. */
extern const TedBoundsIndex *JoinTreesBounds(JoinTrees *trees, int32 number);
extern Size JoinTreesBoundsBytes(int32 size);

/* Forgets all trees, which must be those that the session has since SessionKeepTrees(). */
extern void JoinTreesReset(JoinTrees *trees);

/* The nodes of a tree, by hashes of their labels, and of a numbered one; see search.h. */
extern int32 ListTreeNodes(Datum tree, int32 **label, int32 **occurrence);
extern int32 ListNumberedNodes(Datum tree, int32 **label, int32 **occurrence);

#endif /* TED_TREE_SET_H */
