/*
 * neighbour_model.h
 *	  Bounds by a cost model for the search of the nearest trees of a set.
 *
 * Bounds are in the units of the cost model.  Labels bound the operations that cost something in
 * any case, see model_keys.h.
 */
#ifndef TED_NEIGHBOUR_MODEL_H
#define TED_NEIGHBOUR_MODEL_H

#include "postgres.h"

#include "../../catalog/identity.h"
#include "../../index/tree/model_keys.h"
#include "label_lists.h"

/* Costs of a tree of the set by the cost model. */
typedef struct DocumentCosts
{
	OperationCosts least; /* least costs of operations on the tree's nodes */
	int32 counted;        /* nodes that are not ignored */
	int32 graded;         /* graded ones of the counted nodes */
	int64 plain;          /* least cost of the ungraded nodes, if none of them matches */
	int64 insert_all;     /* cost of inserting all nodes */
} DocumentCosts;

/* Upper bounds on the costs of matching nodes, in a tree of the set and in the one searched for. */
typedef struct MatchedCosts
{
	int64 of_set;
	int64 of_searched;
} MatchedCosts;

/* Upper bound on the nodes that may match at no cost in any tree of the set. */
typedef struct MatchedAnywhere
{
	bool any; /* whether some spelling is graded in one tree but not in another */
	int64 nodes;
	int64 cost; /* least cost of these nodes, if they do not match */
} MatchedAnywhere;

/* The cost model and the costs of all trees of a set. */
typedef struct NeighbourModel
{
	const CostModel *costs;
	bool is_graded;
	bool has_rules;
	ModelKeys *keys;
	MemoryContext context;
	DocumentCosts *documents; /* costs of each tree, by number */
	int32 capacity;
	uint8 *plain;           /* spellings of nodes of the set that are counted and not graded */
	uint8 *graded;          /* spellings of graded nodes */
	int32 *greatest_insert; /* by list of labels: greatest insertion cost of its nodes */
	MatchedCosts *matched;  /* of the trees searched; NULL where all nodes cost the same */

	/* the current search */
	TreeRange range;
	ModelLabels labels; /* of the tree searched for; its arrays have been freed */
	MatchedAnywhere anywhere;
	int64 searched_plain; /* least cost of its ungraded nodes, if none of them matches */
} NeighbourModel;

/* Makes a model without trees, in the current memory context. */
extern NeighbourModel *NeighbourModelCreate(const CostModel *costs);

/* Adds a tree; returns the labels by which it is listed, and sets their number. */
extern LabelCount *NeighbourModelAdd(NeighbourModel *model, const Tree *tree, int32 number,
									 int32 *labels);

/* SearchBytes returns the bytes that a search of `count` trees takes; Index allocates them. */
extern Size NeighbourModelSearchBytes(const NeighbourModel *model, int32 count);
extern void NeighbourModelIndex(NeighbourModel *model, int32 count);

/*
 * Begins a search for a tree among trees of the set.  Where there are lists, adds to shared[] the
 * nodes of each of these trees that share labels with it.
 */
extern void NeighbourModelSearch(NeighbourModel *model, const Tree *searched,
								 const LabelLists *lists, TreeRange range, int32 *shared);

/* Returns a lower bound on the distance of a tree, by sizes and, where there are lists, labels. */
extern int32 NeighbourModelBound(const NeighbourModel *model, const LabelLists *lists, int32 number,
								 int32 shared);

/* Returns the least cost of a number of operations; the greatest distance of a tree. */
extern int32 NeighbourModelOperations(const NeighbourModel *model, int32 number, int32 operations);
extern int32 NeighbourModelGreatest(const NeighbourModel *model, int32 number);

/* Returns the measure by which trees are ordered, as a number that grows with the distance. */
extern float8 NeighbourModelKey(const NeighbourModel *model, FunctionRole order, int32 distance,
								int32 number);

#endif /* TED_NEIGHBOUR_MODEL_H */
