/*
 * cost_type.h
 *	  Values of the type tree_costs.
 */
#ifndef TED_COST_TYPE_H
#define TED_COST_TYPE_H

#include "fmgr.h"

#include "cost_model.h"

/* The model of a value, in the current memory context. */
extern CostModel *DatumGetCostModel(Datum value);

/* The model of an argument, which is read once for all calls. */
extern const CostModel *ArgumentCostModel(FunctionCallInfo fcinfo, int argument);

/* The same, or NULL for unit costs. */
extern const CostModel *ArgumentModelUnlessUnit(FunctionCallInfo fcinfo, int argument);

#endif /* TED_COST_TYPE_H */
