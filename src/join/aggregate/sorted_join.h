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

/*
 * Finds all pairs of documents within the threshold, as matches in the current
 * memory context, whose rows have a type, see matches.h.  A self-join yields every
 * unordered pair once, the smaller id on the left; with sides, a pair has one
 * document of each, or two of a side that makes pairs of its own.
 */
extern JoinMatches *FindSimilar(const JoinKind *kind, JoinDocuments *documents,
								TupleDesc match_type);

#endif /* TED_SORTED_JOIN_H */
