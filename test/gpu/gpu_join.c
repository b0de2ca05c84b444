/*
 * gpu_join.c
 *	  Joins of the GPU module, without a server.
 *
 *	gpu_join check PAIRS SEED  random trees of all shapes and sizes, against the core
 *	gpu_join lists PAIRS SEED  the same with so little memory that lists are too short
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/host.h"
#include "../core/trees.h"
#include "card.h"

/* A setting of the module: factor of pairs of similar size when joins choose lists. */
extern double ted_gpu_list_preference;

#define MOST_TREES 300

/* Device memory in bytes that many pairs of MOST_TREES trees do not fit into. */
#define LITTLE_MEMORY ((int64_t) 3 << 20)

/* The limit of a join: a distance, or a part of the larger size. */
typedef struct Limits
{
	int32_t distance;
	double part;
} Limits;

/* Returns the limit of pairs with a larger tree of this size. */
static int32_t
limit_of(const Limits *limits, int32_t size)
{
	return limits->part > 0 ? (int32_t) (limits->part * size) : limits->distance;
}

/* Whether the device has had the memory for something. */
static bool
had_memory(TedDeviceStatus status, const char *what)
{
	if (status == TED_DEVICE_OUT_OF_MEMORY)
		return false;
	check_status(status, what);
	return true;
}

/* Returns the least number that is greater than all labels of the trees. */
static int32_t
labels_of(const TedTree **trees, int32_t count)
{
	int32_t labels = 0;

	for (int32_t t = 0; t < count; t++)
		for (int32_t x = 0; x < trees[t]->size; x++)
			labels = ted_max(labels, trees[t]->label[x] + 1);
	return labels;
}

/*
 * Adds trees to a join, in parts of some nodes; the numbers of labels may be in the order of
 * their ranks.  Returns false if the device has no memory.
 */
static bool
add(TedDeviceJoin *join, const TedTree **trees, int32_t count, const Limits *limits, int32_t labels,
	bool ranked, int64_t nodes_per_part)
{
	int32_t *by_tree = malloc(sizeof(int32_t) * (size_t) count);
	bool taken = true;
	TedJoinTrees part;

	for (int32_t t = 0; t < count; t++)
		by_tree[t] = limit_of(limits, trees[t]->size);
	for (int32_t first = 0, end = 0; first < count && taken; first = end)
	{
		for (int64_t nodes = 0; end < count && nodes < nodes_per_part; end++)
			nodes += trees[end]->size;
		part = (TedJoinTrees){trees + first, by_tree + first, end - first, labels, ranked};
		taken = had_memory(module->join_add(join, &(TedJoinDocuments){.trees = &part}), "join_add");
	}
	free(by_tree);
	return taken;
}

/* Runs a range, and counts it if it ends early; returns false if the device has no memory. */
static bool
run(TedDeviceJoin *join, TedJoinRange *range, int64_t *cut)
{
	TedDeviceStatus status = module->join_submit(join, range);
	int32_t planned = range->done;

	while (status == TED_DEVICE_BUSY)
		status = module->poll(device);
	if (!had_memory(status, "join"))
		return false;
	*cut += range->done < planned;
	return true;
}

/* Counts of random joins. */
typedef struct Tally
{
	int64_t pairs;
	int64_t within;
	int64_t open;
	int64_t wrong;
	int64_t cut;  /* ranges that ended early, as a list was too short */
	int64_t lost; /* joins for which the device had no memory */
} Tally;

/*
 * Runs a join whose first trees are indexed; got[] has a place for each pair.  Returns false if
 * the device has no memory.
 */
static bool
run_random(TedDeviceJoin *join, int32_t indexed, int32_t first, int32_t count, int32_t *got,
		   Tally *tally)
{
	TedJoinRange range = {.indexed = indexed, .first = first, .end = count};

	for (; range.first < count; range.first = range.done)
	{
		if (!run(join, &range, &tally->cut))
			return false;
		for (int64_t i = 0; i < range.count; i++)
		{
			const TedJoinPair *pair = &range.pairs[i];
			bool fits = pair->indexed < indexed && pair->indexed < pair->probe &&
						pair->probe >= range.first && pair->probe < range.done;
			int32_t *place = &got[pair->probe * MOST_TREES + pair->indexed];

			tally->open += pair->distance == TED_NO_DISTANCE;
			if (!fits || *place != TED_BEYOND)
				tally->wrong++;
			else
				*place = pair->distance;
		}
	}
	return true;
}

/* Compares the results with those of the core. */
static void
compare(const TedTree **trees, int32_t indexed, int32_t first, int32_t count, const Limits *limits,
		const int32_t *got, Tally *tally)
{
	TedPair *pairs = malloc(sizeof(TedPair) * MOST_TREES * MOST_TREES);
	int32_t *expected = malloc(sizeof(int32_t) * MOST_TREES * MOST_TREES);
	int64_t pair_count = 0;

	for (int32_t probe = first; probe < count; probe++)
		for (int32_t other = 0; other < indexed && other < probe; other++)
			pairs[pair_count++] = (TedPair){probe, other,
											ted_max(limit_of(limits, trees[probe]->size),
													limit_of(limits, trees[other]->size))};
	reference(trees, pairs, pair_count, TED_UNIT_COSTS, expected);
	for (int64_t i = 0; i < pair_count; i++)
	{
		int32_t found = got[pairs[i].a * MOST_TREES + pairs[i].b];

		tally->within += expected[i] != TED_BEYOND;
		if (found != expected[i] && found != TED_NO_DISTANCE && tally->wrong++ < 10)
			printf("sizes %d %d, limit %d: %d, not %d\n", trees[pairs[i].a]->size,
				   trees[pairs[i].b]->size, pairs[i].limit, found, expected[i]);
	}
	tally->pairs += pair_count;
	free(pairs);
	free(expected);
}

