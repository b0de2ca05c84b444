/*
 * hash.h
 *	  What hash tables of the core share.
 */
#ifndef TED_HASH_H
#define TED_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Odd multiplier for hashing, which the upper bits of a product depend on most. */
#define TED_HASH_STEP UINT64_C(0x9E3779B97F4A7C15)

/* Slots of a hash table for this many entries: a power of two, at most half full. */
static inline size_t
ted_hash_slots(int32_t entries)
{
	size_t slots = 2;

	while (slots < 2 * (size_t) entries)
		slots *= 2;
	return slots;
}

#endif /* TED_HASH_H */
