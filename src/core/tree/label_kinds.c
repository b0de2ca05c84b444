/*
 * label_kinds.c
 *	  Labels whose costs are the same.
 *
 * All costs of renaming make a matrix, and a label is not renamed to itself: what stands on
 * the diagonal is free to choose.  Two labels are of one kind if their rows, their columns
 * and the costs of inserting and of deleting them are equal for some choice.  The one made
 * is what most of the row has: of a label that the model does not tell from others, this is
 * what renaming it to one of those costs.
 */
#include "label_kinds.h"

#include <string.h>

#include "../common/hash.h"

/* Work under way. */
typedef struct Matrix
{
	int32_t labels;
	int32_t *rename;  /* [labels][labels] */
	int32_t *insert;  /* by label */
	int32_t *delete_;  /* by label */
	int32_t *kind;    /* by label */
	int32_t *first;   /* by kind: the first label that it has */
	uint64_t *row;    /* by label: hash of its costs, as the first one */
	uint64_t *column; /* the same, as the second one */
	int32_t *slot;    /* of a hash table: a kind, or -1 */
	size_t slots;     /* a power of two */
	int32_t kinds;
	int64_t steps;
	const TedInterrupt *interrupt;
} Matrix;

/* Takes the arrays. */
static Matrix
take_matrix(TedArena *arena, int32_t labels)
{
	size_t n = (size_t) labels;
	size_t slots = ted_hash_slots(labels);

	return (Matrix){.labels = labels,
					.rename = ted_arena_int32(arena, n * n),
					.insert = ted_arena_int32(arena, n),
					.delete_ = ted_arena_int32(arena, n),
					.kind = ted_arena_int32(arena, n),
					.first = ted_arena_int32(arena, n),
					.row = ted_arena_alloc(arena, sizeof(uint64_t) * n),
					.column = ted_arena_alloc(arena, sizeof(uint64_t) * n),
					.slot = ted_arena_int32(arena, slots),
					.slots = slots};
}

/* Bytes that ted_label_kinds() takes. */
size_t
ted_label_kinds_memory(int32_t labels)
{
	TedArena counted = {0};

	take_matrix(&counted, labels);
	return counted.used;
}

/* Takes a cost into a hash. */
static inline void
hash_cost(uint64_t *hash, int32_t cost)
{
	*hash = (*hash ^ (uint32_t) cost) * TED_HASH_STEP;
	*hash ^= *hash >> 32;
}

/* What most of a row has but for one place, if anything (Boyer and Moore, 1981). */
static int32_t
majority(const int32_t *row, int32_t count, int32_t but)
{
	int32_t value = 0;
	int32_t more = 0;

	for (int32_t i = 0; i < count; i++)
	{
		if (i == but)
			continue;
		if (more == 0)
			value = row[i];
		more += row[i] == value ? 1 : -1;
	}
	return value;
}

/* Fills the matrix, and hashes rows and columns. */
static TedStatus
fill_matrix(Matrix *matrix, const int32_t *label, const TedCosts *costs)
{
	int32_t n = matrix->labels;

	for (int32_t i = 0; i < n; i++)
	{
		matrix->insert[i] = ted_insert_cost(costs, label[i]);
		matrix->delete_[i] = ted_delete_cost(costs, label[i]);
		matrix->row[i] = matrix->column[i] = 0;
	}
	for (int32_t i = 0; i < n; i++)
	{
		int32_t *row = matrix->rename + (size_t) i * (size_t) n;

		for (int32_t j = 0; j < n; j++)
			row[j] = ted_min(ted_rename_cost(costs, label[i], label[j]),
							 matrix->delete_[i] + matrix->insert[j]);
		row[i] = majority(row, n, i);
		for (int32_t j = 0; j < n; j++)
		{
			hash_cost(&matrix->row[i], row[j]);
			hash_cost(&matrix->column[j], row[j]);
		}
		if (ted_interrupted(matrix->interrupt, &matrix->steps, n))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Whether hashes and costs of two labels are equal. */
static bool
look_equal(const Matrix *matrix, int32_t i, int32_t j)
{
	return matrix->row[i] == matrix->row[j] && matrix->column[i] == matrix->column[j] &&
		   matrix->insert[i] == matrix->insert[j] && matrix->delete_[i] == matrix->delete_[j];
}

/* Has labels that look equal be of one kind. */
static TedStatus
guess_kinds(Matrix *matrix)
{
	memset(matrix->slot, -1, sizeof(int32_t) * matrix->slots);
	for (int32_t i = 0; i < matrix->labels; i++)
	{
		size_t at = (size_t) ((matrix->row[i] ^ matrix->column[i]) * TED_HASH_STEP >> 32) &
					(matrix->slots - 1);

		while (matrix->slot[at] >= 0 && !look_equal(matrix, matrix->first[matrix->slot[at]], i))
			at = (at + 1) & (matrix->slots - 1);
		if (matrix->slot[at] < 0)
		{
			matrix->first[matrix->kinds] = i;
			matrix->slot[at] = matrix->kinds++;
		}
		matrix->kind[i] = matrix->slot[at];
		if (ted_interrupted(matrix->interrupt, &matrix->steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Whether the rows and the columns of each kind are equal, as their hashes are. */
static TedStatus
check_kinds(Matrix *matrix, bool *equal)
{
	int32_t n = matrix->labels;

	*equal = true;
	for (int32_t i = 0; i < n && *equal; i++)
	{
		const int32_t *row = matrix->rename + (size_t) i * (size_t) n;
		const int32_t *first =
			matrix->rename + (size_t) matrix->first[matrix->kind[i]] * (size_t) n;

		*equal = memcmp(row, first, sizeof(int32_t) * (size_t) n) == 0;
		for (int32_t j = 0; j < n; j++)
			*equal &= row[j] == row[matrix->first[matrix->kind[j]]];
		if (ted_interrupted(matrix->interrupt, &matrix->steps, n))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Leaves only the first label of each kind, which comes before none of an earlier one. */
static void
shrink(Matrix *matrix)
{
	int32_t *to = matrix->rename;

	for (int32_t i = 0; i < matrix->kinds; i++)
	{
		int32_t label = matrix->first[i];
		const int32_t *row = matrix->rename + (size_t) label * (size_t) matrix->labels;

		for (int32_t j = 0; j < matrix->kinds; j++)
			*to++ = row[matrix->first[j]];
		matrix->insert[i] = matrix->insert[label];
		matrix->delete_[i] = matrix->delete_[label];
	}
}

/* Finds the kinds of labels. */
TedStatus
ted_label_kinds(const int32_t *label, int32_t labels, const TedCosts *costs, TedArena *arena,
				const TedInterrupt *interrupt, TedLabelKinds *kinds)
{
	Matrix matrix = take_matrix(arena, labels);
	bool equal;

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	matrix.interrupt = interrupt;
	if (fill_matrix(&matrix, label, costs) != TED_OK || guess_kinds(&matrix) != TED_OK ||
		check_kinds(&matrix, &equal) != TED_OK)
		return TED_CANCELLED;
	if (equal)
		shrink(&matrix);
	else
		for (matrix.kinds = 0; matrix.kinds < labels; matrix.kinds++)
			matrix.kind[matrix.kinds] = matrix.kinds;
	*kinds = (TedLabelKinds){.count = matrix.kinds,
							 .kind = matrix.kind,
							 .insert = matrix.insert,
							 .delete_ = matrix.delete_,
							 .rename = matrix.rename};
	return TED_OK;
}
