/*
 * pairs.h
 *	  Pairs of similar documents of aggregates, window functions and servers.
 */
#ifndef TED_PAIRS_H
#define TED_PAIRS_H

#include "postgres.h"

#include "../input/documents.h"
#include "matches.h"

/*
 * Connects all documents of a self-join that are within the threshold of each other.  Their ids are
 * indexes of parent[], see components.h.  If `cell` is not -1, only those of pairs whose first
 * common cell it is.
 */
extern void ConnectSimilar(JoinDocuments *documents, int cell, ArrayElements elements,
						   int32 *parent);

/*
 * Connects documents of a self-join by complete linkage (linkage.h): all documents of a cluster are
 * within the threshold of each other.  Their ids are indexes of parent[], which has `ids` entries.
 */
extern void ConnectComplete(JoinDocuments *documents, ArrayElements elements, int32 *parent,
							int32 ids);

/* Receives a pair of documents that match. */
typedef void (*FoundPair)(void *arg, int64 left_id, int64 right_id, double measure);

/*
 * Finds all pairs of documents within the threshold.  A self-join yields each unordered pair once,
 * with the smaller id on the left.  With two sides, a pair has a document of each side, or two of
 * side 'o'.  If `cell` is not -1, only pairs whose first common cell it is.
 */
extern void FindPairs(JoinDocuments *documents, int cell, FoundPair found, void *arg);

/*
 * Returns the same pairs as matches in the current memory context; `match_type` is their row type.
 */
extern JoinMatches *FindSimilar(JoinDocuments *documents, TupleDesc match_type);

#endif /* TED_PAIRS_H */
