/*
 * costs.h
 *	  Costs and thresholds as arguments of SQL functions.
 */
#ifndef TED_TREE_COSTS_H
#define TED_TREE_COSTS_H

#include "postgres.h"

#include "fmgr.h"

#include "../core/tree/ted.h"

/* Reads three arguments, the costs to insert, delete and rename a node, none of them negative. */
extern TedCosts GetCosts(FunctionCallInfo fcinfo, int first);

/* Refuses a negative maximum distance. */
extern void CheckMaxDistance(float8 max_distance);

/* Reads a maximum distance, which must not be negative. */
extern int32 GetMaxDistance(FunctionCallInfo fcinfo, int argument);

/* The same where it may be a fraction. */
extern float8 GetMaxCost(FunctionCallInfo fcinfo, int argument);

#endif /* TED_TREE_COSTS_H */
