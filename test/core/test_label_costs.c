/*
 * test_label_costs.c
 *	  Checks all computations with costs by label against the definition.
 *
 * The definition is the recursion on ordered forests, with costs by label.  Models are
 * random: with zeros, renames that cost more than deleting and inserting, other costs in one
 * direction than in the other, few distinct costs or many, and large ones.
 */
#include <stdio.h>
#include <string.h>

#include "../../src/core/common/simd.h"
#include "../../src/core/tree/mapping/adaptive.h"
#include "../../src/core/tree/mapping/approximate.h"
#include "../../src/core/tree/bounded/bounds.h"
#include "../../src/core/tree/bounded/heavy_strip.h"
#include "../../src/core/tree/label_costs.h"
#include "../../src/core/tree/exact/path_distance.h"
#include "../../src/core/tree/bounded/strip.h"
#include "../../src/core/tree/exact/wide_distance.h"
#include "../../src/engine/engine.h"
#include "definition.h"
#include "host.h"
#include "tap.h"
#include "trees.h"
#include "vectors.h"

#define MAX_SMALL 11 /* most nodes of a tree for the definition */
#define MAX_LARGE 90
#define LABELS 2000 /* labels of all trees */
#define CACHED 50   /* pairs of labels in the cache, which are not all pairs */

/* A model of costs by label. */
typedef struct Model
{
	int32_t insert[LABELS];
	int32_t delete_[LABELS];
	uint32_t seed;
	int32_t least_rename;
	int32_t renames; /* number of distinct costs of renames */
	int32_t unit;
	bool symmetric;
	int64_t asked;
	TedArena arena; /* memory of the cache */
	TedLabelCosts labels;
	TedCosts costs;
	int64_t wide_insert[LABELS];
	int64_t wide_delete[LABELS];
} Model;

static Model model;

/* Returns the cost of a rename by the model. */
static int32_t
rename_by_model(int32_t from, int32_t to)
{
	uint64_t z = model.seed;

	if (from == to)
		return 0;
	if (model.symmetric && from > to)
		return rename_by_model(to, from);
	z = (z + (uint64_t) from * 977 + (uint64_t) to * 31) * UINT64_C(0xBF58476D1CE4E5B9);
	return (model.least_rename + (int32_t) ((z >> 40) % (uint64_t) model.renames)) * model.unit;
}

/* Returns the cost of a rename by the model, as the core's callback. */
static int32_t
ask(void *context, int32_t from, int32_t to)
{
	model.asked += context == &model && from != to;
	return rename_by_model(from, to);
}

/* Returns the wide cost of a rename by the model, as the core's callback. */
static int64_t
ask_wide(void *context, int32_t from, int32_t to)
{
	return (int64_t) ask(context, from, to) << 20;
}

/* Chooses a model; `least` is the least cost of an insertion or a deletion. */
static void
choose_model(uint64_t round, int32_t least)
{
	static const int32_t units[] = {1, 1, 1, 1, 30, 1000, 100000};
	uint32_t kinds = 1 + random_below(4);

	model.seed = random_below(1000000);
	model.unit = units[round % 7];
	model.symmetric = random_below(2) == 0;
	model.least_rename = (int32_t) random_below(2);
	model.renames = 1 + (int32_t) random_below(round % 3 == 0 ? 3 : 12);
	model.asked = 0;
	model.labels =
		(TedLabelCosts){.insert = model.insert,
						.delete_ = model.delete_,
						.rename = ask,
						.context = &model,
						.cache = random_below(4) == 0 ? NULL : model.labels.cache,
						.least = {INT32_MAX, INT32_MAX, model.least_rename * model.unit},
						.most = {0, 0, (model.least_rename + model.renames - 1) * model.unit}};
	if (model.labels.cache != NULL)
		ted_rename_cache_forget(model.labels.cache);
	for (int32_t label = 0; label < LABELS; label++)
	{
		TedUniformCosts *low = &model.labels.least;
		TedUniformCosts *high = &model.labels.most;

		model.insert[label] = (least + (int32_t) random_below(kinds)) * model.unit;
		model.delete_[label] = (least + (int32_t) random_below(kinds)) * model.unit;
		model.wide_insert[label] = (int64_t) model.insert[label] << 20;
		model.wide_delete[label] = (int64_t) model.delete_[label] << 20;
		low->insert = ted_min(low->insert, model.insert[label]);
		low->delete_ = ted_min(low->delete_, model.delete_[label]);
		high->insert = ted_max(high->insert, model.insert[label]);
		high->delete_ = ted_max(high->delete_, model.delete_[label]);
	}
	model.costs = (TedCosts){.labels = &model.labels};
	if (kinds == 1 && model.renames == 1 && random_below(2) == 0) /* the same for all labels */
		model.costs = (TedCosts){.insert = model.insert[0],
								 .delete_ = model.delete_[0],
								 .rename = model.least_rename * model.unit};
}

