/*
 * neighbours.h
 *	  Finds the documents of a set in the order of their distances from a given document.
 *
 * A set has rows in groups, of which a search considers one.  Rows are kept by the caller; rows
 * with equal documents form a list, which the set knows by its first row.  Documents may be NULL.
 */
#ifndef TED_NEIGHBOURS_H
#define TED_NEIGHBOURS_H

#include "postgres.h"

#include "../../engine/session.h"
#include "../../catalog/identity.h"
#include "../../tree/costs/cost_model.h"
#include "../search/pipeline.h"
#include "records.h"

/* In place of a row. */
#define NO_ROW (-1)

/* Counts of the searches of a set; equal documents of a group count once. */
typedef struct NeighbourCounts
{
	int64 documents; /* in the set */
	int64 searches;
	int64 pairs;    /* pairs with a document searched for, unless an equal one sufficed */
	int64 bounded;  /* pairs that were not excluded by sizes and labels */
	int64 computed; /* pairs whose distance was computed */
	int64 batches;
	int64 found;
	EngineCounts engine;
} NeighbourCounts;

/* What a set is made for. */
typedef struct NeighbourSetup
{
	DocumentType documents;
	ArrayElements elements; /* of documents that are arrays */
	FunctionRole order;     /* the measure by which documents are ordered, from near to far */
	const CostModel *model; /* costs of distances from the tree searched for to those of the set, or
							 * NULL */
	RecordStore *records;   /* where the set keeps its documents */
	NeighbourCounts *counts;
} NeighbourSetup;

/* A result of a search. */
typedef struct Neighbour
{
	int64 first_row;
	bool measured; /* false if its document or the one searched for is NULL */
	int32 distance;
	int32 larger_size; /* of both documents */
	int32 smaller_size;
	float8 key; /* the measure that gives the order; a similarity is negated */
} Neighbour;

/* A kind of sets; `set` is what `create` has returned. */
typedef struct NeighbourKind
{
	/* makes an empty set in the current memory context */
	void *(*create)(const NeighbourSetup *setup);

	/*
	 * returns numbers by which rows of a group have to be sorted, or is NULL if any order will do
	 */
	void (*sort)(const void *set, Datum document, int32 *size, int32 *hash);

	/*
	 * adds a document, or NULL, of a group that is not less than those before; returns where the
	 * first row with this document stands, valid until the next document is added
	 */
	int64 *(*add)(void *set, int32 group, const Datum *document);

	/* returns the bytes of the set, besides the store, including those needed for a search */
	Size (*memory)(const void *set);

	/* moves documents to a file */
	void (*spill)(void *set);

	/*
	 * prepares the set for searches; nothing is added afterwards, and lists that speed up searches
	 * are made if `memory` bytes suffice
	 */
	void (*index)(void *set, Size memory);

	/*
	 * Begins a search in a group for a document, or NULL; the caller expects about `wanted` rows.
	 * `next` returns the remaining document with the least measure, and false if none remains.
	 */
	void (*search)(void *set, int32 group, const Datum *document, int32 wanted);
	bool (*next)(void *set, Neighbour *neighbour);

	/* ends a search, if one is under way; frees the set */
	void (*end_search)(void *set);
	void (*free)(void *set);
} NeighbourKind;

extern const NeighbourKind NeighbourTrees;
extern const NeighbourKind NeighbourStrings;

#endif /* TED_NEIGHBOURS_H */
