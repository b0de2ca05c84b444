/*
 * cost_type.h
 *	  Values of the type tree_costs.
 */
#ifndef TED_COST_TYPE_H
#define TED_COST_TYPE_H

#include "fmgr.h"

#include "cost_model.h"

/*
 * The model of a value, in the current memory context; one in which arrays have no order is
 * refused.
 */
extern CostModel *DatumGetCostModel(Datum value);

/* The model of a value for distances of JSON documents, in which arrays may have no order. */
extern CostModel *DatumGetJsonCostModel(Datum value);

/* Refuses a model in which arrays have no order. */
extern void RefuseUnorderedArrays(const CostModel *model);

/* The model of an argument, which is read once for all calls. */
extern const CostModel *ArgumentCostModel(FunctionCallInfo fcinfo, int argument);

/* The same for distances of JSON documents. */
extern const CostModel *ArgumentJsonCostModel(FunctionCallInfo fcinfo, int argument);
extern const CostModel *ArgumentJsonModelUnlessUnit(FunctionCallInfo fcinfo, int argument);

/* The model of an argument, or NULL for unit costs. */
extern const CostModel *ArgumentModelUnlessUnit(FunctionCallInfo fcinfo, int argument);

#endif /* TED_COST_TYPE_H */
