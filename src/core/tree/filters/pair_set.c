/*
 * pair_set.c
 *	  The pairs of rarest nodes of some trees.
 */
#include "pair_set.h"

/* Most bytes of a set, which have a bit for each value of a 32-bit key. */
#define MOST_BYTES ((size_t) 1 << 29)

/* Returns the largest power of two up to `most`, at least 8. */
size_t
ted_pair_set_bytes(size_t most)
{
	size_t bytes = sizeof(uint64_t);

	while (bytes <= most / 2 && bytes < MOST_BYTES)
		bytes *= 2;
	return bytes;
}

/* Returns a set in memory of a size from ted_pair_set_bytes(). */
TedPairSet
ted_pair_set_in(void *words, size_t bytes)
{
	return (TedPairSet){.words = words, .mask = (uint32_t) (bytes / sizeof(uint64_t) - 1)};
}

/* Returns the word of a pair. */
static inline uint64_t *
word_of(const TedPairSet *set, uint32_t key)
{
	return &set->words[(key >> 6) & set->mask];
}

/* Returns the bit of a pair in its word. */
static inline uint64_t
bit_of(uint32_t key)
{
	return UINT64_C(1) << (key & 63);
}

/* Adds the pairs of a tree's rarest nodes. */
void
ted_pair_set_add(TedPairSet *set, const TedRareNodes *rare)
{
	for (int32_t i = 1; i < rare->count; i++)
		for (int32_t j = 0; j < i; j++)
		{
			uint32_t key = ted_pair_key(rare->node[i], rare->node[j]);

			*word_of(set, key) |= bit_of(key);
		}
}

/* Whether a tree may be within `limit` of a tree that was added. */
bool
ted_pair_set_meets(const TedPairSet *set, const TedRareNodes *rare, int32_t limit)
{
	bool found = ted_has_few_nodes(rare, limit);

	for (int32_t i = 1; i < rare->count && !found; i++)
		for (int32_t j = 0; j < i && !found; j++)
		{
			uint32_t key = ted_pair_key(rare->node[i], rare->node[j]);

			found = (*word_of(set, key) & bit_of(key)) != 0;
		}
	return found;
}
