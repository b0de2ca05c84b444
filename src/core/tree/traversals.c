/*
 * traversals.c
 *	  Lower bound of the distances between one tree and many, by their traversals.
 *
 * The table of string edit distances is kept as differences between its rows, 64
 * of them in a word (Myers, J. ACM 46(3), 1999; words below each other: Hyyro,
 * Nordic J. Computing 10, 2003).
 */
#include <string.h>

#include "traversals.h"

#define WORD_BITS 64

struct TedTraversals
{
	int32_t size;
	int32_t labels;
	int32_t words;
	uint64_t *postorder; /* [labels][words], where in postorder a label is */
	uint64_t *preorder;
};

/* Words that have a bit for each node. */
static int32_t
word_count(int32_t size)
{
	return (int32_t) (((int64_t) size + WORD_BITS - 1) / WORD_BITS);
}

/* Bytes of the bits of a traversal. */
static size_t
match_bytes(int32_t size, int32_t labels)
{
	return sizeof(uint64_t) * (size_t) word_count(size) * (size_t) labels;
}

/* Bytes that ted_traversals() takes. */
size_t
ted_traversals_memory(int32_t size, int32_t labels)
{
	return ted_arena_bytes(sizeof(TedTraversals)) + 2 * ted_arena_bytes(match_bytes(size, labels));
}

/* Place of a node in preorder. */
static inline int32_t
preorder_place(const TedTree *tree, int32_t x)
{
	return x - tree->subtree_size[x] + 1 + tree->depth[x];
}

/* Notes where a label is. */
static inline void
set_match(const TedTraversals *made, uint64_t *traversal, int32_t label, int32_t place)
{
	size_t row = (size_t) label * (size_t) made->words;

	traversal[row + (size_t) (place / WORD_BITS)] |= UINT64_C(1) << (place % WORD_BITS);
}

/* Makes the bits of a tree. */
TedStatus
ted_traversals(const TedTree *tree, int32_t labels, TedArena *arena, const TedInterrupt *interrupt,
			   TedTraversals **made)
{
	TedTraversals *bits = ted_arena_alloc(arena, sizeof(TedTraversals));
	size_t bytes = match_bytes(tree->size, labels);
	int64_t steps = 0;

	if (bits == NULL)
		return TED_OUT_OF_ARENA;
	*bits = (TedTraversals){.size = tree->size, .labels = labels, .words = word_count(tree->size)};
	bits->postorder = ted_arena_alloc(arena, bytes);
	bits->preorder = ted_arena_alloc(arena, bytes);
	if (bits->postorder == NULL || bits->preorder == NULL)
		return TED_OUT_OF_ARENA;
	memset(bits->postorder, 0, bytes);
	memset(bits->preorder, 0, bytes);
	for (int32_t x = 0; x < tree->size; x++)
	{
		set_match(bits, bits->postorder, tree->label[x], x);
		set_match(bits, bits->preorder, tree->label[x], preorder_place(tree, x));
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	*made = bits;
	return TED_OK;
}

/* Bytes that ted_traversals_bound() takes. */
size_t
ted_traversals_bound_memory(int32_t size, int32_t other_size)
{
	return 2 * ted_arena_bytes(sizeof(uint64_t) * (size_t) word_count(size)) +
		   ted_arena_bytes(sizeof(int32_t) * (size_t) other_size);
}

/* Where a column of the table grows and shrinks from one row to the next. */
typedef struct Column
{
	uint64_t *grows;
	uint64_t *shrinks;
} Column;

/*
 * Goes on to the next column, of a label with these matches, NULL for none;
 * returns by how much it differs from the last one in the last row.
 */
static int32_t
next_column(const TedTraversals *tree, const uint64_t *match, Column column)
{
	int last_bit = (tree->size - 1) % WORD_BITS;
	uint64_t more = 1; /* in the row above a word: the first row grows by 1 */
	uint64_t less = 0;
	uint64_t row_more = 0;
	uint64_t row_less = 0;

	for (int32_t w = 0; w < tree->words; w++)
	{
		uint64_t equal = match == NULL ? 0 : match[w];
		uint64_t grows = column.grows[w];
		uint64_t vertical = equal | column.shrinks[w];
		uint64_t horizontal;
		uint64_t above_more;
		uint64_t above_less;

		equal |= less;
		horizontal = (((equal & grows) + grows) ^ grows) | equal;
		row_more = column.shrinks[w] | ~(horizontal | grows);
		row_less = grows & horizontal;
		above_more = row_more << 1 | more;
		above_less = row_less << 1 | less;
		column.grows[w] = above_less | ~(vertical | above_more);
		column.shrinks[w] = above_more & vertical;
		more = row_more >> (WORD_BITS - 1);
		less = row_less >> (WORD_BITS - 1);
	}
	return (int32_t) (row_more >> last_bit & 1) - (int32_t) (row_less >> last_bit & 1);
}

/* String edit distance of a traversal and another one's labels. */
static TedStatus
string_distance(const TedTraversals *tree, const uint64_t *traversal, const int32_t *label,
				int32_t count, Column column, const TedInterrupt *interrupt, int64_t *steps,
				int32_t *distance)
{
	size_t bytes = sizeof(uint64_t) * (size_t) tree->words;

	memset(column.grows, 0xff, bytes);
	memset(column.shrinks, 0, bytes);
	*distance = tree->size;
	for (int32_t i = 0; i < count; i++)
	{
		const uint64_t *match =
			label[i] < tree->labels ? traversal + (size_t) label[i] * (size_t) tree->words : NULL;

		*distance += next_column(tree, match, column);
		if (ted_interrupted(interrupt, steps, tree->words))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* The bound between a tree and another one. */
TedStatus
ted_traversals_bound(const TedTraversals *tree, const TedTree *other, TedArena *arena,
					 const TedInterrupt *interrupt, int32_t *bound)
{
	size_t used = arena->used;
	size_t bytes = sizeof(uint64_t) * (size_t) tree->words;
	Column column = {ted_arena_alloc(arena, bytes), ted_arena_alloc(arena, bytes)};
	int32_t *preorder = ted_arena_alloc(arena, sizeof(int32_t) * (size_t) other->size);
	int64_t steps = 0;
	int32_t postorder_distance;
	int32_t preorder_distance;
	TedStatus status;

	if (column.grows == NULL || column.shrinks == NULL || preorder == NULL)
		return TED_OUT_OF_ARENA;
	arena->used = used;
	for (int32_t x = 0; x < other->size; x++)
	{
		preorder[preorder_place(other, x)] = other->label[x];
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	status = string_distance(tree, tree->postorder, other->label, other->size, column, interrupt,
							 &steps, &postorder_distance);
	if (status == TED_OK)
		status = string_distance(tree, tree->preorder, preorder, other->size, column, interrupt,
								 &steps, &preorder_distance);
	if (status == TED_OK)
		*bound = ted_max(postorder_distance, preorder_distance);
	return status;
}
