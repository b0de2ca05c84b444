/*
 * test_adaptive.c
 *	  Checks distances by stages against the textbook algorithm and the exact one.
 *
 * How far each stage goes depends on what it may take of the exact algorithm's
 * time and on memory, so both are varied: no stage may change a distance.
 */
#include <stdio.h>

#include "../../bench/plain.h"
#include "../../src/core/common/simd.h"
#include "../../src/core/tree/mapping/adaptive.h"
#include "../../src/core/tree/bounded/bounds.h"
#include "../../src/engine/engine.h"
#include "host.h"
#include "tap.h"
#include "trees.h"

/* Number of pairs that each stage has settled. */
static uint64_t settled[TED_STAGE_DONE];

/* Returns the exact distance. */
static int32_t
exact(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	return planned_distance(a, b, costs, TED_NO_LIMIT);
}

/* Makes a pair go on as if tables took too much memory, and so did strips beyond some limit. */
static void
starve(TedStages *stages)
{
	if (stages->stage == TED_STAGE_DONE)
		return;
	stages->memory = SIZE_MAX;
	stages->fits = false;
	stages->widest =
		ted_min((int32_t) random_below(1 + (uint32_t) stages->exact.a->size), stages->limit);
	stages->stage = TED_STAGE_BOUNDS;
}

/*
 * Returns the distance by stages, each in exactly the memory that it asks for; -3 if a bound
 * does not hold for the distance.
 */
static int32_t
by_stages(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit, size_t memory,
		  int32_t exact_distance)
{
	TedPairPlan plan = ted_plan_pair(a, b, costs, limit);
	TedStages stages = ted_stages_begin(&plan, memory);

	if (random_below(2) == 0)
		starve(&stages);
	while (stages.stage != TED_STAGE_DONE)
	{
		if (stages.lower > exact_distance || stages.upper < ted_min(exact_distance, limit))
			return -3;
		TedStage stage = stages.stage;
		TedArena arena = new_arena(ted_stage_memory(&stages));
		TedStatus status = ted_stage_run(&stages, &arena, &never);

		free(arena.base);
		if (status != TED_OK || arena.used != 0)
			return -2;
		settled[stage] += stages.stage == TED_STAGE_DONE;
	}
	return stages.distance;
}

/*
 * Makes a pair: two trees of any shapes, or a tree and a copy with edits, no more than it has
 * nodes.
 */
static void
make_pair(TestTree *a, TestTree *b, uint64_t round, int32_t max_size)
{
	static const int32_t alphabets[] = {1, 2, 4, 1000};
	int32_t labels = alphabets[round % 4];
	Shape shape = (Shape) (round / 4 % SHAPES);
	int32_t size = 1 + (int32_t) random_below((uint32_t) max_size);

	make_tree(a, shape, size, labels, 0);
	if (random_below(3) == 0)
	{
		make_tree(b, (Shape) random_below(SHAPES), 1 + (int32_t) random_below((uint32_t) max_size),
				  labels, 0);
		return;
	}
	copy_tree(b, a);
	edit_tree(b, (int32_t) random_below(1 + random_below((uint32_t) size)), labels);
}

/* Tests pairs of all shapes and costs, with and without limits. */
static void
test_pairs(uint64_t count, int32_t max_size)
{
	static const double shares[] = {1e-9, 0.03, 1, 1e3, 1e9};
	static TestTree a;
	static TestTree b;
	uint64_t wrong[2] = {0};

	for (uint64_t round = 0; round < count; round++)
	{
		TedCosts costs = strip_costs(round);
		size_t memory = random_below(2) == 0 ? 1000 : (size_t) 1 << 30;
		int32_t distance;
		int32_t limit;

		make_pair(&a, &b, round, max_size);
		distance = exact(&a.tree, &b.tree, &costs);
		if (round % 3 == 0) /* by unit costs */
			wrong[0] += plain_distance(&a.tree, &b.tree) != distance;
		ted_tuning.stages_share = shares[random_below(5)];
		wrong[0] += by_stages(&a.tree, &b.tree, &costs, TED_NO_LIMIT, memory, distance) != distance;
		limit = (int32_t) random_below(2 * (uint32_t) distance + 3);
		if (limit < ted_size_bound(a.tree.size, b.tree.size, &costs))
			continue;
		wrong[1] += by_stages(&a.tree, &b.tree, &costs, limit, memory, distance) !=
					(distance <= limit ? distance : TED_BEYOND);
	}
	ok(wrong[0] == 0, "distances by stages are the exact ones, %llu pairs of up to %d nodes",
	   (unsigned long long) count, max_size);
	ok(wrong[1] == 0, "so they are up to a limit");
}

/* Makes a second tree, which may be an edited copy of the first one or share no label with it. */
static void
make_other(TestTree *b, const TestTree *a, int32_t labels, int32_t max_size)
{
	uint32_t kind = random_below(4);

	if (kind == 0)
	{
		copy_tree(b, a);
		edit_tree(b, (int32_t) random_below((uint32_t) a->tree.size), labels);
	}
	else
		make_tree(b, (Shape) random_below(SHAPES), 1 + (int32_t) random_below((uint32_t) max_size),
				  labels, kind == 1 ? labels : 0);
}

