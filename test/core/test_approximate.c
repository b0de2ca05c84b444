/*
 * test_approximate.c
 *	  Checks approximate edit mappings against the definition of a mapping, and against exact
 *	  distances.
 *
 * Pairs are of all shapes, edited copies and others.  The size up to which a part is mapped
 * optimally is varied, since most trees here would be such parts.
 */
#include <stdio.h>

#include "../../src/core/common/processor_tuning.h"
#include "../../src/core/tree/mapping/approximate.h"
#include "host.h"
#include "tap.h"
#include "trees.h"

/* Returns the exact distance. */
static int32_t
exact(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	return planned_distance(a, b, costs, TED_NO_LIMIT);
}

/*
 * Tests pairs of all shapes and costs, where parts of up to this number of pairs of nodes are
 * small.
 */
static void
test_pairs(uint64_t count, int32_t max_size, double local_pairs)
{
	static TestTree a;
	static TestTree b;
	int32_t map_a[MAX_HUGE];
	int32_t map_b[MAX_HUGE];
	uint64_t wrong = 0;
	uint64_t optimal = 0;
	uint64_t too_low = 0;

	ted_tuning.local_pairs = local_pairs;
	for (uint64_t round = 0; round < count; round++)
	{
		TedCosts costs = choose_costs(round);
		TedArena arena;
		int32_t distance;
		int32_t cost = -1;

		make_random_pair(&a, &b, round, max_size);
		distance = exact(&a.tree, &b.tree, &costs);
		arena = new_arena(ted_approximate_mapping_memory(a.tree.size, b.tree.size));
		wrong += ted_approximate_mapping(&a.tree, &b.tree, &costs, &arena, &never, map_a, map_b,
										 &cost) != TED_OK ||
				 !is_mapping(&a.tree, &b.tree, &costs, cost, map_a, map_b);
		too_low += cost < distance;
		optimal += cost == distance;
		free(arena.base);
	}
	ok(wrong == 0 && too_low == 0,
	   "valid mappings of what they cost, %llu pairs of up to %d nodes, %llu of them optimal",
	   (unsigned long long) count, max_size, (unsigned long long) optimal);
}

/* Tests interrupts, and arenas that are too small. */
static void
test_limits(void)
{
	static TestTree a;
	static int32_t map_a[MAX_HUGE];
	static int32_t map_b[MAX_HUGE];
	TedArena arena;
	size_t memory;
	int32_t cost;

	make_tree(&a, RANDOM, MAX_HUGE, 4, 0);
	memory = ted_approximate_mapping_memory(a.tree.size, a.tree.size);
	arena = new_arena(memory);
	arena.size = memory / 1000;
	ok(ted_approximate_mapping(&a.tree, &a.tree, &TED_UNIT_COSTS, &arena, &never, map_a, map_b,
							   &cost) == TED_OUT_OF_ARENA,
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
	test_pairs(count, 12, 0);
	test_pairs(count, 12, 30);
	test_pairs(count / 3 + 1, 90, 0);
	test_pairs(count / 3 + 1, 90, 300);
	test_pairs(count / 30 + 1, MAX_HUGE, 10000);
	test_pairs(count / 30 + 1, MAX_HUGE, 1e6);
	test_limits();
	return done_testing();
}
