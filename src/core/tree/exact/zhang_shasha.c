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

/* Sets the sizes and sums of a pair as ted_orient() does, but not the arrays. */
static void
orient_sums(const TedTree *a, const TedTree *b, TedTree *view_a, TedTree *view_b)
{
	bool mirrored = ted_prefers_right(a, b);

	*view_a = mirrored ? ted_mirror_sums(a) : *a;
	*view_b = mirrored ? ted_mirror_sums(b) : *b;
}

/* Returns the estimated seconds of filling the tables of key roots by the left decomposition. */
static double
left_seconds(const TedTree *a, const TedTree *b, TedVectors vectors)
{
	double cells = (double) a->left_nodes * (double) b->left_nodes;

	return (cells * ted_vectors_cell_time(vectors) + TED_NODE_TIME * (double) b->size) * 1e-9;
}

/* Returns the estimated seconds of filling the tables of key roots by the cheaper decomposition. */
double
ted_tables_seconds(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	TedTree view_a;
	TedTree view_b;

	orient_sums(a, b, &view_a, &view_b);
	return left_seconds(&view_a, &view_b, ted_vectors(&view_a, &view_b, b->size, costs));
}

/* Returns the bytes of the tables of key roots by the left decomposition. */
static size_t
left_memory(const TedTree *a, const TedTree *b, const TedCosts *costs, TedVectors vectors)
{
	return vectors.lanes == 0 ? ted_int32_memory(a->size, b->size)
							  : ted_vector_fill_memory(a, b, costs, vectors);
}

/*
 * Returns the seconds below which a path strategy is run, or 0 where searching for one does not
 * pay.
 */
static double
path_limit(const TedTree *a, const TedTree *b, const TedCosts *costs, TedVectors vectors)
{
	double seconds = ted_tuning.path_preference * left_seconds(a, b, vectors);
	double least = ted_strategy_least_seconds(a->size, b->size);

	if (seconds <= least ||
		(seconds < TED_PATH_GAIN * least &&
		 ted_path_memory(a, b) > left_memory(a, b, costs, vectors) + TED_MORE_MEMORY))
		return 0;
	return seconds;
}

/* Whether a path strategy is searched for. */
bool
ted_path_may_pay(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	TedTree view_a;
	TedTree view_b;

	orient_sums(a, b, &view_a, &view_b);
	/*
	 * most pairs take too little time even without vectors, so that ted_vectors() need not be
	 * called
	 */
	if (ted_tuning.path_preference * left_seconds(&view_a, &view_b, (TedVectors){0}) <=
		ted_strategy_least_seconds(a->size, b->size))
		return false;
	return path_limit(&view_a, &view_b, costs, ted_vectors(&view_a, &view_b, b->size, costs)) > 0;
}

/* Whether a pair's tables are certain to have 16-bit cells, as no path strategy is searched for. */
bool
ted_tables_int16(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	TedTree view_a;
	TedTree view_b;
	TedVectors vectors;

	orient_sums(a, b, &view_a, &view_b);
	vectors = ted_vectors(&view_a, &view_b, b->size, costs);
	return vectors.lanes != 0 && vectors.bytes == sizeof(int16_t) &&
		   path_limit(&view_a, &view_b, costs, vectors) == 0;
}

/* Bytes that ted_orient() and ted_tables_fill() take. */
size_t
ted_tables_memory(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	TedTree view_a;
	TedTree view_b;
	TedVectors vectors;
	size_t bytes;
	size_t paths = 0;

	orient_sums(a, b, &view_a, &view_b);
	vectors = ted_vectors(&view_a, &view_b, b->size, costs);
	bytes = left_memory(&view_a, &view_b, costs, vectors);
	if (path_limit(&view_a, &view_b, costs, vectors) > 0)
		paths = ted_path_memory(a, b);
	return ted_orient_memory(a, b) + (bytes > paths ? bytes : paths);
}

/* Computes the distances between all pairs of subtrees of an oriented pair. */
TedStatus
ted_tables_fill(const TedTree *a, const TedTree *b, const TedCosts *costs, TedArena *arena,
				const TedInterrupt *interrupt, TedTables *tables)
{
	TedVectors vectors = ted_vectors(a, b, b->size, costs);
	double limit = path_limit(a, b, costs, vectors);

	*tables = (TedTables){.b = b};
	if (limit > 0)
	{
		size_t used = arena->used;
		TedStatus status =
			ted_path_distances(a, b, costs, limit, arena, interrupt, &tables->cells32);

		if (status != TED_OK || tables->cells32 != NULL)
			return status;
		arena->used = used;
	}
	if (vectors.lanes == 0)
		return ted_int32_fill(a, b, costs, arena, interrupt, tables);
	return ted_vector_fill(a, b, costs, vectors, arena, interrupt, tables);
}

/* Bytes that ted_distance() takes. */
size_t
ted_distance_memory(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	return ted_tables_memory(a, b, costs);
}

/* Computes the exact distance between two trees. */
TedStatus
ted_distance(const TedTree *a, const TedTree *b, const TedCosts *costs, TedArena *arena,
			 const TedInterrupt *interrupt, int32_t *distance)
{
	size_t used = arena->used;
	TedPairView view;
	TedTables tables;
	TedStatus status = ted_orient(a, b, arena, interrupt, &view);

	if (status == TED_OK)
		status = ted_tables_fill(&view.a, &view.b, costs, arena, interrupt, &tables);
	if (status == TED_OK)
		*distance = ted_subtree_distance(&tables, a->size - 1, b->size - 1);
	arena->used = used;
	return status;
}
