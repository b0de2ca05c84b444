/*
 * cost_type.h
 *	  Values of the type tree_costs.
 */
#ifndef TED_TREE_COST_TYPE_H
#define TED_TREE_COST_TYPE_H

#include "cost_model.h"

/* The model of a value, in the current memory context. */
extern CostModel *DatumGetCostModel(Datum value);

#endif /* TED_TREE_COST_TYPE_H */
