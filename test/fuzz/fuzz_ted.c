/*
 * fuzz_ted.c
 *	  Compares distances, mappings and bounds of decoded trees with the textbook algorithm.
 *
 * The bytes are: flags; if these say so, a scale of the costs, with which they
 * exceed 16 bits; the costs; the limit; the nodes of the first tree; and
 * either those of the second or edits that make it from the first.
 */
#include "../../src/core/common/simd.h"
#include "trees.h"

#include <math.h>

#include "../../src/core/tree/bounded/bounded.h"
#include "../../src/core/tree/bounded/bounded.h"
#include "../../src/core/tree/bounded/bounds.h"
#include "../../src/core/tree/exact/strategy.h"
#include "../../src/core/tree/exact/vector_tables.h"
#include "../../src/core/tree/exact/zhang_shasha.h"

enum
{
	SCALED = 1,
	EDITED = 2
};

/* The lesser of two numbers. */
static int32_t
lesser(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

/* Computes the distance by Zhang and Shasha's algorithm as published, finding key roots itself. */
static int32_t
plain_distance(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	static int32_t distance[MAX_NODES][MAX_NODES];
	static int32_t forest[MAX_NODES + 1][MAX_NODES + 1];
	int32_t root_a[MAX_NODES]; /* the highest node with each leftmost leaf */
	int32_t root_b[MAX_NODES];

	for (int32_t x = 0; x < a->size; x++)
		root_a[x - a->subtree_size[x] + 1] = x;
	for (int32_t y = 0; y < b->size; y++)
		root_b[y - b->subtree_size[y] + 1] = y;
	for (int32_t x = 0; x < a->size; x++)
		for (int32_t y = 0; y < b->size; y++)
		{
			int32_t first_a = x - a->subtree_size[x] + 1;
			int32_t first_b = y - b->subtree_size[y] + 1;

			if (root_a[first_a] != x || root_b[first_b] != y)
				continue;
			for (int32_t i = 0; i <= a->subtree_size[x]; i++)
				for (int32_t j = 0; j <= b->subtree_size[y]; j++)
				{
					int32_t v = first_a + i - 1;
					int32_t w = first_b + j - 1;
					int32_t best = i == 0 && j == 0 ? 0 : INT32_MAX;

					if (i > 0)
						best = forest[i - 1][j] + costs->delete_;
					if (j > 0)
						best = lesser(best, forest[i][j - 1] + costs->insert);
					if (i > 0 && j > 0 && a->subtree_size[v] == i && b->subtree_size[w] == j)
						best = distance[v][w] =
							lesser(best, forest[i - 1][j - 1] +
											 (a->label[v] == b->label[w] ? 0 : costs->rename));
					else if (i > 0 && j > 0)
						best = lesser(best,
									  distance[v][w] +
										  forest[i - a->subtree_size[v]][j - b->subtree_size[w]]);
					forest[i][j] = best;
				}
		}
	return distance[a->size - 1][b->size - 1];
}

/* Requires the expected exact distance. */
static void
check_exact(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t expected)
{
	int32_t distance = planned_distance(a, b, costs, TED_NO_LIMIT);

	require(distance == expected, "vectors %d: distance %d, expected %d",
			(int) ted_tuning.simd_limit, distance, expected);
}

/* Requires the expected one-to-many distances, and 0 from a tree to itself. */
static void
check_one_to_many(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t expected)
{
	TedGroup group = {.a = a, .costs = costs};
	int32_t distances[3] = {-1, -1, -1};
	TedGroupPlan plan;
	TedArena arena;
	TedStatus status;

	if (!ted_group_add(&group, b) || !ted_group_add(&group, a) || !ted_group_add(&group, b))
		return;
	plan = ted_plan_group(&group);
	if (plan.vectors.lanes == 0)
		return;
	arena = new_arena(plan.bytes);
	status = ted_group_distances(&group, &plan, &arena, &never, distances);
	require(status == TED_OK && arena.used == 0 && distances[0] == expected && distances[1] == 0 &&
				distances[2] == expected,
			"vectors %d: status %d, one-to-many distances %d, 0 and %d, expected %d",
			(int) ted_tuning.simd_limit, (int) status, distances[0], distances[2], expected);
	free(arena.base);
}

/* Requires the expected distance if it is within the limit, TED_BEYOND otherwise. */
static void
check_bounded(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit,
			  int32_t expected)
{
	int32_t distance = planned_distance(a, b, costs, limit);

	require(distance == (expected <= limit ? expected : TED_BEYOND),
			"vectors %d: limit %d gives %d, the distance is %d", (int) ted_tuning.simd_limit, limit,
			distance, expected);
}

/* Whether node x is in the subtree of y. */
static bool
below(const TedTree *tree, int32_t x, int32_t y)
{
	return x <= y && x > y - tree->subtree_size[y];
}

/* Requires a one-to-one mapping that preserves order and ancestors and has the expected cost. */
static void
require_mapping(const TedTree *a, const TedTree *b, const TedCosts *costs, const int32_t *map_a,
				const int32_t *map_b, int32_t expected)
{
	int32_t cost = 0;

	for (int32_t y = 0; y < b->size; y++)
	{
		require(map_b[y] >= -1 && map_b[y] < a->size && (map_b[y] < 0 || map_a[map_b[y]] == y),
				"node %d of b is mapped to %d, but not the other way round", y, map_b[y]);
		cost += map_b[y] < 0 ? costs->insert : 0;
	}
	for (int32_t x = 0; x < a->size; x++)
	{
		int32_t y = map_a[x];

		require(y >= -1 && y < b->size && (y < 0 || map_b[y] == x),
				"node %d of a is mapped to %d, but not the other way round", x, y);
		cost += y < 0 ? costs->delete_ : a->label[x] == b->label[y] ? 0 : costs->rename;
		for (int32_t z = 0; y >= 0 && z < x; z++)
			require(map_a[z] < 0 || (map_a[z] < y && below(a, z, x) == below(b, map_a[z], y)),
					"nodes %d and %d of a are not ordered as %d and %d of b", z, x, map_a[z], y);
	}
	require(cost == expected, "vectors %d: the mapping costs %d, expected %d",
			(int) ted_tuning.simd_limit, cost, expected);
}

/* Requires an optimal mapping, and the same one with a limit. */
static void
check_mapping(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t expected)
{
	int32_t map_a[MAX_NODES];
	int32_t map_b[MAX_NODES];
	int32_t bounded_a[MAX_NODES];
	int32_t bounded_b[MAX_NODES];
	int32_t distance = planned_mapping(a, b, costs, TED_NO_LIMIT, map_a, map_b);

	require(distance == expected, "mapping: distance %d, expected %d", distance, expected);
	require_mapping(a, b, costs, map_a, map_b, expected);

	distance = planned_mapping(a, b, costs, expected, bounded_a, bounded_b);
	require(distance == expected, "bounded mapping: distance %d, expected %d", distance, expected);
	require(memcmp(map_a, bounded_a, sizeof(int32_t) * (size_t) a->size) == 0 &&
				memcmp(map_b, bounded_b, sizeof(int32_t) * (size_t) b->size) == 0,
			"the bounded mapping differs");
}

/* Requires valid lower bounds, and an upper bound that a valid mapping has as its cost. */
static void
check_bounds(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit,
			 int32_t distance)
{
	TedArena indexes =
		new_arena(ted_bounds_index_memory(a->size) + ted_bounds_index_memory(b->size));
	TedBoundsIndex index_a;
	TedBoundsIndex index_b;
	TedArena arena;
	int32_t map_a[MAX_NODES];
	int32_t map_b[MAX_NODES];
	int32_t bound = -1;
	TedStatus status;

	require(ted_bounds_index(a, &indexes, &never, &index_a) == TED_OK &&
				ted_bounds_index(b, &indexes, &never, &index_b) == TED_OK,
			"no index of bounds");
	arena = new_arena(ted_label_bound_memory(a->size, b->size));
	status = ted_label_bound(a, b, costs, distance, &arena, &never, &bound);
	require(status == TED_OK && bound <= distance, "label bound");
	free(arena.base);

	arena = new_arena(ted_traversal_bound_memory(a->size, b->size, costs, distance));
	status = ted_traversal_bound(&index_a, &index_b, costs, distance, &arena, &never, &bound);
	require(status == TED_OK && bound <= distance, "traversal bound: %d, the distance is %d", bound,
			distance);
	free(arena.base);

	arena = new_arena(ted_greedy_mapping_memory(a->size, b->size));
	status =
		ted_greedy_mapping(&index_a, &index_b, costs, limit, &arena, &never, map_a, map_b, &bound);
	require(status == TED_OK && bound >= distance, "upper bound: %d, the distance is %d", bound,
			distance);
	free(arena.base);
	require_mapping(a, b, costs, map_a, map_b, bound);
	free(indexes.base);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FuzzTree a;
	static FuzzTree b;
	Bytes bytes = {data, size};
	uint8_t flags = take(&bytes);
	int32_t scale = flags & SCALED ? 1 + take(&bytes) : 1;
	TedCosts costs = {.insert = (take(&bytes) & 7) * scale,
					  .delete_ = (take(&bytes) & 7) * scale,
					  .rename = (take(&bytes) & 15) * scale};
	TedCosts exchanged = {.insert = costs.delete_, .delete_ = costs.insert, .rename = costs.rename};
	int32_t limit = take(&bytes) * scale;
	int32_t distance;

	take_codes(&bytes, &a);
	if (flags & EDITED)
	{
		b = a;
		edit_codes(&bytes, &b);
	}
	else
		take_codes(&bytes, &b);
	make_tree(&a);
	make_tree(&b);

	ted_tuning.cells_for_vectors = 0;
	distance = plain_distance(&a.tree, &b.tree, &costs);
	check_bounds(&a.tree, &b.tree, &costs, limit, distance);
	for (TedSimd simd = TED_SIMD_NONE; simd <= TED_SIMD_WIDEST; simd++)
	{
		ted_tuning.simd_limit = simd;
		if (ted_simd() != simd)
			continue;
		for (int paths = 0; paths <= 1; paths++)
		{
			ted_tuning.path_preference = paths == 0 ? 0 : (double) INFINITY;
			check_exact(&a.tree, &b.tree, &costs, distance);
			check_exact(&b.tree, &a.tree, &exchanged, distance);
			check_one_to_many(&a.tree, &b.tree, &costs, distance);
			check_mapping(&a.tree, &b.tree, &costs, distance);
		}
		check_bounded(&a.tree, &b.tree, &costs, limit, distance);
		check_bounded(&a.tree, &b.tree, &costs, distance, distance);
		if (distance > 0)
			check_bounded(&a.tree, &b.tree, &costs, distance - 1, distance);
	}
	return 0;
}
