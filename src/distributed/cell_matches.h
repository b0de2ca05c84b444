/*
 * cell_matches.h
 *	  The matches of a cell of a join over several servers, as one value.
 */
#ifndef TED_CELL_MATCHES_H
#define TED_CELL_MATCHES_H

#include "postgres.h"

#include "../join/aggregate/matches.h"

/* All matches as one value. */
extern bytea *PackMatches(JoinMatches *matches, const JoinKind *kind);

#endif /* TED_CELL_MATCHES_H */
