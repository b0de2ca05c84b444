/*
 * gpu.c
 *	  The engine that sends batches to a GPU.
 *
 * All new trees are sent first; then the batch, in consecutive slices that fit in the device's
 * memory.  If the device has no memory for a slice, half of the slice is sent.  A pair that does
 * not fit alone, or that the module cannot compute, is declined; so are all remaining pairs when
 * the device fails.  The device works on arrays of the engine: distances are copied to the caller
 * when their slice is done.
 */
#include <string.h>

#include "device_costs.h"
#include "gpu.h"
#include "../engine_tuning.h"

struct TedGpuEngine
{
	TedEngineHost host;
	TedGpu *gpu;
	TedGpuTrees trees;
	TedDeviceLabels labels;
	TedBatch batch;
	int64_t done;  /* pairs before this one have their distance or are declined */
	bool declined; /* whether any pair is declined */

	/* the slice: pairs from `done` to before `end`, without declined pairs */
	int64_t end;
	int32_t count;
	int32_t capacity;
	int64_t *place; /* position of each pair in the batch */
	TedPair *pairs;
	int32_t *distances;
	int64_t bytes;   /* device memory that the slice takes */
	int64_t memory;  /* device memory that a slice may take */
	int32_t largest; /* the most pairs of a slice */
};

/* Opens an engine. */
TedGpuEngine *
ted_gpu_engine_open(const TedEngineHost *host, TedGpu *gpu)
{
	TedGpuEngine *engine = host->allocate(host->arg, sizeof(TedGpuEngine));

	if (engine != NULL)
	{
		memset(engine, 0, sizeof(TedGpuEngine));
		engine->host = *host;
		engine->gpu = gpu;
	}
	return engine;
}

/* Forgets all trees but the first `count`. */
void
ted_gpu_engine_forget(TedGpuEngine *engine, const TedTree *const *trees, int32_t count)
{
	ted_device_labels_forget(&engine->labels, trees, count);
	if (engine->trees.sent > count)
	{
		engine->gpu->module->trees_forget(engine->trees.set, count);
		engine->trees.sent = count;
	}
}

/* Cancels the batch under way. */
void
ted_gpu_engine_cancel(TedGpuEngine *engine)
{
	ted_gpu_trees_stop(engine->gpu, &engine->trees);
	engine->batch.count = 0;
}

/* Declines a pair. */
static void
decline(TedGpuEngine *engine, int64_t pair)
{
	engine->batch.distances[pair] = TED_NO_DISTANCE;
	engine->declined = true;
}

/* Declines all pairs that are not done. */
static void
decline_rest(TedGpuEngine *engine)
{
	while (engine->done < engine->batch.count)
		decline(engine, engine->done++);
}

/* Creates the set of trees on the device. */
static TedDeviceStatus
create_set(TedGpuEngine *engine)
{
	TedGpu *gpu = engine->gpu;
	TedDeviceStatus status = gpu->module->trees_create(gpu->device, &engine->trees.set);

	engine->labels.costs.known = 0;
	if (status == TED_DEVICE_DONE)
	{
		engine->trees.next = gpu->trees;
		gpu->trees = &engine->trees;
	}
	else
		engine->trees.set = NULL;
	return status;
}

/* Sends some of the trees that the device does not have yet. */
static TedDeviceStatus
add_trees(TedGpuEngine *engine)
{
	const TedTree *added[TED_TREES_PER_CALL];
	int32_t count = ted_min(engine->batch.tree_count - engine->trees.sent, TED_TREES_PER_CALL);
	TedDeviceStatus status;

	for (int32_t i = 0; i < count; i++)
		added[i] = engine->batch.trees[engine->trees.sent + i];
	status = engine->gpu->module->trees_add(engine->trees.set, added, count);
	if (status == TED_DEVICE_DONE)
		engine->trees.sent += count;
	return status;
}

/* Sends all trees that the device lacks; declines all pairs if it has no memory for them. */
static TedEngineStatus
send_all_trees(TedGpuEngine *engine)
{
	const TedInterrupt *interrupt = &engine->host.interrupt;
	TedDeviceStatus status = engine->trees.set == NULL ? create_set(engine) : TED_DEVICE_DONE;

	while (status == TED_DEVICE_DONE && engine->trees.sent < engine->batch.tree_count)
	{
		if (interrupt->check != NULL && interrupt->check(interrupt->arg))
			return TED_ENGINE_CANCELLED;
		status = add_trees(engine);
	}
	if (status == TED_DEVICE_OUT_OF_MEMORY)
	{
		ted_gpu_trees_free(engine->gpu, &engine->trees);
		decline_rest(engine);
	}
	else if (status != TED_DEVICE_DONE)
		ted_gpu_fail(engine->gpu);
	return TED_ENGINE_DONE;
}

