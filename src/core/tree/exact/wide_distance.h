/*
 * wide_distance.h
 *	  Exact tree edit distance with 64-bit costs.
 *
 * For costs that are fractions, which are scaled to integers so large that distances do not fit in
 * 32 bits.
 */
#ifndef TED_WIDE_DISTANCE_H
#define TED_WIDE_DISTANCE_H

#include "../ted.h"

/*
 * Costs by label, each at least 0.  The function `rename` returns the cost of mapping a node with
 * label `from` to one with another label `to`.  It is called once for each pair of nodes whose
 * labels differ.
 */
typedef struct TedWideCosts
{
	const int64_t *insert; /* cost by label */
	const int64_t *delete_;
	int64_t (*rename)(void *context, int32_t from, int32_t to);
	void *context;
} TedWideCosts;

/*
 * Computes the exact distance: Zhang and Shasha (SICOMP 1989), by the left or the right
 * decomposition, whichever has fewer cells.  O(|a| |b|) memory.  The cost of deleting one tree and
 * inserting the other, and that of a rename, must be at most INT64_MAX / 4.
 */
extern size_t ted_wide_distance_memory(const TedTree *a, const TedTree *b);
extern TedStatus ted_wide_distance(const TedTree *a, const TedTree *b, const TedWideCosts *costs,
								   TedArena *arena, const TedInterrupt *interrupt,
								   int64_t *distance);

#endif /* TED_WIDE_DISTANCE_H */
