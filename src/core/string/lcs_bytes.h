/*
 * lcs_bytes.h
 *	  Short strings as bytes, for upper bounds on the lengths of common subsequences.
 *
 * Symbols that are added to a table get a byte of their own as long as there are any left; all
 * other symbols share one byte.  So common subsequences of the bytes are at least as long as those
 * of the strings, and as long where one of the two strings lacks the shared byte.
 */
#ifndef TED_LCS_BYTES_H
#define TED_LCS_BYTES_H

#include "../common/hash.h"
#include "lcs_features.h"
#include "lcs_pattern.h"

/* Most symbols of a pattern. */
#define LCS_BYTES_LENGTH 64

/* The byte that symbols share, and the number of bytes for single symbols, which are 1 and up. */
#define LCS_SHARED_BYTE 0
#define LCS_OWN_BYTES 255

/* Slots of the table, and the shift of a hash to a slot. */
#define LCS_BYTE_SLOTS 1024
#define LCS_BYTE_SHIFT 22

/* The bytes of symbols; all zeros is an empty table. */
typedef struct LcsByteTable
{
	int32_t count;
	bool shared;                  /* a string with the shared byte has been written */
	uint8_t byte[LCS_BYTE_SLOTS]; /* hash table with linear probing; 0 in free slots */
	uint32_t symbol[LCS_BYTE_SLOTS];
} LcsByteTable;

/* Returns the slot of a symbol, or the free slot where it belongs. */
static inline uint32_t
lcs_byte_slot(const LcsByteTable *table, uint32_t symbol)
{
	uint32_t slot = symbol * TED_HASH_STEP32 >> LCS_BYTE_SHIFT;

	while (table->byte[slot] != 0 && table->symbol[slot] != symbol)
		slot = (slot + 1) % LCS_BYTE_SLOTS;
	return slot;
}

/* Returns the byte of a symbol. */
static inline uint8_t
lcs_byte(const LcsByteTable *table, uint32_t symbol)
{
	return table->byte[lcs_byte_slot(table, symbol)];
}

/* Gives a symbol a byte of its own if there is any left. */
static inline void
lcs_add_byte(LcsByteTable *table, uint32_t symbol)
{
	uint32_t slot = lcs_byte_slot(table, symbol);

	if (table->byte[slot] == 0 && table->count < LCS_OWN_BYTES)
	{
		table->byte[slot] = (uint8_t) ++table->count;
		table->symbol[slot] = symbol;
	}
}

/* A string with which others are compared. */
typedef struct LcsBytesPattern
{
	int32_t length;
	uint8_t byte[LCS_BYTES_LENGTH];
	uint64_t match[256]; /* positions of each byte */
} LcsBytesPattern;

/* Prepares a string; the pattern must be all zeros. */
static inline void
lcs_bytes_prepare(LcsBytesPattern *pattern, const LcsByteTable *table, const LcsString *string)
{
	uint32_t room[LCS_MOST_FEATURES];
	const uint32_t *symbols = lcs_wide_symbols(string, room);

	pattern->length = string->length;
	for (int32_t i = 0; i < string->length; i++)
	{
		pattern->byte[i] = lcs_byte(table, symbols[i]);
		pattern->match[pattern->byte[i]] |= UINT64_C(1) << i;
	}
}

/* Resets a pattern to all zeros, except its length and bytes. */
static inline void
lcs_bytes_forget(LcsBytesPattern *pattern)
{
	for (int32_t i = 0; i < pattern->length; i++)
		pattern->match[pattern->byte[i]] = 0;
}

/* Returns the length of the longest common subsequence of the bytes of a pattern and others. */
static inline int32_t
lcs_bytes_compare(const LcsBytesPattern *pattern, const uint8_t *bytes, int32_t length)
{
	uint64_t outside = pattern->length < 64 ? ~UINT64_C(0) << pattern->length : 0;
	uint64_t v = ~UINT64_C(0);
	int32_t gained = 0; /* bits are counted instead */

	for (int32_t j = 0; j < length; j++)
		v = lcs_next_word(v, pattern->match[bytes[j]], &gained);
	return __builtin_popcountll(~(v | outside));
}

#endif /* TED_LCS_BYTES_H */
