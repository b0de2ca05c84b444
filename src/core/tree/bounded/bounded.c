/*
 * bounded.c
 *	  Tree edit distance up to a limit: by a k-strip, along leftmost, rightmost
 *	  or heavy paths, or by the exact distance where that is faster.
 */
#include "bounded.h"

#include "../../common/processor_tuning.h"
#include "bounds.h"
#include "heavy_strip.h"
#include "../mirror.h"
#include "strip.h"
#include "../exact/zhang_shasha.h"

/* Whether the mirrored trees are to be compared, as their tables have fewer rows. */
static bool
mirrors(const TedTree *a)
{
	return a->right_nodes + TED_MIRROR_ROWS * (int64_t) a->size < a->left_nodes;
}

/*
 * Returns the estimated seconds of a strip along leftmost or rightmost paths: for the pairs of
 * nodes in it, and for its tables.  Similar trees have the most tables, about k of each key root.
 */
static double
path_strip_seconds(const TedTree *a, const TedCosts *costs, int32_t k)
{
	double rows = (double) (mirrors(a) ? a->right_nodes : a->left_nodes) * k;

	if (ted_strip_takes_vectors(costs, k))
		return (TED_STRIP_NODE_TIME * (double) a->size + TED_STRIP_ROW_TIME * rows) * 1e-9;
	return (TED_STRIP_DIAGONAL_TIME * (double) a->size * ((double) k + 1) +
			TED_STRIP_CELL_TIME * rows * k) *
		   1e-9;
}

/* Whether a strip along heavy paths is chosen, and then its estimated seconds. */
typedef struct HeavyWay
{
	bool taken;
	TedHeavySums sums;
	double seconds;
} HeavyWay;

/*
 * Decides whether a strip along heavy paths is chosen.  It sums up the heavy paths only where that
 * strip may be faster.
 */
static HeavyWay
heavy_way(const TedTree *a, const TedCosts *costs, int32_t k)
{
	HeavyWay way = {.sums = {.nodes = a->size - 1}};
	double most = path_strip_seconds(a, costs, k) / TED_HEAVY_GAIN;

	if (ted_heavy_strip_seconds(a, &way.sums, k) < most)
	{
		way.sums = ted_heavy_sums(a);
		way.seconds = ted_heavy_strip_seconds(a, &way.sums, k);
		way.taken = way.seconds < most;
	}
	return way;
}

/* Whether x begins a leftmost path or, in a mirrored tree, a rightmost path. */
static bool
begins_path(const TedTree *tree, bool mirrored, int32_t x)
{
	if (mirrored) /* the last node, or one that is not a last child */
		return x == tree->size - 1 || tree->subtree_size[x + 1] == 1;
	return tree->key_root[x] == x;
}

/*
 * Returns the estimated seconds of a strip for one pair.  It takes O(|a|) time, as it sums up small
 * tables, which have fewer columns than the strip has diagonals.
 */
double
ted_strip_pair_seconds(const TedTree *a, const TedCosts *costs, int32_t limit)
{
	int32_t k = ted_strip_width(costs, limit);
	HeavyWay heavy = heavy_way(a, costs, k);
	bool mirrored = mirrors(a);
	double cells = 0;

	if (heavy.taken)
		return heavy.seconds;
	if (ted_strip_takes_vectors(costs, k))
		return path_strip_seconds(a, costs, k);
	for (int32_t x = 0; x < a->size; x++)
		if (begins_path(a, mirrored, x))
			cells += (double) a->subtree_size[x] * ted_min(a->subtree_size[x] - 1, k) + 1;
	return (TED_STRIP_DIAGONAL_TIME * (double) a->size + TED_STRIP_PLAIN_TIME * cells) *
		   ((double) k + 1) * 1e-9;
}

/* Whether a strip is narrower than the trees and takes less than this number of seconds. */
static bool
strip_pays(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit, double seconds)
{
	int32_t k = ted_strip_width(costs, limit);

	return k < b->size && path_strip_seconds(a, costs, k) < seconds;
}

/* Whether a strip is faster than the tables of the exact algorithm in a batch. */
bool
ted_strip_pays(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit)
{
	return ted_strip_width(costs, limit) < b->size &&
		   strip_pays(a, b, costs, limit, ted_tables_seconds(a, b, costs));
}

