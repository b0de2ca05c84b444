/*
 * subtree_distances.c
 *	  Distances between one tree and all subtrees of another.
 */
#include "subtree_distances.h"

#include "../mirror.h"
#include "zhang_shasha.h"

/* Bytes that ted_subtree_distances() takes. */
size_t
ted_subtree_distances_memory(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	return ted_tables_memory(a, b, costs);
}

/* Computes the distance between a tree and each subtree of another. */
TedStatus
ted_subtree_distances(const TedTree *a, const TedTree *b, const TedCosts *costs, TedArena *arena,
					  const TedInterrupt *interrupt, int32_t *distances)
{
	size_t used = arena->used;
	int64_t steps = 0;
	TedPairView view;
	TedTables tables;
	TedStatus status = ted_orient(a, b, arena, interrupt, &view);

	if (status == TED_OK)
		status = ted_tables_fill(&view.a, &view.b, costs, arena, interrupt, &tables);
	for (int32_t y = 0; status == TED_OK && y < b->size; y++)
	{
		int32_t number = view.number_b == NULL ? y : view.number_b[y];

		distances[y] = ted_subtree_distance(&tables, view.a.size - 1, number);
		if (ted_interrupted(interrupt, &steps, 1))
			status = TED_CANCELLED;
	}
	arena->used = used;
	return status;
}
