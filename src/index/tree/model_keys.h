/*
 * model_keys.h
 *	  A tree's labels as numbers, as a model of costs sees them: what indexes and searches bound by.
 *
 * Nodes that the model ignores are left out.  Of the others, those that are graded can
 * match other graded ones for next to nothing, and all others match at no cost only
 * where they are spelt alike.  So of two trees, no more nodes match at no cost than they
 * have spellings in common, not counted between graded nodes, and graded nodes in pairs.
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

/* A spelling, the nodes that have it, and the least cost of one of them unless it matches. */
typedef struct ModelLabel
{
	uint32 hash;
	int32 count;
	int32 delete_; /* to be deleted or renamed */
	int32 insert;  /* to be inserted, or another one to be renamed to it */
} ModelLabel;

/* The labels of a tree, in no order; a spelling can be there as a plain and as a graded one. */
typedef struct ModelLabels
{
	ModelLabel *plain; /* of nodes that are neither graded nor ignored */
	int32 plain_count;
	ModelLabel *graded;
	int32 graded_count;
	int32 nodes; /* all but those ignored */
	int32 graded_nodes;
	int64 delete_all; /* what it costs to delete the tree, and to insert it */
	int64 insert_all;
	OperationCosts least; /* lower bounds on the costs of operations on nodes that are not graded */
} ModelLabels;

/* Reads a tree, to be freed with FreeModelLabels(). */
extern void ReadModelLabels(ModelKeys *keys, const Tree *tree, ModelLabels *labels);
extern void FreeModelLabels(ModelLabels *labels);

/* The keys of the nodes that are neither graded nor ignored, as TreeKeys() has them. */
extern int32 *ModelLabelKeys(const ModelLabels *labels);

/* The lesser one of each cost. */
extern OperationCosts LesserCosts(const OperationCosts *a, const OperationCosts *b);

/*
 * A lower bound of the distance, in units, from a tree to another one, by the nodes of
 * both and by the greatest number of them that match at no cost.
 */
extern int64 ModelBound(const OperationCosts *least, int32 nodes, int32 other_nodes, int64 shared);

/* The same by the least number of operations. */
extern int64 OperationsBound(const OperationCosts *least, int32 nodes, int32 other_nodes,
							 int32 operations);

#endif /* TED_MODEL_KEYS_H */
