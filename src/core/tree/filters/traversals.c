/*
 * traversals.c
 *	  Lower bounds on the distances between one tree and many, by their traversals as bits.
 *
 * Postorder and preorder are computed in the same loop: their steps are independent, while each
 * step depends on the one before it in the same traversal.
 */
#include "traversals.h"

#include <string.h>

#include "../../common/processor_tuning.h"
#include "../../common/bit_column.h"

/* A word of the positions of a label in the traversals of the tree, 64 positions of each. */
typedef struct Match
{
	uint64_t postorder;
	uint64_t preorder;
} Match;

/* A word of a column of both tables, 64 rows of each. */
typedef struct Columns
{
	TedBitColumn postorder;
	TedBitColumn preorder;
} Columns;

struct TedTraversals
{
	const TedBoundsIndex *tree;
	int32_t labels;
	int32_t *row; /* by label: its row of `match`, 0 for labels that the tree does not have */
	size_t words;
	Match *match;     /* [distinct labels + 1][words] */
	Columns *columns; /* [words], scratch */
};

/*
 * Returns the estimated nanoseconds of the bound along diagonals: each operation is a step on all
 * diagonals that can still reach the end within the limit, in both traversals.
 */
static double
diagonals_time(int32_t size, int32_t other_size, int32_t limit)
{
	int64_t difference = size - other_size;
	int64_t most = ted_min(limit, ted_max(size, other_size));

	return TED_DIAGONAL_STEP_TIME * (double) (most * most - difference * difference);
}

/* Whether the bound of a pair takes less time by bits, and little memory. */
bool
ted_traversals_pay(int32_t size, int32_t other_size, int32_t limit)
{
	double words = (double) ted_bit_words((size_t) size);

	return size <= TED_BITS_NODES &&
		   TED_BITS_TIME * words * other_size < diagonals_time(size, other_size, limit);
}

/* Allocates the state that is shared by all trees; NULL where there is no room. */
static TedTraversals *
take_traversals(TedArena *arena, int32_t labels)
{
	TedTraversals *traversals = ted_arena_alloc(arena, sizeof(TedTraversals));
	int32_t *row = ted_arena_int32(arena, (size_t) labels);

	if (ted_arena_exceeded(arena))
		return NULL;
	*traversals = (TedTraversals){.labels = labels, .row = row};
	return traversals;
}

/* Bytes that ted_traversals() takes. */
size_t
ted_traversals_memory(int32_t labels)
{
	TedArena counted = {0};

	take_traversals(&counted, labels);
	return counted.used;
}

/* Allocates the state that is shared by all trees. */
TedStatus
ted_traversals(int32_t labels, TedArena *arena, TedTraversals **made)
{
	TedTraversals *traversals = take_traversals(arena, labels);

	if (traversals == NULL)
		return TED_OUT_OF_ARENA;
	memset(traversals->row, 0, sizeof(int32_t) * (size_t) labels);
	*made = traversals;
	return TED_OK;
}

/* Allocates the arrays of a tree. */
static void
take_traversal_arrays(TedArena *arena, int32_t size, TedTraversals *traversals)
{
	traversals->words = ted_bit_words((size_t) size);
	traversals->match =
		ted_arena_alloc(arena, sizeof(Match) * traversals->words * ((size_t) size + 1));
	traversals->columns = ted_arena_alloc(arena, sizeof(Columns) * traversals->words);
}

/* Bytes that ted_traversals_start() takes. */
size_t
ted_traversals_start_memory(int32_t size)
{
	TedArena counted = {0};
	TedTraversals arrays;

	take_traversal_arrays(&counted, size, &arrays);
	return counted.used;
}

/* Returns the positions of a label. */
static inline Match *
match_of(const TedTraversals *traversals, int32_t label)
{
	return traversals->match + (size_t) traversals->row[label] * traversals->words;
}

