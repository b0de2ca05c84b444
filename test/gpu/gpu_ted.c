/*
 * gpu_ted.c
 *	  The GPU module on trees, without a server.
 *
 *	gpu_ted check PAIRS SEED     random pairs of all shapes against the core, twice
 *	gpu_ted limits PAIRS SEED    the same for trees and copies with some edits, up to limits
 *	gpu_ted labels PAIRS SEED    the same as `check` for costs by label
 *	gpu_ted large PAIRS SEED     few pairs of 500 to 11,000 nodes, which blocks share
 *	gpu_ted large_labels PAIRS SEED  the same for costs by label
 *	gpu_ted subtrees PAIRS SEED  the same for the distances of all their subtrees
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../bench/trees.h"
#include "../core/host.h"
#include "../core/subtrees.h"
#include "../core/trees.h"
#include "card.h"
#include "graded_model.h"

#define BATCH 20000
#define EQUIVALENCES 400 /* pairs of a tree and a copy with some edits */
#define AT_ONCE 4        /* large pairs of a batch */
#define LARGE_CELLS 3e9  /* most cells of a pair, since the core must compute it, too */

/* A setting of the module: factor of cells of tables when strips are chosen. */
extern double ted_gpu_strip_preference;

#define LABELS 300000
static GradedModel model;

/* Chooses a random model, whose costs are large in one round of five. */
static TedCosts
choose_model(uint64_t round, int32_t large)
{
	static const int32_t groups[] = {1, 2, 7, 100, 1000};
	static const int32_t lengths[] = {10, 30, 64, 150, 700};
	static const uint32_t alphabets[] = {2, 26, 200, 3000, 20000};
	const int32_t units[] = {1, 1, 30, 1, large};
	ModelShape shape = {.unit = units[round % 5],
						.groups = groups[random_below(5)],
						.labels = LABELS,
						.graded_in = (int32_t) random_below(4),
						.alphabet = alphabets[random_below(5)],
						.equal = random_below(2) == 0,
						.never = random_below(2) == 0,
						.alike = random_below(2) == 0};

	shape.length = lengths[random_below(shape.groups == 1000 ? 3 : 5)];
	shape.least = (TedUniformCosts){(int32_t) random_below(3), (int32_t) random_below(3),
									(int32_t) random_below(3)};
	shape.most = (TedUniformCosts){shape.least.insert + (int32_t) random_below(4),
								   shape.least.delete_ + (int32_t) random_below(4),
								   shape.least.rename + (int32_t) random_below(6)};
	return make_graded_model(&model, &shape);
}

/* Chooses costs of a round, which need cells of 32 bits in one of `rounds` rounds. */
static TedCosts
choose_small_or_large_costs(uint64_t round, uint64_t rounds)
{
	TedCosts costs = choose_costs(round);

	if (round % rounds == rounds - 1)
		costs = (TedCosts){1000 + (int32_t) random_below(1000), 1500, 100000, NULL};
	return costs;
}

/*
 * Computes a batch by the core and on the card twice, the second time after the card has
 * forgotten other trees; returns the number of wrong distances, and the distances by the core.
 */
static int64_t
count_wrong(const TedTree **trees, int32_t tree_count, const TedPair *pairs, int64_t count,
			TedCosts costs, uint64_t round, int32_t *expected)
{
	static int32_t got[BATCH];
	int64_t wrong = 0;
	TedDeviceTrees *set;

	check_status(module->trees_create(device, &set), "trees_create");
	for (int copy = 0; copy < 2; copy++)
		check_status(module->trees_add(set, trees, tree_count), "trees_add");
	reference(trees, pairs, count, costs, expected);
	if (ted_costs_by_label(&costs))
		send_label_costs(set, trees, tree_count, (int32_t) random_below((uint32_t) tree_count),
						 &costs);
	for (int run = 0; run < 2; run++)
	{
		memset(got, 0xff, sizeof(got));
		compute(set, pairs, count, costs, got);
		for (int64_t i = 0; i < count; i++)
			if (got[i] != expected[i] && wrong++ < 10)
				printf("round %d, run %d, pair %d: trees %d %d, sizes %d %d, costs %d %d %d, "
					   "limit %d: %d, not %d\n",
					   (int) round, run, (int) i, pairs[i].a, pairs[i].b, trees[pairs[i].a]->size,
					   trees[pairs[i].b]->size, costs.insert, costs.delete_, costs.rename,
					   pairs[i].limit, got[i], expected[i]);
		module->trees_forget(set, tree_count);
	}
	module->trees_free(set);
	return wrong;
}

