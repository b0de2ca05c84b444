/*
 * gpu_join.c
 *	  Joins of the GPU module, without a server.
 *
 *	gpu_join check PAIRS SEED  random trees of all shapes and sizes, against the core
 *	gpu_join lists PAIRS SEED  the same with so little memory that lists are too short
 *	gpu_join time FILE K...    all pairs of the trees of a file up to distances, by windows of
 *	                           sizes, by lists of rare labels, and as the module chooses
 *	gpu_join core FILE K...    the same, against the core
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../bench/trees.h"
#include "../../src/core/tree/filters/candidates.h"
#include "../../src/engine/engine_tuning.h"
#include "../core/host.h"
#include "../core/trees.h"
#include "card.h"

/* A setting of the module: factor of pairs of similar size when joins choose lists. */
extern double ted_gpu_list_preference;

#define MOST_TREES 300
#define MOST_FILE_TREES 1200000

/* Times that a join of a file is run, and seconds after which it is not run again. */
#define RUNS 5
#define LONG_RUN 2

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

/* The trees of a file, by size. */
typedef struct File
{
	TedTree *trees;
	const TedTree **sorted;
	int32_t count;
	int32_t labels;
} File;

/* Reads a file. */
static File
read_trees(const char *path)
{
	File file = {.trees = malloc(sizeof(TedTree) * MOST_FILE_TREES),
				 .sorted = malloc(sizeof(TedTree *) * MOST_FILE_TREES)};

	file.count = read_file(path, file.trees, MOST_FILE_TREES);
	for (int32_t t = 0; t < file.count; t++)
		file.sorted[t] = &file.trees[t];
	file.labels = labels_of(file.sorted, file.count);
	qsort(file.sorted, (size_t) file.count, sizeof(*file.sorted), compare_sizes_at);
	return file;
}

/* The results of a join of a file, and its times in seconds. */
typedef struct Found
{
	int64_t pairs;
	int64_t open;
	uint64_t sum; /* sum of hashes of all pairs and their distances */
	int64_t ranges;
	int64_t cut;
	int64_t passed[4]; /* pairs: of similar size, with similar labels, with enough, computed */
	int64_t bytes;     /* bytes of device memory */
	double added;
	double joined;
} Found;

/* Counts a pair that a join has found. */
static void
count_pair(Found *found, const TedJoinPair *pair)
{
	uint64_t hash = ((uint64_t) pair->probe << 32 | (uint32_t) pair->indexed) + 1;

	hash = (hash ^ hash >> 31) * 0x9e3779b97f4a7c15u + (uint64_t) pair->distance;
	hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u;
	found->sum += hash ^ hash >> 32;
	found->pairs++;
}

/* Computes the distances of pairs of a file by the CPU engine, and counts those within limits. */
static void
count_on_cpu(const File *file, const TedJoinPair *pairs, int64_t count, const Limits *limits,
			 Found *found)
{
	TedPair *batch = malloc(sizeof(TedPair) * (size_t) count);
	int32_t *distances = malloc(sizeof(int32_t) * (size_t) count);

	for (int64_t i = 0; i < count; i++)
	{
		const TedTree *a = file->sorted[pairs[i].probe];
		const TedTree *b = file->sorted[pairs[i].indexed];

		batch[i] = (TedPair){(int32_t) (a - file->trees), (int32_t) (b - file->trees),
							 limit_of(limits, a->size)};
	}
	if (count > 0)
		compute_on_cpu(file->trees, file->count, batch, count, distances);
	for (int64_t i = 0; i < count; i++)
		if (distances[i] <= batch[i].limit)
			count_pair(found, &(TedJoinPair){pairs[i].probe, pairs[i].indexed, distances[i]});
	free(batch);
	free(distances);
}

