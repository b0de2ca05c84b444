/*
 * neighbour_model.h
 *	  What a model of costs says of the trees of a set that is searched for the nearest ones.
 *
 * Bounds are in the units of the model.  Labels bound the operations that cost something
 * in any case, see model_keys.h.
 */
#ifndef TED_NEIGHBOUR_MODEL_H
#define TED_NEIGHBOUR_MODEL_H

#include "postgres.h"

#include "../../catalog/identity.h"
#include "../../index/tree/model_keys.h"
#include "label_lists.h"

/* Costs of a tree of the set by a model. */
typedef struct DocumentCosts
{
	OperationCosts least; /* of its nodes */
	int32 counted;        /* nodes that are not ignored */
	int32 graded;         /* of these */
	int64 plain;          /* the least cost of all others, unless they match */
	int64 insert_all;
} DocumentCosts;

/* Costs of nodes that match, in a tree of the set and the one that is searched for. */
typedef struct MatchedCosts
{
	int64 of_set;
	int64 of_searched;
} MatchedCosts;

/* Nodes that may match at no cost in any tree of the set, as far as is known. */
typedef struct MatchedAnywhere
{
	bool any; /* some spellings are graded in one tree, and are not in another */
	int64 nodes;
	int64 cost; /* the least of these, unless they match */
} MatchedAnywhere;

typedef struct NeighbourModel
{
	const CostModel *costs;
	bool is_graded;
	bool has_rules;
	ModelKeys *keys;
	MemoryContext context;
	DocumentCosts *documents; /* by number */
	int32 capacity;
	uint8 *plain; /* spellings of nodes of the set that are neither graded nor ignored */
	uint8 *graded;
	int32 *greatest_insert; /* by list: the greatest of its nodes' least costs, unless they match */
	MatchedCosts *matched;  /* by number, to begin with; NULL where all nodes cost the same */

	/* the search under way */
	ModelLabels labels; /* of the tree that is searched for; but for their arrays */
	MatchedAnywhere anywhere;
	int64 searched_plain; /* the least cost of its nodes that are not graded, unless they match */
} NeighbourModel;

/* Starts with no tree, in the current memory context. */
extern NeighbourModel *NeighbourModelCreate(const CostModel *costs);

/* Notes a tree; returns the labels by which it is listed. */
extern LabelCount *NeighbourModelAdd(NeighbourModel *model, const Tree *tree, int32 number,
									 int32 *labels);

/* Memory that searches take, and its allocation, once there are all trees and lists of them. */
extern Size NeighbourModelSearchBytes(const NeighbourModel *model, int32 count);
extern void NeighbourModelIndex(NeighbourModel *model, int32 count);

/*
 * Begins to search for a tree: counts, by number, the nodes of trees that share labels with it,
 * as far as there are lists.
 */
extern void NeighbourModelSearch(NeighbourModel *model, const Tree *searched,
								 const LabelLists *lists, int32 count, int32 *shared);

/* Lower bound of the distance of a tree of the set by sizes and, where there are lists, labels. */
extern int32 NeighbourModelBound(const NeighbourModel *model, const LabelLists *lists, int32 number,
								 int32 shared);

/* The least cost of a number of operations, and the greatest distance that a tree can have. */
extern int32 NeighbourModelOperations(const NeighbourModel *model, int32 number, int32 operations);
extern int32 NeighbourModelGreatest(const NeighbourModel *model, int32 number);

/* The measure that trees are in the order of, as a number that grows with the distance. */
extern float8 NeighbourModelKey(const NeighbourModel *model, FunctionRole order, int32 distance,
								int32 number);

#endif /* TED_NEIGHBOUR_MODEL_H */
