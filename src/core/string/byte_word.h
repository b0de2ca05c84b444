/*
 * byte_word.h
 *	  A string of at most 64 bytes, prepared for comparison with other strings of bytes.
 *
 * It needs neither an arena nor codes: what a byte matches is a word of bits.
 */
#ifndef TED_CORE_STRING_BYTE_WORD_H
#define TED_CORE_STRING_BYTE_WORD_H

#include "../common/core.h"

#define TED_BYTE_WORD_LENGTH 64

typedef struct TedByteWord
{
	int32_t length;
	uint64_t match[UINT8_MAX + 1]; /* by byte: its positions */
} TedByteWord;

/* Prepares a string of at most TED_BYTE_WORD_LENGTH bytes. */
extern void ted_byte_word(TedByteWord *word, const uint8_t *bytes, int32_t length);

/* Length of a longest common subsequence of the prepared string and one of n bytes. */
extern TedStatus ted_byte_word_lcs(const TedByteWord *word, const uint8_t *text, int32_t n,
								   const TedInterrupt *interrupt, int32_t *length);

#endif /* TED_CORE_STRING_BYTE_WORD_H */
