/*
 * support.h
 *	  What the planner is told of distances between trees.
 */
#ifndef JOIN_SUPPORT_H
#define JOIN_SUPPORT_H

#include "postgres.h"

#include "fmgr.h"
#include "nodes/pathnodes.h"

#include "threshold.h"

/* The functions by which trees are joined. */
typedef enum TreeFunction
{
	OTHER_FUNCTION,
	TREE_EDIT_DISTANCE, /* (tree, tree) */
	TREE_SIMILARITY,    /* (tree, tree) */
	TREE_WITHIN,        /* (tree, tree, integer) */
	TREE_SIMILAR        /* (tree, tree, float8) */
} TreeFunction;

/* Which of them a function is. */
extern TreeFunction WhichTreeFunction(Oid function);

/* Nodes of the trees that an expression yields, on average. */
extern double TypicalTreeSize(PlannerInfo *root, Node *document);

/* The threshold that an expression sets, or a guess at it where it is not known yet. */
extern TreeThreshold EstimateThreshold(PlannerInfo *root, ThresholdKind kind, Node *value);

/* Which part of all pairs is within a threshold, as one of our functions finds. */
extern Selectivity EstimatePairsWithin(PlannerInfo *root, Node *a, Node *b,
									   const TreeThreshold *threshold, Oid function);

/* Processor cost of reading a tree, and of a distance bounded by a threshold. */
extern Cost TreeReadCost(double size);
extern Cost BoundedDistanceCost(double size_a, double size_b, const TreeThreshold *threshold);

#endif /* JOIN_SUPPORT_H */
