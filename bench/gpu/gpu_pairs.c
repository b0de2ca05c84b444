/*
 * gpu_pairs.c
 *	  Pairs and batches of trees that gpu_levels measures.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../../test/core/host.h"
#include "../../test/core/random.h"
#include "../trees.h"
#include "gpu_levels.h"

#define SAMPLE_TREES 4096 /* most trees of a sample */
#define PAIR_RUNS 7

/* Returns the time of the wall clock in seconds. */
double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double) time.tv_sec + 1e-9 * (double) time.tv_nsec;
}

/* Compares two times for sorting. */
static int
compare_times(const void *a, const void *b)
{
	double x = *(const double *) a;
	double y = *(const double *) b;

	return (x > y) - (x < y);
}

/* Returns the median of times. */
double
median(double *times, int count)
{
	qsort(times, (size_t) count, sizeof(double), compare_times);
	return times[count / 2];
}

/* Reads the trees of a file, one a line. */
int32_t
read_file(const char *path, TedTree *trees, int32_t most)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	int32_t count = 0;

	if (file == NULL)
	{
		perror(path);
		exit(1);
	}
	while (count < most && getline(&line, &room, file) > 0)
		trees[count++] = read_tree(line);
	fclose(file);
	return count;
}

/* Returns the median time of the kernels for a pair in seconds, and the memory taken. */
double
pair_seconds(const TedTree *const *pair, int32_t expected, int64_t *memory)
{
	TedPair numbers = {0, 1, TED_NO_LIMIT};
	double seconds[PAIR_RUNS];
	TedDeviceTrees *set;
	TedDeviceInfo info;

	check_status(module->trees_create(device, &set), "trees_create");
	check_status(module->trees_add(set, pair, 2), "trees_add");
	for (int run = -1; run < PAIR_RUNS; run++) /* trees are laid out in the first one */
	{
		int32_t distance;

		compute(set, &numbers, 1, TED_UNIT_COSTS, &distance);
		module->info(device, &info);
		if (run >= 0)
			seconds[run] = info.seconds;
		if (distance != expected)
		{
			fprintf(stderr, "wrong: %d, not %d\n", distance, expected);
			exit(1);
		}
	}
	*memory = info.used;
	module->trees_free(set);
	return median(seconds, PAIR_RUNS);
}

/* Returns trees by number, for a batch. */
const TedTree **
tree_list(const TedTree *trees, int32_t count)
{
	const TedTree **list = malloc(sizeof(TedTree *) * (size_t) count);

	for (int32_t i = 0; i < count; i++)
		list[i] = &trees[i];
	return list;
}

/* Computes a batch by the CPU, on this thread. */
double
compute_on_cpu(const TedTree *trees, int32_t tree_count, const TedPair *pairs, int64_t count,
			   int32_t *distances)
{
	TedCpu cpu = {.host = {.allocate = allocate, .release = release, .memory_limit = SIZE_MAX}};
	const TedTree **list = tree_list(trees, tree_count);
	TedBatch batch = {.trees = list,
					  .pairs = pairs,
					  .distances = distances,
					  .count = count,
					  .costs = TED_UNIT_COSTS};
	double start = now();

	if (ted_cpu_compute(&cpu, &batch) != TED_ENGINE_DONE)
		abort();
	ted_cpu_close(&cpu);
	start = now() - start;
	free(list);
	return start;
}

/* Makes `count` pairs of the trees of files. */
SampleBatch
sample_batch(int64_t count, char **paths, int files)
{
	SampleBatch batch = {.trees = malloc(sizeof(TedTree) * SAMPLE_TREES),
						 .pointers = malloc(sizeof(TedTree *) * SAMPLE_TREES),
						 .pairs = malloc(sizeof(TedPair) * (size_t) count),
						 .expected = malloc(sizeof(int32_t) * (size_t) count),
						 .count = count};
	double start;

	for (int i = 0; i < files; i++)
		batch.tree_count +=
			read_file(paths[i], batch.trees + batch.tree_count, SAMPLE_TREES - batch.tree_count);
	for (int32_t t = 0; t < batch.tree_count; t++)
		batch.pointers[t] = &batch.trees[t];
	for (int64_t i = 0; i < count; i++)
	{
		batch.pairs[i] =
			(TedPair){(int32_t) random_below((uint32_t) batch.tree_count),
					  (int32_t) random_below((uint32_t) batch.tree_count), TED_NO_LIMIT};
		batch.cells += cells_of(batch.pointers[batch.pairs[i].a], batch.pointers[batch.pairs[i].b]);
	}
	start = now();
	reference(batch.pointers, batch.pairs, count, TED_UNIT_COSTS, batch.expected);
	batch.cpu = now() - start;
	return batch;
}
