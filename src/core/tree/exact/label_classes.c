/*
 * label_classes.c
 *	  Replaces labels that have the same costs by classes of labels.
 */
#include "label_classes.h"

#include <string.h>

#include "../../common/hash.h"

/* The distinct labels of one of the trees, numbered in order of their first nodes. */
typedef struct Labels
{
	int32_t count;
	int32_t *of_node; /* by node: number of its label, later its class */
	int32_t *label;   /* label by number */
	uint64_t *hash;   /* by number: hash of all its costs */
	int32_t *cost;    /* by number: cost of inserting or deleting it */
	int32_t *class_;  /* class by number */
	int32_t *first;   /* by class: the lowest number of its labels */
	int32_t *slot;    /* hash table of numbers; -1 in free slots */
	size_t slots;     /* a power of two */
} Labels;

/* The labels of a pair of trees and the matrix of their rename costs. */
typedef struct Matrix
{
	Labels a;
	Labels b;
	int32_t *rename; /* [a.count][b.count] */
	int64_t steps;
	const TedInterrupt *interrupt;
} Matrix;

/* Allocates the arrays of one tree. */
static Labels
take_labels(TedArena *arena, int32_t size)
{
	size_t slots = ted_hash_slots(size);

	return (Labels){.of_node = ted_arena_int32(arena, (size_t) size),
					.label = ted_arena_int32(arena, (size_t) size),
					.hash = ted_arena_alloc(arena, sizeof(uint64_t) * (size_t) size),
					.cost = ted_arena_int32(arena, (size_t) size),
					.class_ = ted_arena_int32(arena, (size_t) size),
					.first = ted_arena_int32(arena, (size_t) size),
					.slot = ted_arena_int32(arena, slots),
					.slots = slots};
}

/* Allocates a matrix with one more number before it, so that column -1 of row 0 can be read. */
static int32_t *
take_matrix(TedArena *arena, int32_t count_a, int32_t count_b)
{
	int32_t *numbers = ted_arena_int32(arena, 1 + (size_t) count_a * (size_t) count_b);

	if (numbers == NULL)
		return NULL;
	numbers[0] = 0;
	return numbers + 1;
}

/* Bytes that ted_label_classes() takes. */
size_t
ted_label_classes_memory(int32_t size_a, int32_t size_b)
{
	TedArena counted = {0};

	take_labels(&counted, size_a);
	take_labels(&counted, size_b);
	take_matrix(&counted, size_a, size_b);
	return counted.used;
}

/* Returns the slot where the search for a hash begins. */
static inline size_t
first_slot(const Labels *labels, uint64_t hash)
{
	return (size_t) (hash * TED_HASH_STEP >> 32) & (labels->slots - 1);
}

/* Returns the number of a label, and adds the label if it is new. */
static int32_t
number_of(Labels *labels, int32_t label)
{
	size_t i = first_slot(labels, (uint64_t) label);

	while (labels->slot[i] >= 0 && labels->label[labels->slot[i]] != label)
		i = (i + 1) & (labels->slots - 1);
	if (labels->slot[i] < 0)
	{
		labels->slot[i] = labels->count;
		labels->label[labels->count++] = label;
	}
	return labels->slot[i];
}

/* Numbers the labels of a tree; `cost` returns the cost of deleting or inserting a node. */
static TedStatus
number_labels(Matrix *matrix, Labels *labels, const TedTree *tree, const TedCosts *costs,
			  int32_t (*cost)(const TedCosts *costs, int32_t label))
{
	memset(labels->slot, -1, sizeof(int32_t) * labels->slots);
	for (int32_t x = 0; x < tree->size; x++)
	{
		labels->of_node[x] = number_of(labels, tree->label[x]);
		if (ted_interrupted(matrix->interrupt, &matrix->steps, 1))
			return TED_CANCELLED;
	}
	for (int32_t i = 0; i < labels->count; i++)
		labels->hash[i] = labels->cost[i] = cost(costs, labels->label[i]);
	return TED_OK;
}

/* Adds a cost to a hash. */
static inline void
hash_cost(uint64_t *hash, int32_t cost)
{
	*hash = (*hash ^ (uint32_t) cost) * TED_HASH_STEP;
	*hash ^= *hash >> 32;
}

