/*
 * bounded.h
 *	  How long the distance of a pair up to a limit takes.
 */
#ifndef TED_BOUNDED_H
#define TED_BOUNDED_H

#include "../ted.h"

/* Whether a strip is faster than the tables of the exact algorithm in a batch. */
extern bool ted_strip_pays(const TedTree *a, const TedTree *b, const TedCosts *costs,
						   int32_t limit);

/* Estimated seconds that a pair takes in a batch, by tables or by a strip. */
extern double ted_pair_seconds(const TedTree *a, const TedTree *b, const TedCosts *costs,
							   int32_t limit);

/*
 * Distance by a strip if it is at most the limit, else TED_BEYOND; the sizes of
 * the trees must allow such a mapping.  The seconds are an estimate.
 */
extern double ted_strip_pair_seconds(const TedTree *a, const TedCosts *costs, int32_t limit);
extern size_t ted_strip_pair_memory(const TedTree *a, const TedTree *b, const TedCosts *costs,
									int32_t limit);
extern TedStatus ted_strip_pair(const TedTree *a, const TedTree *b, const TedCosts *costs,
								int32_t limit, TedArena *arena, const TedInterrupt *interrupt,
								int32_t *distance);

#endif /* TED_BOUNDED_H */
