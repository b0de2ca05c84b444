/*
 * lcs_batch_plain.c
 *	  The kernels of lcs_batch.c for any processor.
 *
 * Patterns of at most 64 symbols are compared with two texts at a time, since each step of one text
 * depends on the step before.  Longer patterns are compared text by text, in words of 63 rows.
 */
#include <string.h>

#include "lcs_batch_kernel.h"
#include "lcs_column.h"

/* Computes two texts of one word each for a block, together while both have columns. */
static inline void
scan_pair(uint64_t *v, const LcsBatchBlock *block, int text, int32_t *length)
{
	const uint64_t *match = block->match + 1;
	const uint8_t *a = block->bytes[text];
	const uint8_t *b = block->bytes[text + 1];
	int32_t end_a = ted_min(block->length[text], block->columns);
	int32_t end_b = ted_min(block->length[text + 1], block->columns);
	uint64_t v_a = block->first ? ~UINT64_C(0) : v[text];
	uint64_t v_b = block->first ? ~UINT64_C(0) : v[text + 1];
	int32_t gained = 0; /* bits are counted instead */
	int32_t j = 0;

	for (; j < end_a && j < end_b; j++)
	{
		v_a = lcs_next_word(v_a, match[a[j]], &gained);
		v_b = lcs_next_word(v_b, match[b[j]], &gained);
	}
	for (int32_t i = j; i < end_a; i++)
		v_a = lcs_next_word(v_a, match[a[i]], &gained);
	for (int32_t i = j; i < end_b; i++)
		v_b = lcs_next_word(v_b, match[b[i]], &gained);
	v[text] = v_a;
	v[text + 1] = v_b;
	length[text] = __builtin_popcountll(~v_a);
	length[text + 1] = __builtin_popcountll(~v_b);
}

/* Computes texts of one word each for a block of columns. */
static void
scan_word(uint64_t *v, const LcsBatchBlock *block, int32_t *length)
{
	for (int text = 0; text < LCS_BATCH_TEXTS; text += 2)
		scan_pair(v, block, text, length);
}

/* Computes one text of this number of words for a block of columns. */
__attribute__((always_inline)) static inline void
scan_words(uint64_t *v, const LcsBatchBlock *block, int32_t *length, int words)
{
	uint64_t s[16];

	for (int word = 0; word < words; word++)
		s[word] = block->first ? LCS_NO_MATCH : v[word];
	for (int32_t j = 0; j < block->columns; j++)
		lcs_next_words(s, block->match + block->row[j], words, 0);
	length[0] = 0;
	for (int word = 0; word < words; word++)
		length[0] += __builtin_popcountll(~(s[word] | LCS_BLANK));
	memcpy(v, s, (size_t) words * sizeof(uint64_t));
}

/* Kernel for patterns of at most 126 symbols. */
static void
scan_2_words(uint64_t *v, const LcsBatchBlock *block, int32_t *length)
{
	scan_words(v, block, length, 2);
}

/* Kernel for patterns of at most 252 symbols. */
static void
scan_4_words(uint64_t *v, const LcsBatchBlock *block, int32_t *length)
{
	scan_words(v, block, length, 4);
}

/* Kernel for patterns of at most 504 symbols. */
static void
scan_8_words(uint64_t *v, const LcsBatchBlock *block, int32_t *length)
{
	scan_words(v, block, length, 8);
}

/* Kernel for patterns of at most 1008 symbols. */
static void
scan_16_words(uint64_t *v, const LcsBatchBlock *block, int32_t *length)
{
	scan_words(v, block, length, 16);
}

/* Converts bytes to rows. */
static void
byte_rows(uint32_t *row, const uint8_t *bytes, int32_t columns, int words)
{
	for (int32_t j = 0; j < columns; j++)
		row[j] = (uint32_t) ((bytes[j] + 1) * words);
}

/* Returns the number of kernels, and sets *kernels. */
int
lcs_batch_plain(const LcsBatchKernel **kernels)
{
	static const LcsBatchKernel all[] = {
		{LCS_BATCH_TEXTS, 1, 64, 0, INT32_MAX, false, NULL, scan_word},
		{1, 2, LCS_WORD_ROWS, LCS_NO_MATCH, INT32_MAX, false, byte_rows, scan_2_words},
		{1, 4, LCS_WORD_ROWS, LCS_NO_MATCH, INT32_MAX, false, byte_rows, scan_4_words},
		{1, 8, LCS_WORD_ROWS, LCS_NO_MATCH, INT32_MAX, false, byte_rows, scan_8_words},
		{1, 16, LCS_WORD_ROWS, LCS_NO_MATCH, INT32_MAX, false, byte_rows, scan_16_words},
	};

	*kernels = all;
	return sizeof(all) / sizeof(all[0]);
}
