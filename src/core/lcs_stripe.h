/*
 * lcs_stripe.h
 *	  How the scan of a table of lengths and the kernels for its stripes meet.
 *
 * A column of the table of lengths L[i][j] (first i symbols of the pattern,
 * first j of the text) is kept as a bit vector V: bit i is 0 where
 * L[i + 1][j] is one more than L[i][j].  With the bit vector M of the pattern
 * positions that hold the next symbol of the text, the next column is
 * (V + (V & M)) | (V & ~M), a sum over all words with carry (Hyyro, 2004).
 *
 * A stripe is a run of rows: `words` words of V with `word_rows` rows each,
 * from bit 0 on.  A tile is a stripe in a run of columns.  A kernel takes V
 * through a tile, in steps: word w is at column j in step j + w * skew.
 */
#ifndef LCS_STRIPE_H
#define LCS_STRIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Columns whose carries share a word. */
#define LCS_GROUP 64

/* Most steps that any kernel makes beyond the columns of a tile, in whole groups. */
#define LCS_EXTRA_STEPS (2 * LCS_GROUP)

/*
 * What a kernel is given of one tile.  The carries out of the tile replace
 * those into it: a bit a step of the stripe's last word, the first in the
 * highest bit; there are LCS_EXTRA_STEPS more of them than columns.
 */
typedef struct LcsTile
{
	int32_t columns;
	const int32_t *code;   /* code of the text's symbol, by column */
	const uint16_t *row;   /* row of `match`, by code; 0 for a symbol not in the stripe */
	const uint64_t *match; /* rows of as many words as the stripe; row 0 is all blank */
	uint64_t *carry;
	uint64_t *history; /* V after each step, where not NULL */
} LcsTile;

/* A kernel and the stripes that it works on. */
typedef struct LcsStripe
{
	int words; /* a multiple of 4 */
	int word_rows;
	int skew;       /* 0 or 1 */
	uint64_t blank; /* word of a match vector without a match: the bits that are no rows */
	int32_t cost;   /* of a column, in picoseconds or so */
	void (*scan)(uint64_t *v, const LcsTile *tile);
} LcsStripe;

/* Kernels by number of words; those of vectors by registers. */
#define LCS_WAVES 4
extern const LcsStripe lcs_stripe_words;
extern const LcsStripe lcs_stripes_avx2[LCS_WAVES];
extern const LcsStripe lcs_stripes_avx512[LCS_WAVES];

/* True where the processor and ted_simd_limit allow the kernels. */
extern bool lcs_has_avx2(void);
extern bool lcs_has_avx512(void);

/* Carries into the columns of a group: 1 in the highest bit for the first; none beyond the last. */
static inline uint64_t
lcs_carries_in(const LcsTile *tile, int32_t group, int lag)
{
	const uint64_t *carry = &tile->carry[group];
	uint64_t carries = lag == 0 ? carry[0] : carry[0] << lag | carry[1] >> (LCS_GROUP - lag);
	int32_t columns = tile->columns - group * LCS_GROUP;

	if (columns >= LCS_GROUP)
		return carries;
	return columns <= 0 ? 0 : carries & ~(~UINT64_C(0) >> columns);
}

#endif /* LCS_STRIPE_H */
