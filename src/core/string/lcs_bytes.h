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

#include "lcs_features.h"
#include "lcs_pattern.h"

/* Most symbols of a pattern. */
#define LCS_BYTES_LENGTH 64

/* The byte that symbols share, and the number of bytes for single symbols, which are 1 and up. */
#define LCS_SHARED_BYTE 0
#define LCS_OWN_BYTES 255

/* Four times as many slots as there are bytes. */
#define LCS_BYTE_SHIFT 22

/* The bytes of symbols, which are their codes; all zeros is an empty table. */
typedef struct LcsByteTable
{
	int32_t count;
	bool shared; /* a string with the shared byte has been written */
	uint8_t slot[1 << (32 - LCS_BYTE_SHIFT)];
	uint32_t symbol[LCS_OWN_BYTES + 1];
} LcsByteTable;

/* Returns the byte of a symbol. */
static inline uint8_t
lcs_byte(LcsByteTable *table, uint32_t symbol)
{
	LcsSymbols symbols = {table->slot, LCS_BYTE_SHIFT, table->count, table->symbol};
	uint32_t slot;
	int64_t probes = 0;

	return (uint8_t) lcs_find_symbol(&symbols, sizeof(uint8_t), symbol, &slot, &probes);
}

/* Gives a symbol a byte of its own if there is any left. */
static inline void
lcs_add_byte(LcsByteTable *table, uint32_t symbol)
{
	LcsSymbols symbols = {table->slot, LCS_BYTE_SHIFT, table->count, table->symbol};
	uint32_t slot;
	int64_t probes = 0;

	if (table->count < LCS_OWN_BYTES &&
		lcs_find_symbol(&symbols, sizeof(uint8_t), symbol, &slot, &probes) == 0)
		table->count = lcs_put_symbol(&symbols, sizeof(uint8_t), symbol, slot);
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
lcs_bytes_prepare(LcsBytesPattern *pattern, LcsByteTable *table, const LcsString *string)
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
