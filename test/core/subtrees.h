/*
 * subtrees.h
 *	  Distances between all pairs of subtrees by the core, in the layout in which a GPU returns
 *	  them.
 */
#ifndef TED_TEST_CORE_SUBTREES_H
#define TED_TEST_CORE_SUBTREES_H

#include <stdlib.h>

#include "../../src/core/tree/mirror.h"
#include "../../src/core/tree/exact/zhang_shasha.h"

/* Computes the distances of all pairs of subtrees. */
static inline void
fill_subtrees(const TedTree *a, const TedTree *b, const TedCosts *costs, void *subtrees)
{
	TedTablesPlan plan = ted_plan_tables(a, b, costs);
	char *block = malloc(plan.bytes + TED_ARENA_ALIGN);
	TedArena arena = ted_arena_in(block, plan.bytes);
	bool narrow = ted_subtrees_int16(a, b, costs);
	TedPairView view;
	TedTables tables;

	ted_orient(a, b, &arena, &(TedInterrupt){0}, &view);
	ted_tables_fill(&view.a, &view.b, costs, &plan, &arena, &(TedInterrupt){0}, &tables);
	for (int32_t x = 0; x < a->size; x++)
		for (int32_t y = 0; y < b->size; y++)
		{
			size_t at = (size_t) x * (size_t) b->size + (size_t) y;
			int32_t distance =
				ted_subtree_distance(&tables, x, y) - costs->insert * view.b.subtree_size[y];

			if (narrow)
				((int16_t *) subtrees)[at] = (int16_t) distance;
			else
				((int32_t *) subtrees)[at] = distance;
		}
	free(block);
}

#endif /* TED_TEST_CORE_SUBTREES_H */
