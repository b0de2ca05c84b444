/*
 * traversals.h
 *	  Lower bounds on the distances between one tree and many, by their traversals as bits.
 *
 * Computes the bound of ted_traversal_bound() for unit costs.  The time of that function grows with
 * the number of allowed operations; here, it is always a few steps for each node of the other tree
 * and each word of bits of the one tree, which is turned into bits once.
 */
#ifndef TED_TRAVERSALS_H
#define TED_TRAVERSALS_H

#include "../bounded/bounds.h"

/* Whether the bound of a pair takes less time by bits, and little memory. */
extern bool ted_traversals_pay(int32_t size, int32_t other_size, int32_t limit);

/* The traversals of the current tree as bits. */
typedef struct TedTraversals TedTraversals;

/* Allocates the state that is shared by all trees, for labels below `labels`. */
extern size_t ted_traversals_memory(int32_t labels);
extern TedStatus ted_traversals(int32_t labels, TedArena *arena, TedTraversals **made);

/*
 * Turns a tree into bits, which are valid until ted_traversals_end().  The labels of other trees
 * must be below `labels`.
 */
extern size_t ted_traversals_start_memory(int32_t size);
extern TedStatus ted_traversals_start(TedTraversals *traversals, const TedBoundsIndex *tree,
									  TedArena *arena, const TedInterrupt *interrupt);
extern void ted_traversals_end(TedTraversals *traversals);

/* Computes the bound between that tree and another one; TED_BEYOND where it is above the limit. */
extern TedStatus ted_traversals_bound(const TedTraversals *traversals, const TedBoundsIndex *other,
									  int32_t limit, const TedInterrupt *interrupt, int32_t *bound);

#endif /* TED_TRAVERSALS_H */