/* Returns the estimated seconds that a pair takes in a batch, by tables or by a strip. */
double
ted_pair_seconds(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit)
{
	double tables = ted_tables_seconds(a, b, costs);
	int32_t k = ted_strip_width(costs, limit);
	HeavyWay heavy;

	if (ted_size_bound(a->size, b->size, costs) > limit)
		return 0;
	if (!strip_pays(a, b, costs, limit, tables))
		return tables;
	heavy = heavy_way(a, costs, k);
	return heavy.taken ? heavy.seconds : path_strip_seconds(a, costs, k);
}

/* Whether a strip is faster than ted_distance(), whose tables are set up for this pair only. */
static bool
strip_pays_alone(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit)
{
	double set_up = TED_SET_UP_TIME * 1e-9 * ((double) a->size + b->size);

	return strip_pays(a, b, costs, limit, set_up + ted_tables_seconds(a, b, costs));
}

/* Bytes that ted_strip_pair() takes. */
size_t
ted_strip_pair_memory(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit)
{
	HeavyWay heavy = heavy_way(a, costs, ted_strip_width(costs, limit));

	if (heavy.taken)
		return ted_heavy_strip_memory(a, b, &heavy.sums, costs, limit);
	return ted_strip_memory(a->size, b->size, costs, limit) +
		   (mirrors(a) ? ted_mirror_memory(a->size) + ted_mirror_memory(b->size) : 0);
}

/* Bytes that ted_bounded_distance() takes. */
size_t
ted_bounded_distance_memory(const TedTree *a, const TedTree *b, const TedCosts *costs,
							int32_t limit)
{
	if (ted_size_bound(a->size, b->size, costs) > limit)
		return 0;
	if (!strip_pays_alone(a, b, costs, limit))
		return ted_distance_memory(a, b, costs);
	return ted_strip_pair_memory(a, b, costs, limit);
}

/*
 * Computes the distance by a strip along leftmost or rightmost paths; a result above the limit need
 * not be exact.
 */
static TedStatus
outer_strip(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit,
			TedArena *arena, const TedInterrupt *interrupt, int32_t *distance)
{
	TedStrip strip;
	TedPairView view = {.a = *a, .b = *b};
	TedStatus status = mirrors(a) ? ted_mirror_pair(a, b, arena, interrupt, &view) : TED_OK;

	if (status == TED_OK)
		status = ted_strip_fill(&view.a, &view.b, costs, limit, arena, interrupt, &strip);
	if (status == TED_OK)
		*distance = ted_strip_distance(&strip, a->size - 1, b->size - 1);
	return status;
}

/* Computes the distance by a strip if it is at most the limit, else TED_BEYOND. */
TedStatus
ted_strip_pair(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit,
			   TedArena *arena, const TedInterrupt *interrupt, int32_t *distance)
{
	size_t used = arena->used;
	HeavyWay heavy;
	TedStatus status;

	if (ted_size_bound(a->size, b->size, costs) > limit)
	{
		*distance = TED_BEYOND;
		return TED_OK;
	}
	heavy = heavy_way(a, costs, ted_strip_width(costs, limit));
	status = heavy.taken ? ted_heavy_strip_distance(a, b, &heavy.sums, costs, limit, arena,
													interrupt, distance)
						 : outer_strip(a, b, costs, limit, arena, interrupt, distance);
	arena->used = used;
	if (status == TED_OK && *distance > limit)
		*distance = TED_BEYOND;
	return status;
}

/* Computes the distance if it is at most `limit`, else TED_BEYOND. */
TedStatus
ted_bounded_distance(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit,
					 TedArena *arena, const TedInterrupt *interrupt, int32_t *distance)
{
	TedStatus status = TED_OK;

	if (ted_size_bound(a->size, b->size, costs) > limit)
		*distance = TED_BEYOND;
	else if (strip_pays_alone(a, b, costs, limit))
		status = ted_strip_pair(a, b, costs, limit, arena, interrupt, distance);
	else
		status = ted_distance(a, b, costs, arena, interrupt, distance);

	if (status == TED_OK && *distance > limit)
		*distance = TED_BEYOND;
	return status;
}
