/*
 * support.h
 *	  Estimates of distances between trees for the planner.
 */
#ifndef TED_SUPPORT_H
#define TED_SUPPORT_H

#include "postgres.h"

#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"

#include "../../tree/distance/threshold.h"
#include "../../catalog/identity.h"

/* Whether an expression is one of tables that are being planned. */
extern bool IsOfTables(PlannerInfo *root, Node *node);

/* Makes an index condition of a test of a threshold, if an index can use one. */
extern Node *MakeIndexCondition(SupportRequestIndexCondition *request, PlannedFunction function);

/* Arguments of a function or an operator. */
extern List *CallArguments(Node *node);

/* Nodes of the trees that an expression yields, on average. */
extern double TypicalTreeSize(PlannerInfo *root, Node *node);

/* The threshold that a limit sets, or a guess at it where it is not known yet. */
extern DocumentThreshold EstimateThreshold(PlannerInfo *root, ThresholdKind kind, Node *limit);

/* Which part of all pairs is within a threshold, as one of our functions finds. */
extern double EstimatePairsOfSimilarSizes(PlannerInfo *root, Node *document,
										  const DocumentThreshold *threshold, Oid function);
extern Selectivity EstimatePairsWithin(PlannerInfo *root, Node *a, Node *b,
									   const DocumentThreshold *threshold, Oid function);

/*
 * Which part of its outer rows have a match in a semi or anti join, from the part
 * of all pairs that match; of another join, or NULL, that part itself.
 */
extern Selectivity EstimateMatched(PlannerInfo *root, const SpecialJoinInfo *join,
								   Selectivity pairs);

/* Processor cost of this number of nanoseconds. */
extern Cost NanosecondsCost(double nanoseconds);

/* Processor cost of reading a tree, and of a distance bounded by a threshold. */
extern Cost TreeReadCost(double size);
extern Cost BoundedDistanceCost(double size_a, double size_b, const DocumentThreshold *threshold);

#endif /* TED_SUPPORT_H */
