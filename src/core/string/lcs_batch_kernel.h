/*
 * lcs_batch_kernel.h
 *	  The interface between lcs_batch.c and the kernels that scan texts side by side.
 *
 * Each text has its own V, of as many words as its kernel has; the first row
 * of the pattern is bit 0 of the first word.
 */
#ifndef TED_LCS_BATCH_KERNEL_H
#define TED_LCS_BATCH_KERNEL_H

#include "../common/core.h"

#define LCS_BATCH_BYTES 256

/* Most texts side by side. */
#define LCS_BATCH_TEXTS 16

/* Most words of V, of all texts side by side. */
#define LCS_BATCH_WORDS 32

/* Symbols of a block, of all texts side by side. */
#define LCS_BATCH_SYMBOLS 4096

/* Columns without a match that a kernel may read before and after those of a block. */
#define LCS_BATCH_PADDING 32

/* Most columns of a block of this number of texts. */
static inline int32_t
lcs_batch_columns(int texts)
{
	return LCS_BATCH_SYMBOLS / texts;
}

/* From the rows of one text to those of the next. */
static inline int32_t
lcs_batch_stride(int texts)
{
	return lcs_batch_columns(texts) + 2 * LCS_BATCH_PADDING;
}

/* Some columns of the texts side by side, and the pattern that they are compared with. */
typedef struct LcsBatchBlock
{
	/* for kernels that take bytes, by text */
	const uint8_t *const *bytes;
	const int32_t *length; /* columns remaining; the block may end before */

	/* for those of them that turn bytes into codes */
	const uint8_t *code; /* by byte; 0 for a byte that is not in the pattern */
	uint8_t unmatched;   /* such a byte */

	/*
	 * for others: a row of `match` for every column, LCS_BATCH_PADDING of row 0
	 * around them, and lcs_batch_stride() from text to text
	 */
	const uint32_t *row; /* index of its first word */

	int32_t columns;       /* of the longest text */
	bool first;            /* whether the block begins at column 0: V need not be set */
	int words;             /* of V, for one text */
	const uint64_t *match; /* rows of this number of words; row 0 is all blank */
} LcsBatchBlock;

/* A way to scan texts side by side, for the patterns that it fits. */
typedef struct LcsBatchKernel
{
	int texts; /* side by side */
	int words; /* of V, for one text */
	int word_rows;
	uint64_t blank;   /* word of a match vector without a match: the bits that stand for no rows */
	int32_t distinct; /* most distinct symbols of a pattern */

	bool codes; /* whether match vectors are found by code; else that of byte b in row b + 1 */

	/* turns bytes of a text into rows; NULL where the kernel takes bytes */
	void (*rows)(uint32_t *row, const uint8_t *bytes, int32_t columns, int words);

	/* takes V of all texts through a block; gives the lengths reached */
	void (*scan)(uint64_t *v, const LcsBatchBlock *block, int32_t *length);
} LcsBatchKernel;

/* The kernels, by rows and distinct symbols, and their number. */
extern int lcs_batch_plain(const LcsBatchKernel **kernels);

/* Those with AVX-512; 0 where ted_simd() has none. */
extern int lcs_batch_avx512(const LcsBatchKernel **kernels);

#endif /* TED_LCS_BATCH_KERNEL_H */
