/*
 * lcs_stripe.h
 *	  How lcs.c and the kernels that scan a stripe meet.
 *
 * A stripe is a run of rows of the table of lengths, held as `words` words of
 * the bit vector V with `word_rows` rows each, from bit 0 on.  A kernel takes
 * it through the columns of a block.
 */
#ifndef LCS_STRIPE_H
#define LCS_STRIPE_H

#include "lcs.h"

/* Columns behind a block that a kernel may run into: their codes and carries are 0. */
#define LCS_PADDING 96

/* What a kernel is given of one block. */
typedef struct LcsBlock
{
	int32_t columns;
	int32_t *code;   /* code of the text's symbol, by column, and LCS_PADDING zeros */
	uint16_t *row;   /* row of `match`, by code; 0 for a symbol not in the stripe */
	uint64_t *match; /* rows of as many words as the stripe; row 0 is all blank */
	uint8_t *carry;  /* from stripe to stripe as the kernel sees fit; a byte a column, 0 at first */
	uint64_t *history;    /* keeps each column, where not NULL: the 64-bit kernel only */
	size_t history_words; /* from one column kept to the next */
} LcsBlock;

/* A kernel and the stripes that it works on. */
typedef struct LcsStripe
{
	int words; /* a multiple of 4 */
	int word_rows;
	uint64_t blank;    /* word of a match vector without a match: the bits that are no rows */
	int block_columns; /* most columns of a block; many make light of setting up a stripe */
	void (*scan)(uint64_t *v, const LcsBlock *block);
} LcsStripe;

/* The 64-bit kernel. */
extern const LcsStripe *lcs_stripe_plain(void);

/* The AVX-512 kernel, or NULL where the processor or ted_simd_limit has none. */
extern const LcsStripe *lcs_stripe_avx512(void);

/* lcs_length() for any pattern by one kind of stripes, and the bytes that it takes. */
extern size_t lcs_stripe_memory(const LcsStripe *stripe, int32_t m);
extern TedStatus lcs_stripe_length(const LcsStripe *stripe, const LcsPattern *pattern,
								   const uint32_t *text, int32_t n, TedArena *arena,
								   const TedInterrupt *interrupt, int32_t *length);

#endif /* LCS_STRIPE_H */
