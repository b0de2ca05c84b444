/*
 * bounded.h
 *	  Distances up to a limit by strips, and estimates of their time.
 */
#ifndef TED_BOUNDED_H
#define TED_BOUNDED_H

#include "../ted.h"

/* Whether a strip is estimated to be faster than the tables of the exact algorithm in a batch. */
extern bool ted_strip_pays(const TedTree *a, const TedTree *b, const TedCosts *costs,
						   int32_t limit);

/* Returns the estimated seconds that a pair takes in a batch, by tables or by a strip. */
extern double ted_pair_seconds(const TedTree *a, const TedTree *b, const TedCosts *costs,
							   int32_t limit);

/*
 * Computes the distance by a strip if it is at most the limit, else TED_BEYOND.
 * ted_strip_pair_seconds() returns the estimated seconds; it and the memory are for trees whose
 * sizes allow a mapping within the limit.
 */
extern double ted_strip_pair_seconds(const TedTree *a, const TedCosts *costs, int32_t limit);
extern size_t ted_strip_pair_memory(const TedTree *a, const TedTree *b, const TedCosts *costs,
									int32_t limit);
extern TedStatus ted_strip_pair(const TedTree *a, const TedTree *b, const TedCosts *costs,
								int32_t limit, TedArena *arena, const TedInterrupt *interrupt,
								int32_t *distance);

#endif /* TED_BOUNDED_H */
