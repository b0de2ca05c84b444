/*
 * lcs_stripe.h
 *	  The interface between the scan of a table of lengths and the kernels for its stripes.
 *
 * A stripe is a run of rows: `words` words of V with 63 rows each (lcs_column.h).  A tile is a
 * stripe in a run of columns.  A kernel computes V for the columns of a tile in steps: word w is at
 * column j in step j + w.
 */
#ifndef TED_LCS_STRIPE_H
#define TED_LCS_STRIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lcs_column.h"

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
