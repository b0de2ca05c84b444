/*
 * euler.c
 *	  Lower bound of the distances between one tree and many, by their Euler strings.
 *
 * The table of string edit distances is kept as differences between its rows, 64
 * of them in a word (Myers, J. ACM 46(3), 1999; words below each other: Hyyro,
 * Nordic J. Computing 10, 2003).
 */
#include <string.h>

#include "euler.h"

#define WORD_BITS 64

struct TedEuler
{
	int32_t length;
	int32_t symbols;
	int32_t words;
	uint64_t *match; /* [symbols][words], where in the string a symbol is */
};

/* Words that have a bit for each symbol of a tree's string. */
static size_t
word_count(int32_t size)
{
	return (2 * (size_t) size + WORD_BITS - 1) / WORD_BITS;
}

/* Bytes that ted_euler() takes. */
size_t
ted_euler_memory(int32_t size, int32_t labels)
{
	return ted_arena_bytes(sizeof(TedEuler)) +
		   ted_arena_bytes(sizeof(uint64_t) * word_count(size) * 2 * (size_t) labels);
}

/* Where a node begins, and where it ends: after what begins and ends before. */
static inline int32_t
begin_place(const TedTree *tree, int32_t x)
{
	return 2 * (x - tree->subtree_size[x] + 1) + tree->depth[x];
}

/* Where a node ends. */
static inline int32_t
end_place(const TedTree *tree, int32_t x)
{
	return 2 * x + 1 + tree->depth[x];
}

/* Symbols of a label where a node begins, and where it ends. */
static inline int32_t
begin_symbol(int32_t label)
{
	return 2 * label;
}

static inline int32_t
end_symbol(int32_t label)
{
	return 2 * label + 1;
}

/* Notes where a symbol is. */
static inline void
set_match(TedEuler *euler, int32_t symbol, int32_t place)
{
	size_t row = (size_t) symbol * (size_t) euler->words;

	euler->match[row + (size_t) (place / WORD_BITS)] |= UINT64_C(1) << (place % WORD_BITS);
}

/* Makes the bits of a tree. */
TedStatus
ted_euler(const TedTree *tree, int32_t labels, TedArena *arena, const TedInterrupt *interrupt,
		  TedEuler **made)
{
	size_t bytes = sizeof(uint64_t) * word_count(tree->size) * 2 * (size_t) labels;
	TedEuler *euler = ted_arena_alloc(arena, sizeof(TedEuler));
	uint64_t *match = ted_arena_alloc(arena, bytes);
	int64_t steps = 0;

	if (euler == NULL || match == NULL)
		return TED_OUT_OF_ARENA;
	memset(match, 0, bytes);
	*euler = (TedEuler){.length = 2 * tree->size,
						.symbols = 2 * labels,
						.words = (int32_t) word_count(tree->size),
						.match = match};
	for (int32_t x = 0; x < tree->size; x++)
	{
		set_match(euler, begin_symbol(tree->label[x]), begin_place(tree, x));
		set_match(euler, end_symbol(tree->label[x]), end_place(tree, x));
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	*made = euler;
	return TED_OK;
}

/* Bytes that ted_euler_bound() takes. */
size_t
ted_euler_bound_memory(int32_t size, int32_t other_size)
{
	return 2 * ted_arena_bytes(sizeof(uint64_t) * word_count(size)) +
		   ted_arena_bytes(sizeof(int32_t) * 2 * (size_t) other_size);
}

/*
 * Goes on to the next column, of a symbol with these matches, NULL for none;
 * returns by how much it differs from the last one in the last row.  Bits tell
 * where a column grows and shrinks from one row to the next.
 */
static int32_t
next_column(const TedEuler *euler, const uint64_t *match, uint64_t *grows, uint64_t *shrinks)
{
	int last_bit = (euler->length - 1) % WORD_BITS;
	uint64_t more = 1; /* in the row above a word: the first row grows by 1 */
	uint64_t less = 0;
	uint64_t row_more = 0;
	uint64_t row_less = 0;

	for (int32_t w = 0; w < euler->words; w++)
	{
		uint64_t equal = match == NULL ? 0 : match[w];
		uint64_t down = grows[w];
		uint64_t vertical = equal | shrinks[w];
		uint64_t horizontal;
		uint64_t above_more;
		uint64_t above_less;

		equal |= less;
		horizontal = (((equal & down) + down) ^ down) | equal;
		row_more = shrinks[w] | ~(horizontal | down);
		row_less = down & horizontal;
		above_more = row_more << 1 | more;
		above_less = row_less << 1 | less;
		grows[w] = above_less | ~(vertical | above_more);
		shrinks[w] = above_more & vertical;
		more = row_more >> (WORD_BITS - 1);
		less = row_less >> (WORD_BITS - 1);
	}
	return (int32_t) (row_more >> last_bit & 1) - (int32_t) (row_less >> last_bit & 1);
}

/* Writes the Euler string of a tree. */
static TedStatus
write_string(const TedTree *tree, int32_t *string, const TedInterrupt *interrupt, int64_t *steps)
{
	for (int32_t x = 0; x < tree->size; x++)
	{
		string[begin_place(tree, x)] = begin_symbol(tree->label[x]);
		string[end_place(tree, x)] = end_symbol(tree->label[x]);
		if (ted_interrupted(interrupt, steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* The bound between a tree and another one. */
TedStatus
ted_euler_bound(const TedEuler *tree, const TedTree *other, TedArena *arena,
				const TedInterrupt *interrupt, int32_t *bound)
{
	size_t used = arena->used;
	size_t bytes = sizeof(uint64_t) * (size_t) tree->words;
	uint64_t *grows = ted_arena_alloc(arena, bytes);
	uint64_t *shrinks = ted_arena_alloc(arena, bytes);
	int32_t *string = ted_arena_alloc(arena, sizeof(int32_t) * 2 * (size_t) other->size);
	int32_t distance = tree->length;
	int64_t steps = 0;

	if (grows == NULL || shrinks == NULL || string == NULL)
		return TED_OUT_OF_ARENA;
	arena->used = used;
	memset(grows, 0xff, bytes);
	memset(shrinks, 0, bytes);
	if (write_string(other, string, interrupt, &steps) != TED_OK)
		return TED_CANCELLED;
	for (int32_t i = 0; i < 2 * other->size; i++)
	{
		size_t row = (size_t) string[i] * (size_t) tree->words;

		distance +=
			next_column(tree, string[i] < tree->symbols ? tree->match + row : NULL, grows, shrinks);
		if (ted_interrupted(interrupt, &steps, tree->words))
			return TED_CANCELLED;
	}
	*bound = (distance + 1) / 2;
	return TED_OK;
}
