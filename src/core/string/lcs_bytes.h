/*
 * lcs_bytes.h
 *	  Short strings as bytes, whose common subsequences are as long as those of the strings or
 *longer.
 *
 * A byte stands for a symbol, and for others that are equal to it then.
 */
#ifndef TED_CORE_STRING_LCS_BYTES_H
#define TED_CORE_STRING_LCS_BYTES_H

#include "lcs_features.h"

/* Symbols of a string that is compared, at most. */
#define LCS_BYTES_LENGTH 64

/* A string to which others are compared. */
typedef struct LcsBytesPattern
{
	int32_t length;
	uint64_t match[256]; /* positions of each byte */
} LcsBytesPattern;

/* The byte of a symbol; the least ones have bytes of their own. */
static inline uint8_t
lcs_byte(uint32_t symbol)
{
	return (uint8_t) (symbol ^ symbol >> 8 ^ symbol >> 16);
}

/* Prepares a string; the pattern is all zeros before, and is made so again. */
static inline void
lcs_bytes_prepare(LcsBytesPattern *pattern, const LcsString *string)
{
	pattern->length = string->length;
	for (int32_t i = 0; i < string->length; i++)
		pattern->match[lcs_byte(string->symbols[i])] |= UINT64_C(1) << i;
}

static inline void
lcs_bytes_forget(LcsBytesPattern *pattern, const LcsString *string)
{
	for (int32_t i = 0; i < string->length; i++)
		pattern->match[lcs_byte(string->symbols[i])] = 0;
}

/* Symbols outside the longest common subsequence of the bytes of a pattern, its positions as bits.
 */
static inline uint64_t
lcs_bytes_compare(const LcsBytesPattern *pattern, const uint8_t *bytes, int32_t length)
{
	uint64_t v = ~UINT64_C(0);

	for (int32_t j = 0; j < length; j++)
	{
		uint64_t matching = v & pattern->match[bytes[j]];

		v = (v + matching) | (v - matching);
	}
	return v;
}

#endif /* TED_CORE_STRING_LCS_BYTES_H */