/* Checks random joins against the core: self-joins, and joins whose probes are added later. */
static int
run_check(int64_t pairs_wanted, uint64_t seed, bool little_memory)
{
	static TestTree trees[MOST_TREES];
	static const TedTree *pointers[MOST_TREES];
	int32_t *got = malloc(sizeof(int32_t) * MOST_TREES * MOST_TREES);
	Tally tally = {0};

	random_state = seed;
	for (uint64_t round = 0; tally.pairs < pairs_wanted; round++)
	{
		static const int32_t sizes[] = {4, 30, 100, 300};
		static const int32_t alphabets[] = {1, 2, 5, 50, 100000};
		int32_t most = sizes[round % 4];
		int32_t alphabet = alphabets[random_below(5)];
		int32_t count = 2 + (int32_t) random_below(most == 300 ? 60 : MOST_TREES - 2);
		bool self = random_below(2) == 0;
		bool done;
		int32_t indexed = self ? count : 1 + (int32_t) random_below((uint32_t) count - 1);
		Limits limits = {.distance = (int32_t) random_below(round % 3 == 0 ? 100 : 12),
						 .part = random_below(3) == 0 ? 0.05 * random_below(20) : 0};
		TedDeviceJoin *join;
		int32_t labels;

		for (int32_t t = 0; t < count; t++)
			if (t > 0 && random_below(2) == 0)
			{
				copy_tree(&trees[t], &trees[random_below((uint32_t) t)]);
				edit_tree(&trees[t], 1 + (int32_t) random_below(12), alphabet);
			}
			else
				make_tree(&trees[t], (Shape) random_below(SHAPES),
						  1 + (int32_t) random_below((uint32_t) most), alphabet, 0);
		for (int32_t t = 0; t < count; t++)
			pointers[t] = &trees[t].tree;
		qsort(pointers, (size_t) indexed, sizeof(*pointers), compare_sizes_at);
		qsort(pointers + indexed, (size_t) (count - indexed), sizeof(*pointers), compare_sizes_at);
		check_status(module->join_create(device, &join), "join_create");
		memset(got, 0x7f, sizeof(int32_t) * MOST_TREES * MOST_TREES);
		for (int32_t i = 0; i < MOST_TREES * MOST_TREES; i++)
			got[i] = TED_BEYOND;
		ted_gpu_list_preference = random_below(3) == 0 ? 0 : INFINITY;
		labels = labels_of(pointers, indexed);
		/* any order of labels will do */
		done = add(join, pointers, indexed, &limits, labels, random_below(2) == 0,
				   random_below(2) == 0 ? INT64_MAX : 1 + (int64_t) random_below(4000));
		if (done && !self)
		{
			int32_t half = (count - indexed) / 2;

			/* some probes are forgotten, and maybe compared, before the others come */
			labels = labels_of(pointers, indexed + half);
			done = add(join, pointers + indexed, half, &limits, labels, false, INT64_MAX);
			if (done && half > 0 && random_below(2) == 0)
				done = run(
					join,
					&(TedJoinRange){.indexed = indexed, .first = indexed, .end = indexed + half},
					&tally.cut);
			module->join_forget(join, indexed);
			labels = labels_of(pointers, count);
			done = done && add(join, pointers + indexed, count - indexed, &limits, labels, false,
							   INT64_MAX);
		}
		done = done && run_random(join, indexed, self ? 0 : indexed, count, got, &tally);
		module->join_free(join);
		tally.lost += !done;
		if (done)
			compare(pointers, indexed, self ? 0 : indexed, count, &limits, got, &tally);
	}
	printf("%lld pairs, %lld within their limits, %lld left open, %lld ranges cut short, "
		   "%lld joins without memory: %lld wrong\n",
		   (long long) tally.pairs, (long long) tally.within, (long long) tally.open,
		   (long long) tally.cut, (long long) tally.lost, (long long) tally.wrong);
	free(got);
	return tally.wrong > 0 || (little_memory ? tally.cut == 0 : tally.lost > 0);
}

/* Runs the command of the arguments. */
int
main(int argc, char **argv)
{
	bool little_memory = argc == 4 && strcmp(argv[1], "lists") == 0;

	if (argc != 4 || (!little_memory && strcmp(argv[1], "check") != 0))
	{
		fprintf(stderr, "usage: gpu_join check|lists PAIRS SEED\n");
		return 2;
	}
	open_device(little_memory ? LITTLE_MEMORY : USUAL_MEMORY);
	return run_check(atoll(argv[2]), strtoull(argv[3], NULL, 10), little_memory);
}
