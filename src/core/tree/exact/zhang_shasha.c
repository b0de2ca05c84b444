/*
 * zhang_shasha.c
 *	  Exact tree edit distance: Zhang and Shasha, SIAM J. Comput. 18(6), 1989.
 *
 * For every pair of key roots a forest table is filled, from which follow the distances between all
 * subtrees whose roots share their leftmost leaves with the key roots.  The left decomposition uses
 * leftmost paths; the right one uses rightmost paths and is the left one of the mirrored trees.
 * The number of cells is known in advance, and the decomposition with fewer cells is run: by
 * vectors where that is possible (vector_tables.h), else cell by cell.  Where both have enough
 * cells that other paths may be faster, the best path strategy is searched for, and run if it is
 * estimated to be faster (path_distance.h).
 */
#include "zhang_shasha.h"

#include "../../common/processor_tuning.h"
#include "int32_tables.h"
#include "../mirror.h"
#include "path_distance.h"
#include "strategy.h"
#include "vector_fill.h"

/* Plans the distances between all pairs of subtrees. */
TedTablesPlan
ted_plan_tables(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	bool mirrored = ted_prefers_right(a, b);
	TedTree view_a = mirrored ? ted_mirror_sums(a) : *a;
	TedTree view_b = mirrored ? ted_mirror_sums(b) : *b;
	double cells = (double) view_a.left_nodes * (double) view_b.left_nodes;
	double least = ted_strategy_least_seconds(a->size, b->size);
	TedTablesPlan plan;
	double path_limit;

	plan.vectors = ted_vectors(&view_a, &view_b, b->size, costs, &plan.bytes);
	plan.seconds =
		(cells * ted_vectors_cell_time(plan.vectors) + TED_NODE_TIME * (double) b->size) * 1e-9;
	plan.path_limit = 0;

	/* most pairs take so little time that the search for a path strategy does not pay */
	path_limit = ted_tuning.path_preference * plan.seconds;
	if (path_limit > least)
	{
		size_t paths = ted_path_memory(a, b);

		if (path_limit >= TED_PATH_GAIN * least || paths <= plan.bytes + TED_MORE_MEMORY)
		{
			plan.path_limit = path_limit;
			plan.bytes = ted_max_bytes(plan.bytes, paths);
		}
	}
	plan.bytes += ted_orient_memory(a, b);
	return plan;
}

/* Computes the distances between all pairs of subtrees of an oriented pair. */
TedStatus
ted_tables_fill(const TedTree *a, const TedTree *b, const TedCosts *costs,
				const TedTablesPlan *plan, TedArena *arena, const TedInterrupt *interrupt,
				TedTables *tables)
{
	*tables = (TedTables){.b = b};
	if (plan->path_limit > 0)
	{
		size_t used = arena->used;
		TedStatus status =
			ted_path_distances(a, b, costs, plan->path_limit, arena, interrupt, &tables->cells32);

		if (status != TED_OK || tables->cells32 != NULL)
			return status;
		arena->used = used;
	}
	if (plan->vectors.lanes == 0)
		return ted_int32_fill(a, b, costs, arena, interrupt, tables);
	return ted_vector_fill(a, b, costs, plan->vectors, arena, interrupt, tables);
}

/* Computes the distance between a tree and each subtree of another. */
TedStatus
ted_subtree_distances(const TedTree *a, const TedTree *b, const TedCosts *costs,
					  const TedTablesPlan *plan, TedArena *arena, const TedInterrupt *interrupt,
					  int32_t *distances)
{
	size_t used = arena->used;
	int64_t steps = 0;
	TedPairView view;
	TedTables tables;
	TedStatus status = ted_orient(a, b, arena, interrupt, &view);

	if (status == TED_OK)
		status = ted_tables_fill(&view.a, &view.b, costs, plan, arena, interrupt, &tables);
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