/* Checks random pairs of all shapes against the core, each batch computed twice. */
static int
run_check(int64_t pairs_wanted, uint64_t seed, bool by_label)
{
	static TestTree trees[2 * SHAPES * 40];
	static TedPair pairs[BATCH];
	static int32_t expected[BATCH];
	int32_t tree_count = (int32_t) (sizeof(trees) / sizeof(trees[0]));
	const TedTree **pointers = malloc(sizeof(TedTree *) * (size_t) tree_count);
	int64_t done = 0;
	int64_t wrong = 0;

	random_state = seed;
	for (uint64_t round = 0; done < pairs_wanted; round++)
	{
		TedCosts costs =
			by_label ? choose_model(round, 10000) : choose_small_or_large_costs(round, 7);
		int32_t most = round % 4 == 3 ? 300 : round % 4 == 2 ? 100 : 30;
		int64_t count = most == 300 ? BATCH / 10 : BATCH;

		for (int32_t t = 0; t < tree_count; t++)
		{
			static const int32_t labels[] = {1, 2, 5, 50, 100000};
			int32_t size = 1 + (int32_t) random_below((uint32_t) most);

			make_tree(&trees[t], (Shape) (t % SHAPES), size,
					  by_label ? ted_min(labels[random_below(5)], 1000) : labels[random_below(5)],
					  random_below(4) == 0 ? 200000 : 0);
			pointers[t] = &trees[t].tree;
		}
		for (int64_t i = 0; i < count; i++)
			pairs[i] = (TedPair){(int32_t) random_below((uint32_t) tree_count),
								 (int32_t) random_below((uint32_t) tree_count),
								 random_below(4) == 0 ? (int32_t) random_below(40) : TED_NO_LIMIT};
		if (count > pairs_wanted)
			count = pairs_wanted;
		if (round % 5 == 4) /* workers share pairs where there are few */
			count = 1 + random_below(12);
		wrong += count_wrong(pointers, tree_count, pairs, count, costs, round, expected);
		done += count;
	}
	printf("%lld pairs, two runs each: %lld wrong\n", (long long) done, (long long) wrong);
	return wrong > 0;
}

/* Makes a tree of a random shape and a copy with some edits. */
static void
make_equivalence(TestTree *tree, TestTree *copy, int32_t most)
{
	static const int32_t labels[] = {1, 2, 5, 50, 100000};
	int32_t alphabet = labels[random_below(5)];

	make_tree(tree, (Shape) random_below(SHAPES), 1 + (int32_t) random_below((uint32_t) most),
			  alphabet, 0);
	copy_tree(copy, tree);
	edit_tree(copy, (int32_t) random_below(most < 40 ? 12 : 40), alphabet);
}

/*
 * Returns a limit for a number of insertions or deletions of the cheaper kind: a number at
 * which strips become wider, or any.
 */
static int32_t
choose_limit(TedCosts costs)
{
	static const int32_t edges[] = {0, 1, 6, 7, 8, 14, 15, 16, 30, 31, 32, 33};
	int32_t least = costs.insert < costs.delete_ ? costs.insert : costs.delete_;
	int32_t k = random_below(2) == 0 ? edges[random_below(12)] : (int32_t) random_below(41);

	return least == 0 ? k : k * least + (int32_t) random_below((uint32_t) least);
}

/* Makes trees of up to `most` nodes, or of thousands, and for each a copy with some edits. */
static void
make_equivalences(const TedTree **pointers, int32_t tree_count, int32_t most, bool is_large)
{
	static TestTree trees[EQUIVALENCES];
	static TedTree large[EQUIVALENCES];

	for (int32_t t = 0; t < tree_count; t += 2)
	{
		if (is_large)
		{
			TreeEvents events = random_tree(1000 + (int32_t) random_below(3000));
			TreeEvents edited = edited_tree(&events, (int32_t) random_below(20));

			large[t] = tree_of_events(&events);
			large[t + 1] = tree_of_events(&edited);
		}
		else
			make_equivalence(&trees[t], &trees[t + 1], most);
		for (int32_t i = t; i < t + 2; i++)
			pointers[i] = is_large ? &large[i] : &trees[i].tree;
	}
}

