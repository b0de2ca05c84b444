/*
 * compared_pair.h
 *	  The last pair of trees that a query has compared.
 */
#ifndef TED_COMPARED_PAIR_H
#define TED_COMPARED_PAIR_H

#include "postgres.h"

#include "fmgr.h"

#include "../../core/tree/ted.h"

typedef struct ComparedPair ComparedPair;

/* Makes room for a pair in the current memory context, with which it is forgotten. */
extern ComparedPair *ComparedPairCreate(void);

/* Bytes that noting a value takes. */
extern Size ComparedBytes(Datum value);

/* Notes the distance of the first two arguments, which are varlena, in place of any other pair. */
extern void NoteCompared(ComparedPair *pair, FunctionCallInfo fcinfo, const TedCosts *costs,
						 int32 distance);

/*
 * An upper bound on the distance of the first two arguments, if they are the last
 * pair that any function in the same query has noted; else TED_NO_LIMIT.  With the
 * costs of that time, it is the distance itself.
 */
extern int32 ComparedAtMost(FunctionCallInfo fcinfo, const TedCosts *costs, bool *exact);

#endif /* TED_COMPARED_PAIR_H */
