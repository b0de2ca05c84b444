/*
 * costs.h
 *	  Costs and thresholds as arguments of SQL functions.
 */
#ifndef COSTS_H
#define COSTS_H

#include "postgres.h"

#include "fmgr.h"

#include "core/ted.h"

/* Reads three arguments, the costs to insert, delete and rename a node, none of them negative. */
extern TedCosts GetCosts(FunctionCallInfo fcinfo, int first);

/* Reads a maximum distance, which must not be negative. */
extern int32 GetMaxDistance(FunctionCallInfo fcinfo, int argument);

#endif /* COSTS_H */
