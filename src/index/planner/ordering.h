/*
 * ordering.h
 *	  Plans which documents are the nearest, by functions that indexes do not know.
 */
#ifndef TED_ORDERING_H
#define TED_ORDERING_H

#include "postgres.h"

#include "nodes/pathnodes.h"

#include "../../catalog/identity.h"

/* Whether the order by a function of two documents is from near to far, NULLs aside. */
extern bool IsNearestFirst(FunctionRole role, const PathKey *key);

/* Whether an expression is never NULL: tested by WHERE, or the tree of a column that cannot be. */
extern bool IsNeverNull(PlannerInfo *root, const RelOptInfo *rel, Node *expression);

/* Adds paths of a table in the order of the query, if that is by a measure that an index
 * supports. */
extern void AddOrderedPaths(PlannerInfo *root, RelOptInfo *rel);

/* Says why no path of a table has the order of the query, where that is by a measure of documents;
 * NULL if one has, or the order is another one. */
extern const char *WhyNotOrdered(PlannerInfo *root, RelOptInfo *rel);

#endif /* TED_ORDERING_H */