/* Joins the trees of a file, and computes pairs that are left open if that is wanted. */
static Found
join_file(const File *file, const Limits *limits, bool closed)
{
	TedJoinRange range = {.indexed = file->count, .end = file->count};
	Found found = {0};
	double start = now();
	TedDeviceJoin *join;
	TedDeviceInfo info;

	check_status(module->join_create(device, &join), "join_create");
	if (!add(join, file->sorted, file->count, limits, file->labels, false, TED_JOIN_NODES_PER_CALL))
		exit(1);
	found.added = now() - start;
	start = now();
	for (; range.first < file->count; range.first = range.done)
	{
		double before;

		if (!run(join, &range, &found.cut))
			exit(1);
		before = now();
		found.ranges++;
		found.passed[0] += range.window;
		found.passed[1] += range.similar;
		found.passed[2] += range.labels;
		found.passed[3] += range.computed;
		for (int64_t i = 0; i < range.count; i++)
			if (range.pairs[i].distance == TED_NO_DISTANCE)
			{
				found.open++;
				if (closed)
					count_on_cpu(file, &range.pairs[i], 1, limits, &found);
			}
			else
				count_pair(&found, &range.pairs[i]);
		start += now() - before; /* without the time of counting */
	}
	found.joined = now() - start;
	module->info(device, &info);
	found.bytes = info.used;
	module->join_free(join);
	return found;
}

/* Prints the results of a join, with its median times. */
static void
print_found(const char *way, int32_t count, double limit, const Found *found)
{
	printf("| %d | %g | %s | %.1f | %.1f | %lld | %lld | %lld | %lld | %lld | %lld | %lld | "
		   "%016llx | %lld | %.0f |\n",
		   count, limit, way, 1e3 * found->added, 1e3 * found->joined, (long long) found->ranges,
		   (long long) found->passed[0], (long long) found->passed[1], (long long) found->passed[2],
		   (long long) found->passed[3], (long long) found->pairs, (long long) found->open,
		   (unsigned long long) found->sum, (long long) found->cut, 1e-6 * (double) found->bytes);
	fflush(stdout);
}

/* Whether joins of a file up to a distance by all ways find the same; prints their times. */
static bool
time_joins(const File *file, double limit)
{
	static const struct
	{
		const char *name;
		double preference;
	} ways[] = {{"lists", INFINITY}, {"either", 1}, {"windows", 0}};
	const Limits limits = {.distance = (int32_t) limit, .part = limit < 1 ? limit : 0};
	uint64_t sum = 0;
	bool same = true;

	for (int way = 0; way < 3; way++)
	{
		double added[RUNS];
		double joined[RUNS];
		double seconds = 0;
		Found found;
		int runs = 0;

		ted_gpu_list_preference = ways[way].preference;
		while (runs < RUNS && seconds < LONG_RUN)
		{
			found = join_file(file, &limits, false);
			added[runs] = found.added;
			joined[runs++] = found.joined;
			seconds += found.joined;
			same = same && (sum == 0 || sum == found.sum);
			sum = found.sum;
		}
		found.added = median(added, runs);
		found.joined = median(joined, runs);
		print_found(ways[way].name, file->count, limit, &found);
	}
	return same;
}

