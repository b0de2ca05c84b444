/*
 * lcs_words.c
 *	  Length of the longest common subsequence, bit-parallel, a column at a time.
 *
 * Hyyro's column step (2004) on 64-bit words, with a bit vector of positions for
 * every symbol of the alphabet, or for those of the first string, which are
 * found by hashing: the baseline of the core's words, stripes and vectors.
 */
#include <stdlib.h>
#include <string.h>

#include "baselines.h"

/* Words of a column, at least one. */
static size_t
word_count(int32_t m)
{
	return (size_t) m / 64 + 1;
}

/* Bytes of the bit vectors of positions. */
size_t
lcs_words_memory(int32_t m, uint32_t alphabet)
{
	return alphabet * word_count(m) * sizeof(uint64_t);
}

/* Takes a column of V one symbol on. */
static inline void
next_column(uint64_t *v, const uint64_t *positions, size_t words)
{
	unsigned long long carry = 0;

	for (size_t k = 0; k < words; k++)
	{
		unsigned long long taken = v[k] & positions[k];
		unsigned long long partial;
		unsigned long long sum;
		unsigned long long carry_1 = __builtin_uaddll_overflow(v[k], taken, &partial);
		unsigned long long carry_2 = __builtin_uaddll_overflow(partial, carry, &sum);

		v[k] = sum | (v[k] - taken);
		carry = carry_1 | carry_2;
	}
}

/* Zeros of a column: its length. */
static int32_t
zeros(const uint64_t *v, size_t words)
{
	int32_t length = 0;

	for (size_t k = 0; k < words; k++)
		length += __builtin_popcountll(~v[k]);
	return length;
}

/* Length of the longest common subsequence. */
int32_t
lcs_words(const uint32_t *x, int32_t m, const uint32_t *y, int32_t n, uint32_t alphabet)
{
	size_t words = word_count(m);
	uint64_t *match = calloc(alphabet, words * sizeof(uint64_t));
	uint64_t *v = malloc(words * sizeof(uint64_t));
	int32_t length;

	memset(v, 0xff, words * sizeof(uint64_t));
	for (int32_t i = 0; i < m; i++)
		match[x[i] * words + (size_t) i / 64] |= UINT64_C(1) << (i % 64);
	for (int32_t j = 0; j < n; j++)
		next_column(v, match + y[j] * words, words);
	length = zeros(v, words);
	free(match);
	free(v);
	return length;
}

/* Slot of a symbol, or the free one for it; a slot has the symbol, plus 1, and its positions. */
static inline uint64_t *
hashed_slot(uint64_t *table, int bits, size_t words, uint32_t symbol)
{
	size_t i = (symbol * UINT32_C(0x9E3779B1)) >> (32 - bits);

	while (table[i * (words + 1)] != 0 && table[i * (words + 1)] != (uint64_t) symbol + 1)
		i = (i + 1) & (((size_t) 1 << bits) - 1);
	return table + i * (words + 1);
}

/* The same for any alphabet. */
int32_t
lcs_words_hashed(const uint32_t *x, int32_t m, const uint32_t *y, int32_t n)
{
	size_t words = word_count(m);
	int bits = 1;
	uint64_t *table;
	uint64_t *v = malloc(words * sizeof(uint64_t));
	int32_t length;

	while ((INT32_C(1) << bits) < 2 * m)
		bits++;
	table = calloc((size_t) 1 << bits, (words + 1) * sizeof(uint64_t));
	memset(v, 0xff, words * sizeof(uint64_t));
	for (int32_t i = 0; i < m; i++)
	{
		uint64_t *slot = hashed_slot(table, bits, words, x[i]);

		slot[0] = (uint64_t) x[i] + 1;
		slot[1 + (size_t) i / 64] |= UINT64_C(1) << (i % 64);
	}
	for (int32_t j = 0; j < n; j++)
		next_column(v, hashed_slot(table, bits, words, y[j]) + 1, words);
	length = zeros(v, words);
	free(table);
	free(v);
	return length;
}

/* Bytes of its table. */
size_t
lcs_words_hashed_memory(int32_t m)
{
	return 4 * (size_t) m * (word_count(m) + 1) * sizeof(uint64_t);
}