/* Turns a tree into bits. */
TedStatus
ted_traversals_start(TedTraversals *traversals, const TedBoundsIndex *tree, TedArena *arena,
					 const TedInterrupt *interrupt)
{
	const int32_t *label = tree->tree->label;
	int32_t rows = 1;
	int64_t steps = 0;

	take_traversal_arrays(arena, tree->size, traversals);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	traversals->tree = tree;
	memset(traversals->match, 0, sizeof(Match) * traversals->words);
	for (int32_t x = 0; x < tree->size; x++)
	{
		if (label[x] < traversals->labels && traversals->row[label[x]] == 0)
		{
			traversals->row[label[x]] = rows++;
			memset(match_of(traversals, label[x]), 0, sizeof(Match) * traversals->words);
		}
		if (ted_interrupted(interrupt, &steps, (int64_t) traversals->words))
			return TED_CANCELLED;
	}
	for (int32_t x = 0; x < tree->size; x++)
	{
		int32_t word = x / TED_WORD_BITS;
		uint64_t bit = UINT64_C(1) << x % TED_WORD_BITS;

		if (label[x] < traversals->labels)
			match_of(traversals, label[x])[word].postorder |= bit;
		if (tree->preorder[x] < traversals->labels)
			match_of(traversals, tree->preorder[x])[word].preorder |= bit;
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Removes the labels of the current tree. */
void
ted_traversals_end(TedTraversals *traversals)
{
	const TedBoundsIndex *tree = traversals->tree;

	for (int32_t x = 0; x < tree->size; x++)
		if (tree->tree->label[x] < traversals->labels)
			traversals->row[tree->tree->label[x]] = 0;
	traversals->tree = NULL;
}

/* Advances both traversals to the column of node i of the other tree. */
__attribute__((always_inline)) static inline void
next_traversal_column(const TedTraversals *traversals, const TedBoundsIndex *other, int32_t i,
					  size_t words, Columns *columns)
{
	const Match *postorder = match_of(traversals, other->tree->label[i]);
	const Match *preorder = match_of(traversals, other->preorder[i]);
	TedBitStep above_postorder = ted_bit_first_row();
	TedBitStep above_preorder = ted_bit_first_row();

	for (size_t w = 0; w < words; w++)
	{
		above_postorder = ted_bit_above(
			ted_bit_next_column(&columns[w].postorder, postorder[w].postorder, above_postorder));
		above_preorder = ted_bit_above(
			ted_bit_next_column(&columns[w].preorder, preorder[w].preorder, above_preorder));
	}
}

/* Computes the greater edit distance of both traversals, in columns of `words` words. */
__attribute__((always_inline)) static inline TedStatus
traversals_distance(const TedTraversals *traversals, const TedBoundsIndex *other, size_t words,
					Columns *columns, const TedInterrupt *interrupt, int32_t *distance)
{
	int64_t steps = 0;
	int32_t postorder;
	int32_t preorder;

	for (size_t w = 0; w < words; w++)
		columns[w] = (Columns){ted_bit_first_column(), ted_bit_first_column()};
	for (int32_t i = 0; i < other->size; i++)
	{
		next_traversal_column(traversals, other, i, words, columns);
		if (ted_interrupted(interrupt, &steps, (int64_t) words))
			return TED_CANCELLED;
	}
	postorder = preorder = other->size;
	for (size_t w = 0; w < words; w++)
	{
		size_t rows = (size_t) traversals->tree->size - w * TED_WORD_BITS;

		postorder += ted_bit_growth(columns[w].postorder, rows);
		preorder += ted_bit_growth(columns[w].preorder, rows);
	}
	*distance = ted_max(postorder, preorder);
	return TED_OK;
}

/* Computes the bound between the current tree and another one. */
TedStatus
ted_traversals_bound(const TedTraversals *traversals, const TedBoundsIndex *other, int32_t limit,
					 const TedInterrupt *interrupt, int32_t *bound)
{
	Columns column; /* the compiler keeps a single word in registers */
	TedStatus status = traversals->words == 1
						   ? traversals_distance(traversals, other, 1, &column, interrupt, bound)
						   : traversals_distance(traversals, other, traversals->words,
												 traversals->columns, interrupt, bound);

	if (status == TED_OK && *bound > limit)
		*bound = TED_BEYOND;
	return status;
}