/* Sends costs by label, and waits until the device has received them. */
static TedEngineStatus
send_labels(TedGpuEngine *engine, TedDeviceStatus *sent)
{
	const TedEngineHost *host = &engine->host;
	const TedDeviceModule *module = engine->gpu->module;
	TedDeviceCosts *costs = &engine->labels.costs;

	if (!engine->labels.changed && costs->known > 0)
	{
		*sent = TED_DEVICE_DONE;
		return TED_ENGINE_DONE;
	}
	*sent = module->label_costs(engine->trees.set, costs);
	/* an interrupt may leave this function at any time, and ted_gpu_engine_cancel() stops the
	 * device then */
	engine->trees.under_way = *sent == TED_DEVICE_BUSY;
	engine->labels.changed = true;
	costs->known = 0;
	while (*sent == TED_DEVICE_BUSY)
	{
		if (host->interrupt.check != NULL && host->interrupt.check(host->interrupt.arg))
		{
			ted_gpu_trees_stop(engine->gpu, &engine->trees);
			return TED_ENGINE_CANCELLED;
		}
		*sent = module->poll(engine->gpu->device);
	}
	engine->trees.under_way = false;
	if (*sent == TED_DEVICE_DONE)
	{
		engine->labels.changed = false;
		costs->known = costs->kinds;
	}
	return TED_ENGINE_DONE;
}

/*
 * Sends the costs of all labels or, if there is no room, those of the batch's labels.  Declines all
 * pairs if there is no room for these, either.
 */
static TedEngineStatus
send_label_costs(TedGpuEngine *engine)
{
	const TedEngineHost *host = &engine->host;
	TedDeviceStatus sent = TED_DEVICE_OUT_OF_MEMORY;
	TedEngineStatus status = TED_ENGINE_DONE;

	for (int turn = 0; turn < 2 && sent == TED_DEVICE_OUT_OF_MEMORY; turn++)
	{
		status = ted_device_labels_add(&engine->labels, host, engine->batch.trees,
									   engine->batch.tree_count, &engine->batch);
		if (status == TED_ENGINE_DONE)
			status = send_labels(engine, &sent);
		if (status == TED_ENGINE_CANCELLED)
			return status;
		if (sent == TED_DEVICE_OUT_OF_MEMORY)
			ted_device_labels_free(&engine->labels, host);
		engine->labels.by_batch |= sent == TED_DEVICE_OUT_OF_MEMORY;
	}
	if (sent == TED_DEVICE_OUT_OF_MEMORY)
		decline_rest(engine);
	else if (sent != TED_DEVICE_DONE)
		ted_gpu_fail(engine->gpu);
	return TED_ENGINE_DONE;
}

/* Forms the next slice; declines pairs that cannot be in any slice. */
static void
make_slice(TedGpuEngine *engine)
{
	const TedBatch *batch = &engine->batch;

	engine->count = 0;
	engine->bytes = 0;
	for (engine->end = engine->done; engine->end < batch->count; engine->end++)
	{
		const TedPair *pair = &batch->pairs[engine->end];
		int64_t bytes = engine->gpu->module->pair_memory(
			engine->batch.trees[pair->a], engine->batch.trees[pair->b], &batch->costs);

		if (bytes == 0 || bytes > engine->memory)
		{
			decline(engine, engine->end);
			continue;
		}
		if (engine->count == engine->largest || bytes > engine->memory - engine->bytes)
			break;
		engine->pairs[engine->count] = *pair;
		engine->place[engine->count++] = engine->end;
		engine->bytes += bytes;
	}
}

/* Makes the next slice smaller, or fails the device, after pairs could not be computed. */
static void
refuse_pairs(TedGpuEngine *engine, TedDeviceStatus status)
{
	if (status != TED_DEVICE_OUT_OF_MEMORY)
		ted_gpu_fail(engine->gpu);
	else if (engine->count > 1)
		engine->largest = engine->count / 2;
	else
		engine->memory = engine->bytes - 1;
}

