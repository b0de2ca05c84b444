/*
 * lcs_stripe.h
 *	  The interface between the scan of a table of lengths and the kernels for its stripes.
 *
 * A column of the table of lengths L[i][j] (first i symbols of the pattern, first j of the text) is
 * stored as a bit vector V: bit i is 0 where L[i + 1][j] is one more than L[i][j].  With the bit
 * vector M of the pattern positions that hold the next symbol of the text, the next column is (V +
 * (V & M)) | (V & ~M), a sum over all words with carry (Hyyro, 2004).
 *
 * A stripe is a run of rows: `words` words of V with 63 rows each, from bit 0 on; bit 63 is for a
 * carry.  A tile is a stripe in a run of columns.  A kernel computes V for the columns of a tile in
 * steps: word w is at column j in step j + w.
 */
#ifndef TED_LCS_STRIPE_H
#define TED_LCS_STRIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LCS_WORD_ROWS 63

/* A word of a match vector without a match: only bit 63, which is not a row, is set. */
#define LCS_BLANK (UINT64_C(1) << LCS_WORD_ROWS)

/*
 * Advances a word of 63 rows of a longer V; `kept` has its rows without a match, and bit 63.  As V
 * + (V & M) is 2 V - (V & ~M), the carry into the word is added in the free bit of 2 V, and the
 * carry out is bit 63 of the result.
 */
static inline uint64_t
lcs_next_of_words(uint64_t v, uint64_t kept, uint64_t carry)
{
	return (2 * v + carry - kept) | kept;
}

/* Columns whose carries share a word. */
#define LCS_GROUP 64

/* Most steps of any kernel after the columns of a tile, rounded up to whole groups. */
#define LCS_EXTRA_STEPS (2 * LCS_GROUP)

/*
 * Input and output of a kernel for one tile.  The kernel replaces the carries into the tile by
 * those out of it: a bit for each step, from the stripe's last word, the first step in the highest
 * bit.  There are LCS_EXTRA_STEPS more of them than columns.
 */
typedef struct LcsTile
{
	int32_t columns;
	const int32_t *code;   /* by column: code of the text's symbol */
	const uint16_t *row;   /* by code: row of `match`, 0 for a symbol not in the stripe */
	const uint64_t *match; /* rows with the words of the stripe; row 0 is all blank */
	uint64_t *carry;
	uint64_t *history; /* V after each step, or NULL */
} LcsTile;

/* A kernel, and the size of its stripes. */
typedef struct LcsStripe
{
	int words;
	int32_t cost; /* estimated picoseconds of a column */
	void (*scan)(uint64_t *v, const LcsTile *tile);
} LcsStripe;

/* Return kernels with 1 to LCS_WAVES registers; NULL if the processor lacks the instructions. */
#define LCS_WAVES 4
extern const LcsStripe *lcs_stripes_any(void);
extern const LcsStripe *lcs_stripes_avx2(void);
extern const LcsStripe *lcs_stripes_avx512(void);

#endif /* TED_LCS_STRIPE_H */
