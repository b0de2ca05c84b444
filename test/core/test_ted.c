/*
 * test_ted.c
 *	  Checks exact and bounded distances, mappings and the CPU engine against the definition.
 *
 * The definition is the recursion on ordered forests: delete the last root of
 * one, insert the last root of the other, or map them to each other.  A forest
 * that occurs is a range of postorder numbers.  SEED and COUNT in the
 * environment set the random trees and how many pairs are tried.
 */
#include <stdio.h>
#include <string.h>

#include "../../src/core/common/simd.h"
#include "../../src/core/tree/bounded/bounded.h"
#include "../../src/core/tree/bounded/bounds.h"
#include "../../src/core/tree/bounded/heavy_strip.h"
#include "../../src/core/tree/exact/common_labels.h"
#include "../../src/core/tree/bounded/strip.h"
#include "../../src/core/tree/exact/vector_tables.h"
#include "../../src/core/tree/ted.h"
#include "../../src/engine/engine.h"
#include "definition.h"
#include "host.h"
#include "subtrees.h"
#include "tap.h"
#include "trees.h"
#include "vectors.h"

#define MAX_SMALL 11 /* most nodes of a tree for the definition */
#define MAX_LARGE 90

/* The pair under test and the table of its definition. */
static const TedTree *A;
static const TedTree *B;
static TedCosts costs;
static int32_t memo[MAX_SMALL][MAX_SMALL + 1][MAX_SMALL][MAX_SMALL + 1];

