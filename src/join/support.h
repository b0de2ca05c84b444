/*
 * support.h
 *	  What the planner is told of tree_edit_distance() and tree_within().
 */
#ifndef JOIN_SUPPORT_H
#define JOIN_SUPPORT_H

#include "postgres.h"

#include "fmgr.h"
#include "nodes/pathnodes.h"

/* The functions themselves. */
extern Datum tree_edit_distance(PG_FUNCTION_ARGS);
extern Datum tree_within(PG_FUNCTION_ARGS);

/* Whether a function is tree_edit_distance(tree, tree) or tree_within(tree, tree, integer). */
extern bool IsTreeDistance(Oid function);

/* The value of a threshold, which is of one of the integer types. */
extern int64 ThresholdValue(Datum value, Oid type);

/* Nodes of the trees that an expression yields, on average. */
extern double TypicalTreeSize(PlannerInfo *root, Node *document);

/* The value of a threshold, or a guess at it where it is not known yet; -1 finds nothing. */
extern int32 EstimateMaxDistance(PlannerInfo *root, Node *max_distance);

/* Which part of all pairs is within a distance, as one of our functions finds. */
extern Selectivity EstimatePairsWithin(PlannerInfo *root, Node *a, Node *b, int32 max_distance,
									   Oid function);

/* Processor cost of reading a tree, and of a distance bounded by a threshold. */
extern Cost TreeReadCost(double size);
extern Cost BoundedDistanceCost(double size_a, double size_b, int32 max_distance);

#endif /* JOIN_SUPPORT_H */
