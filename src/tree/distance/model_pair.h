/*
 * model_pair.h
 *	  Two trees as arguments of a function, and the costs of their operations by a cost
 *	  model.
 *
 * Labels, their costs, and the last trees are cached from call to call, as far as memory
 * allows.  Bounds that follow from the sizes of the trees are known before they are
 * decoded.
 */
#ifndef TED_MODEL_PAIR_H
#define TED_MODEL_PAIR_H

#include "postgres.h"

#include "fmgr.h"

#include "../costs/model_costs.h"

/* The state that all calls of a function in an expression share. */
typedef struct ModelSite ModelSite;

/* Two trees and their costs.  Members from `tree` on are set by DecodeModelPair(). */
typedef struct ModelPair
{
	ModelSite *site;
	Datum value[2]; /* the trees */
	ModelCosts *costs;
	int64 least; /* lower bound on the distance, from the sizes */
	int64 most;  /* upper bound on the costs of deleting the first and inserting the second */
	const CostModel *model;
	const TedTree *tree[2]; /* relabelled by `costs` */
	const LabelTable *labels;
	Size bytes;       /* upper bound on the memory of the trees */
	int64 delete_all; /* cost of deleting the first tree */
	int64 insert_all; /* cost of inserting the second tree */
} ModelPair;

/*
 * Reads the sizes of the first two arguments, and the cost model in another one, for
 * functions that cache no other argument.  Raises an error if arrays have no order.
 */
extern void OpenModelPair(FunctionCallInfo fcinfo, int argument, ModelPair *pair);

/* Reads them for distances of JSON documents, whose arrays may have no order. */
extern void OpenJsonModelPair(FunctionCallInfo fcinfo, int argument, ModelPair *pair);

/* Decodes the trees. */
extern void DecodeModelPair(FunctionCallInfo fcinfo, ModelPair *pair);

#endif /* TED_MODEL_PAIR_H */
