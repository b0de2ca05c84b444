/*
 * hash.h
 *	  Constants and sizes for the hash tables of the core.
 */
#ifndef TED_HASH_H
#define TED_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Odd multiplier for hashing; the upper bits of the product depend on all bits of the key. */
#define TED_HASH_STEP UINT64_C(0x9E3779B97F4A7C15)

/* The same for hashes of 32 bits (Knuth's, by the golden ratio). */
#define TED_HASH_STEP32 UINT32_C(0x9E3779B1)

/* Returns the slots of a hash table for `entries` entries: a power of two, at most half full. */
static inline size_t
ted_hash_slots(int32_t entries)
{
	size_t slots = 2;

	while (slots < 2 * (size_t) entries)
		slots *= 2;
	return slots;
}

#endif /* TED_HASH_H */
