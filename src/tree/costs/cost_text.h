/*
 * cost_text.h
 *	  Cost models as JSON: what the type tree_costs looks like, and is stored as.
 */
#ifndef TED_COST_TEXT_H
#define TED_COST_TEXT_H

#include "cost_model.h"

/*
 * If `context` is not NULL, these functions report to it what they refuse, and return NULL
 * or false; else they raise an error.  What they make refers to the bytes that they get.
 */

/* Reads a model. */
extern CostModel *ReadCostModel(Jsonb *json, Node *context);

/* Reads an array of rules into a model. */
extern bool ReadCostRules(CostModel *model, JsonbContainer *json, Node *context);

/* Reads a cost, whose name is used in errors. */
extern bool ReadCost(float8 number, const char *name, int32 *cost, Node *context);

/* How texts and numbers are compared, by name. */
extern bool ReadTextMeasure(Label name, int *measure, Node *context);
extern bool ReadNumberMeasure(Label name, int *measure, Node *context);

/* Whether elements of arrays have an order, by name. */
extern bool ReadArrayOrder(Label name, int *order, Node *context);

/* Writes a model, always in the same way. */
extern char *WriteCostModel(const CostModel *model);

/* Writes a cost in thousandths as a decimal number. */
extern const char *WriteCost(int32 cost);

#endif /* TED_COST_TEXT_H */
