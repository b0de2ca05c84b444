/*
 * neighbours.h
 *	  Finds the trees of a set in the order of their distances from a given tree.
 */
#ifndef TED_NEIGHBOURS_H
#define TED_NEIGHBOURS_H

#include "postgres.h"

#include "../../engine/session.h"
#include "../../catalog/identity.h"
#include "../../tree/costs/cost_model.h"
#include "records.h"

/* Counts of the searches of a set; equal trees count once. */
typedef struct NeighbourCounts
{
	int64 trees; /* in the set */
	int64 searches;
	int64 pairs;    /* pairs with a tree searched for, unless an equal tree sufficed */
	int64 labels;   /* pairs that were not excluded by labels */
	int64 computed; /* pairs whose distance was computed */
	int64 batches;
	int64 found;
	EngineCounts engine;
} NeighbourCounts;

typedef struct Neighbours Neighbours;

/* A result of a search. */
typedef struct Neighbour
{
	int32 number;
	int32 distance;
	int32 size;
	float8 key; /* the measure that gives the order; a similarity is negated */
} Neighbour;

/*
 * Makes an empty set in the current memory context, which keeps its trees in a store and adds to
 * the counts.  A cost model, which may be NULL, has the costs of distances from the tree searched
 * for to trees of the set.
 */
extern Neighbours *NeighboursCreate(RecordStore *records, const CostModel *model,
									NeighbourCounts *counts);

/* Adds a tree; returns its number, which equal trees share. */
extern int32 NeighboursAdd(Neighbours *set, Datum tree);

/* Returns the bytes of the set, besides the store, including those needed for a search. */
extern Size NeighboursMemory(const Neighbours *set);

/*
 * Prepares the set for searches; nothing is added afterwards.  Trees are bounded by their labels if
 * that takes no more than `memory` bytes, otherwise by sizes only.
 */
extern void NeighboursIndex(Neighbours *set, Size memory);

/*
 * Begins a search in the order of a measure, from near to far; the caller expects about `wanted`
 * results.  NeighboursNext() returns the remaining tree with the least measure, and false if none
 * remains.
 */
extern void NeighboursSearch(Neighbours *set, Datum tree, FunctionRole order, int32 wanted);
extern bool NeighboursNext(Neighbours *set, Neighbour *neighbour);

/* Returns the number of nodes of the tree searched for. */
extern int32 NeighboursSearchedSize(const Neighbours *set);

/* Ends a search, if one is under way. */
extern void NeighboursEndSearch(Neighbours *set);

/* Frees the set. */
extern void NeighboursFree(Neighbours *set);

#endif /* TED_NEIGHBOURS_H */
