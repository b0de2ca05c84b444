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
 * Whether conditions of row security, or of a security barrier, may hide rows of a table.  They
 * have to be checked first: a distance of a hidden row may raise an error.
 */
extern bool HidesRows(const PlannerInfo *root, const RelOptInfo *rel);

/* Whether an expression calls any function of this extension. */
extern bool CallsOurs(Node *node, void *context);

/*
 * Keeps indexes from returning rows of a table in an order by this extension's functions, as they
 * compute distances before conditions are checked.  Returns whether a path has such an order; then
 * the paths have to be made again.
 */
extern bool ForbidOrders(const RelOptInfo *rel);

/*
 * Adds paths of a table in the order of the query, if that is by a measure that an index
 * supports.
 */
extern void AddOrderedPaths(PlannerInfo *root, RelOptInfo *rel);

/*
 * Returns the reason why no path of a table has the order of the query, if that is by a measure
 * of documents; NULL if a path has the order, or the query has another order.  `no_table` is the
 * reason why it is no table, if it is none.
 */
extern const char *WhyNotOrdered(PlannerInfo *root, RelOptInfo *rel, const char *no_table);

#endif /* TED_ORDERING_H */
