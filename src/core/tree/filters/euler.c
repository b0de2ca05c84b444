/*
 * euler.c
 *	  Lower bound of the distances between one tree and many, by their Euler strings.
 *
 * The table of string edit distances is kept as differences between its rows, 64
 * of them in a word (Myers, J. ACM 46(3), 1999; words below each other: Hyyro,
 * Nordic J. Computing 10, 2003).  Where a beginning meets an end, one cannot
 * replace the other, but only be deleted while that is inserted.
 */
#include <string.h>

#include "euler.h"

#define WORD_BITS 64

struct TedEuler
{
	int32_t length;
	int32_t symbols;
	int32_t words;
	uint64_t *match; /* [symbols + 1][words], where a symbol is; the last is nowhere */
	uint64_t *ends;  /* [words], where nodes end */
};

/* A word of a column: where it grows and shrinks from one row to the next. */
typedef struct Word
{
	uint64_t grows;
	uint64_t shrinks;
} Word;

/* Words that have a bit for each symbol of a tree's string. */
static size_t
string_words(int32_t size)
{
	return (2 * (size_t) size + WORD_BITS - 1) / WORD_BITS;
}

/* Bytes of the table that says where the symbols of some labels are. */
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

/* The row of a symbol in the table of matches. */
static inline uint64_t *
match_row(const TedEuler *euler, int32_t symbol)
{
	return euler->match + (size_t) ted_min(symbol, euler->symbols) * (size_t) euler->words;
}

/* Sets the bit of a place. */
static inline void
set_bit(uint64_t *words, int32_t place)
{
	words[place / WORD_BITS] |= UINT64_C(1) << (place % WORD_BITS);
}

/* Makes the bits of a tree. */
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

/* The bits of `seed`, a part of `run`, and those of `run` that follow one without a gap. */
static inline uint64_t
run_from(uint64_t seed, uint64_t run)
{
	return ((seed + run) ^ run) | seed;
}

/* A column that is made of the one before it, from its first word to its last. */
typedef struct Column
{
	const uint64_t *match; /* of its symbol */
	uint64_t flip;         /* all bits, if that is an end */
	uint64_t more;         /* whether the row above the next word is 1 more than in the column */
	uint64_t less;         /* before, or 1 less */
	uint64_t row_more;     /* the same for each row of the last word */
	uint64_t row_less;
} Column;

/* Starts the column of a symbol: in the first row, each is 1 more than the one before. */
static inline Column
begin_column(const TedEuler *euler, int32_t symbol)
{
	return (Column){
		.match = match_row(euler, symbol), .flip = symbol % 2 != 0 ? UINT64_MAX : 0, .more = 1};
}

/* Makes the next word of a column. */
static inline Word
next_column_word(const TedEuler *euler, int32_t w, Word before, Column *column)
{
	uint64_t grows = before.grows;
	uint64_t equal = column->match[w] | column->less;
	uint64_t other = grows & (euler->ends[w] ^ column->flip); /* cannot be replaced */
	uint64_t free = run_from(equal & grows, grows) | equal;   /* as much as on the diagonal */
	uint64_t row_less = grows & free;
	uint64_t row_more;
	uint64_t dear; /* 2 more than on the diagonal */
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

/* By how much a complete column differs from the one before in the last row. */
static inline int32_t
last_row(const TedEuler *euler, const Column *column)
{
	int bit = (euler->length - 1) % WORD_BITS;

	return (int32_t) (column->row_more >> bit & 1) - (int32_t) (column->row_less >> bit & 1);
}

/*
 * Goes on by the columns of two symbols, of which the second one is a word behind
 * the first, so that the processor has two words to work on; returns by how much
 * the last row changes.
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

/* The bound between a tree and another one. */
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