/* Tests one tree against many through the engine, those that stages do not settle in one pass. */
static void
test_together(uint64_t count)
{
	enum
	{
		TREES = 24,
		MAX_SIZE = 250
	};
	static const int32_t alphabets[] = {1, 2, 10, 1000};
	static const double shares[] = {0.03, 1, 1e9};
	static TestTree trees[TREES];
	TedPair pairs[TREES];
	int32_t distances[TREES];
	uint64_t wrong = 0;

	for (uint64_t round = 0; round < count; round++)
	{
		int32_t labels = alphabets[random_below(4)];
		TedCpu cpu = {.host = {.allocate = allocate,
							   .release = release,
							   .memory_limit = (size_t) 1 << (24 + random_below(5))}};
		const TedTree *list[TREES];
		TedBatch batch = {.trees = list,
						  .pairs = pairs,
						  .distances = distances,
						  .count = TREES,
						  .costs = TED_UNIT_COSTS};

		ted_tuning.part_columns = 1 + (int32_t) random_below(5000);
		ted_tuning.stages_share = shares[random_below(3)];
		make_tree(&trees[0], (Shape) (round % SHAPES), 1 + (int32_t) random_below(MAX_SIZE), labels,
				  0);
		for (int32_t i = 0; i < TREES; i++)
		{
			if (i > 0)
				make_other(&trees[i], &trees[0], labels, MAX_SIZE);
			list[i] = &trees[i].tree;
			pairs[i] = (TedPair){.a = 0,
								 .b = i,
								 .limit = random_below(2) == 0 ? TED_NO_LIMIT
															   : (int32_t) random_below(MAX_SIZE)};
		}
		wrong += ted_cpu_compute(&cpu, &batch) != TED_ENGINE_DONE;
		for (int32_t i = 0; i < TREES; i++)
		{
			int32_t distance = plain_distance(&trees[0].tree, &trees[i].tree);

			wrong += distances[i] != (distance <= pairs[i].limit ? distance : TED_BEYOND);
		}
		ted_cpu_close(&cpu);
	}
	ok(wrong == 0, "one tree and many through the engine, %llu times", (unsigned long long) count);
}

/* Tests pairs with stages among others through the engine, in little memory. */
static void
test_engine(void)
{
	enum
	{
		TREES = 8
	};
	static TestTree trees[TREES];
	TedPair pairs[TREES];
	int32_t distances[TREES];
	TedCpu cpu = {.host = {.allocate = allocate, .release = release, .memory_limit = 400000}};
	const TedTree *list[TREES];
	TedBatch batch = {.trees = list,
					  .pairs = pairs,
					  .distances = distances,
					  .count = TREES,
					  .costs = TED_UNIT_COSTS};
	TedEngineStatus status;
	bool right = true;

	ted_tuning.stages_share = 0.03;
	make_tree(&trees[0], RANDOM, MAX_HUGE, 1000, 0);
	for (int32_t i = 0; i < TREES; i++)
	{
		if (i % 2 == 0)
		{
			copy_tree(&trees[i], &trees[0]);
			edit_tree(&trees[i], i, 1000);
		}
		else
			make_tree(&trees[i], RANDOM, 10, 1000, 0);
		list[i] = &trees[i].tree;
		pairs[i] = (TedPair){.a = 0, .b = i, .limit = TED_NO_LIMIT};
	}
	status = ted_cpu_compute(&cpu, &batch);
	for (int32_t i = 0; i < TREES; i++)
		right &= distances[i] == exact(&trees[0].tree, &trees[i].tree, &TED_UNIT_COSTS);
	ok(status == TED_ENGINE_DONE && right,
	   "the engine needs little memory for large trees that are alike");

	cpu.host.interrupt = at_once;
	batch.count = 2;
	ok(ted_cpu_compute(&cpu, &batch) == TED_ENGINE_CANCELLED, "an interrupt ends it");
	ted_cpu_close(&cpu);
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
		test_pairs(count / 3 + 1, 12);
		test_pairs(count / 5 + 1, 60);
		test_pairs(count / 100 + 1, 250);
		test_together(count / 60 + 1);
	}
	ok(settled[TED_STAGE_BOUNDS] > 0 && settled[TED_STAGE_APPROXIMATE] > 0 &&
		   settled[TED_STAGE_STRIP] > 0 && settled[TED_STAGE_TABLES] > 0,
	   "each stage has settled some: %llu, %llu, %llu, %llu",
	   (unsigned long long) settled[TED_STAGE_BOUNDS],
	   (unsigned long long) settled[TED_STAGE_APPROXIMATE],
	   (unsigned long long) settled[TED_STAGE_STRIP],
	   (unsigned long long) settled[TED_STAGE_TABLES]);
	test_engine();
	return done_testing();
}