/* The pair under test and the table of its definition. */
static TestTree tree_a;
static TestTree tree_b;
static const TedTree *const A = &tree_a.tree;
static const TedTree *const B = &tree_b.tree;
static int32_t memo[MAX_SMALL + 1][MAX_SMALL + 1][MAX_SMALL + 1][MAX_SMALL + 1];

/* Returns the distance between the forests [i, j] of A and [k, l] of B. */
DEFINITION static int32_t
definition(int32_t i, int32_t j, int32_t k, int32_t l)
{
	int32_t *known = &memo[i][j + 1][k][l + 1];
	int32_t best = INT32_MAX;

	if (i > j && k > l)
		return 0;
	if (*known >= 0)
		return *known;
	if (i <= j)
		best = definition(i, j - 1, k, l) + model.delete_[A->label[j]];
	if (k <= l)
		best = ted_min(best, definition(i, j, k, l - 1) + model.insert[B->label[l]]);
	if (i <= j && k <= l)
	{
		int32_t start_a = j - A->subtree_size[j] + 1;
		int32_t start_b = l - B->subtree_size[l] + 1;

		best = ted_min(best, definition(i, start_a - 1, k, start_b - 1) +
								 definition(start_a, j - 1, start_b, l - 1) +
								 rename_by_model(A->label[j], B->label[l]));
	}
	return *known = best;
}

/* Returns the distance by definition. */
static int32_t
defined(void)
{
	memset(memo, -1, sizeof(memo));
	return definition(0, A->size - 1, 0, B->size - 1);
}

/* Returns the exact distance, in exactly the memory that the core asks for. */
static int32_t
exact(void)
{
	return planned_distance(A, B, &model.costs, TED_NO_LIMIT);
}

/* Returns the exact distance by wide numbers. */
static int64_t
wide(void)
{
	TedWideCosts costs = {.insert = model.wide_insert,
						  .delete_ = model.wide_delete,
						  .rename = ask_wide,
						  .context = &model};
	TedArena arena = new_arena(ted_wide_distance_memory(A, B));
	int64_t distance = -1;

	if (ted_wide_distance(A, B, &costs, &arena, &never, &distance) != TED_OK || arena.used > 0)
		distance = -2;
	free(arena.base);
	return distance;
}

/* Returns the exact distance by the optimal strategy of paths. */
static int32_t
by_paths(void)
{
	TedArena arena = new_arena(ted_path_memory(A, B));
	int32_t *distances = NULL;
	int32_t distance = -1;

	if (ted_path_distances(A, B, &model.costs, 1e9, &arena, &never, &distances) == TED_OK &&
		distances != NULL)
		distance = distances[A->size * B->size - 1];
	free(arena.base);
	return distance;
}

/* Returns the bounded distance. */
static int32_t
bounded(int32_t limit)
{
	return planned_distance(A, B, &model.costs, limit);
}

/* Returns the bounded distance by a strip, whether that is faster or not. */
static int32_t
through_strip(int32_t limit)
{
	TedArena arena = new_arena(ted_strip_memory(A->size, B->size, &model.costs, limit));
	TedStrip strip;
	int32_t distance = -2;

	if (ted_strip_fill(A, B, &model.costs, limit, &arena, &never, &strip) == TED_OK)
		distance = ted_strip_distance(&strip, A->size - 1, B->size - 1);
	free(arena.base);
	return distance <= limit ? distance : TED_BEYOND;
}

