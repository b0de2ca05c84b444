/*
 * lcs_words.c
 *	  The kernel for any processor: a stripe of a few words, column by column.
 */
#include <string.h>

#include "lcs_stripe.h"

#define WORDS 4

/* The next value of one word of V; `carry` is 0 or 1, from the word below and to the one above. */
static inline uint64_t
next_word(uint64_t v, uint64_t match, uint64_t *carry)
{
	uint64_t sum = v + (v & match);
	uint64_t next = sum + *carry;

	*carry = (uint64_t) (sum < v) | (uint64_t) (next < sum);
	return next | (v & ~match);
}

/* Takes a stripe through a tile word by word. */
static void
words_scan(uint64_t *v, const LcsTile *tile)
{
	uint64_t s[WORDS];

	memcpy(s, v, sizeof(s));
	for (int32_t start = 0; start < tile->columns; start += LCS_GROUP)
	{
		int32_t end = start + LCS_GROUP < tile->columns ? start + LCS_GROUP : tile->columns;
		uint64_t in = tile->carry[start / LCS_GROUP];
		uint64_t out = 0;

		for (int32_t j = start; j < end; j++)
		{
			const uint64_t *match = &tile->match[(size_t) tile->row[tile->code[j]] * WORDS];
			uint64_t carry = in >> (LCS_GROUP - 1);

			in <<= 1;
			s[0] = next_word(s[0], match[0], &carry);
			s[1] = next_word(s[1], match[1], &carry);
			s[2] = next_word(s[2], match[2], &carry);
			s[3] = next_word(s[3], match[3], &carry);
			out = out << 1 | carry;
			if (tile->history != NULL)
				memcpy(&tile->history[(size_t) j * WORDS], s, sizeof(s));
		}
		tile->carry[start / LCS_GROUP] = out << (start + LCS_GROUP - end);
	}
	memcpy(v, s, sizeof(s));
}

const LcsStripe lcs_stripe_words = {WORDS, 64, 0, 0, 5000, words_scan};