/* Submits the next slice, if any; returns the status of the batch. */
static TedEngineStatus
submit_next_slice(TedGpuEngine *engine)
{
	TedGpu *gpu = engine->gpu;

	while (gpu->device != NULL && engine->done < engine->batch.count)
	{
		TedBatch slice = {.pairs = engine->pairs,
						  .distances = engine->distances,
						  .costs = engine->batch.costs,
						  .subtrees = engine->batch.subtrees};
		TedDeviceStatus status;

		make_slice(engine);
		if (engine->count == 0)
		{
			engine->done = engine->end;
			break;
		}
		slice.count = engine->count;
		status = gpu->module->submit(engine->trees.set, &slice);
		engine->trees.under_way = status == TED_DEVICE_DONE || status == TED_DEVICE_BUSY;
		if (engine->trees.under_way)
			return TED_ENGINE_BUSY;
		refuse_pairs(engine, status);
	}
	decline_rest(engine);
	return engine->declined ? TED_ENGINE_DECLINED : TED_ENGINE_DONE;
}

/* Allocates the arrays of a slice, in one block. */
static bool
reserve_slices(TedGpuEngine *engine)
{
	const TedEngineHost *host = &engine->host;
	int64_t count = engine->batch.count;
	size_t item = sizeof(*engine->place) + sizeof(*engine->pairs) + sizeof(*engine->distances);

	engine->largest = count < TED_PAIRS_PER_SLICE ? (int32_t) count : TED_PAIRS_PER_SLICE;
	if (engine->largest <= engine->capacity)
		return true;
	if (engine->place != NULL)
		host->release(host->arg, engine->place);
	engine->capacity = 0;
	engine->place = host->allocate(host->arg, item * (size_t) engine->largest);
	if (engine->place == NULL)
		return false;
	engine->capacity = engine->largest;
	engine->pairs = (TedPair *) (engine->place + engine->capacity);
	engine->distances = (int32_t *) (engine->pairs + engine->capacity);
	return true;
}

/* Returns the device memory that a slice may take; 1/8 is left for trees and fragmentation. */
static int64_t
slice_memory(const TedGpu *gpu)
{
	TedDeviceInfo info;
	int64_t memory;

	gpu->module->info(gpu->device, &info);
	memory = info.free + info.used;
	return (memory < gpu->memory_limit ? memory : gpu->memory_limit) / 8 * 7;
}

/* Starts a batch. */
TedEngineStatus
ted_gpu_engine_submit(TedGpuEngine *engine, const TedBatch *batch)
{
	TedGpu *gpu = engine->gpu;
	TedEngineStatus status = TED_ENGINE_DONE;
	bool by_label = ted_costs_by_label(&batch->costs);

	engine->batch = *batch;
	engine->done = 0;
	engine->declined = false;
	if (by_label && batch->subtrees != NULL) /* no device computes distances of subtrees by label */
	{
		decline_rest(engine);
		return TED_ENGINE_DECLINED;
	}
	if (!reserve_slices(engine))
		return TED_ENGINE_OUT_OF_MEMORY;
	ted_gpu_join_settle(gpu); /* this may find that the device has failed */
	if (gpu->device != NULL)
	{
		engine->memory = slice_memory(gpu);
		status = send_all_trees(engine);
	}
	if (by_label && status == TED_ENGINE_DONE && gpu->device != NULL && engine->done < batch->count)
		status = send_label_costs(engine);
	if (status != TED_ENGINE_DONE)
		return status;
	return submit_next_slice(engine);
}

/* Polls the slice under way; when it has ended, submits the next one. */
TedEngineStatus
ted_gpu_engine_poll(TedGpuEngine *engine)
{
	TedGpu *gpu = engine->gpu;
	TedDeviceStatus status = gpu->module->poll(gpu->device);

	if (status == TED_DEVICE_BUSY)
		return TED_ENGINE_BUSY;
	engine->trees.under_way = false;
	if (status == TED_DEVICE_DONE)
	{
		for (int32_t i = 0; i < engine->count; i++)
			engine->batch.distances[engine->place[i]] = engine->distances[i];
		engine->done = engine->end;
	}
	else
		refuse_pairs(engine, status);
	return submit_next_slice(engine);
}

/* Closes the engine, and frees its memory. */
void
ted_gpu_engine_close(TedGpuEngine *engine)
{
	TedEngineHost host = engine->host;

	ted_gpu_trees_free(engine->gpu, &engine->trees);
	if (engine->place != NULL)
		host.release(host.arg, engine->place);
	ted_device_labels_free(&engine->labels, &host);
	host.release(host.arg, engine);
}
