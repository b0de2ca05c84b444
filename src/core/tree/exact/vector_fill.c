/*
 * vector_fill.c
 *	  Zhang and Shasha's tables by vectors: choice of vectors, memory, and layout.
 */
#include "vector_fill.h"

#include "../../common/simd.h"
#include "int32_tables.h"
#include "label_classes.h"
#include "common_labels.h"
#include "vector_tables.h"

/* Number of vector profiles that are kept at once, enough for most labels of a document. */
#define PROFILES 128

/*
 * Allocates `numbers` numbers, and returns the address after the first vector, which is left as
 * room.
 */
static void *
take_rows(TedArena *arena, size_t numbers, TedVectors vectors)
{
	char *row = ted_arena_alloc(arena, (size_t) vectors.bytes * numbers);

	return row == NULL ? NULL : row + vectors.bytes * vectors.lanes;
}

/* Allocates the tables, and scratch rows for as many columns as there can be. */
static void
take_vector_tables(TedArena *arena, const TedTree *a, const TedTree *b, TedVectors vectors,
				   bool by_label, TedTables *tables, TedVectorTables *work)
{
	size_t width = (size_t) ted_columns_bound(b, vectors.lanes);
	size_t room = 2 * (size_t) vectors.lanes; /* a vector before and after each array */
	size_t slots = (size_t) ted_min(a->height, a->leaves) + 1; /* most gathered rows at once */

	if (vectors.bytes == sizeof(int32_t))
		tables->cells32 = ted_arena_int32(arena, (size_t) a->size * (size_t) b->size);
	tables->row = ted_arena_int32(arena, (size_t) a->size);
	work->stride = (size_t) b->size + (size_t) vectors.lanes;
	work->distance = take_rows(arena, work->stride * ((size_t) a->size + 2), vectors);
	work->above = take_rows(arena, width + room, vectors);
	work->current = take_rows(arena, width + room, vectors);
	work->wide = take_rows(arena, width + room, vectors);
	work->beside = take_rows(arena, width * slots + room, vectors);
	if (!by_label)
		return;
	work->profiles = ted_min(a->size, PROFILES);
	work->profile = take_rows(arena, width * (size_t) work->profiles + room, vectors);
	work->profile_class = ted_arena_int32(arena, (size_t) work->profiles);
	tables->inserted = ted_arena_int32(arena, (size_t) b->size + 1);
}

/* Returns the bytes that ted_vector_fill() takes. */
static size_t
vector_memory(const TedTree *a, const TedTree *b, const TedCosts *costs, TedVectors vectors)
{
	bool by_label = ted_costs_by_label(costs);
	TedArena counted = {0};
	TedTables tables;
	TedVectorTables work;

	take_vector_tables(&counted, a, b, vectors, by_label, &tables, &work);
	return (by_label ? ted_label_classes_memory(a->size, b->size)
					 : ted_common_labels_memory(a->size, b->size)) +
		   ted_columns_memory(b, vectors.lanes) + ted_equal_key_roots_memory(a->size) +
		   counted.used;
}

/* Writes the distances of all pairs, also those of equal subtrees, as 32-bit numbers. */
static TedStatus
write_int32(const TedTree *a, const int32_t *rows, size_t stride, const TedInterrupt *interrupt,
			TedTables *tables)
{
	const TedTree *b = tables->b;
	int32_t *to = tables->cells32;
	int64_t steps = 0;

	for (int32_t x = 0; x < a->size; x++, to += b->size)
	{
		const int32_t *from = rows + (size_t) tables->row[x] * stride;

		for (int32_t y = 0; y < b->size; y++)
			to[y] = from[y] + ted_inserted(tables, y + 1 - b->subtree_size[y], y + 1);
		if (ted_interrupted(interrupt, &steps, b->size))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Computes the distances between all pairs of subtrees by vectors. */
TedStatus
ted_vector_fill(const TedTree *a, const TedTree *b, const TedCosts *costs, TedVectors vectors,
				TedArena *arena, const TedInterrupt *interrupt, TedTables *tables)
{
	bool by_label = ted_costs_by_label(costs);
	TedColumns columns;
	TedLabelClasses classes;
	TedTree same_a = *a;
	TedTree same_b = *b;
	TedVectorTables work = {.a = &same_a,
							.columns = &columns,
							.bytes = vectors.bytes,
							.costs = ted_uniform_costs(costs),
							.classes = by_label ? &classes : NULL};
	int32_t *first;
	TedStatus status = by_label
						   ? ted_label_classes(&same_a, &same_b, costs, arena, interrupt, &classes)
						   : ted_common_labels(&same_a, &same_b, arena, interrupt);

	if (status == TED_OK)
		status = ted_columns_build(&same_b, vectors.lanes, arena, interrupt, &columns);
	if (status == TED_OK)
		status = ted_equal_key_roots(&same_a, arena, interrupt, &first);
	if (status != TED_OK)
		return status;
	*tables = (TedTables){.insert = work.costs.insert, .b = b};
	take_vector_tables(arena, a, b, vectors, by_label, tables, &work);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;

	if (by_label)
		ted_sum_insertions(costs, tables->b, tables->inserted);
	/* corresponding nodes in equal subtrees share a row */
	for (int32_t x = 0, rows = 0; x < a->size; x++)
	{
		int32_t root = a->key_root[x];

		tables->row[x] = first[root] == root ? rows++ : tables->row[x - root + first[root]];
	}
	work.costs.rename = ted_min(work.costs.rename, work.costs.insert + work.costs.delete_);
	work.first = first;
	work.row = tables->row;
	status = ted_vector_tables(&work, interrupt);
	if (status == TED_OK && tables->cells32 != NULL)
		return write_int32(a, work.distance, work.stride, interrupt, tables);
	tables->cells16 = work.distance;
	tables->stride = work.stride;
	return status;
}

/* Returns the estimated nanoseconds that a cell takes. */
double
ted_vectors_cell_time(TedVectors vectors)
{
	if (vectors.lanes == 0)
		return ted_cell_time[TED_SIMD_NONE];
	return ted_cell_time[ted_simd()] * vectors.bytes / sizeof(int16_t);
}

/*
 * Returns the vectors that compute the pairs of a tree with others of up to `largest` nodes, or
 * none if these are computed cell by cell.  Numbers of 16 bits hold the costs of deleting and
 * inserting all nodes, and one node more.
 */
TedVectors
ted_vectors(const TedTree *a, const TedTree *b, int32_t largest, const TedCosts *costs,
			size_t *bytes)
{
	TedSimd simd = ted_simd();
	TedUniformCosts most = ted_most_costs(costs);
	int64_t deleted = (int64_t) a->size * most.delete_;
	int64_t inserted = (int64_t) largest * most.insert;
	bool fits_int16 =
		2 * (deleted > inserted ? deleted : inserted) + most.insert + most.delete_ < INT16_MAX;
	int32_t number = fits_int16 ? sizeof(int16_t) : sizeof(int32_t);
	TedVectors vectors = {.lanes = ted_vector_bytes[simd] / number, .bytes = number};
	size_t by_vectors;

	*bytes = ted_int32_memory(a->size, b->size);
	if (simd == TED_SIMD_NONE ||
		(double) a->left_nodes * (double) b->left_nodes < ted_tuning.cells_for_vectors)
		return (TedVectors){0};
	by_vectors = vector_memory(a, b, costs, vectors);
	if (by_vectors > *bytes + TED_MORE_MEMORY)
		return (TedVectors){0};
	*bytes = by_vectors;
	return vectors;
}
