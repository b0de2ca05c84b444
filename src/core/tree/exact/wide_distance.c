/*
 * wide_distance.c
 *	  Exact tree edit distance with 64-bit costs, cell by cell.
 */
#include "wide_distance.h"

#include "int32_tables.h"
#include "../mirror.h"

/* Returns the smaller of two numbers. */
static inline int64_t
lesser(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Returns the cost of inserting a node with this label. */
static inline int64_t
insert_cost(const TedWideCosts *costs, int32_t label)
{
	return costs->insert[label];
}

/* Returns the cost of deleting a node with this label. */
static inline int64_t
delete_cost(const TedWideCosts *costs, int32_t label)
{
	return costs->delete_[label];
}

/* Returns the cost of mapping a node with label `from` to one with label `to`. */
static inline int64_t
wide_mapping_cost(const TedWideCosts *costs, int32_t from, int32_t to)
{
	return from == to ? 0 : costs->rename(costs->context, from, to);
}

#define NUMBER int64_t
#define LESSER lesser
#define COSTS TedWideCosts
#define INSERT_COST insert_cost
#define DELETE_COST delete_cost
#define RENAME_COST wide_mapping_cost
#include "forest_template.h"

/* The distances of all pairs of subtrees, and the current forest table. */
typedef struct Tables
{
	int64_t *subtree;
	int64_t *forest;
} Tables;

/* Allocates both. */
static Tables
take_wide_tables(TedArena *arena, int32_t size_a, int32_t size_b)
{
	size_t pairs = (size_t) size_a * (size_t) size_b;

	return (Tables){.subtree = ted_arena_alloc(arena, sizeof(int64_t) * pairs),
					.forest =
						ted_arena_alloc(arena, sizeof(int64_t) * ted_forest_cells(size_a, size_b))};
}

/* Bytes that ted_wide_distance() takes. */
size_t
ted_wide_distance_memory(const TedTree *a, const TedTree *b)
{
	TedArena counted = {0};

	take_wide_tables(&counted, a->size, b->size);
	return ted_orient_memory(a, b) + counted.used;
}

/* Computes the exact distance between two trees with 64-bit costs. */
TedStatus
ted_wide_distance(const TedTree *a, const TedTree *b, const TedWideCosts *costs, TedArena *arena,
				  const TedInterrupt *interrupt, int64_t *distance)
{
	size_t used = arena->used;
	size_t pairs = (size_t) a->size * (size_t) b->size;
	TedPairView view;
	TedStatus status = ted_orient(a, b, arena, interrupt, &view);

	if (status == TED_OK)
	{
		Tables tables = take_wide_tables(arena, a->size, b->size);

		status = ted_arena_exceeded(arena) ? TED_OUT_OF_ARENA
										   : fill_forests(&view.a, &view.b, *costs, tables.subtree,
														  tables.forest, interrupt);
		if (status == TED_OK)
			*distance = tables.subtree[pairs - 1];
	}
	arena->used = used;
	return status;
}
