/*
 * ordered_pairs.h
 *	  Pairs similar items of two sequences, in the order of both.
 */
#ifndef TED_ORDERED_PAIRS_H
#define TED_ORDERED_PAIRS_H

#include "postgres.h"

/* Returns the gain of a pair, by the positions of its items; 0 if they cannot be a pair. */
typedef int32 (*PairGain)(void *arg, int32 i, int32 j);

/* Returns the memory of the search for pairs, in bytes. */
extern Size OrderedPairsMemory(int32 m, int32 n);

/*
 * Finds the pairs with the greatest sum of gains.  Sets partner[i] for each item of the
 * first sequence: a position in the second sequence, increasing with i, or -1.
 */
extern void FindOrderedPairs(int32 m, int32 n, PairGain gain, void *arg, int32 *partner);

#endif /* TED_ORDERED_PAIRS_H */
