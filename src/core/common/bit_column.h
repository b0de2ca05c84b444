/*
 * bit_column.h
 *	  A column of a table of string edit distances, 64 rows in a word.
 *
 * A column is stored as the differences between consecutive rows, which are 1, 0 or -1 (Myers, J.
 * ACM 46(3), 1999; several words in a column: Hyyro, Nordic J. Computing 10, 2003).
 */
#ifndef TED_BIT_COLUMN_H
#define TED_BIT_COLUMN_H

#include <stddef.h>
#include <stdint.h>

#define TED_WORD_BITS 64

/* The rows of a word that are 1 more, and 1 less, than the row above. */
typedef struct TedBitColumn
{
	uint64_t grows;
	uint64_t shrinks;
} TedBitColumn;

/* The rows that are 1 more, and 1 less, than in the column before. */
typedef struct TedBitStep
{
	uint64_t grows;
	uint64_t shrinks;
} TedBitStep;

/* Returns the number of words for this number of rows. */
static inline size_t
ted_bit_words(size_t rows)
{
	return (rows + TED_WORD_BITS - 1) / TED_WORD_BITS;
}

/* Returns a word of the column for the empty prefix of the other string, where row i is i. */
static inline TedBitColumn
ted_bit_first_column(void)
{
	return (TedBitColumn){.grows = UINT64_MAX};
}

/*
 * Advances a word to the next column.  `equal` has the rows whose symbol equals that of the column.
 * Bit 0 of `above` is the step of the row above the word.  Returns the steps of the rows of the
 * word.
 */
static inline TedBitStep
ted_bit_next_column(TedBitColumn *column, uint64_t equal, TedBitStep above)
{
	uint64_t vertical = equal | column->shrinks;
	uint64_t horizontal;
	TedBitStep step;
	uint64_t grows;
	uint64_t shrinks;

	equal |= above.shrinks;
	horizontal = (((equal & column->grows) + column->grows) ^ column->grows) | equal;
	step.grows = column->shrinks | ~(horizontal | column->grows);
	step.shrinks = column->grows & horizontal;
	grows = step.grows << 1 | above.grows;
	shrinks = step.shrinks << 1 | above.shrinks;
	column->grows = shrinks | ~(vertical | grows);
	column->shrinks = grows & vertical;
	return step;
}

/* Returns the step of the row above a word, given the steps of the word above it. */
static inline TedBitStep
ted_bit_above(TedBitStep step)
{
	return (TedBitStep){step.grows >> (TED_WORD_BITS - 1), step.shrinks >> (TED_WORD_BITS - 1)};
}

/* Returns the step of row 0, which grows by one in each column. */
static inline TedBitStep
ted_bit_first_row(void)
{
	return (TedBitStep){.grows = 1};
}

/* Returns the last of the first `rows` rows of a word, less the row above the word. */
static inline int32_t
ted_bit_growth(TedBitColumn column, size_t rows)
{
	uint64_t mask = rows < TED_WORD_BITS ? (UINT64_C(1) << rows) - 1 : UINT64_MAX;

	return __builtin_popcountll(column.grows & mask) - __builtin_popcountll(column.shrinks & mask);
}

#endif /* TED_BIT_COLUMN_H */
