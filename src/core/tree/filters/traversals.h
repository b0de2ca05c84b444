/*
 * traversals.h
 *	  Lower bound of the distances between one tree and many, by their traversals as bits.
 *
 * The bound of ted_traversal_bound() for unit costs.  That one takes the longer,
 * the more operations are allowed; this one always takes a few steps for each
 * node of the other tree and each word of bits of this one, which is turned
 * into bits once.
 */
#ifndef TED_TRAVERSALS_H
#define TED_TRAVERSALS_H

#include "../bounded/bounds.h"

/* Whether the bound of a pair takes less time by bits, and little memory. */
extern bool ted_traversals_pay(int32_t size, int32_t other_size, int32_t limit);

/* The traversals of one tree at a time. */
typedef struct TedTraversals TedTraversals;

/* Makes room for the labels of other trees, which are below a bound. */
extern size_t ted_traversals_memory(int32_t labels);
extern TedStatus ted_traversals(int32_t labels, TedArena *arena, TedTraversals **made);

/* Turns a tree into bits, which are used until the end. */
extern size_t ted_traversals_start_memory(int32_t size);
extern TedStatus ted_traversals_start(TedTraversals *traversals, const TedBoundsIndex *tree,
									  TedArena *arena, const TedInterrupt *interrupt);
extern void ted_traversals_end(TedTraversals *traversals);

/* The bound between that tree and another one; TED_BEYOND where it is above the limit. */
extern TedStatus ted_traversals_bound(const TedTraversals *traversals, const TedBoundsIndex *other,
									  int32_t limit, const TedInterrupt *interrupt, int32_t *bound);

#endif /* TED_TRAVERSALS_H */
