/*
 * euler.c
 *	  Lower bound of the distances between one tree and many, by their Euler strings.
 */
#include "euler.h"

#include <string.h>

#include "bit_column.h"

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
	return ted_bit_words(2 * (size_t) size);
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

	euler->match[row + (size_t) (place / TED_WORD_BITS)] |= UINT64_C(1) << (place % TED_WORD_BITS);
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
	return ted_arena_bytes(sizeof(TedBitColumn) * word_count(size)) +
		   ted_arena_bytes(sizeof(int32_t) * 2 * (size_t) other_size);
}

/* Goes on to the next column, of a symbol with these matches, NULL for none. */
static void
next_column(const TedEuler *euler, const uint64_t *match, TedBitColumn *columns)
{
	TedBitStep above = ted_bit_first_row();

	for (int32_t w = 0; w < euler->words; w++)
		above =
			ted_bit_above(ted_bit_next_column(&columns[w], match == NULL ? 0 : match[w], above));
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
	TedBitColumn *columns = ted_arena_alloc(arena, sizeof(TedBitColumn) * (size_t) tree->words);
	int32_t *string = ted_arena_alloc(arena, sizeof(int32_t) * 2 * (size_t) other->size);
	int32_t distance = 2 * other->size;
	int64_t steps = 0;

	if (columns == NULL || string == NULL)
		return TED_OUT_OF_ARENA;
	arena->used = used;
	for (int32_t w = 0; w < tree->words; w++)
		columns[w] = ted_bit_first_column();
	if (write_string(other, string, interrupt, &steps) != TED_OK)
		return TED_CANCELLED;
	for (int32_t i = 0; i < 2 * other->size; i++)
	{
		size_t row = (size_t) string[i] * (size_t) tree->words;

		next_column(tree, string[i] < tree->symbols ? tree->match + row : NULL, columns);
		if (ted_interrupted(interrupt, &steps, tree->words))
			return TED_CANCELLED;
	}
	for (int32_t w = 0; w < tree->words; w++)
		distance += ted_bit_growth(columns[w], (size_t) (tree->length - w * TED_WORD_BITS));
	*bound = (distance + 1) / 2;
	return TED_OK;
}
