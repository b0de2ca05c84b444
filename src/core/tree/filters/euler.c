/*
 * euler.c
 *	  Lower bounds on the distances between one tree and many, by their Euler strings.
 *
 * A column of the table of string edit distances is that of bit_column.h, except that a beginning
 * and an end cannot replace each other: one is deleted and the other one inserted.
 */
#include <string.h>

#include "../../common/bit_column.h"
#include "euler.h"

struct TedEuler
{
	int32_t length;
	int32_t symbols;
	int32_t words;
	uint64_t *match; /* [symbols + 1][words]: positions of a symbol; none in the last row */
	uint64_t *ends;  /* [words]: positions where nodes end */
};

/* Returns the words that have a bit for each symbol of a tree's string. */
static size_t
string_words(int32_t size)
{
	return ted_bit_words(2 * (size_t) size);
}

/* Returns the bytes of the table of positions of symbols. */
static size_t
match_table_bytes(int32_t size, int32_t labels)
{
	return sizeof(uint64_t) * string_words(size) * (2 * (size_t) labels + 1);
}

/* Bytes that ted_euler() takes. */
size_t
ted_euler_memory(int32_t size, int32_t labels)
{
	return ted_arena_bytes(sizeof(TedEuler)) + ted_arena_bytes(match_table_bytes(size, labels)) +
		   ted_arena_bytes(sizeof(uint64_t) * string_words(size));
}

/* Returns the positions of a symbol. */
static inline uint64_t *
match_row(const TedEuler *euler, int32_t symbol)
{
	return euler->match + (size_t) ted_min(symbol, euler->symbols) * (size_t) euler->words;
}

/* Sets the bit of a position. */
static inline void
set_bit(uint64_t *words, int32_t place)
{
	words[place / TED_WORD_BITS] |= UINT64_C(1) << (place % TED_WORD_BITS);
}

/* Turns a tree into bits. */
TedStatus
ted_euler(const TedTree *tree, int32_t labels, TedArena *arena, const TedInterrupt *interrupt,
		  TedEuler **made)
{
	size_t words = string_words(tree->size);
	TedEuler *euler = ted_arena_alloc(arena, sizeof(TedEuler));
	uint64_t *match = ted_arena_alloc(arena, match_table_bytes(tree->size, labels));
	uint64_t *ends = ted_arena_alloc(arena, sizeof(uint64_t) * words);
	int64_t steps = 0;

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	memset(match, 0, match_table_bytes(tree->size, labels));
	memset(ends, 0, sizeof(uint64_t) * words);
	*euler = (TedEuler){.length = 2 * tree->size,
						.symbols = 2 * labels,
						.words = (int32_t) words,
						.match = match,
						.ends = ends};
	for (int32_t x = 0; x < tree->size; x++)
	{
		int32_t label = tree->label[x];

		set_bit(match_row(euler, ted_begin_symbol(label)), ted_begin_place(tree, x));
		set_bit(match_row(euler, ted_end_symbol(label)), ted_end_place(tree, x));
		set_bit(ends, ted_end_place(tree, x));
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	*made = euler;
	return TED_OK;
}

/* Bytes that ted_euler_bound() takes. */
size_t
ted_euler_bound_memory(int32_t size)
{
	return ted_arena_bytes(sizeof(TedBitColumn) * string_words(size));
}

/*
 * Returns the bits of `seed`, a subset of `run`, and the bits of `run` that follow one of them
 * without a gap.
 */
static inline uint64_t
run_from(uint64_t seed, uint64_t run)
{
	return ((seed + run) ^ run) | seed;
}

/* A column while it is computed from the one before it, from its first word to its last. */
typedef struct Column
{
	const uint64_t *match; /* positions of its symbol */
	uint64_t flip;         /* all bits if the symbol is an end, else 0 */
	TedBitStep above;      /* of the row above the next word */
	TedBitStep rows;       /* of the word computed last */
} Column;

/* Starts the column of a symbol; row 0 is 1 more than in the column before. */
static inline Column
begin_column(const TedEuler *euler, int32_t symbol)
{
	return (Column){.match = match_row(euler, symbol),
					.flip = symbol % 2 != 0 ? UINT64_MAX : 0,
					.above = ted_bit_first_row()};
}

/* Computes the next word of a column. */
static inline TedBitColumn
next_column_word(const TedEuler *euler, int32_t w, TedBitColumn before, Column *column)
{
	uint64_t grows = before.grows;
	uint64_t equal = column->match[w] | column->above.shrinks;
	uint64_t other = grows & (euler->ends[w] ^ column->flip); /* rows whose symbol cannot be
															   * replaced */
	uint64_t free = run_from(equal & grows, grows) | equal;   /* rows equal to the diagonal */
	TedBitStep step = {.shrinks = grows & free};
	uint64_t dear; /* rows 2 more than the diagonal */
	uint64_t above_grows;
	uint64_t above_shrinks;

	free |= before.shrinks;
	step.grows = before.shrinks | ~(free | grows);
	dear = run_from((step.grows << 1 | column->above.grows) & other, other) & other;
	step.grows |= dear;
	above_grows = step.grows << 1 | column->above.grows;
	above_shrinks = step.shrinks << 1 | column->above.shrinks;
	column->above = ted_bit_above(step);
	column->rows = step;
	return (TedBitColumn){.grows = above_shrinks | dear | ~(free | above_grows),
						  .shrinks = above_grows & free};
}

/* Returns the difference between a complete column and the one before in the last row. */
static inline int32_t
last_row(const TedEuler *euler, const Column *column)
{
	int bit = (euler->length - 1) % TED_WORD_BITS;

	return (int32_t) (column->rows.grows >> bit & 1) - (int32_t) (column->rows.shrinks >> bit & 1);
}

/*
 * Advances by the columns of two symbols.  The second column is computed a word behind the first,
 * so that the processor can work on two words at once.  Returns the change of the last row.
 */
static inline int32_t
next_columns(const TedEuler *euler, int32_t symbol, int32_t next_symbol, TedBitColumn *words)
{
	Column first = begin_column(euler, symbol);
	Column second = begin_column(euler, next_symbol);
	TedBitColumn between = next_column_word(euler, 0, words[0], &first);

	for (int32_t w = 1; w < euler->words; w++)
	{
		TedBitColumn next = next_column_word(euler, w, words[w], &first);

		words[w - 1] = next_column_word(euler, w - 1, between, &second);
		between = next;
	}
	words[euler->words - 1] = next_column_word(euler, euler->words - 1, between, &second);
	return last_row(euler, &first) + last_row(euler, &second);
}

/* Computes the bound between a tree and another one. */
TedStatus
ted_euler_bound(const TedEuler *tree, const int32_t *string, int32_t size, TedArena *arena,
				const TedInterrupt *interrupt, int32_t *bound)
{
	size_t used = arena->used;
	TedBitColumn *words = ted_arena_alloc(arena, sizeof(TedBitColumn) * (size_t) tree->words);
	int32_t distance = tree->length;
	int64_t steps = 0;

	arena->used = used;
	if (words == NULL)
		return TED_OUT_OF_ARENA;
	for (int32_t w = 0; w < tree->words; w++)
		words[w] = ted_bit_first_column();
	for (int32_t i = 0; i < 2 * size; i += 2)
	{
		distance += next_columns(tree, string[i], string[i + 1], words);
		if (ted_interrupted(interrupt, &steps, 2 * (int64_t) tree->words))
			return TED_CANCELLED;
	}
	*bound = (distance + 1) / 2;
	return TED_OK;
}
