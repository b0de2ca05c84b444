/*
 * costs.h
 *	  Costs as arguments of SQL functions.
 */
#ifndef TED_TREE_COSTS_H
#define TED_TREE_COSTS_H

#include "postgres.h"

#include "fmgr.h"

#include "../core/tree/ted.h"

/* Reads three arguments, the costs to insert, delete and rename a node, none of them negative. */
extern TedCosts GetCosts(FunctionCallInfo fcinfo, int first);

#endif /* TED_TREE_COSTS_H */