/* Returns the bounded distance along heavy paths. */
static int32_t
along_heavy_paths(int32_t limit)
{
	TedHeavySums sums = ted_heavy_sums(A);
	TedArena arena = new_arena(ted_heavy_strip_memory(A, B, &sums, &model.costs, limit));
	int32_t distance = -2;

	ted_heavy_strip_distance(A, B, &sums, &model.costs, limit, &arena, &never, &distance);
	free(arena.base);
	return distance <= limit ? distance : TED_BEYOND;
}

/* Whether a limit gives the distance or TED_BEYOND in all ways. */
static bool
limit_agrees(int32_t limit, int32_t distance)
{
	int32_t expected = distance <= limit ? distance : TED_BEYOND;

	if (limit < 0)
		return true;
	if (bounded(limit) != expected)
		return false;
	if (ted_least_indel_cost(&model.costs) == 0 || ted_strip_width(&model.costs, limit) > 1000 ||
		ted_size_bound(A->size, B->size, &model.costs) > limit)
		return true;
	return through_strip(limit) == expected && along_heavy_paths(limit) == expected;
}

/* Whether limits around the distance, and less and more, give it or TED_BEYOND. */
static bool
bounded_agrees(int32_t distance)
{
	for (int32_t off = -3; off <= 3; off++)
		if (!limit_agrees(distance + off * model.unit, distance) ||
			!limit_agrees(distance + off, distance))
			return false;
	return limit_agrees(0, distance) && limit_agrees(distance / 2, distance) &&
		   limit_agrees(2 * distance, distance);
}

/* Whether the bounds are bounds. */
static bool
bounds_hold(int32_t distance)
{
	int32_t limit = distance + (int32_t) random_below(3 * (uint32_t) model.unit);
	int32_t map_a[MAX_HUGE];
	int32_t map_b[MAX_HUGE];
	int32_t bound = -1;
	TedBoundsIndex a;
	TedBoundsIndex b;
	TedArena arena = new_arena(ted_bounds_index_memory(A->size) + ted_bounds_index_memory(B->size) +
							   ted_label_bound_memory(A->size, B->size) +
							   ted_greedy_mapping_memory(A->size, B->size) +
							   ted_traversal_bound_memory(A->size, B->size, &model.costs, limit));
	bool hold = ted_size_bound(A->size, B->size, &model.costs) <= distance;

	ted_bounds_index(A, &arena, &never, &a);
	ted_bounds_index(B, &arena, &never, &b);
	ted_label_bound(A, B, &model.costs, limit, &arena, &never, &bound);
	hold &= bound >= 0 && bound <= distance;
	ted_traversal_bound(&a, &b, &model.costs, limit, &arena, &never, &bound);
	hold &= bound >= 0 && bound <= distance;
	ted_greedy_mapping(&a, &b, &model.costs, (int32_t) random_below(20), &arena, &never, map_a,
					   map_b, &bound);
	hold &= bound >= distance && is_mapping(A, B, &model.costs, bound, map_a, map_b);
	free(arena.base);
	return hold;
}

/* Whether all ways to map give mappings, of the least cost but for the approximate one. */
static bool
mappings_agree(int32_t distance)
{
	int32_t map_a[2][MAX_HUGE];
	int32_t map_b[2][MAX_HUGE];
	int32_t limit = distance + (int32_t) random_below(3);
	int32_t cost;
	TedArena arena;
	bool agree = planned_mapping(A, B, &model.costs, TED_NO_LIMIT, map_a[0], map_b[0]) >= 0 &&
				 is_mapping(A, B, &model.costs, distance, map_a[0], map_b[0]);

	agree &= planned_mapping(A, B, &model.costs, limit, map_a[1], map_b[1]) == distance &&
			 memcmp(map_a[0], map_a[1], sizeof(int32_t) * (size_t) A->size) == 0 &&
			 memcmp(map_b[0], map_b[1], sizeof(int32_t) * (size_t) B->size) == 0;
	arena = new_arena(ted_approximate_mapping_memory(A->size, B->size));
	agree &= ted_approximate_mapping(A, B, &model.costs, &arena, &never, map_a[1], map_b[1],
									 &cost) == TED_OK &&
			 cost >= distance && is_mapping(A, B, &model.costs, cost, map_a[1], map_b[1]);
	free(arena.base);
	return agree;
}

