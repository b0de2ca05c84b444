/*
 * pair_set.h
 *	  The pairs of rarest nodes (label_pairs.h) of some trees, as bits of a hash table.  A tree that
 *	  shares no pair with the set is too far from each of these trees.
 */
#ifndef TED_PAIR_SET_H
#define TED_PAIR_SET_H

#include "label_pairs.h"

/* A set of pairs. */
typedef struct TedPairSet
{
	uint64_t *words;
	uint32_t mask; /* number of words less one; it is a power of two */
} TedPairSet;

/*
 * ted_pair_set_bytes() returns the bytes of the largest set of up to `most` bytes, but at least 8.
 * ted_pair_set_in() returns a set in memory of that size; it is empty if all words are 0.
 */
extern size_t ted_pair_set_bytes(size_t most);
extern TedPairSet ted_pair_set_in(void *words, size_t bytes);

/* Adds the pairs of a tree's rarest nodes. */
extern void ted_pair_set_add(TedPairSet *set, const TedRareNodes *rare);

/*
 * Whether a tree may be within `limit` of a tree that was added: it shares a pair, or has few
 * nodes.
 */
extern bool ted_pair_set_meets(const TedPairSet *set, const TedRareNodes *rare, int32_t limit);

#endif /* TED_PAIR_SET_H */
