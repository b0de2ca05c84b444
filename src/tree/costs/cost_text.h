/*
 * cost_text.h
 *	  Cost models as JSON, the text and stored form of the type tree_costs.
 */
#ifndef TED_COST_TEXT_H
#define TED_COST_TEXT_H

#include "utils/jsonb.h"

#include "cost_model.h"

/*
 * If `context` is not NULL, these functions report errors to it, and return NULL or false;
 * else they raise errors.  Their results refer to the bytes of the arguments.
 */

/* Reads a cost model. */
extern CostModel *ReadCostModel(Jsonb *json, Node *context);

/* Reads an array of rules into a cost model. */
extern bool ReadCostRules(CostModel *model, JsonbContainer *json, Node *context);

/* Reads a cost as thousandths; `name` is for errors. */
extern bool ReadCost(float8 number, const char *name, int32 *cost, Node *context);

/* Reads a tolerance; `name` is for errors. */
extern bool ReadTolerance(float8 number, const char *name, float8 *tolerance, Node *context);

/* Read a measure of texts or numbers by its name. */
extern bool ReadTextMeasure(Label name, int *measure, Node *context);
extern bool ReadNumberMeasure(Label name, int *measure, Node *context);

/* Reads an ArrayOrder by its name. */
extern bool ReadArrayOrder(Label name, int *order, Node *context);

/* Writes a cost model in its canonical form. */
extern char *WriteCostModel(const CostModel *model);

/* Writes a cost in thousandths as a decimal number. */
extern const char *WriteCost(int32 cost);

#endif /* TED_COST_TEXT_H */
