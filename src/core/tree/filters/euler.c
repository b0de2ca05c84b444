/*
 * euler.c
 *	  Lower bounds on the distances between one tree and many, by their Euler strings.
 *
 * A column of the table of string edit distances is stored as differences between its rows, 64 of
 * them in a word (Myers, J. ACM 46(3), 1999; several words in a column: Hyyro, Nordic J. Computing
 * 10, 2003).  A beginning and an end cannot replace each other: one is deleted and the other one
 * inserted.
 */
#include <string.h>

#include "euler.h"

#define WORD_BITS 64

struct TedEuler
{
	int32_t length;
	int32_t symbols;
	int32_t words;
	uint64_t *match; /* [symbols + 1][words]: positions of a symbol; none in the last row */
	uint64_t *ends;  /* [words]: positions where nodes end */
};

/* A word of a column: the rows that are 1 more, and 1 less, than the row above. */
typedef struct Word
{
	uint64_t grows;
	uint64_t shrinks;
} Word;

/* Returns the words that have a bit for each symbol of a tree's string. */
static size_t
string_words(int32_t size)
{
	return (2 * (size_t) size + WORD_BITS - 1) / WORD_BITS;
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
	words[place / WORD_BITS] |= UINT64_C(1) << (place % WORD_BITS);
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
	return ted_arena_bytes(sizeof(Word) * string_words(size));
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
	uint64_t more;         /* 1 if the row above the next word is 1 more than in the */
	uint64_t less;         /* column before; `less` likewise */
	uint64_t row_more;     /* the same by row of the word computed last */
	uint64_t row_less;
} Column;

/* Starts the column of a symbol; row 0 is 1 more than in the column before. */
static inline Column
begin_column(const TedEuler *euler, int32_t symbol)
{
	return (Column){
		.match = match_row(euler, symbol), .flip = symbol % 2 != 0 ? UINT64_MAX : 0, .more = 1};
}

/* Computes the next word of a column. */
static inline Word
next_column_word(const TedEuler *euler, int32_t w, Word before, Column *column)
{
	uint64_t grows = before.grows;
	uint64_t equal = column->match[w] | column->less;
	uint64_t other = grows & (euler->ends[w] ^ column->flip); /* rows whose symbol cannot be
															   * replaced */
	uint64_t free = run_from(equal & grows, grows) | equal;   /* rows equal to the diagonal */
	uint64_t row_less = grows & free;
	uint64_t row_more;
	uint64_t dear; /* rows 2 more than the diagonal */
	uint64_t above_more;
	uint64_t above_less;

	free |= before.shrinks;
	row_more = before.shrinks | ~(free | grows);
	dear = run_from((row_more << 1 | column->more) & other, other) & other;
	row_more |= dear;
	above_more = row_more << 1 | column->more;
	above_less = row_less << 1 | column->less;
	column->more = row_more >> (WORD_BITS - 1);
	column->less = row_less >> (WORD_BITS - 1);
	column->row_more = row_more;
	column->row_less = row_less;
	return (Word){.grows = above_less | dear | ~(free | above_more), .shrinks = above_more & free};
}

/* Returns the difference between a complete column and the one before in the last row. */
static inline int32_t
last_row(const TedEuler *euler, const Column *column)
{
	int bit = (euler->length - 1) % WORD_BITS;

	return (int32_t) (column->row_more >> bit & 1) - (int32_t) (column->row_less >> bit & 1);
}

/*
 * Advances by the columns of two symbols.  The second column is computed a word behind the first,
 * so that the processor can work on two words at once.  Returns the change of the last row.
 */
static inline int32_t
next_columns(const TedEuler *euler, int32_t symbol, int32_t next_symbol, Word *words)
{
	Column first = begin_column(euler, symbol);
	Column second = begin_column(euler, next_symbol);
	Word between = next_column_word(euler, 0, words[0], &first);

	for (int32_t w = 1; w < euler->words; w++)
	{
		Word next = next_column_word(euler, w, words[w], &first);

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
	Word *words = ted_arena_alloc(arena, sizeof(Word) * (size_t) tree->words);
	int32_t distance = tree->length;
	int64_t steps = 0;

	arena->used = used;
	if (words == NULL)
		return TED_OUT_OF_ARENA;
	for (int32_t w = 0; w < tree->words; w++)
		words[w] = (Word){.grows = UINT64_MAX, .shrinks = 0};
	for (int32_t i = 0; i < 2 * size; i += 2)
	{
		distance += next_columns(tree, string[i], string[i + 1], words);
		if (ted_interrupted(interrupt, &steps, 2 * (int64_t) tree->words))
			return TED_CANCELLED;
	}
	*bound = (distance + 1) / 2;
	return TED_OK;
}
