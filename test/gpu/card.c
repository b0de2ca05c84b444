/*
 * card.c
 *	  Common functions of the programs that compare trees on a card.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../../bench/trees.h"
#include "../core/host.h"
#include "../../src/engine/gpu/device_costs.h"
#include "../core/random.h"
#include "card.h"

#define SAMPLE_TREES 4096 /* most trees of a sample */
#define PAIR_RUNS 7

const TedDeviceModule *module;
TedDevice *device;

/* Opens the device. */
void
open_device(int64_t memory_limit)
{
	char reason[256];

	module = ted_device_module();
	if (module->open(0, memory_limit, &device, reason) != TED_DEVICE_DONE)
	{
		fprintf(stderr, "no device: %s\n", reason);
		exit(1);
	}
}

/* Ends the program where a call of the module fails. */
void
check_status(TedDeviceStatus status, const char *what)
{
	if (status != TED_DEVICE_DONE && status != TED_DEVICE_BUSY)
	{
		fprintf(stderr, "%s: status %d: %s\n", what, (int) status,
				status == TED_DEVICE_FAILED ? module->error(device) : "");
		exit(1);
	}
}

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

/* Returns the number of cells of a pair. */
double
cells_of(const TedTree *a, const TedTree *b)
{
	double left = (double) a->left_nodes * (double) b->left_nodes;
	double right = (double) a->right_nodes * (double) b->right_nodes;

	return left < right ? left : right;
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

/* Runs a batch on the device; returns the seconds it took. */
double
run_to_end(TedDeviceTrees *trees, const TedBatch *batch)
{
	double start = now();
	TedDeviceStatus status = module->submit(trees, batch);

	check_status(status, "submit");
	while (status == TED_DEVICE_BUSY)
		check_status(status = module->poll(device), "poll");
	return now() - start;
}

/* Sends costs by label of all trees, those of some first trees in a call before. */
void
send_label_costs(TedDeviceTrees *set, const TedTree *const *trees, int32_t count, int32_t before,
				 const TedCosts *costs)
{
	TedEngineHost host = {.allocate = allocate, .release = release, .memory_limit = SIZE_MAX};
	TedBatch batch = {.costs = *costs};
	TedDeviceLabels labels = {0};

	for (int part = 0; part < 2; part++)
	{
		TedDeviceStatus status;

		if (ted_device_labels_add(&labels, &host, trees, part == 0 ? before : count, &batch) !=
			TED_ENGINE_DONE)
			abort();
		if (labels.costs.kinds == 0)
			continue;
		status = module->label_costs(set, &labels.costs);
		while (status == TED_DEVICE_BUSY)
			status = module->poll(device);
		check_status(status, "label_costs");
		labels.costs.known = labels.costs.kinds;
	}
	ted_device_labels_free(&labels, &host);
}

/* Computes pairs on the device; returns the seconds it took. */
double
compute(TedDeviceTrees *trees, const TedPair *pairs, int64_t count, TedCosts costs,
		int32_t *distances)
{
	return run_to_end(
		trees, &(TedBatch){.pairs = pairs, .distances = distances, .count = count, .costs = costs});
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

/* Larger trees are compared only up to their limit, since an exact distance would take too long. */
#define LARGE 600

/* The pairs that a thread of the reference computes. */
typedef struct Part
{
	const TedTree **trees;
	const TedPair *pairs;
	int64_t first;
	int64_t end;
	TedCosts costs;
	int32_t *distances;
} Part;

/* Computes pairs by the core. */
static void *
reference_part(void *arg)
{
	const Part *part = arg;
	TedInterrupt interrupt = {0};

	for (int64_t i = part->first; i < part->end; i++)
	{
		const TedTree *a = part->trees[part->pairs[i].a];
		const TedTree *b = part->trees[part->pairs[i].b];
		bool large = part->pairs[i].limit != TED_NO_LIMIT && a->size > LARGE;
		TedPairPlan plan =
			ted_plan_pair(a, b, &part->costs, large ? part->pairs[i].limit : TED_NO_LIMIT);
		char *block = malloc(plan.bytes + TED_ARENA_ALIGN);
		TedArena arena = ted_arena_in(block, plan.bytes);

		if (ted_pair_distance(&plan, &arena, &interrupt, &part->distances[i]) != TED_OK)
			abort();
		if (part->distances[i] > part->pairs[i].limit)
			part->distances[i] = TED_BEYOND;
		free(block);
	}
	return NULL;
}

/* Computes all pairs by the core, in several threads. */
void
reference(const TedTree **trees, const TedPair *pairs, int64_t count, TedCosts costs,
		  int32_t *distances)
{
	pthread_t threads[REFERENCE_THREADS];
	Part parts[REFERENCE_THREADS];

	for (int i = 0; i < REFERENCE_THREADS; i++)
	{
		parts[i] = (Part){
			trees, pairs,    count * i / REFERENCE_THREADS, count * (i + 1) / REFERENCE_THREADS,
			costs, distances};
		pthread_create(&threads[i], NULL, reference_part, &parts[i]);
	}
	for (int i = 0; i < REFERENCE_THREADS; i++)
		pthread_join(threads[i], NULL);
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
