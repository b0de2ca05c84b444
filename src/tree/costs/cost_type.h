/*
 * cost_type.h
 *	  Values of the type tree_costs.
 */
#ifndef TED_COST_TYPE_H
#define TED_COST_TYPE_H

#include "fmgr.h"

#include "cost_model.h"

/*
 * Reads the cost model of a value, in the current memory context.  Raises an error if
 * children of some nodes have no order in it.
 */
extern CostModel *DatumGetCostModel(Datum value);

/*
 * Reads the cost model of a value for distances of JSON documents, in which arrays may have
 * no order.
 */
extern CostModel *DatumGetJsonCostModel(Datum value);

/* Raises an error for a cost model in which the children of some nodes have no order. */
extern void RefuseUnordered(const CostModel *model);

/*
 * Returns the cost model of an argument, read once for all calls.  Raises an error if
 * children of some nodes have no order in it.
 */
extern const CostModel *ArgumentCostModel(FunctionCallInfo fcinfo, int argument);

/*
 * Return the cost model of an argument, in which arrays may have no order.  The second one
 * returns NULL for unit costs with ordered arrays.
 */
extern const CostModel *ArgumentJsonCostModel(FunctionCallInfo fcinfo, int argument);
extern const CostModel *ArgumentJsonModelUnlessUnit(FunctionCallInfo fcinfo, int argument);

/*
 * Returns the cost model of an argument for documents of XML, in which children of elements may
 * have no order, or NULL for unit costs.
 */
extern const CostModel *ArgumentXmlModelUnlessUnit(FunctionCallInfo fcinfo, int argument);

/* Returns the cost model of an argument as ArgumentCostModel() does, or NULL for unit costs. */
extern const CostModel *ArgumentModelUnlessUnit(FunctionCallInfo fcinfo, int argument);

#endif /* TED_COST_TYPE_H */
