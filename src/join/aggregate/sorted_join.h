/*
 * sorted_join.h
 *	  Threshold joins of sorted documents of any kind.
 *
 * One side is indexed in blocks of as many documents as fit in memory, in the order of sizes.  The
 * other side, or in a self-join the documents after the block, is looked up as far as sizes allow.
 * Documents are numbered, so that equal documents share a number and are compared once; a pair of
 * numbers represents all pairs of their documents.
 */
#ifndef TED_SORTED_JOIN_H
#define TED_SORTED_JOIN_H

#include "postgres.h"

#include "documents.h"
#include "matches.h"

/*
 * Connects all documents of a self-join that are within the threshold of each other.  Their ids are
 * indexes of parent[], see components.h.
 */
extern void ConnectSimilar(const JoinKind *kind, JoinDocuments *documents, ArrayElements elements,
						   int32 *parent);

/* Receives a pair of documents that match. */
typedef void (*FoundPair)(void *arg, int64 left_id, int64 right_id, double measure);

/* Whether a pair is found elsewhere; the answer is the same for equal documents. */
typedef bool (*PairElsewhere)(const void *arg, int64 a, int64 b);

/*
 * Finds all pairs of documents within the threshold.  A self-join yields each unordered pair once,
 * with the smaller id on the left.  With two sides, a pair has a document of each side, or two of
 * side 'o'.  If `elsewhere` is not NULL, pairs for which it is true are left out.
 */
extern void FindPairs(const JoinKind *kind, JoinDocuments *documents, PairElsewhere elsewhere,
					  FoundPair found, void *arg);

/*
 * Returns the same pairs as matches in the current memory context; `match_type` is their row type.
 */
extern JoinMatches *FindSimilar(const JoinKind *kind, JoinDocuments *documents,
								TupleDesc match_type);

#endif /* TED_SORTED_JOIN_H */
