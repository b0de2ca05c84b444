/*
 * matches.h
 *	  The result of a threshold join: matches, as an array of rows (left_id, right_id, measure).
 */
#ifndef TED_MATCHES_H
#define TED_MATCHES_H

#include "postgres.h"

#include "kind.h"

typedef struct JoinMatches JoinMatches;

/* Starts a result in the current memory context; `match_type` is that of its rows. */
extern JoinMatches *MatchesCreate(const JoinKind *kind, TupleDesc match_type);

/*
 * Adds a match to matches that are passed as the argument of a callback; more of them than an
 * array, or ted.max_memory, can hold are an error.
 */
extern void MatchesAdd(void *matches, int64 left_id, int64 right_id, double measure);

/* The array of all matches, ordered by ids, which takes their place. */
extern ArrayType *MatchesArray(JoinMatches *matches);

#endif /* TED_MATCHES_H */
