/*
 * matches.h
 *	  The result of a threshold join: matches, as an array of rows (left_id, right_id, measure).
 */
#ifndef TED_MATCHES_H
#define TED_MATCHES_H

#include "postgres.h"

#include "kind.h"

typedef struct JoinMatches JoinMatches;

/* A match of two documents. */
typedef struct Match
{
	int64 left_id;
	int64 right_id;
	double measure;
} Match;

/*
 * Starts a result in the current memory context; `match_type` is that of its rows,
 * or NULL where no array is wanted.
 */
extern JoinMatches *MatchesCreate(const JoinKind *kind, TupleDesc match_type);

/* Adds a match; more of them than an array, or ted.max_memory, can hold are an error. */
extern void MatchesAdd(JoinMatches *matches, int64 left_id, int64 right_id, double measure);

/* Orders matches by their ids. */
extern void MatchesSort(JoinMatches *matches);

/* Number of matches, and one of those that no array is made of. */
extern int64 MatchesCount(const JoinMatches *matches);
extern Match MatchesGet(const JoinMatches *matches, int64 number);

/* The array of all matches, ordered by ids, which takes their place. */
extern ArrayType *MatchesArray(JoinMatches *matches);

#endif /* TED_MATCHES_H */
