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

/* Whether an expression refers to tables that are being planned, and to nothing else. */
extern bool IsOfTables(PlannerInfo *root, Node *node);

/*
 * Makes an index condition from a test of a threshold; returns NULL if the index does not
 * support it.
 */
extern Node *MakeIndexCondition(SupportRequestIndexCondition *request, PlannedFunction function);

/* Returns the kind of the limit that a function takes. */
extern ThresholdKind LimitKind(FunctionRole role);

/* Whether an expression calls a function that makes a range from a document and a threshold. */
extern bool IsRangeConstructor(Node *expression, bool of_trees);

/* Returns the average number of nodes of the trees that an expression yields. */
extern double TypicalTreeSize(PlannerInfo *root, Node *node);

/* Returns the threshold that a limit sets, or a default if the limit is not yet known. */
extern DocumentThreshold EstimateThreshold(PlannerInfo *root, ThresholdKind kind, Node *limit);

/*
 * Returns the share of pairs whose sizes allow a threshold, and the share of pairs that are
 * within it.  `function` is the function that compares the pairs; it must be allowed to use the
 * statistics.
 */
extern double EstimatePairsOfSimilarSizes(PlannerInfo *root, Node *document,
										  const DocumentThreshold *threshold, Oid function);
extern Selectivity EstimatePairsWithin(PlannerInfo *root, Node *a, Node *b,
									   const DocumentThreshold *threshold, Oid function);

/*
 * Returns the share of the outer rows of a semi or anti join that have a match, from the share
 * of all pairs that match.  For any other join, or NULL, returns `pairs` itself.
 */
extern Selectivity EstimateMatched(PlannerInfo *root, const SpecialJoinInfo *join,
								   Selectivity pairs);

/* Converts nanoseconds to CPU cost. */
extern Cost NanosecondsCost(double nanoseconds);

/* Returns the CPU cost of reading a tree, and of a distance bounded by a threshold. */
extern Cost TreeReadCost(double size);
extern Cost BoundedDistanceCost(double size_a, double size_b, const DocumentThreshold *threshold);

#endif /* TED_SUPPORT_H */
