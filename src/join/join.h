/*
 * join.h
 *	  Threshold similarity join of trees: filter, candidates, verification.
 */
#ifndef JOIN_H
#define JOIN_H

#include "postgres.h"

#include "../tree/tree.h"

/* One document that takes part. */
typedef struct JoinDocument
{
	int64 id;
	char side; /* 'l' or 'r'; 0 in a self-join */
	Datum doc; /* a tree */
} JoinDocument;

/* One pair within the threshold. */
typedef struct JoinMatch
{
	int64 left_id;
	int64 right_id;
	int32 distance;
} JoinMatch;

typedef struct JoinResult
{
	JoinMatch *matches; /* ordered by left_id, then right_id */
	int64 count;
} JoinResult;

/*
 * Finds all pairs of documents at most max_distance apart, with unit costs.  A
 * self-join yields every unordered pair once, the smaller id on the left; with
 * sides, a pair has one document of each.  Ids are unique on a side.  More
 * matches than max_matches, or than memory allows, are an error.
 */
extern JoinResult SimilarityJoin(const JoinDocument *documents, int32 count, int32 max_distance,
								 int64 max_matches);

#endif /* JOIN_H */
