/*
 * model_pair.h
 *	  Two trees as arguments of a function, and what their operations cost by a model.
 *
 * Labels, their costs, and the last trees are kept from call to call, as far as memory
 * allows.  What follows from the sizes of the trees is known before they are decoded.
 */
#ifndef TED_MODEL_PAIR_H
#define TED_MODEL_PAIR_H

#include "postgres.h"

#include "fmgr.h"

#include "../costs/model_costs.h"

typedef struct ModelSite ModelSite;

typedef struct ModelPair
{
	ModelSite *site;
	Datum value[2]; /* of the trees */
	ModelCosts *costs;
	int64 least; /* a lower bound on the distance, by the sizes */
	int64 most;  /* an upper bound on the cost of deleting the first, or inserting the second */
	const CostModel *model;
	const TedTree *tree[2]; /* these are there when the trees have been decoded */
	const LabelTable *labels;
	Size bytes;       /* an upper bound on what they take */
	int64 delete_all; /* of the first one */
	int64 insert_all; /* of the second one */
} ModelPair;

/* Takes the first two arguments, and the model in another one; for functions that cache no other.
 */
extern void OpenModelPair(FunctionCallInfo fcinfo, int argument, ModelPair *pair);

/* The same for distances of JSON documents, whose arrays may have no order. */
extern void OpenJsonModelPair(FunctionCallInfo fcinfo, int argument, ModelPair *pair);

/* Decodes the trees. */
extern void DecodeModelPair(FunctionCallInfo fcinfo, ModelPair *pair);

#endif /* TED_MODEL_PAIR_H */
