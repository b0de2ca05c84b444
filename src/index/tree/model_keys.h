/*
 * model_keys.h
 *	  A tree's labels as numbers, as a cost model sees them: the input of bounds for indexes and
 *	  searches.
 *
 * Nodes that the model ignores are left out.  Graded nodes can match other graded nodes for
 * next to nothing.  All other nodes match at no cost only if their labels are spelt alike.
 * So the number of nodes of two trees that match at no cost is bounded by the spellings that
 * the trees have in common, except between graded nodes, plus the lesser number of graded
 * nodes.
 */
#ifndef TED_MODEL_KEYS_H
#define TED_MODEL_KEYS_H

#include "postgres.h"

#include "../../tree/costs/cost_model.h"
#include "keys.h"

/* Reads the labels of one tree after another. */
typedef struct ModelKeys ModelKeys;

/* Makes a reader in the current memory context; the model stays in use. */
extern ModelKeys *ModelKeysCreate(const CostModel *model);

/*
 * A spelling, the number of nodes with it, and the least cost of a node with it that has no
 * match.
 */
typedef struct ModelLabel
{
	uint32 hash;
	int32 count;
	int32 delete_; /* of a deletion or a rename, in units */
	int32 insert;  /* of an insertion, or of renaming another node to it */
} ModelLabel;

/* The labels of a tree, in no order; a spelling can occur both as a plain and as a graded label. */
typedef struct ModelLabels
{
	ModelLabel *plain; /* labels of nodes that are neither graded nor ignored */
	int32 plain_count;
	ModelLabel *graded;
	int32 graded_count;
	int32 nodes; /* number of nodes that are not ignored */
	int32 graded_nodes;
	int64 delete_all; /* cost of deleting the whole tree, in units; next, of inserting it */
	int64 insert_all;
	OperationCosts least; /* the least cost of each operation on a node, grades aside */
} ModelLabels;

/* Reads the labels of a tree, which the caller frees with FreeModelLabels(). */
extern void ReadModelLabels(ModelKeys *keys, const Tree *tree, ModelLabels *labels);

/*
 * Returns the keys of the nodes that are neither graded nor ignored, as TreeKeys() computes
 * them.
 */
extern int32 *ModelLabelKeys(const ModelLabels *labels);

/* Returns the lesser one of each cost. */
extern OperationCosts LesserCosts(const OperationCosts *a, const OperationCosts *b);

/*
 * Returns a lower bound on the distance, in units, from a tree to another one, by the numbers
 * of their nodes and the greatest number of nodes that match at no cost.
 */
extern int64 ModelBound(const OperationCosts *least, int32 nodes, int32 other_nodes, int64 shared);

/* Returns a lower bound on the distance, in units, by the least number of operations. */
extern int64 OperationsBound(const OperationCosts *least, int32 nodes, int32 other_nodes,
							 int32 operations);

#endif /* TED_MODEL_KEYS_H */
