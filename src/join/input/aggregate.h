/*
 * aggregate.h
 *	  Similarity joins as aggregates: support functions for all kinds of documents.
 *
 * The state is an array of rows (id bigint, side "char", threshold, doc), with one more column for
 * a cost model.  The result is an array of rows (left_id bigint, right_id bigint, measure).
 * Threshold and measure are of type integer or float8.
 */
#ifndef TED_AGGREGATE_H
#define TED_AGGREGATE_H

#include "postgres.h"

#include "fmgr.h"

#include "kind.h"

/*
 * Transition function: (state, id, doc, threshold [, side] [, costs]).  `threshold` is of the type
 * that it has in the state; it is ignored if the SQL argument is null.
 */
extern Datum JoinTransition(FunctionCallInfo fcinfo, const JoinKind *kind, Datum threshold);

/* Combine function. */
extern Datum JoinCombine(FunctionCallInfo fcinfo, const JoinKind *kind);

/* Final function. */
extern Datum JoinFinal(FunctionCallInfo fcinfo, const JoinKind *kind);

#endif /* TED_AGGREGATE_H */