static int32_t
minimum(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

/* Returns the distance between the forests [i, j] of A and [k, l] of B. */
DEFINITION static int32_t
definition(int32_t i, int32_t j, int32_t k, int32_t l)
{
	int32_t *known;
	int32_t size_a;
	int32_t size_b;
	int32_t best;

	if (i > j)
		return (l - k + 1) * costs.insert;
	if (k > l)
		return (j - i + 1) * costs.delete_;
	known = &memo[i][j][k][l];
	if (*known >= 0)
		return *known;
	size_a = A->subtree_size[j];
	size_b = B->subtree_size[l];
	best = definition(i, j - size_a, k, l - size_b) +
		   definition(j - size_a + 1, j - 1, l - size_b + 1, l - 1) +
		   (A->label[j] == B->label[l] ? 0 : costs.rename);
	best = minimum(best, definition(i, j - 1, k, l) + costs.delete_);
	best = minimum(best, definition(i, j, k, l - 1) + costs.insert);
	return *known = best;
}

/* Finds the mapping that the tie rule of ted.h chooses between two forests. */
static void
defined_mapping(int32_t i, int32_t j, int32_t k, int32_t l, int32_t *map_a)
{
	int32_t best = definition(i, j, k, l);
	int32_t start_a;
	int32_t start_b;

	if (i > j || k > l)
		return;
	start_a = j - A->subtree_size[j] + 1;
	start_b = l - B->subtree_size[l] + 1;
	if (start_a == i && start_b == k)
	{
		int32_t rename = A->label[j] == B->label[l] ? 0 : costs.rename;

		if (best == definition(i, j - 1, k, l - 1) + rename)
		{
			map_a[j] = l;
			defined_mapping(i, j - 1, k, l - 1, map_a);
			return;
		}
	}
	else if (best ==
			 definition(i, start_a - 1, k, start_b - 1) + definition(start_a, j, start_b, l))
	{
		defined_mapping(start_a, j, start_b, l, map_a);
		defined_mapping(i, start_a - 1, k, start_b - 1, map_a);
		return;
	}
	if (best == definition(i, j - 1, k, l) + costs.delete_)
		defined_mapping(i, j - 1, k, l, map_a);
	else
		defined_mapping(i, j, k, l - 1, map_a);
}

/* Makes the mirrored tree; number[x] is the number of node x in it. */
static void
mirror_tree(const TedTree *tree, TestTree *mirrored, int32_t *number)
{
	int32_t stack[MAX_SMALL];
	int32_t top = 0;
	int32_t y = tree->size;

	/* the mirrored postorder is the preorder from its end */
	stack[top++] = tree->size - 1;
	while (top > 0)
	{
		int32_t x = stack[--top];

		number[x] = --y;
		mirrored->label[y] = tree->label[x];
		mirrored->subtree_size[y] = tree->subtree_size[x];
		for (int32_t c = x - 1; c > x - tree->subtree_size[x]; c -= tree->subtree_size[c])
			stack[top++] = c; /* the first child comes last, so it is taken first */
	}
	mirrored->tree = (TedTree){
		.size = tree->size, .label = mirrored->label, .subtree_size = mirrored->subtree_size};
	ted_tree_index(&mirrored->tree, mirrored->depth, mirrored->key_root, &(TedInterrupt){0});
}

/* Returns the sum of the sizes of all key roots' subtrees. */
static int64_t
cells(const TedTree *tree)
{
	int64_t sum = 0;

	for (int32_t x = 0; x < tree->size; x++)
		if (tree->key_root[x] == x)
			sum += tree->subtree_size[x];
	return sum;
}

/* Finds the mapping that the tie rule chooses, in the direction of the cheaper decomposition. */
static void
chosen_mapping(int32_t *map_a)
{
	const TedTree *a = A;
	const TedTree *b = B;
	TestTree mirror_a;
	TestTree mirror_b;
	int32_t number_a[MAX_SMALL];
	int32_t number_b[MAX_SMALL];
	int32_t map[MAX_SMALL];

	memset(map, -1, sizeof(map));
	mirror_tree(a, &mirror_a, number_a);
	mirror_tree(b, &mirror_b, number_b);
	if (cells(&mirror_a.tree) * cells(&mirror_b.tree) >= cells(a) * cells(b))
	{
		defined_mapping(0, a->size - 1, 0, b->size - 1, map_a);
		return;
	}
	A = &mirror_a.tree;
	B = &mirror_b.tree;
	memset(memo, -1, sizeof(memo));
	defined_mapping(0, a->size - 1, 0, b->size - 1, map);
	for (int32_t x = 0; x < a->size; x++)
		for (int32_t y = 0; y < b->size; y++)
			if (map[number_a[x]] == number_b[y])
				map_a[x] = y;
	A = a;
	B = b;
}

/* Returns the exact distance, in exactly the memory that the core asks for. */
static int32_t
exact(void)
{
	return planned_distance(A, B, &costs, TED_NO_LIMIT);
}

/* Returns the bounded distance, in exactly the memory that the core asks for. */
static int32_t
bounded(int32_t limit)
{
	return planned_distance(A, B, &costs, limit);
}

/*
 * Returns the bounded distance by a strip, whether that is faster or not; a strip must be
 * possible.
 */
static int32_t
through_strip(int32_t limit)
{
	TedArena arena = new_arena(ted_strip_memory(A->size, B->size, &costs, limit));
	TedStrip strip;
	int32_t distance = -2;

	if (ted_strip_fill(A, B, &costs, limit, &arena, &never, &strip) == TED_OK)
		distance = ted_strip_distance(&strip, A->size - 1, B->size - 1);
	free(arena.base);
	return distance <= limit ? distance : TED_BEYOND;
}

/* Returns the bounded distance along heavy paths, which may be greater than the limit. */
static int32_t
along_heavy_paths(int32_t limit)
{
	TedHeavySums sums = ted_heavy_sums(A);
	TedArena arena = new_arena(ted_heavy_strip_memory(A, B, &sums, &costs, limit));
	int32_t distance = -2;

	ted_heavy_strip_distance(A, B, &sums, &costs, limit, &arena, &never, &distance);
	free(arena.base);
	return distance <= limit ? distance : TED_BEYOND;
}

/* Whether every limit around the distance gives the distance or TED_BEYOND. */
static bool
bounded_agrees(int32_t distance)
{
	for (int32_t limit = 0; limit <= distance + 3; limit++)
	{
		int32_t expected = distance <= limit ? distance : TED_BEYOND;
		bool strip = ted_min(costs.insert, costs.delete_) > 0 &&
					 ted_size_bound(A->size, B->size, &costs) <= limit;

		if (bounded(limit) != expected || (strip && through_strip(limit) != expected) ||
			(strip && along_heavy_paths(limit) != expected))
		{
			printf("# limit %d gives %d, the distance is %d\n", limit, bounded(limit), distance);
			return false;
		}
	}
	return true;
}

/* Computes a mapping, in exactly the memory that the core asks for. */
static bool
compute_mapping(int32_t *map_a, int32_t *map_b)
{
	return planned_mapping(A, B, &costs, TED_NO_LIMIT, map_a, map_b) >= 0;
}

/* Makes a random pair of trees; the second one sometimes has other labels. */
static void
make_pair(TestTree *a, TestTree *b, uint64_t round, int32_t max_size)
{
	static const int32_t alphabets[] = {1, 2, 4, 1000};
	int32_t labels = alphabets[round % 4];
	Shape shape = (Shape) (round / 4 % SHAPES);
	Shape other = random_below(3) == 0 ? (Shape) random_below(SHAPES) : shape;

	make_tree(a, shape, 1 + (int32_t) random_below((uint32_t) max_size), labels, 0);
	make_tree(b, other, 1 + (int32_t) random_below((uint32_t) max_size), labels,
			  round % 31 == 0 ? labels : 0);
	A = &a->tree;
	B = &b->tree;
	costs = choose_costs(round);
}

/* Tests small trees against the definition. */
static void
test_small(uint64_t count)
{
	uint64_t wrong[4] = {0};

	for (uint64_t round = 0; round < count; round++)
	{
		TestTree a;
		TestTree b;
		int32_t distance;
		int32_t map_a[MAX_SMALL];
		int32_t map_b[MAX_SMALL];
		int32_t defined[MAX_SMALL];

		make_pair(&a, &b, round, MAX_SMALL);
		memset(memo, -1, sizeof(memo));
		distance = definition(0, A->size - 1, 0, B->size - 1);
		wrong[0] += exact() != distance;
		wrong[1] += !bounded_agrees(distance);
		wrong[2] +=
			!compute_mapping(map_a, map_b) || !is_mapping(A, B, &costs, distance, map_a, map_b);
		memset(defined, -1, sizeof(defined));
		chosen_mapping(defined);
		wrong[3] += memcmp(defined, map_a, sizeof(int32_t) * (size_t) A->size) != 0;
	}
	ok(wrong[0] == 0, "%s: exact distance is the defined one, %llu pairs",
	   simd_names[ted_tuning.simd_limit], (unsigned long long) count);
	ok(wrong[1] == 0, "bounded distance is the defined one for all limits");
	ok(wrong[2] == 0, "mappings are valid and cost the distance");
	ok(wrong[3] == 0, "mappings follow the tie rule");
}

/* Tests larger trees: bounded and mapping against exact, and exact in both directions. */
static void
test_large(uint64_t count)
{
	uint64_t wrong[3] = {0};

	for (uint64_t round = 0; round < count; round++)
	{
		TestTree a;
		TestTree b;
		int32_t map_a[MAX_LARGE];
		int32_t map_b[MAX_LARGE];
		int32_t distance;

		make_pair(&a, &b, round, MAX_LARGE);
		if (round % 2 == 0) /* near-duplicates: some labels differ */
		{
			b = a;
			b.tree.label = b.label;
			b.tree.subtree_size = b.subtree_size;
			b.tree.depth = b.depth;
			b.tree.key_root = b.key_root;
			for (int i = 0; i < 3; i++)
				b.label[random_below((uint32_t) b.tree.size)] = (int32_t) random_below(5);
		}
		distance = exact();
		wrong[0] += !bounded_agrees(distance);
		wrong[1] +=
			!compute_mapping(map_a, map_b) || !is_mapping(A, B, &costs, distance, map_a, map_b);

		A = &b.tree;
		B = &a.tree;
		costs =
			(TedCosts){.insert = costs.delete_, .delete_ = costs.insert, .rename = costs.rename};
		wrong[2] += exact() != distance;
	}
	ok(wrong[0] == 0, "%s: bounded distance is the exact one, %llu larger pairs",
	   simd_names[ted_tuning.simd_limit], (unsigned long long) count);
	ok(wrong[1] == 0, "larger mappings are valid and cost the distance");
	ok(wrong[2] == 0, "distances are symmetric");
}

/* Whether the bounded mapping is the other one where the distance is within the limit. */
static bool
bounded_mapping_agrees(int32_t limit, int32_t distance, const int32_t *map_a, const int32_t *map_b)
{
	int32_t got_a[MAX_HUGE];
	int32_t got_b[MAX_HUGE];
	int32_t got = planned_mapping(A, B, &costs, limit, got_a, got_b);

	if (distance > limit)
		return got == TED_BEYOND;
	return got == distance && memcmp(got_a, map_a, sizeof(int32_t) * (size_t) A->size) == 0 &&
		   memcmp(got_b, map_b, sizeof(int32_t) * (size_t) B->size) == 0;
}

/* Tests mappings of near-duplicates: those with a limit are those without one. */
static void
test_bounded_mappings(uint64_t count)
{
	static TestTree a;
	static TestTree b;
	uint64_t wrong = 0;

	for (uint64_t round = 0; round < count; round++)
	{
		int32_t map_a[MAX_HUGE];
		int32_t map_b[MAX_HUGE];
		int32_t distance;

		make_pair(&a, &b, round, round % 10 == 0 ? 3 * MAX_LARGE : MAX_LARGE);
		copy_tree(&b, &a);
		edit_tree(&b, (int32_t) random_below(10), 4);
		distance = exact();
		wrong += !compute_mapping(map_a, map_b);
		for (int32_t limit = distance > 2 ? distance - 2 : 0; limit <= distance + 2; limit++)
			wrong += !bounded_mapping_agrees(limit, distance, map_a, map_b);
		wrong += !bounded_mapping_agrees(2 * distance + 5, distance, map_a, map_b);
	}
	ok(wrong == 0, "bounded mappings are the same as without a limit, %llu pairs",
	   (unsigned long long) count);
}

/* Whether the same mapping comes from known distances, in exactly as much memory. */
static bool
known_mapping_agrees(const int32_t *map_a, const int32_t *map_b)
{
	TedPairPlan plan = ted_plan_subtrees_mapping(A, B, &costs);
	TedArena arena = new_arena(plan.bytes);
	void *subtrees = malloc(ted_subtrees_bytes(A, B, &costs));
	int32_t got_a[MAX_LARGE];
	int32_t got_b[MAX_LARGE];
	int32_t distance;
	bool agrees;

	fill_subtrees(A, B, &costs, subtrees);
	agrees = ted_pair_mapping(&plan, subtrees, &arena, &never, got_a, got_b, &distance) == TED_OK &&
			 memcmp(got_a, map_a, sizeof(int32_t) * (size_t) A->size) == 0 &&
			 memcmp(got_b, map_b, sizeof(int32_t) * (size_t) B->size) == 0;
	free(subtrees);
	free(arena.base);
	return agrees;
}

/* Tests mappings from known distances, at the brink of 16 bits, too. */
static void
test_known_mappings(uint64_t count)
{
	static TestTree a;
	static TestTree b;
	uint64_t wrong = 0;
	uint64_t narrow = 0;

	for (uint64_t round = 0; round < count; round++)
	{
		int32_t map_a[MAX_LARGE];
		int32_t map_b[MAX_LARGE];
		int32_t most;

		make_pair(&a, &b, round, MAX_LARGE);
		most = INT16_MAX / ted_max(A->size, B->size);
		if (round % 5 == 1)
			costs = (TedCosts){most, most - (int32_t) random_below(2), INT16_MAX, NULL};
		else if (round % 5 == 2)
			costs = (TedCosts){most, most + 1, (int32_t) random_below(2 * (uint32_t) most), NULL};
		narrow += ted_subtrees_int16(A, B, &costs);
		wrong += !compute_mapping(map_a, map_b) || !known_mapping_agrees(map_a, map_b);
	}
	ok(wrong == 0 && narrow > 0 && narrow < count,
	   "mappings from known distances are the same, %llu pairs", (unsigned long long) count);
}

/* Tests trees of several hundred nodes: all kinds of vectors against none. */
static void
test_vectors(uint64_t count)
{
	static TestTree a;
	static TestTree b;
	uint64_t wrong[TED_SIMD_WIDEST + 1] = {0};

	for (uint64_t round = 0; round < count; round++)
	{
		int32_t distance;

		make_pair(&a, &b, round, MAX_HUGE);
		ted_tuning.simd_limit = TED_SIMD_NONE;
		distance = exact();
		for (TedSimd simd = TED_SIMD_NONE; simd <= TED_SIMD_WIDEST; simd++)
			if (select_vectors(simd))
				wrong[simd] += exact() != distance;
	}
	for (TedSimd simd = TED_SIMD_NONE; simd <= TED_SIMD_WIDEST; simd++)
	{
		if (!architecture_has_vectors(simd))
			continue;
		ok(wrong[simd] == 0, "%s: %llu huge pairs have the same distance as with none%s",
		   simd_names[simd], (unsigned long long) count,
		   select_vectors(simd) ? "" : " # SKIP this processor has no such vectors");
	}
}

/*
 * Tests one tree against many in parts, more than one pass takes: the results are those of
 * single pairs.
 */
static void
test_many(uint64_t count)
{
	enum
	{
		TREES = 60
	};
	static TestTree one;
	static TestTree many[TREES];
	int32_t distances[TREES];
	uint64_t wrong = 0;

	for (uint64_t round = 0; round < count; round++)
	{
		int32_t max_size = round % 4 == 0 ? MAX_HUGE / 8 : 1 + (int32_t) random_below(MAX_LARGE);
		int32_t used = 2 + (int32_t) random_below(TREES - 1);
		TedGroup group = {.costs = &costs};
		TedGroupPlan plan;
		TedArena arena;

		for (int32_t i = 0; i < used; i++)
		{
			make_pair(&one, &many[i], round + (uint64_t) i * 5, max_size);
			group.a = A;
			if (!ted_group_add(&group, &many[i].tree))
				break;
		}
		costs = choose_costs(round);
		ted_tuning.part_columns = 1 + (int32_t) random_below(1000);
		plan = ted_plan_group(&group);
		if (plan.vectors.lanes == 0)
			continue;
		arena = new_arena(plan.bytes);
		wrong += ted_group_distances(&group, &plan, &arena, &never, distances) != TED_OK ||
				 arena.used > 0;
		free(arena.base);
		for (int32_t i = 0; i < group.count; i++)
		{
			B = group.member[i];
			wrong += distances[i] != exact();
		}
	}
	ok(wrong == 0, "%s: one tree against many as pair by pair, %llu times",
	   simd_names[ted_tuning.simd_limit], (unsigned long long) count);
}

/* Whether a tree has a label. */
static bool
has_label(const TedTree *tree, int32_t label)
{
	for (int32_t x = 0; x < tree->size; x++)
		if (tree->label[x] == label)
			return true;
	return false;
}

/* Whether the labels that the other tree has are kept, and all others are one. */
static bool
labels_shared(const TedTree *tree, const TedTree *other, const int32_t *labels, int32_t own)
{
	for (int32_t x = 0; x < tree->size; x++)
		if (labels[x] != (has_label(other, tree->label[x]) ? tree->label[x] : own))
			return false;
	return true;
}

/* Tests labels that only one of two trees has. */
static void
test_common_labels(uint64_t count)
{
	static TestTree a;
	static TestTree b;
	uint64_t wrong = 0;

	for (uint64_t round = 0; round < count; round++)
	{
		TedTree view_a;
		TedTree view_b;
		TedArena arena;

		make_pair(&a, &b, round, MAX_LARGE);
		view_a = *A;
		view_b = *B;
		arena = new_arena(ted_common_labels_memory(A->size, B->size));
		wrong += ted_common_labels(&view_a, &view_b, &arena, &never) != TED_OK ||
				 !labels_shared(A, B, view_a.label, TED_LABEL_OF_A) ||
				 !labels_shared(B, A, view_b.label, TED_LABEL_OF_B);
		free(arena.base);
	}
	ok(wrong == 0, "labels of one tree alone are one label, %llu pairs",
	   (unsigned long long) count);
}

/* Tests interrupts, and arenas that are too small. */
static void
test_limits(void)
{
	static TestTree a;
	TedArena counted = {0};
	TedArena arena;
	int32_t map[2][MAX_LARGE];
	TedPairPlan plan;
	TedPairPlan mapping;
	int32_t distance;
	int64_t steps = 0;
	bool refused = true;

	ok(ted_arena_alloc(&counted, 1) == NULL && ted_arena_int32(&counted, 100) == NULL &&
		   counted.used == ted_arena_bytes(1) + ted_arena_bytes(100 * sizeof(int32_t)) &&
		   ted_arena_exceeded(&counted),
	   "an arena without a block counts");

	make_tree(&a, RANDOM, MAX_LARGE, 3, 0);
	plan = ted_plan_pair(&a.tree, &a.tree, &TED_UNIT_COSTS, TED_NO_LIMIT);
	mapping = ted_plan_mapping(&a.tree, &a.tree, &TED_UNIT_COSTS, TED_NO_LIMIT);
	for (size_t bytes = 0; bytes < plan.bytes; bytes += TED_ARENA_ALIGN)
	{
		arena = new_arena(bytes);
		refused &= ted_pair_distance(&plan, &arena, &never, &distance) == TED_OUT_OF_ARENA;
		refused &= ted_pair_mapping(&mapping, NULL, &arena, &never, map[0], map[1], &distance) ==
				   TED_OUT_OF_ARENA;
		refused &= arena.used == 0;
		free(arena.base);
	}
	ok(refused, "too small an arena is refused");
	ok(!ted_interrupted(&at_once, &steps, TED_STEPS_PER_CHECK - 1) &&
		   ted_interrupted(&at_once, &steps, 1) && steps == 0,
	   "the callback is asked once in a while");
	ok(ted_costs_fit(&TED_UNIT_COSTS, &(TedTree){.size = 1 << 24}, &(TedTree){.size = 1 << 24}),
	   "unit costs fit the largest trees");
	ok(!ted_costs_fit(&(TedCosts){INT32_MAX, INT32_MAX, 1, NULL}, &(TedTree){.size = 1},
					  &(TedTree){.size = 1}),
	   "excessive costs do not fit");
}

/* Tests a batch through the CPU engine. */
static void
test_engine(void)
{
	enum
	{
		TREES = 40
	};
	static TestTree trees[TREES];
	static TedPair pairs[TREES * TREES];
	static int32_t distances[TREES * TREES];
	static const TedTree *list[TREES];
	TedCpu cpu = {.host = {.allocate = allocate, .release = release, .memory_limit = 1 << 20}};
	TedBatch batch = {
		.trees = list, .pairs = pairs, .distances = distances, .costs = TED_UNIT_COSTS};
	TedEngineStatus status;
	bool right = true;

	costs = TED_UNIT_COSTS;
	for (int32_t i = 0; i < TREES; i++)
	{
		make_tree(&trees[i], (Shape) (i % SHAPES), 1 + (int32_t) random_below(MAX_LARGE), 3, 0);
		list[i] = &trees[i].tree;
		for (int32_t j = 0; j < TREES; j++)
			pairs[batch.count++] =
				(TedPair){.a = i, .b = j, .limit = j % 2 == 0 ? TED_NO_LIMIT : 10};
	}
	status = ted_cpu_compute(&cpu, &batch);
	for (int64_t i = 0; i < batch.count; i++)
	{
		int32_t distance;

		A = &trees[pairs[i].a].tree;
		B = &trees[pairs[i].b].tree;
		distance = exact();
		right &= distances[i] == (distance <= pairs[i].limit ? distance : TED_BEYOND);
	}
	ok(status == TED_ENGINE_DONE && right, "an engine computes a batch");

	cpu.host.memory_limit = 100;
	batch.count = 1;
	ok(ted_cpu_compute(&cpu, &batch) == TED_ENGINE_MEMORY_LIMIT && cpu.needed > 100 &&
		   cpu.refused.a == batch.pairs->a && cpu.refused.b == batch.pairs->b,
	   "a pair beyond the memory limit is refused");

	cpu.host.memory_limit = 1 << 20;
	cpu.host.interrupt = at_once;
	ok(ted_cpu_compute(&cpu, &batch) == TED_ENGINE_CANCELLED, "an interrupt ends a batch");
	ted_cpu_close(&cpu);
}

int
main(void)
{
	uint64_t seed = setting("SEED", 1);
	uint64_t count = rounds(3000);

	printf("# seed %llu, %llu times\n", (unsigned long long) seed, (unsigned long long) count);
	random_state = seed;
	ted_tuning.cells_for_vectors = 0;
	for (TedSimd simd = TED_SIMD_NONE; simd <= TED_SIMD_WIDEST; simd++)
	{
		ted_tuning.simd_limit = simd;
		if (ted_simd() != simd)
			continue;
		test_small(count);
		test_large(count / 30 + 1);
		test_bounded_mappings(count / 30 + 1);
		test_known_mappings(count / 5 + 5);
		test_many(count / 30 + 1);
	}
	test_common_labels(count);
	test_vectors(count / 30 + 1);
	test_limits();
	test_engine();
	return done_testing();
}
