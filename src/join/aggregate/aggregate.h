/*
 * aggregate.h
 *	  Similarity joins as aggregates: the support functions that all kinds share.
 *
 * The state is an array of rows (id bigint, side "char", threshold, doc), with a
 * column more where there is a model of costs, the result one of rows (left_id bigint,
 * right_id bigint, measure).  Threshold and measure are of type integer or float8.
 */
#ifndef TED_AGGREGATE_H
#define TED_AGGREGATE_H

#include "postgres.h"

#include "fmgr.h"

#include "sorted_join.h"

/*
 * Transition function: (state, id, doc, threshold [, side] [, costs]).  The threshold is
 * given as the state has it, unless its argument is null.
 */
extern Datum JoinTransition(FunctionCallInfo fcinfo, const JoinKind *kind, Datum threshold);

/* Refuses a NULL for an argument that has to have a value, which errors name so. */
extern void CheckNotNull(FunctionCallInfo fcinfo, int argument, const char *what);

/* Combine function. */
extern Datum JoinCombine(FunctionCallInfo fcinfo, const JoinKind *kind);

/* Final function. */
extern Datum JoinFinal(FunctionCallInfo fcinfo, const JoinKind *kind);

#endif /* TED_AGGREGATE_H */
