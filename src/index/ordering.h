/*
 * ordering.h
 *	  Plans which trees are the nearest, by functions that indexes do not know.
 */
#ifndef TED_INDEX_ORDERING_H
#define TED_INDEX_ORDERING_H

#include "postgres.h"

#include "nodes/pathnodes.h"

/* Adds paths of a table in the order of the query, where that is by a measure that an index can
 * tell. */
extern void AddOrderedPaths(PlannerInfo *root, RelOptInfo *rel);

#endif /* TED_INDEX_ORDERING_H */