/* Fills the matrix, and hashes its rows and columns. */
static TedStatus
fill_cost_matrix(Matrix *matrix, const TedCosts *costs)
{
	Labels *a = &matrix->a;
	Labels *b = &matrix->b;
	int32_t *rename = matrix->rename;

	for (int32_t i = 0; i < a->count; i++, rename += b->count)
	{
		for (int32_t j = 0; j < b->count; j++)
		{
			int32_t cost = ted_rename_cost(costs, a->label[i], b->label[j]);

			rename[j] = ted_min(cost - b->cost[j], a->cost[i]);
			hash_cost(&a->hash[i], rename[j]);
			hash_cost(&b->hash[j], rename[j]);
		}
		if (ted_interrupted(matrix->interrupt, &matrix->steps, b->count))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Whether two labels of the first tree have the same rename costs, which are rows of the matrix. */
static bool
same_rows(const Matrix *matrix, int32_t i, int32_t j)
{
	int32_t count = matrix->b.count;

	return memcmp(matrix->rename + (size_t) i * (size_t) count,
				  matrix->rename + (size_t) j * (size_t) count,
				  sizeof(int32_t) * (size_t) count) == 0;
}

/* Whether two labels of the second tree have the same rename costs, which are columns. */
static bool
same_columns(const Matrix *matrix, int32_t i, int32_t j)
{
	for (int32_t k = 0; k < matrix->a.count; k++)
	{
		const int32_t *row = matrix->rename + (size_t) k * (size_t) matrix->b.count;

		if (row[i] != row[j])
			return false;
	}
	return true;
}

/*
 * Finds the classes of a tree's labels, replaces labels of nodes by classes, and counts the
 * classes.
 */
static TedStatus
find_classes(Matrix *matrix, Labels *labels, int32_t size,
			 bool (*same)(const Matrix *matrix, int32_t i, int32_t j), int32_t *count)
{
	*count = 0;
	memset(labels->slot, -1, sizeof(int32_t) * labels->slots);
	for (int32_t i = 0; i < labels->count; i++)
	{
		size_t at = first_slot(labels, labels->hash[i]);
		int32_t other;

		while ((other = labels->slot[at]) >= 0 &&
			   (labels->hash[other] != labels->hash[i] || labels->cost[other] != labels->cost[i] ||
				!same(matrix, other, i)))
			at = (at + 1) & (labels->slots - 1);
		if (other < 0)
		{
			labels->slot[at] = i;
			labels->first[*count] = i;
			labels->class_[i] = (*count)++;
		}
		else
			labels->class_[i] = labels->class_[other];
		if (ted_interrupted(matrix->interrupt, &matrix->steps, size))
			return TED_CANCELLED;
	}
	for (int32_t x = 0; x < size; x++)
		labels->of_node[x] = labels->class_[labels->of_node[x]];
	return TED_OK;
}

/*
 * Keeps only the row or column of the first label of each class.  It overwrites only entries that
 * are not needed any more, since the first labels are in ascending order.
 */
static void
shrink(Matrix *matrix, const TedLabelClasses *classes)
{
	int32_t *to = matrix->rename;

	for (int32_t i = 0; i < classes->count_a; i++)
	{
		const int32_t *row =
			matrix->rename + (size_t) matrix->a.first[i] * (size_t) matrix->b.count;

		for (int32_t j = 0; j < classes->count_b; j++)
			*to++ = row[matrix->b.first[j]];
	}
	for (int32_t i = 0; i < classes->count_a; i++)
		matrix->a.cost[i] = matrix->a.cost[matrix->a.first[i]];
	for (int32_t j = 0; j < classes->count_b; j++)
		matrix->b.cost[j] = matrix->b.cost[matrix->b.first[j]];
}

/* Replaces the labels of two trees by their classes. */
TedStatus
ted_label_classes(TedTree *a, TedTree *b, const TedCosts *costs, TedArena *arena,
				  const TedInterrupt *interrupt, TedLabelClasses *classes)
{
	Matrix matrix = {
		.a = take_labels(arena, a->size), .b = take_labels(arena, b->size), .interrupt = interrupt};

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	if (number_labels(&matrix, &matrix.a, a, costs, ted_delete_cost) != TED_OK ||
		number_labels(&matrix, &matrix.b, b, costs, ted_insert_cost) != TED_OK)
		return TED_CANCELLED;
	matrix.rename = take_matrix(arena, matrix.a.count, matrix.b.count);
	if (matrix.rename == NULL)
		return TED_OUT_OF_ARENA;
	if (fill_cost_matrix(&matrix, costs) != TED_OK ||
		find_classes(&matrix, &matrix.a, a->size, same_rows, &classes->count_a) != TED_OK ||
		find_classes(&matrix, &matrix.b, b->size, same_columns, &classes->count_b) != TED_OK)
		return TED_CANCELLED;
	shrink(&matrix, classes);
	a->label = matrix.a.of_node;
	b->label = matrix.b.of_node;
	classes->delete_ = matrix.a.cost;
	classes->insert = matrix.b.cost;
	classes->rename = matrix.rename;
	return TED_OK;
}