/*
 * Checks trees and copies with some edits against the core, each batch computed twice: by
 * strips wherever possible, or by the best kernel.  Of many batches, every eighth one has a few
 * trees with thousands of nodes.
 */
static int
run_limits(int64_t pairs_wanted, uint64_t seed)
{
	static const TedTree *pointers[EQUIVALENCES];
	static TedPair pairs[BATCH];
	static int32_t expected[BATCH];
	int64_t done = 0;
	int64_t within = 0;
	int64_t wrong = 0;

	random_state = seed;
	for (uint64_t round = 0; done < pairs_wanted; round++)
	{
		TedCosts costs = choose_costs(round);
		bool is_large = round % 8 == 7 && pairs_wanted >= 1000;
		int32_t tree_count = is_large ? 8 : EQUIVALENCES;
		int32_t most = round % 4 == 3 ? 600 : round % 4 == 2 ? 150 : 30;
		int64_t count = ted_min(is_large      ? 16
								: most == 600 ? BATCH / 20
											  : BATCH / 4,
								(int32_t) (pairs_wanted / 8 + 1));

		make_equivalences(pointers, tree_count, most, is_large);
		for (int64_t i = 0; i < count; i++)
		{
			int32_t a = (int32_t) random_below((uint32_t) tree_count);

			pairs[i] = (TedPair){
				a, random_below(4) > 0 ? a ^ 1 : (int32_t) random_below((uint32_t) tree_count),
				choose_limit(costs)};
		}
		ted_gpu_strip_preference = round % 2 == 0 || is_large ? INFINITY : 1;
		wrong += count_wrong(pointers, tree_count, pairs, count, costs, round, expected);
		for (int64_t i = 0; i < count; i++)
			within += expected[i] != TED_BEYOND;
		done += count;
	}
	ted_gpu_strip_preference = 1;
	printf("%lld pairs, %lld within their limits, two runs each: %lld wrong\n", (long long) done,
		   (long long) within, (long long) wrong);
	return wrong > 0;
}

/* Makes a random tree of 500 to 11,000 nodes: deep, or of records, which may be single nodes. */
static TedTree
make_large(void)
{
	static const int32_t most[] = {1, 10, 100, 1000};
	int32_t size = 500 + (int32_t) random_below(10501);
	uint32_t kind = random_below(5);
	TreeEvents events = kind < 4 ? records_tree(size, most[kind]) : random_tree(size);
	TedTree tree = tree_of_events(&events);

	free(events.event);
	return tree;
}

/* Checks a few large pairs at a time against the core, and each of them alone. */
static int
run_large(int64_t pairs_wanted, uint64_t seed, bool by_label)
{
	int64_t wrong = 0;

	random_state = seed;
	for (int64_t done = 0; done < pairs_wanted; done += AT_ONCE)
	{
		uint64_t round = (uint64_t) (done / AT_ONCE);
		TedCosts costs =
			by_label ? choose_model(round, 1000) : choose_small_or_large_costs(round, 4);
		TedTree trees[2 * AT_ONCE];
		const TedTree *pointers[2 * AT_ONCE];
		TedPair pairs[AT_ONCE];
		int32_t expected[AT_ONCE];
		int32_t got[AT_ONCE];
		TedDeviceTrees *set;

		for (int32_t i = 0; i < AT_ONCE; i++)
		{
			do
				for (int32_t t = 2 * i; t < 2 * i + 2; t++)
				{
					trees[t] = make_large();
					pointers[t] = &trees[t];
				}
			while (cells_of(pointers[2 * i], pointers[2 * i + 1]) > LARGE_CELLS);
			pairs[i] = (TedPair){2 * i, 2 * i + 1, TED_NO_LIMIT};
		}
		check_status(module->trees_create(device, &set), "trees_create");
		check_status(module->trees_add(set, pointers, 2 * AT_ONCE), "trees_add");
		reference(pointers, pairs, AT_ONCE, costs, expected);
		if (by_label)
			send_label_costs(set, pointers, 2 * AT_ONCE, 0, &costs);
		for (int run = 0; run < 2; run++)
		{
			memset(got, 0xff, sizeof(got));
			for (int32_t i = 0; i < AT_ONCE; i += run == 0 ? AT_ONCE : 1) /* all, then each alone */
				compute(set, pairs + i, run == 0 ? AT_ONCE : 1, costs, got + i);
			for (int32_t i = 0; i < AT_ONCE; i++)
				if (got[i] != expected[i] && wrong++ < 10)
					printf("run %d, pair %d: sizes %d %d, costs %d %d %d: %d, not %d\n", run,
						   (int) done + i, trees[2 * i].size, trees[2 * i + 1].size, costs.insert,
						   costs.delete_, costs.rename, got[i], expected[i]);
		}
		module->trees_free(set);
	}
	printf("%lld large pairs, together and alone: %lld wrong\n", (long long) pairs_wanted,
		   (long long) wrong);
	return wrong > 0;
}

