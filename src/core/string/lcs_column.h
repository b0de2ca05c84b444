/*
 * lcs_column.h
 *	  A column of a table of lengths of common subsequences, and the step to the next one.
 *
 * A column of the table L[i][j] (first i symbols of the pattern, first j of the text) is stored as
 * a bit vector V: bit i is 0 where L[i + 1][j] is one more than L[i][j].  With the bit vector M of
 * the pattern positions that hold the next symbol of the text, the next column is (V + (V & M)) |
 * (V & ~M), a sum over all words with carry (Hyyro, 2004).  Bits after the end of a pattern do no
 * harm, as carries only go from lower bits to higher bits.
 *
 * Here are the steps of a pattern of one word, and of words that pass carries.  The kernels for
 * vectors write the second one with their own instructions: lcs_wave.c, lcs_avx2.c,
 * lcs_lanes_avx512.h.
 */
#ifndef TED_LCS_COLUMN_H
#define TED_LCS_COLUMN_H

#include <stdint.h>

#define LCS_WORD_BITS 64

/*
 * Rows of a word of a longer V, from bit 0 on; bit 63 is for a carry.  A word of M without a match
 * has only bit 63, which is not a row.
 */
#define LCS_WORD_ROWS 63
#define LCS_BLANK (UINT64_C(1) << LCS_WORD_ROWS)

/* A word of the complement, ~M, without a match, which would be a 0 bit; bit 63 is 0. */
#define LCS_NO_MATCH (~LCS_BLANK)

/*
 * Advances a column of one word of 64 rows, with the positions of its symbol; adds the carry, which
 * is one more common symbol, to *gained.
 */
static inline uint64_t
lcs_next_word(uint64_t v, uint64_t match, int32_t *gained)
{
	uint64_t taken = v & match;
	uint64_t sum = v + taken;

	*gained += sum < v;
	return sum | (v - taken);
}

/*
 * Advances consecutive words of 63 rows of a longer V, given the words of ~M and the carry into the
 * first one; returns the carry out of the last one.  As V + (V & M) is 2 V - (V & ~M), a carry is
 * added in the free bit of 2 V, and the carry out is bit 63 of the result.
 */
__attribute__((always_inline)) static inline uint64_t
lcs_next_words(uint64_t *v, const uint64_t *unmatched, int words, uint64_t carry)
{
#ifndef __CUDACC__ /* nvcc includes this file, too */
#pragma GCC unroll 4
#endif
	for (int word = 0; word < words; word++)
	{
		uint64_t kept = v[word] & unmatched[word];
		uint64_t next = (2 * v[word] + carry - kept) | kept;

		v[word] = next;
		carry = next >> LCS_WORD_ROWS;
	}
	return carry;
}

#endif /* TED_LCS_COLUMN_H */
