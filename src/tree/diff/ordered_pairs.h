/*
 * ordered_pairs.h
 *	  Pairs of similar items of two sequences, in the order of both.
 */
#ifndef TED_ORDERED_PAIRS_H
#define TED_ORDERED_PAIRS_H

#include "postgres.h"

/* The gain of a pair, by the positions of its items; 0 where these are no pair. */
typedef int32 (*PairGain)(void *arg, int32 i, int32 j);

/* Memory that the search for pairs takes, in bytes. */
extern Size OrderedPairsMemory(int32 m, int32 n);

/*
 * Finds pairs with the greatest sum of gains, and sets partner[i] for each item of the
 * first sequence: a position in the second one, increasing, or -1.
 */
extern void FindOrderedPairs(int32 m, int32 n, PairGain gain, void *arg, int32 *partner);

#endif /* TED_ORDERED_PAIRS_H */
