/*
 * test_strategy.c
 *	  Checks distances by path strategies against the textbook algorithm of Zhang and Shasha.
 *
 * SEED and COUNT in the environment set the random trees and how many pairs are tried.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../src/core/common/simd.h"
#include "../../src/core/tree/exact/strategy.h"
#include "../../src/core/tree/exact/vector_tables.h"
#include "../../src/core/tree/mirror.h"
#include "../../src/core/tree/exact/zhang_shasha.h"
#include "trees.h"
#include "tap.h"
#include "vectors.h"

#define MAX_SIZE 140

/* Computes the distances of all pairs of subtrees by the textbook algorithm. */
static void
define(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t (*distance)[MAX_SIZE])
{
	static int32_t forest[MAX_SIZE + 1][MAX_SIZE + 1];

	for (int32_t x = 0; x < a->size; x++)
		for (int32_t y = 0; y < b->size; y++)
		{
			int32_t first_a = x - a->subtree_size[x];
			int32_t first_b = y - b->subtree_size[y];

			if (a->key_root[x] != x || b->key_root[y] != y)
				continue;
			for (int32_t i = 0; i <= a->subtree_size[x]; i++)
				for (int32_t j = 0; j <= b->subtree_size[y]; j++)
				{
					int32_t v = first_a + i;
					int32_t w = first_b + j;
					bool trees =
						i > 0 && j > 0 && a->subtree_size[v] == i && b->subtree_size[w] == j;
					int32_t best = i == 0 && j == 0 ? 0 : INT32_MAX;

					if (i > 0)
						best = ted_min(best, forest[i - 1][j] + costs->delete_);
					if (j > 0)
						best = ted_min(best, forest[i][j - 1] + costs->insert);
					if (trees)
						distance[v][w] = best =
							ted_min(best, forest[i - 1][j - 1] +
											  (a->label[v] == b->label[w] ? 0 : costs->rename));
					else if (i > 0 && j > 0)
						best = ted_min(best,
									   distance[v][w] +
										   forest[i - a->subtree_size[v]][j - b->subtree_size[w]]);
					forest[i][j] = best;
				}
		}
}

/* Whether the strategy finds all distances, in exactly the memory that the core asks for. */
static bool
agrees(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	static int32_t distance[MAX_SIZE][MAX_SIZE];
	TedTablesPlan plan = ted_plan_tables(a, b, costs);
	TedArena arena = {.base = aligned_alloc(TED_ARENA_ALIGN, plan.bytes), .size = plan.bytes};
	TedPairView view;
	TedTables tables;
	bool right;

	right = ted_orient(a, b, &arena, &never, &view) == TED_OK &&
			ted_tables_fill(&view.a, &view.b, costs, &plan, &arena, &never, &tables) == TED_OK &&
			tables.cells32 != NULL;
	if (right)
	{
		define(&view.a, &view.b, costs, distance);
		for (int32_t x = 0; x < a->size; x++)
			for (int32_t y = 0; y < b->size; y++)
				right &= ted_subtree_distance(&tables, x, y) == distance[x][y];
	}
	free(arena.base);
	return right;
}

/* Tests pairs of all shapes, with unit and other costs. */
static void
test_strategies(uint64_t count)
{
	static TestTree a;
	static TestTree b;
	uint64_t wrong = 0;

	for (uint64_t round = 0; round < count; round++)
	{
		static const int32_t alphabets[] = {1, 2, 4, 1000};
		int32_t labels = alphabets[random_below(4)];
		uint32_t most = round % 3 == 0 ? MAX_SIZE : round % 3 == 1 ? 40 : 8;
		TedCosts costs = TED_UNIT_COSTS;

		if (round % 2 == 1)
			costs = (TedCosts){.insert = (int32_t) random_below(5),
							   .delete_ = (int32_t) random_below(5),
							   .rename = (int32_t) random_below(8)};
		make_tree(&a, (Shape) random_below(SHAPES), 1 + (int32_t) random_below(most), labels, 0);
		make_tree(&b, (Shape) random_below(SHAPES), 1 + (int32_t) random_below(most), labels, 0);
		wrong += !agrees(&a.tree, &b.tree, &costs);
	}
	ok(wrong == 0, "%s: strategies give the textbook's distances, %llu pairs",
	   simd_names[ted_tuning.simd_limit], (unsigned long long) count);
}

/* Tests a long path against a small tree, in exactly the memory that the core asks for. */
static void
test_deep(void)
{
	enum
	{
		DEEP = 100000
	};
	static int32_t label[DEEP];
	static int32_t subtree_size[DEEP];
	static int32_t depth[DEEP];
	static int32_t key_root[DEEP];
	static TestTree small;
	TedTree deep = {.size = DEEP, .label = label, .subtree_size = subtree_size};

	for (int32_t x = 0; x < DEEP; x++)
		subtree_size[x] = x + 1;
	ted_tree_index(&deep, depth, key_root, &never);
	make_tree(&small, PATH, 3, 1, 0);
	ok(planned_distance(&deep, &small.tree, &TED_UNIT_COSTS, TED_NO_LIMIT) == DEEP - 3,
	   "a path of %d nodes", DEEP);
}

/* Tests that an interrupt is obeyed. */
static void
test_interrupt(void)
{
	static TestTree zigzag;
	TedPairPlan plan;
	TedArena arena;
	int32_t distance;

	make_tree(&zigzag, ZIGZAG, MAX_HUGE, 3, 0);
	plan = ted_plan_pair(&zigzag.tree, &zigzag.tree, &TED_UNIT_COSTS, TED_NO_LIMIT);
	arena = new_arena(plan.bytes);
	ok(ted_pair_distance(&plan, &arena, &at_once, &distance) == TED_CANCELLED && arena.used == 0,
	   "an interrupt ends a strategy");
	free(arena.base);
}

int
main(void)
{
	uint64_t seed = setting("SEED", 1);
	uint64_t count = rounds(1000);

	printf("# seed %llu, %llu times\n", (unsigned long long) seed, (unsigned long long) count);
	random_state = seed;
	ted_tuning.path_preference = (double) INFINITY;
	for (TedSimd simd = TED_SIMD_NONE; simd <= TED_SIMD_WIDEST; simd++)
	{
		ted_tuning.simd_limit = simd;
		if (ted_simd() == simd)
			test_strategies(count);
	}
	test_deep();
	test_interrupt();
	return done_testing();
}
