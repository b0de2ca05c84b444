/*
 * compared_pair.h
 *	  The last pair of trees that a query has compared, and its distance.
 */
#ifndef TED_COMPARED_PAIR_H
#define TED_COMPARED_PAIR_H

#include "postgres.h"

#include "fmgr.h"

/*
 * A pair of trees and its distance with unit costs, recorded by one function for other functions
 * of the same query.
 */
typedef struct ComparedPair ComparedPair;

/*
 * Makes the memory for a pair in the current memory context.  The pair is forgotten with
 * the context.
 */
extern ComparedPair *ComparedPairCreate(void);

/* Returns the bytes of memory for the copy of a value. */
extern Size ComparedBytes(Datum value);

/* Records the distance of the first two arguments, which are varlena, in place of the last pair. */
extern void NoteCompared(ComparedPair *pair, FunctionCallInfo fcinfo, int32 distance);

/*
 * Returns the distance of the first two arguments if they are the last pair that any function of
 * the same query has recorded, else TED_BEYOND.
 */
extern int32 ComparedDistance(FunctionCallInfo fcinfo);

#endif /* TED_COMPARED_PAIR_H */
