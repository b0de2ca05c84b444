/*
 * compared_pair.h
 *	  The last pair of trees that a query has compared.
 */
#ifndef TED_TREE_COMPARED_PAIR_H
#define TED_TREE_COMPARED_PAIR_H

#include "postgres.h"

#include "fmgr.h"

#include "../core/tree/ted.h"

typedef struct ComparedPair ComparedPair;

/* Makes room for a pair in the current memory context, with which it is forgotten. */
extern ComparedPair *ComparedPairCreate(void);

/* Bytes that noting a value takes. */
extern Size ComparedBytes(Datum value);

/* Notes the distance of the first two arguments, which are varlena, in place of any other pair. */
extern void NoteCompared(ComparedPair *pair, FunctionCallInfo fcinfo, const TedCosts *costs,
						 int32 distance);

/*
 * A number that the distance of the first two arguments is at most, if they are
 * the last pair that has been noted, by any function in the same query; else
 * TED_NO_LIMIT.  With the costs that it was noted with, it is the distance.
 */
extern int32 ComparedAtMost(FunctionCallInfo fcinfo, const TedCosts *costs, bool *exact);

#endif /* TED_TREE_COMPARED_PAIR_H */