/* Checks the distances of all subtrees of random pairs against the core. */
static int
run_subtrees(int64_t pairs, uint64_t seed)
{
	static TestTree trees[2];
	const TedTree *a = &trees[0].tree;
	const TedTree *b = &trees[1].tree;
	const TedTree *pointers[] = {a, b};
	TedPair pair = {0, 1, TED_NO_LIMIT};
	void *expected = malloc(sizeof(int32_t) * MAX_HUGE * MAX_HUGE);
	void *got = malloc(sizeof(int32_t) * MAX_HUGE * MAX_HUGE);
	int64_t mirrored = 0;
	int64_t narrow = 0;
	int64_t wrong = 0;

	random_state = seed;
	for (int64_t i = 0; i < pairs; i++)
	{
		int32_t distance;
		TedBatch batch = {.pairs = &pair,
						  .distances = &distance,
						  .count = 1,
						  .costs = choose_small_or_large_costs((uint64_t) i, 7),
						  .subtrees = got};
		size_t bytes;
		TedDeviceTrees *set;

		for (int t = 0; t < 2; t++)
			make_tree(&trees[t], (Shape) random_below(SHAPES),
					  1 + (int32_t) random_below(i % 10 == 9 ? MAX_HUGE : 60),
					  1 + (int32_t) random_below(9), 0);
		bytes = ted_subtrees_bytes(a, b, &batch.costs);
		mirrored += ted_prefers_right(a, b);
		narrow += ted_subtrees_int16(a, b, &batch.costs);
		fill_subtrees(a, b, &batch.costs, expected);
		memset(got, 0xff, bytes);
		check_status(module->trees_create(device, &set), "trees_create");
		check_status(module->trees_add(set, pointers, 2), "trees_add");
		run_to_end(set, &batch);
		module->trees_free(set);
		if (memcmp(got, expected, bytes) != 0 && wrong++ < 10)
			printf("pair %d: sizes %d %d, costs %d %d %d: wrong\n", (int) i, a->size, b->size,
				   batch.costs.insert, batch.costs.delete_, batch.costs.rename);
	}
	printf("the subtrees of %lld pairs, %lld mirrored, %lld in 16 bits: %lld wrong\n",
		   (long long) pairs, (long long) mirrored, (long long) narrow, (long long) wrong);
	return wrong > 0;
}

/* Runs the command of the arguments. */
int
main(int argc, char **argv)
{
	const char *command = argc == 4 ? argv[1] : "";
	int64_t pairs = argc == 4 ? atoll(argv[2]) : 0;
	uint64_t seed = argc == 4 ? strtoull(argv[3], NULL, 10) : 0;

	open_device(USUAL_MEMORY);
	if (strcmp(command, "check") == 0)
		return run_check(pairs, seed, false);
	if (strcmp(command, "labels") == 0)
		return run_check(pairs, seed, true);
	if (strcmp(command, "limits") == 0)
		return run_limits(pairs, seed);
	if (strcmp(command, "large") == 0)
		return run_large(pairs, seed, false);
	if (strcmp(command, "large_labels") == 0)
		return run_large(pairs, seed, true);
	if (strcmp(command, "subtrees") == 0)
		return run_subtrees(pairs, seed);
	fprintf(stderr, "usage: gpu_ted check|labels|limits|large|large_labels|subtrees PAIRS SEED\n");
	return 2;
}
