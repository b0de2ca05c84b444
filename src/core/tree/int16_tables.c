/*
 * int16_tables.c
 *	  Zhang and Shasha's tables as 16-bit numbers: whether they fit, their memory, their layout.
 */
#include "../common/tuning.h"
#include "vector_tables.h"
#include "zhang_shasha.h"

/* Most rows that wait on the stack at once. */
static size_t
slots(const TedTree *a)
{
	return (size_t) ted_min(a->height, a->leaves) + 1;
}

/* Bytes of a scratch row, with a vector of room before and behind. */
static size_t
row_bytes(int64_t width, int32_t lanes)
{
	return sizeof(int16_t) * ((size_t) width + 2 * (size_t) lanes);
}

/* Numbers from one row of distances to the next, with a vector of room in between. */
static size_t
row_stride(int32_t size_b, int32_t lanes)
{
	return (size_t) size_b + (size_t) lanes;
}

/* Bytes that ted_int16_fill() takes. */
size_t
ted_int16_memory(const TedTree *a, const TedTree *b, int32_t lanes)
{
	int64_t width = ted_columns_bound(b, lanes);

	return ted_equal_key_roots_memory(a->size) + ted_columns_memory(b, lanes) +
		   ted_arena_bytes(sizeof(int32_t) * (size_t) a->size) +
		   ted_arena_bytes(sizeof(int16_t) * row_stride(b->size, lanes) * ((size_t) a->size + 2)) +
		   3 * ted_arena_bytes(row_bytes(width, lanes)) +
		   ted_arena_bytes(row_bytes(width * (int64_t) slots(a), lanes));
}

/* Takes a scratch row, and gives it room before. */
static int16_t *
new_row(TedArena *arena, size_t bytes, int32_t lanes)
{
	int16_t *row = ted_arena_alloc(arena, bytes);

	return row == NULL ? NULL : row + lanes;
}

/* Computes the distances between all pairs of subtrees by vectors. */
TedStatus
ted_int16_fill(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t lanes,
			   TedArena *arena, const TedInterrupt *interrupt, TedTables *tables)
{
	TedColumns columns;
	TedVectorTables vectors = {
		.a = a,
		.columns = &columns,
		.stride = row_stride(b->size, lanes),
		.insert = (int16_t) costs->insert,
		.delete_ = (int16_t) costs->delete_,
		.rename = (int16_t) ted_min(costs->rename, costs->insert + costs->delete_)};
	int32_t *first;
	int32_t rows = 0;
	int64_t width;
	TedStatus status = ted_columns_build(b, lanes, arena, interrupt, &columns);

	if (status == TED_OK)
		status = ted_equal_key_roots(a, arena, interrupt, &first);
	if (status != TED_OK)
		return status;
	width = columns.width;

	*tables = (TedTables){.stride = vectors.stride, .insert = costs->insert, .b = b};
	tables->row = ted_arena_alloc(arena, sizeof(int32_t) * (size_t) a->size);
	tables->cells16 =
		new_row(arena, sizeof(int16_t) * vectors.stride * ((size_t) a->size + 2), lanes);
	vectors.above = new_row(arena, row_bytes(width, lanes), lanes);
	vectors.current = new_row(arena, row_bytes(width, lanes), lanes);
	vectors.wide = new_row(arena, row_bytes(width, lanes), lanes);
	vectors.beside = new_row(arena, row_bytes(width * (int64_t) slots(a), lanes), lanes);
	if (tables->row == NULL || tables->cells16 == NULL || vectors.above == NULL ||
		vectors.current == NULL || vectors.wide == NULL || vectors.beside == NULL)
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
	return ted_vector_tables(&vectors, interrupt);
}

/* Whether 16 bits hold all numbers of the tables. */
bool
ted_int16_fits(int32_t size_a, int32_t size_b, const TedCosts *costs)
{
	int64_t most_deleted = (int64_t) size_a * costs->delete_;
	int64_t most_inserted = (int64_t) size_b * costs->insert;
	int64_t most = most_deleted > most_inserted ? most_deleted : most_inserted;

	return 2 * most + costs->insert + costs->delete_ < INT16_MAX;
}

/* Lanes of the vectors to compute a pair with, or 0 to compute it cell by cell. */
int32_t
ted_int16_lanes(const TedTree *a, const TedTree *b, int32_t largest, const TedCosts *costs)
{
	TedSimd simd = ted_simd();
	int32_t lanes = simd == TED_SIMD_AVX512 ? TED_AVX512_LANES : TED_AVX2_LANES;

	if (simd == TED_SIMD_NONE || !ted_int16_fits(a->size, largest, costs) ||
		(double) a->left_nodes * (double) b->left_nodes < ted_tuning.cells_for_vectors ||
		ted_int16_memory(a, b, lanes) > ted_int32_memory(a->size, b->size) + TED_MORE_MEMORY)
		return 0;
	return lanes;
}