/* Joins the trees by the core: candidates, then their distances. */
static Found
join_by_core(const File *file, const Limits *limits)
{
	TedIndexedTree *indexed = malloc(sizeof(TedIndexedTree) * (size_t) file->count);
	TedCandidate *candidates = malloc(sizeof(TedCandidate) * (size_t) file->count);
	TedJoinPair *pairs = NULL;
	int64_t room = 0;
	TedInterrupt never = {0};
	TedIndexedTrees counted = {0};
	TedCandidateCounts counts = {0};
	TedCandidateIndex *index;
	Found found = {0};
	double start = now();
	TedArena arena;
	size_t bytes;
	int64_t count = 0;

	for (int32_t t = 0; t < file->count; t++)
	{
		const TedTree *tree = file->sorted[t];

		indexed[t] = (TedIndexedTree){tree, tree->size, limit_of(limits, tree->size)};
		ted_count_tree(&counted, indexed[t].size, indexed[t].limit);
	}
	bytes = ted_candidate_index_memory(&counted, file->labels);
	arena = ted_arena_in(malloc(bytes + TED_ARENA_ALIGN), bytes);
	if (ted_candidate_index(indexed, file->count, file->labels, &arena, &never, &index) != TED_OK)
		abort();
	found.added = now() - start;
	for (int32_t t = 0; t < file->count; t++)
	{
		size_t scratch_bytes = ted_candidates_memory(indexed[t].size, indexed[t].limit);
		void *block = malloc(scratch_bytes + TED_ARENA_ALIGN);
		TedArena scratch = ted_arena_in(block, scratch_bytes);
		int32_t more;

		if (ted_candidates(index, indexed[t].tree, indexed[t].limit, 0, t, &scratch, &never,
						   candidates, &more, &counts) != TED_OK)
			abort();
		free(block);
		if (count + more > room)
			pairs = realloc(pairs, sizeof(TedJoinPair) * (size_t) (room = 2 * (count + more)));
		for (int32_t i = 0; i < more; i++)
			pairs[count++] = (TedJoinPair){t, candidates[i].number, 0};
	}
	found.passed[0] = counts.window;
	found.passed[1] = counts.prefix;
	found.passed[2] = found.passed[3] = count;
	count_on_cpu(file, pairs, count, limits, &found);
	found.joined = now() - start - found.added;
	free(arena.base);
	free(pairs);
	free(candidates);
	free(indexed);
	return found;
}

/* Whether a join of a file up to a distance finds what the core does, by lists and without them. */
static bool
compare_with_core(const File *file, double limit)
{
	const Limits limits = {.distance = (int32_t) limit, .part = limit < 1 ? limit : 0};
	Found expected = join_by_core(file, &limits);
	bool same = true;

	print_found("core", file->count, limit, &expected);
	for (int way = 0; way < 2; way++)
	{
		Found found;

		ted_gpu_list_preference = way == 0 ? INFINITY : 0;
		found = join_file(file, &limits, true);
		same = same && found.pairs == expected.pairs && found.sum == expected.sum;
		print_found(way == 0 ? "lists" : "windows", file->count, limit, &found);
	}
	return same;
}

/*
 * Joins the trees of a file up to several distances; numbers less than 1 are parts of the
 * larger size.
 */
static int
run_file(bool core, const char *path, char **limits, int count)
{
	File file = read_trees(path);
	bool same = true;

	printf("| trees | within | by | added, ms | joined, ms | ranges | of similar size | similar | "
		   "labels | computed | found | open | sum | cut short | MB |\n"
		   "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | "
		   "--- |\n");
	for (int i = 0; i < count; i++)
	{
		double limit = atof(limits[i]);
		bool as_before = core ? compare_with_core(&file, limit) : time_joins(&file, limit);

		if (!as_before)
			printf("not the same pairs within %s\n", limits[i]);
		same = same && as_before;
	}
	return !same;
}

/* Runs the command of the arguments. */
int
main(int argc, char **argv)
{
	bool of_file = argc > 3 && (strcmp(argv[1], "time") == 0 || strcmp(argv[1], "core") == 0);
	bool little_memory = argc > 1 && strcmp(argv[1], "lists") == 0;

	if (!of_file && (argc != 4 || (!little_memory && strcmp(argv[1], "check") != 0)))
	{
		fprintf(stderr, "usage: gpu_join check|lists PAIRS SEED | time|core FILE K...\n");
		return 2;
	}
	open_device(little_memory ? LITTLE_MEMORY : USUAL_MEMORY);
	if (of_file)
		return run_file(strcmp(argv[1], "core") == 0, argv[2], argv + 3, argc - 3);
	return run_check(atoll(argv[2]), (uint64_t) atoll(argv[3]), little_memory);
}