/* Returns the distance by stages. */
static int32_t
by_stages(int32_t limit)
{
	TedPairPlan plan = ted_plan_pair(A, B, &model.costs, limit);
	TedStages stages = ted_stages_begin(&plan, SIZE_MAX);

	if (plan.way == TED_BY_SIZES)
		return TED_BEYOND;
	while (stages.stage != TED_STAGE_DONE)
	{
		TedArena arena = new_arena(ted_stage_memory(&stages));
		TedStatus status = ted_stage_run(&stages, &arena, &never);

		free(arena.base);
		if (status != TED_OK)
			return -2;
	}
	return stages.distance;
}

/* Tests small trees against the definition. */
static void
test_small(uint64_t count)
{
	uint64_t wrong[6] = {0};

	for (uint64_t round = 0; round < count; round++)
	{
		int32_t distance;

		choose_model(round, round % 3 > 0);
		make_random_pair(&tree_a, &tree_b, round, MAX_SMALL - 4);
		if (tree_b.tree.size > MAX_SMALL)
			make_tree(&tree_b, RANDOM, MAX_SMALL, 4, 0);
		distance = defined();
		wrong[0] += exact() != distance;
		wrong[1] += wide() != (int64_t) distance << 20;
		wrong[2] += by_paths() != distance;
		wrong[3] += !bounded_agrees(distance);
		wrong[4] += !bounds_hold(distance);
		wrong[5] += !mappings_agree(distance);
	}
	ok(wrong[0] == 0, "%s: exact distance is the defined one, %llu pairs",
	   simd_names[ted_tuning.simd_limit], (unsigned long long) count);
	ok(wrong[1] == 0, "so is that by 64 bits");
	ok(wrong[2] == 0, "so is that along the best paths");
	ok(wrong[3] == 0, "bounded distances are the defined one, or beyond");
	ok(wrong[4] == 0, "bounds hold");
	ok(wrong[5] == 0, "mappings are valid and cost the distance");
}

/* Tests larger trees: all ways against the plain one. */
static void
test_large(uint64_t count, int32_t max_size)
{
	uint64_t wrong[6] = {0};

	for (uint64_t round = 0; round < count; round++)
	{
		int64_t distance;

		choose_model(round, round % 3 > 0);
		make_random_pair(&tree_a, &tree_b, round, max_size - 50);
		distance = wide() >> 20;
		wrong[0] += exact() != distance;
		wrong[1] += by_paths() != distance;
		wrong[2] += !bounded_agrees((int32_t) distance);
		wrong[3] += !bounds_hold((int32_t) distance);
		wrong[4] += !mappings_agree((int32_t) distance);
		wrong[5] += by_stages(TED_NO_LIMIT) != distance ||
					by_stages((int32_t) distance) != distance ||
					(distance > 0 && by_stages((int32_t) distance - 1) != TED_BEYOND);
	}
	ok(wrong[0] == 0, "%s: exact distance is that by 64 bits, %llu larger pairs",
	   simd_names[ted_tuning.simd_limit], (unsigned long long) count);
	ok(wrong[1] == 0, "so is that along the best paths");
	ok(wrong[2] == 0, "bounded distances are the same, or beyond");
	ok(wrong[3] == 0, "bounds hold");
	ok(wrong[4] == 0, "mappings are valid and cost the distance");
	ok(wrong[5] == 0, "stages come to the same");
}

