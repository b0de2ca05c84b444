/*
 * int16_tables.c
 *	  Zhang and Shasha's tables as 16-bit numbers: whether they fit, their memory, their layout.
 */
#include "int16_tables.h"

#include "../common/simd.h"
#include "int32_tables.h"
#include "shared_labels.h"
#include "vector_tables.h"

/* Most rows that wait on the stack at once. */
static size_t
slots(const TedTree *a)
{
	return (size_t) ted_min(a->height, a->leaves) + 1;
}

/* Takes this number of 16-bit numbers, the first vector of which is room before the others. */
static int16_t *
take_rows(TedArena *arena, size_t numbers, int32_t lanes)
{
	int16_t *row = (int16_t *) ted_arena_alloc(arena, sizeof(int16_t) * numbers);

	return row == NULL ? NULL : row + lanes;
}

/* Takes the tables, and scratch rows for as many columns as there can be. */
static void
take_arrays(TedArena *arena, const TedTree *a, const TedTree *b, int32_t lanes, TedTables *tables,
			TedVectorTables *vectors)
{
	size_t width = (size_t) ted_columns_bound(b, lanes);
	size_t room = 2 * (size_t) lanes; /* before and behind */

	tables->stride = (size_t) b->size + (size_t) lanes;
	tables->row = ted_arena_int32(arena, (size_t) a->size);
	tables->cells16 = take_rows(arena, tables->stride * ((size_t) a->size + 2), lanes);
	vectors->above = take_rows(arena, width + room, lanes);
	vectors->current = take_rows(arena, width + room, lanes);
	vectors->wide = take_rows(arena, width + room, lanes);
	vectors->beside = take_rows(arena, width * slots(a) + room, lanes);
}

/* Bytes that ted_int16_fill() takes. */
size_t
ted_int16_memory(const TedTree *a, const TedTree *b, int32_t lanes)
{
	TedArena counted = {0};
	TedTables tables;
	TedVectorTables vectors;

	take_arrays(&counted, a, b, lanes, &tables, &vectors);
	return ted_shared_labels_memory(a->size, b->size) + ted_columns_memory(b, lanes) +
		   ted_equal_key_roots_memory(a->size) + counted.used;
}

/* Computes the distances between all pairs of subtrees by vectors. */
TedStatus
ted_int16_fill(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t lanes,
			   TedArena *arena, const TedInterrupt *interrupt, TedTables *tables)
{
	TedUniformCosts uniform = ted_uniform_costs(costs);
	TedColumns columns;
	TedTree shared_a = *a;
	TedTree shared_b = *b;
	TedVectorTables vectors = {
		.a = &shared_a,
		.columns = &columns,
		.insert = (int16_t) uniform.insert,
		.delete_ = (int16_t) uniform.delete_,
		.rename = (int16_t) ted_min(uniform.rename, uniform.insert + uniform.delete_)};
	int32_t *first;
	int32_t rows = 0;
	TedStatus status = ted_shared_labels(&shared_a, &shared_b, arena, interrupt);

	if (status == TED_OK)
		status = ted_columns_build(&shared_b, lanes, arena, interrupt, &columns);
	if (status == TED_OK)
		status = ted_equal_key_roots(&shared_a, arena, interrupt, &first);
	if (status != TED_OK)
		return status;
	*tables = (TedTables){.insert = uniform.insert, .b = b};
	take_arrays(arena, a, b, lanes, tables, &vectors);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;

	/* nodes that correspond in equal subtrees share a row */
	for (int32_t x = 0; x < a->size; x++)
	{
		int32_t root = a->key_root[x];

		tables->row[x] = first[root] == root ? rows++ : tables->row[x - root + first[root]];
	}
	vectors.first = first;
	vectors.row = tables->row;
	vectors.distance = tables->cells16;
	vectors.stride = tables->stride;
	return ted_vector_tables(&vectors, interrupt);
}

/* Whether 16 bits hold all numbers of the tables. */
bool
ted_int16_fits(int32_t size_a, int32_t size_b, const TedCosts *costs)
{
	TedUniformCosts uniform = ted_uniform_costs(costs);
	int64_t most_deleted = (int64_t) size_a * uniform.delete_;
	int64_t most_inserted = (int64_t) size_b * uniform.insert;
	int64_t most = most_deleted > most_inserted ? most_deleted : most_inserted;

	return 2 * most + uniform.insert + uniform.delete_ < INT16_MAX;
}

/* Lanes of the vectors to compute a pair with, or 0 to compute it cell by cell. */
int32_t
ted_int16_lanes(const TedTree *a, const TedTree *b, int32_t largest, const TedCosts *costs)
{
	TedSimd simd = ted_simd();
	int32_t lanes = simd == TED_SIMD_AVX512 ? TED_AVX512_LANES : TED_AVX2_LANES;

	if (simd == TED_SIMD_NONE || ted_costs_by_label(costs) || !ted_int16_fits(a->size, largest, costs) ||
		(double) a->left_nodes * (double) b->left_nodes < ted_tuning.cells_for_vectors ||
		ted_int16_memory(a, b, lanes) > ted_int32_memory(a->size, b->size) + TED_MORE_MEMORY)
		return 0;
	return lanes;
}
