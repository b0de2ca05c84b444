/*
 * lcs_words.c
 *	  Length of the longest common subsequence, bit-parallel, a column at a time.
 *
 * Hyyro's column step (2004) on 64-bit words, with a bit vector of positions
 * for every symbol of the alphabet: what the stripes and the vectors of the
 * core are held against.
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

/* Length of the longest common subsequence. */
int32_t
lcs_words(const uint32_t *x, int32_t m, const uint32_t *y, int32_t n, uint32_t alphabet)
{
	size_t words = word_count(m);
	uint64_t *match = calloc(alphabet, words * sizeof(uint64_t));
	uint64_t *v = malloc(words * sizeof(uint64_t));
	int32_t length = 0;

	memset(v, 0xff, words * sizeof(uint64_t));
	for (int32_t i = 0; i < m; i++)
		match[x[i] * words + (size_t) i / 64] |= UINT64_C(1) << (i % 64);
	for (int32_t j = 0; j < n; j++)
	{
		const uint64_t *positions = match + y[j] * words;
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
	for (size_t k = 0; k < words; k++)
		length += __builtin_popcountll(~v[k]);
	free(match);
	free(v);
	return length;
}
