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
	uint64_t *match; /* [symbols + 1][words], where in the string a symbol is; the last is nowhere */
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
word_count(int32_t size)
{
	return (2 * (size_t) size + WORD_BITS - 1) / WORD_BITS;
}

/* Bytes of the table that says where the symbols of some labels are. */
static size_t
match_bytes(int32_t size, int32_t labels)
{
	return sizeof(uint64_t) * word_count(size) * (2 * (size_t) labels + 1);
}

/* Bytes that ted_euler() takes. */
size_t
ted_euler_memory(int32_t size, int32_t labels)
{
	return ted_arena_bytes(sizeof(TedEuler)) + ted_arena_bytes(match_bytes(size, labels)) +
		   ted_arena_bytes(sizeof(uint64_t) * word_count(size));
}

/* Where a node begins, and where it ends: after what begins and ends before. */
static inline int32_t
begin_place(const TedTree *tree, int32_t x)
{
	return 2 * (x - tree->subtree_size[x] + 1) + tree->depth[x];
}

static inline int32_t
end_place(const TedTree *tree, int32_t x)
{
	return 2 * x + 1 + tree->depth[x];
}

/* Writes the Euler string of a tree. */
TedStatus
ted_euler_string(const TedTree *tree, const TedInterrupt *interrupt, int32_t *string)
{
	int64_t steps = 0;

	for (int32_t x = 0; x < tree->size; x++)
	{
		string[begin_place(tree, x)] = ted_begin_symbol(tree->label[x]);
		string[end_place(tree, x)] = ted_end_symbol(tree->label[x]);
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
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
	size_t words = word_count(tree->size);
	TedEuler *euler = ted_arena_alloc(arena, sizeof(TedEuler));
	uint64_t *match = ted_arena_alloc(arena, match_bytes(tree->size, labels));
	uint64_t *ends = ted_arena_alloc(arena, sizeof(uint64_t) * words);
	int64_t steps = 0;

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	memset(match, 0, match_bytes(tree->size, labels));
	memset(ends, 0, sizeof(uint64_t) * words);
	*euler = (TedEuler){.length = 2 * tree->size,
						.symbols = 2 * labels,
						.words = (int32_t) words,
						.match = match,
						.ends = ends};
	for (int32_t x = 0; x < tree->size; x++)
	{
		int32_t label = tree->label[x];

		set_bit(match_row(euler, ted_begin_symbol(label)), begin_place(tree, x));
		set_bit(match_row(euler, ted_end_symbol(label)), end_place(tree, x));
		set_bit(ends, end_place(tree, x));
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
	return ted_arena_bytes(sizeof(Word) * word_count(size));
}

/* Bits of `run` that follow a bit of `seed`, which is a part of it, without a gap, and that seed. */
static inline uint64_t
run_from(uint64_t seed, uint64_t run)
{
	return ((seed + run) ^ run) | seed;
}

/*
 * Goes on to the next column, of a symbol that is an end or not; returns by how
 * much it differs from the last one in the last row.
 */
static inline int32_t
next_column(const TedEuler *euler, const uint64_t *match, bool is_end, Word *column)
{
	int last_bit = (euler->length - 1) % WORD_BITS;
	uint64_t flip = is_end ? UINT64_MAX : 0;
	uint64_t more = 1; /* in the row above a word: the first row grows by 1 */
	uint64_t less = 0;
	uint64_t row_more = 0;
	uint64_t row_less = 0;

	for (int32_t w = 0; w < euler->words; w++)
	{
		Word word = column[w];
		uint64_t equal = match[w] | less;
		uint64_t other = word.grows & (euler->ends[w] ^ flip); /* cannot be replaced */
		uint64_t free = run_from(equal & word.grows, word.grows) | equal; /* on the diagonal */
		uint64_t dear;                                                    /* by 2, as well */
		uint64_t above_more;
		uint64_t above_less;

		row_less = word.grows & free;
		free |= word.shrinks;
		row_more = word.shrinks | ~(free | word.grows);
		dear = run_from((row_more << 1 | more) & other, other) & other;
		row_more |= dear;
		above_more = row_more << 1 | more;
		above_less = row_less << 1 | less;
		column[w].grows = above_less | dear | ~(free | above_more);
		column[w].shrinks = above_more & free;
		more = row_more >> (WORD_BITS - 1);
		less = row_less >> (WORD_BITS - 1);
	}
	return (int32_t) (row_more >> last_bit & 1) - (int32_t) (row_less >> last_bit & 1);
}

/* The bound between a tree and another one. */
TedStatus
ted_euler_bound(const TedEuler *tree, const int32_t *string, int32_t size, TedArena *arena,
				const TedInterrupt *interrupt, int32_t *bound)
{
	size_t used = arena->used;
	Word *column = ted_arena_alloc(arena, sizeof(Word) * (size_t) tree->words);
	int32_t distance = tree->length;
	int64_t steps = 0;

	arena->used = used;
	if (column == NULL)
		return TED_OUT_OF_ARENA;
	for (int32_t w = 0; w < tree->words; w++)
		column[w] = (Word){.grows = UINT64_MAX, .shrinks = 0};
	for (int32_t i = 0; i < 2 * size; i++)
	{
		distance += next_column(tree, match_row(tree, string[i]), string[i] % 2 != 0, column);
		if (ted_interrupted(interrupt, &steps, tree->words))
			return TED_CANCELLED;
	}
	*bound = (distance + 1) / 2;
	return TED_OK;
}
