/*
 * bit_column.h
 *	  A column of a table of string edit distances, 64 rows in a word.
 *
 * Columns are kept as differences between their rows (Myers, J. ACM 46(3), 1999;
 * words below each other: Hyyro, Nordic J. Computing 10, 2003).
 */
#ifndef TED_BIT_COLUMN_H
#define TED_BIT_COLUMN_H

#include <stddef.h>
#include <stdint.h>

#define TED_WORD_BITS 64

/* Where the rows of a word grow and shrink from one to the next. */
typedef struct TedBitColumn
{
	uint64_t grows;
	uint64_t shrinks;
} TedBitColumn;

/* Where rows grow and shrink from one column to the next. */
typedef struct TedBitStep
{
	uint64_t grows;
	uint64_t shrinks;
} TedBitStep;

/* Words for this many rows. */
static inline size_t
ted_bit_words(size_t rows)
{
	return (rows + TED_WORD_BITS - 1) / TED_WORD_BITS;
}

/* The column before all symbols of the other string: row i is i. */
static inline TedBitColumn
ted_bit_first_column(void)
{
	return (TedBitColumn){.grows = UINT64_MAX};
}

/*
 * Goes on to the next column, whose symbol is in the rows of `equal`.  The row
 * above the word grows where `above` has bit 0 set in `grows`, and shrinks likewise.
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

/* The step above a word, given that of the word above it. */
static inline TedBitStep
ted_bit_above(TedBitStep step)
{
	return (TedBitStep){step.grows >> (TED_WORD_BITS - 1), step.shrinks >> (TED_WORD_BITS - 1)};
}

/* The step above the first word: row 0 grows by one in each column. */
static inline TedBitStep
ted_bit_first_row(void)
{
	return (TedBitStep){.grows = 1};
}

/* By how much the last of the first `rows` rows of a word is more than the row above the word. */
static inline int32_t
ted_bit_growth(TedBitColumn column, size_t rows)
{
	uint64_t mask = rows < TED_WORD_BITS ? (UINT64_C(1) << rows) - 1 : UINT64_MAX;

	return __builtin_popcountll(column.grows & mask) - __builtin_popcountll(column.shrinks & mask);
}

#endif /* TED_BIT_COLUMN_H */
