/*
 * test_heavy_strip.c
 *	  Checks bounded distances along heavy paths against exact ones.
 *
 * Pairs are edited copies of all shapes, which is where a strip is used, and
 * trees of different shapes; limits are at, around and far from the distance.
 * test_ted.c does the same with small trees against the definition.
 */
#include <stdio.h>

#include "../../bench/plain.h"
#include "../../src/core/common/simd.h"
#include "../../src/core/tree/bounded/bounded.h"
#include "../../src/core/tree/bounded/bounds.h"
#include "../../src/core/tree/bounded/heavy_strip.h"
#include "../../src/core/tree/bounded/strip.h"
#include "host.h"
#include "tap.h"
#include "trees.h"

/* Number of pairs for which heavy paths have been chosen. */
static uint64_t chosen;

/*
 * Returns the exact distance by all kinds of vectors, or by the textbook algorithm if that does
 * not take too long.
 */
static int32_t
exact(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	bool unit = costs->insert == 1 && costs->delete_ == 1 && costs->rename == 1;
	TedSimd limit = ted_tuning.simd_limit;
	int32_t distance;

	if (unit && ted_max(a->size, b->size) <= 100)
		return plain_distance(a, b);
	ted_tuning.simd_limit = TED_SIMD_WIDEST;
	distance = planned_distance(a, b, costs, TED_NO_LIMIT);
	ted_tuning.simd_limit = limit;
	return distance;
}

/* Returns the distance along heavy paths, in exactly the memory that the core asks for. */
static int32_t
along_heavy_paths(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit)
{
	TedHeavySums sums = ted_heavy_sums(a);
	TedArena arena = new_arena(ted_heavy_strip_memory(a, b, &sums, costs, limit));
	int32_t distance = -2;

	ted_heavy_strip_distance(a, b, &sums, costs, limit, &arena, &never, &distance);
	free(arena.base);
	chosen += ted_plan_strip(a, b, costs, limit).way == TED_BY_HEAVY_STRIP;
	return distance <= limit ? distance : TED_BEYOND;
}

/* Tests pairs of all shapes and costs. */
static void
test_pairs(uint64_t count, int32_t max_size)
{
	static TestTree a;
	static TestTree b;
	uint64_t wrong[2] = {0};

	for (uint64_t round = 0; round < count; round++)
	{
		TedCosts costs = strip_costs(round);
		int32_t distance;

		make_random_pair(&a, &b, round, max_size);
		distance = exact(&a.tree, &b.tree, &costs);
		for (int32_t i = -2; i <= 3; i++)
		{
			int32_t limit = i < 3 ? distance + i : (int32_t) random_below(2 * distance + 40);
			int32_t expected = distance <= limit ? distance : TED_BEYOND;

			if (limit < ted_size_bound(a.tree.size, b.tree.size, &costs))
				continue;
			wrong[0] += along_heavy_paths(&a.tree, &b.tree, &costs, limit) != expected;
			wrong[1] += planned_distance(&a.tree, &b.tree, &costs, limit) != expected;
		}
	}
	ok(wrong[0] == 0, "along heavy paths as without a limit, %llu pairs of up to %d nodes",
	   (unsigned long long) count, max_size);
	ok(wrong[1] == 0, "so it is with the paths that are chosen");
}

/* Tests interrupts, and arenas that are too small. */
static void
test_limits(void)
{
	static TestTree a;
	TedHeavySums sums;
	TedArena arena;
	size_t memory;
	int32_t distance;

	make_tree(&a, ZIGZAG, MAX_HUGE, 4, 0);
	sums = ted_heavy_sums(&a.tree);
	memory = ted_heavy_strip_memory(&a.tree, &a.tree, &sums, &TED_UNIT_COSTS, 100);
	arena = new_arena(memory);
	ok(ted_heavy_strip_distance(&a.tree, &a.tree, &sums, &TED_UNIT_COSTS, 100, &arena, &at_once,
								&distance) == TED_CANCELLED,
	   "an interrupt ends it");
	arena.used = 0;
	arena.size = memory - 1;
	ok(ted_heavy_strip_distance(&a.tree, &a.tree, &sums, &TED_UNIT_COSTS, 100, &arena, &never,
								&distance) == TED_OUT_OF_ARENA,
	   "too small an arena is refused");
	free(arena.base);
}

int
main(void)
{
	uint64_t seed = setting("SEED", 1);
	uint64_t count = rounds(3000);

	printf("# seed %llu, %llu times\n", (unsigned long long) seed, (unsigned long long) count);
	random_state = seed;
	for (TedSimd simd = TED_SIMD_NONE; simd <= TED_SIMD_WIDEST; simd++)
	{
		ted_tuning.simd_limit = simd;
		if (ted_simd() != simd)
			continue;
		test_pairs(count / 2 + 1, 30);
		test_pairs(count / 10 + 1, 100);
		test_pairs(count / 60 + 1, 400);
	}
	ok(chosen > 0, "heavy paths were chosen %llu times", (unsigned long long) chosen);
	test_limits();
	return done_testing();
}
