/*
 * gpu_join.c
 *	  Joins of the GPU module, without a server.
 *
 *	gpu_join check PAIRS SEED  random trees of all shapes and sizes, against the core
 *	gpu_join lists PAIRS SEED  the same with so little memory that lists are too short
 *	gpu_join time K FILE       all pairs of the trees of a file up to a distance
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../bench/trees.h"
#include "../core/host.h"
#include "../core/trees.h"
#include "card.h"

#define MOST_TREES 300
#define MOST_FILE_TREES 1200000

/* Memory in which many pairs of as many trees do not fit. */
#define LITTLE_MEMORY ((int64_t) 3 << 20)

/* Limits of a join: of a distance, or of a part of the larger size. */
typedef struct Limits
{
	int32_t distance;
	double part;
} Limits;

/* The limit of pairs with a larger tree of this size. */
static int32_t
limit_of(const Limits *limits, int32_t size)
{
	return limits->part > 0 ? (int32_t) (limits->part * size) : limits->distance;
}

/* Orders trees by size. */
static int
compare_sizes(const void *a, const void *b)
{
	return (*(const TedTree *const *) a)->size - (*(const TedTree *const *) b)->size;
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

/* Adds trees to a join, in some parts; false where the device has no memory. */
static bool
add(TedDeviceJoin *join, const TedTree **trees, int32_t count, const Limits *limits,
	const int32_t *rank, int32_t parts)
{
	int32_t *by_tree = malloc(sizeof(int32_t) * (size_t) count);
	bool taken = true;

	for (int32_t t = 0; t < count; t++)
		by_tree[t] = limit_of(limits, trees[t]->size);
	for (int32_t part = 0; part < parts && taken; part++)
	{
		int32_t first = (int32_t) ((int64_t) count * part / parts);
		int32_t end = (int32_t) ((int64_t) count * (part + 1) / parts);

		if (end > first)
			taken =
				had_memory(module->join_add(join, &(TedJoinTrees){trees + first, by_tree + first,
																  end - first, rank}),
						   "join_add");
	}
	free(by_tree);
	return taken;
}

/* Runs a range; false where the device has no memory.  Counts it if it ends early. */
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

/* What is found of a random join. */
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
 * Runs a join, whose first trees are indexed; got[] has a place for each pair.  False where
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

/* Compares what was found with what the core says. */
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

/* Random joins against the core: self-joins, and others, whose probes come later. */
static int
run_check(int64_t pairs_wanted, uint64_t seed, bool little_memory)
{
	static TestTree trees[MOST_TREES];
	static const TedTree *pointers[MOST_TREES];
	static int32_t rank[200000];
	int32_t *got = malloc(sizeof(int32_t) * MOST_TREES * MOST_TREES);
	Tally tally = {0};

	random_state = seed;
	for (uint64_t round = 0; tally.pairs < pairs_wanted; round++)
	{
		static const int32_t sizes[] = {4, 30, 100, 300};
		static const int32_t labels[] = {1, 2, 5, 50, 100000};
		int32_t most = sizes[round % 4];
		int32_t alphabet = labels[random_below(5)];
		int32_t count = 2 + (int32_t) random_below(most == 300 ? 60 : MOST_TREES - 2);
		bool self = random_below(2) == 0;
		bool done;
		int32_t indexed = self ? count : 1 + (int32_t) random_below((uint32_t) count - 1);
		Limits limits = {.distance = (int32_t) random_below(round % 3 == 0 ? 100 : 12),
						 .part = random_below(3) == 0 ? 0.05 * random_below(20) : 0};
		TedDeviceJoin *join;

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
		qsort(pointers, (size_t) indexed, sizeof(*pointers), compare_sizes);
		qsort(pointers + indexed, (size_t) (count - indexed), sizeof(*pointers), compare_sizes);
		for (int32_t label = 0; label < 200000; label++)
			rank[label] = label ^ 1; /* any other numbers */
		check_status(module->join_create(device, &join), "join_create");
		memset(got, 0x7f, sizeof(int32_t) * MOST_TREES * MOST_TREES);
		for (int32_t i = 0; i < MOST_TREES * MOST_TREES; i++)
			got[i] = TED_BEYOND;
		done = add(join, pointers, indexed, &limits, rank, 1 + (int32_t) random_below(3));
		if (done && !self)
		{
			/* some probes are forgotten before the others come */
			done = add(join, pointers + indexed, (count - indexed) / 2, &limits, rank, 1);
			module->join_forget(join, indexed);
			done = done && add(join, pointers + indexed, count - indexed, &limits, rank, 1);
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

/* All pairs of the trees of a file. */
static int
run_time(const Limits *limits, const char *path)
{
	TedTree *trees = malloc(sizeof(TedTree) * MOST_FILE_TREES);
	const TedTree **pointers = malloc(sizeof(TedTree *) * MOST_FILE_TREES);
	int32_t count = read_file(path, trees, MOST_FILE_TREES);
	int32_t labels = 0;
	int32_t *rank;

	for (int32_t t = 0; t < count; t++)
	{
		pointers[t] = &trees[t];
		for (int32_t x = 0; x < trees[t].size; x++)
			labels = ted_max(labels, trees[t].label[x] + 1);
	}
	qsort(pointers, (size_t) count, sizeof(*pointers), compare_sizes);
	rank = calloc((size_t) labels, sizeof(int32_t));
	for (int32_t label = 0; label < labels; label++)
		rank[label] = labels - 1 - label; /* files have frequent labels first */
	for (int round = 0; round < 3; round++)
	{
		TedJoinRange range = {.indexed = count, .end = count};
		int64_t found = 0;
		int64_t open = 0;
		int64_t ranges = 0;
		int64_t cut = 0;
		int64_t passed[4] = {0};
		double start = now();
		double added;
		TedDeviceJoin *join;
		TedDeviceInfo info;

		check_status(module->join_create(device, &join), "join_create");
		if (!add(join, pointers, count, limits, rank, 1 + count / 20000))
			return 1;
		added = now() - start;
		for (; range.first < count; range.first = range.done)
		{
			if (!run(join, &range, &cut))
				return 1;
			ranges++;
			passed[0] += range.window;
			passed[1] += range.similar;
			passed[2] += range.labels;
			passed[3] += range.computed;
			for (int64_t i = 0; i < range.count; i++)
				open += range.pairs[i].distance == TED_NO_DISTANCE;
			found += range.count;
		}
		module->info(device, &info);
		printf("%s: %d trees, added in %.1f ms, joined in %.1f ms, %lld ranges: window %lld, "
			   "similar %lld, labels %lld, computed %lld, found %lld, open %lld; %lld cut short; "
			   "%.0f MB\n",
			   path, count, 1e3 * added, 1e3 * (now() - start - added), (long long) ranges,
			   (long long) passed[0], (long long) passed[1], (long long) passed[2],
			   (long long) passed[3], (long long) (found - open), (long long) open, (long long) cut,
			   1e-6 * (double) info.used);
		module->join_free(join);
	}
	return 0;
}

/* Runs the command of the arguments. */
int
main(int argc, char **argv)
{
	bool little_memory;

	if (argc != 4)
	{
		fprintf(stderr, "usage: gpu_join check PAIRS SEED | lists PAIRS SEED | time K FILE\n");
		return 2;
	}
	little_memory = strcmp(argv[1], "lists") == 0;
	open_device(little_memory ? LITTLE_MEMORY : USUAL_MEMORY);
	if (little_memory || strcmp(argv[1], "check") == 0)
		return run_check(atoll(argv[2]), (uint64_t) atoll(argv[3]), little_memory);
	if (strcmp(argv[1], "time") == 0)
	{
		double limit = atof(argv[2]); /* below 1, the part of the larger size */

		return run_time(&(Limits){.distance = (int32_t) limit, .part = limit < 1 ? limit : 0},
						argv[3]);
	}
	fprintf(stderr, "gpu_join: unknown command\n");
	return 2;
}
