/*
 * sorted_join.h
 *	  Threshold joins of sorted documents of any kind.
 *
 * One side is indexed, in blocks of as many documents as fit in memory, from
 * small to large; the other side, or in a self-join what comes after the block,
 * is looked up as far as sizes allow.  Documents are numbered, so that equal ones
 * share a number and take part once; a pair of numbers stands for all pairs of
 * their documents.
 */
#ifndef TED_SORTED_JOIN_H
#define TED_SORTED_JOIN_H

#include "postgres.h"

#include "documents.h"
#include "matches.h"

/*
 * Connects all documents within the threshold of a self-join, whose ids are places in
 * parent[], see components.h.
 */
extern void ConnectSimilar(const JoinKind *kind, JoinDocuments *documents, ArrayElements elements,
						   int32 *parent);

/* Receives a pair of documents within the threshold. */
typedef void (*FoundPair)(void *arg, int64 left_id, int64 right_id, double measure);

/* Says whether a pair is found elsewhere, which is the same for documents that are equal. */
typedef bool (*PairElsewhere)(const void *arg, int64 a, int64 b);

/*
 * Finds all pairs of documents within the threshold.  A self-join yields every
 * unordered pair once, the smaller id on the left; with sides, a pair has one
 * document of each, or two of a side that makes pairs of its own.  Leaves out those
 * found elsewhere, if a function is there to say so.
 */
extern void FindPairs(const JoinKind *kind, JoinDocuments *documents, PairElsewhere elsewhere,
					  FoundPair found, void *arg);

/* The same pairs as matches in the current memory context, whose rows have a type. */
extern JoinMatches *FindSimilar(const JoinKind *kind, JoinDocuments *documents,
								TupleDesc match_type);

#endif /* TED_SORTED_JOIN_H */
