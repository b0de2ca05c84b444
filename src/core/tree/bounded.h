/*
 * bounded.h
 *	  How long the distance of a pair up to a limit takes.
 */
#ifndef TED_CORE_TREE_BOUNDED_H
#define TED_CORE_TREE_BOUNDED_H

#include "ted.h"

/* Whether a strip is faster than the tables of the exact algorithm in a batch. */
extern bool ted_strip_pays(const TedTree *a, const TedTree *b, const TedCosts *costs,
						   int32_t limit);

/* Seconds that a pair takes in a batch, by tables or by a strip, about. */
extern double ted_pair_seconds(const TedTree *a, const TedTree *b, const TedCosts *costs,
							   int32_t limit);

#endif /* TED_CORE_TREE_BOUNDED_H */