/* Tests one tree against many through the engine: the results are those of single pairs. */
static void
test_many(uint64_t count)
{
	enum
	{
		TREES = 30
	};
	static TestTree many[TREES];
	uint64_t wrong = 0;

	for (uint64_t round = 0; round < count; round++)
	{
		TedCpu cpu = {.host = {.allocate = allocate, .release = release, .memory_limit = SIZE_MAX}};
		const TedTree *list[TREES + 1];
		TedPair pairs[TREES];
		int32_t distances[TREES];
		TedBatch batch = {.trees = list, .pairs = pairs, .distances = distances, .count = TREES};
		int32_t max_size = round % 4 == 0 ? MAX_LARGE : 1 + (int32_t) random_below(30);

		choose_model(round, round % 3 > 0);
		batch.costs = model.costs;
		ted_tuning.part_columns = 1 + (int32_t) random_below(300);
		for (int32_t i = 0; i < TREES; i++)
		{
			make_random_pair(&tree_a, &many[i], round + (uint64_t) i * 5, max_size);
			pairs[i] = (TedPair){.a = TREES,
								 .b = i,
								 .limit = random_below(2) == 0
											  ? TED_NO_LIMIT
											  : (int32_t) random_below(MAX_LARGE) * model.unit};
			list[i] = &many[i].tree;
		}
		list[TREES] = A;
		wrong += ted_cpu_compute(&cpu, &batch) != TED_ENGINE_DONE;
		ted_cpu_close(&cpu);
		for (int32_t i = 0; i < TREES; i++)
		{
			int64_t distance;

			copy_tree(&tree_b, &many[i]);
			distance = wide() >> 20;
			wrong += distances[i] != (distance <= pairs[i].limit ? distance : TED_BEYOND);
		}
	}
	ok(wrong == 0, "%s: one tree against many as pair by pair, %llu times",
	   simd_names[ted_tuning.simd_limit], (unsigned long long) count);
}

/* Tests the cache of renames. */
static void
test_cache(void)
{
	bool right = true;

	choose_model(0, 1);
	model.labels.cache = NULL;
	ok(ted_rename_cost(&model.costs, 1, 2) == rename_by_model(1, 2) &&
		   ted_rename_cost(&model.costs, 1, 2) == rename_by_model(1, 2) && model.asked == 2,
	   "without a memory, the function is asked each time");
	ted_rename_cache(CACHED, &model.arena, &model.labels.cache);
	ok(ted_rename_cost(&model.costs, 1, 2) == rename_by_model(1, 2) &&
		   ted_rename_cost(&model.costs, 1, 2) == rename_by_model(1, 2) && model.asked == 3,
	   "with one, it is asked once");
	ted_rename_cache_forget(model.labels.cache);
	ok(ted_rename_cost(&model.costs, 1, 2) == rename_by_model(1, 2) && model.asked == 4,
	   "and again when that has been forgotten");
	ok(ted_rename_cost(&model.costs, 0, 0) == 0 && model.asked == 4,
	   "equal labels are never asked for");
	for (int i = 0; i < 20000; i++)
	{
		int32_t from = (int32_t) random_below(40);
		int32_t to = (int32_t) random_below(40);

		right &= ted_rename_cost(&model.costs, from, to) == rename_by_model(from, to);
	}
	ok(right, "more pairs of labels than there are places");
	model.arena.used = 0;
	ok(ted_rename_cache(2 * CACHED, &model.arena, &model.labels.cache) == TED_OUT_OF_ARENA,
	   "too small an arena is refused");
	model.arena.used = 0;
	ted_rename_cache(CACHED, &model.arena, &model.labels.cache);
}

int
main(void)
{
	uint64_t seed = setting("SEED", 1);
	uint64_t count = rounds(400);

	printf("# seed %llu, %llu times\n", (unsigned long long) seed, (unsigned long long) count);
	random_state = seed;
	ted_tuning.cells_for_vectors = 0;
	model.arena = new_arena(ted_rename_cache_memory(CACHED));
	test_cache();
	for (TedSimd simd = TED_SIMD_NONE; simd <= TED_SIMD_WIDEST; simd++)
	{
		ted_tuning.simd_limit = simd;
		if (ted_simd() != simd)
			continue;
		test_small(count);
		test_large(count / 5 + 1, MAX_LARGE + 50);
		test_large(count / 100 + 1, MAX_HUGE);
		test_many(count / 20 + 1);
	}
	free(model.arena.base);
	return done_testing();
}
