/*
 * card.c
 *	  Common functions of the programs that compare trees on a card.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../core/host.h"
#include "../../src/engine/gpu/device_costs.h"
#include "../core/random.h"
#include "card.h"

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

/* Returns the number of cells of a pair. */
double
cells_of(const TedTree *a, const TedTree *b)
{
	double left = (double) a->left_nodes * (double) b->left_nodes;
	double right = (double) a->right_nodes * (double) b->right_nodes;

	return left < right ? left : right;
}

/* Runs a batch on the device. */
void
run_to_end(TedDeviceTrees *trees, const TedBatch *batch)
{
	TedDeviceStatus status = module->submit(trees, batch);

	check_status(status, "submit");
	while (status == TED_DEVICE_BUSY)
		check_status(status = module->poll(device), "poll");
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

/* Computes pairs on the device. */
void
compute(TedDeviceTrees *trees, const TedPair *pairs, int64_t count, TedCosts costs,
		int32_t *distances)
{
	run_to_end(trees,
			   &(TedBatch){.pairs = pairs, .distances = distances, .count = count, .costs = costs});
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
