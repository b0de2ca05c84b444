/*
 * neighbours.h
 *	  Finds the trees of a set in the order of their distances from another one.
 */
#ifndef TED_NEIGHBOURS_H
#define TED_NEIGHBOURS_H

#include "postgres.h"

#include "../../engine/session.h"
#include "../../catalog/identity.h"
#include "../../tree/costs/cost_model.h"
#include "records.h"

/* Counts of the searches of a set; trees are distinct. */
typedef struct NeighbourCounts
{
	int64 trees; /* in the set */
	int64 searches;
	int64 pairs;    /* of trees in the set and trees searched for, unless an equal one sufficed */
	int64 labels;   /* of these, not out of reach by their labels */
	int64 computed; /* nor by other bounds: the distance was computed */
	int64 batches;
	int64 found;
	EngineCounts engine;
} NeighbourCounts;

typedef struct Neighbours Neighbours;

/* A tree that was found. */
typedef struct Neighbour
{
	int32 number;
	int32 distance;
	int32 size;
	float8 key; /* what it is ordered by, a similarity with its sign changed */
} Neighbour;

/*
 * Makes an empty set in the current memory context, which keeps its trees in a
 * store; adds to the counts what it does.  A model, which may be NULL, has the costs
 * of distances from the tree that is searched for to those of the set.
 */
extern Neighbours *NeighboursCreate(RecordStore *records, const CostModel *model,
									NeighbourCounts *counts);

/* Adds a tree; returns its number, which equal trees share. */
extern int32 NeighboursAdd(Neighbours *set, Datum tree);

/* Memory that the set takes besides the store, and will take to be searched. */
extern Size NeighboursMemory(const Neighbours *set);

/*
 * Prepares the set to be searched; nothing is added any more.  Trees are bounded
 * by their labels if that takes no more than this memory, else by sizes alone.
 */
extern void NeighboursIndex(Neighbours *set, Size memory);

/*
 * Begins a search in the order of a measure, from near to far; about `wanted` results
 * will be wanted.  The next tree is one of those that are left with the least measure;
 * false if none is left.
 */
extern void NeighboursSearch(Neighbours *set, Datum tree, FunctionRole order, int32 wanted);
extern bool NeighboursNext(Neighbours *set, Neighbour *neighbour);

/* Nodes of the tree that is searched for. */
extern int32 NeighboursSearchedSize(const Neighbours *set);

/* Ends a search, if one is under way. */
extern void NeighboursEndSearch(Neighbours *set);

/* Frees everything. */
extern void NeighboursFree(Neighbours *set);

#endif /* TED_NEIGHBOURS_H */
