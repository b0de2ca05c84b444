/*
 * ordering.h
 *	  Plans ordered searches for the nearest documents by functions that no index supports.
 */
#ifndef TED_ORDERING_H
#define TED_ORDERING_H

#include "postgres.h"

#include "nodes/pathnodes.h"

#include "../../catalog/identity.h"

/* Whether the order by a function of two documents is from near to far, apart from NULLs. */
extern bool IsNearestFirst(FunctionRole role, const PathKey *key);

/* Whether an expression is never NULL: WHERE refuses NULLs, or the column is NOT NULL. */
extern bool IsNeverNull(PlannerInfo *root, const RelOptInfo *rel, Node *expression);

/*
 * Adds paths of a table in the order of the query, if that is by a measure that an index
 * supports.
 */
extern void AddOrderedPaths(PlannerInfo *root, RelOptInfo *rel);

/*
 * Returns the reason why no path of a table has the order of the query, if that is by a measure
 * of documents; NULL if a path has the order, or the query has another order.
 */
extern const char *WhyNotOrdered(PlannerInfo *root, RelOptInfo *rel);

#endif /* TED_ORDERING_H */
