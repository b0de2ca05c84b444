/*
 * lcs_batch_kernel.h
 *	  The interface between lcs_batch.c and the kernels that scan several texts at the same time.
 *
 * Each text has its own V, with the number of words of the kernel; the first row of the pattern is
 * bit 0 of the first word.
 */
#ifndef TED_LCS_BATCH_KERNEL_H
#define TED_LCS_BATCH_KERNEL_H

#include "../common/core.h"

#define LCS_BATCH_BYTES 256

/* Most texts that a kernel scans at the same time. */
#define LCS_BATCH_TEXTS 16

/* Most words of the V of all these texts together. */
#define LCS_BATCH_WORDS 32

/* Symbols of a block of columns, of all texts together. */
#define LCS_BATCH_SYMBOLS 4096

/* Columns without a match that a kernel may read before and after those of a block of columns. */
#define LCS_BATCH_PADDING 32

/* Returns the most columns of a block for this number of texts. */
static inline int32_t
lcs_batch_columns(int texts)
{
	return LCS_BATCH_SYMBOLS / texts;
}

/* Returns the distance between the rows of consecutive texts, in entries of `row`. */
static inline int32_t
lcs_batch_stride(int texts)
{
	return lcs_batch_columns(texts) + 2 * LCS_BATCH_PADDING;
}

/* A block of columns of several texts, and the pattern. */
typedef struct LcsBatchBlock
{
	/* for kernels that read bytes, by text */
	const uint8_t *const *bytes;
	const int32_t *length; /* remaining columns; the block may have fewer */

	/* for kernels that convert bytes to codes */
	const uint8_t *code; /* by byte; 0 for bytes that are not in the pattern */
	uint8_t unmatched;   /* a byte that is not in the pattern */

	/*
	 * for other kernels: the row of `match` of each column, with LCS_BATCH_PADDING entries of row 0
	 * before and after; lcs_batch_stride() entries for each text
	 */
	const uint32_t *row; /* by column: index of the row's first word */

	int32_t columns;       /* columns of the longest text in the block */
	bool first;            /* the block begins at column 0, so that V need not be set before */
	int words;             /* of V for one text */
	const uint64_t *match; /* rows of `words` words; row 0 is all blank */
} LcsBatchBlock;

/* A kernel, and the patterns that it fits. */
typedef struct LcsBatchKernel
{
	int texts; /* number of texts side by side */
	int words; /* of V for one text */
	int word_rows;
	uint64_t blank;   /* word of a match vector without a match; a match changes its bit */
	int32_t distinct; /* most distinct symbols of a pattern */

	bool codes; /* match vectors are found by code; else that of byte b is row b + 1 */

	/* converts bytes of a text to rows; NULL if the kernel reads bytes */
	void (*rows)(uint32_t *row, const uint8_t *bytes, int32_t columns, int words);

	/* computes V of all texts for a block of columns, and the lengths so far */
	void (*scan)(uint64_t *v, const LcsBatchBlock *block, int32_t *length);
} LcsBatchKernel;

/* Returns the number of plain kernels, which are ordered by rows and distinct symbols. */
extern int lcs_batch_plain(const LcsBatchKernel **kernels);

/* Returns the number of AVX-512 kernels, 0 if ted_simd() is less. */
extern int lcs_batch_avx512(const LcsBatchKernel **kernels);

#endif /* TED_LCS_BATCH_KERNEL_H */
