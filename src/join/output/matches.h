/*
 * matches.h
 *	  The result of a threshold join: an array of rows (left_id, right_id, measure).
 */
#ifndef TED_MATCHES_H
#define TED_MATCHES_H

#include "postgres.h"

#include "../input/kind.h"

typedef struct JoinMatches JoinMatches;

/* Makes an empty result in the current memory context; `match_type` is the type of its rows. */
extern JoinMatches *MatchesCreate(const JoinKind *kind, TupleDesc match_type);

/*
 * Adds a match; suits as a FoundPair callback.  Raises an error if there are more matches than an
 * array, or ted.max_memory, can hold.
 */
extern void MatchesAdd(void *matches, int64 left_id, int64 right_id, double measure);

/* Returns the array of all matches, ordered by ids; nothing can be added afterwards. */
extern ArrayType *MatchesArray(JoinMatches *matches);

#endif /* TED_MATCHES_H */
