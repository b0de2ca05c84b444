/*
 * shared_batch.c
 *	  A batch of pairs of trees that several GPUs share.
 *
 * Each pair goes to the GPU with the least work so far, so that all finish at about the same time.
 */
#include "gpu.h"

/* Returns the bytes of memory that are needed to share a batch of `count` pairs. */
size_t
ted_shared_batch_memory(int64_t count)
{
	return (sizeof(TedPair) + sizeof(int32_t) + sizeof(uint8_t)) * (size_t) count;
}

/* Assigns each pair to a share, and counts the pairs of each share. */
static void
divide_pairs(TedSharedBatch *shared)
{
	const TedBatch *batch = &shared->batch;
	const TedTree *const *trees = batch->trees;
	double seconds[TED_GPUS] = {0};

	for (int64_t i = 0; i < batch->count; i++)
	{
		const TedPair *pair = &batch->pairs[i];
		int least = 0;

		for (int s = 1; s < shared->count; s++)
			if (seconds[s] < seconds[least])
				least = s;
		seconds[least] +=
			ted_plan_pair(trees[pair->a], trees[pair->b], &batch->costs, pair->limit).seconds;
		shared->sharer[i] = (uint8_t) least;
		shared->share[least].batch.count++;
	}
}

/* Makes the batches of the shares, in memory of the caller. */
static void
copy_pairs(TedSharedBatch *shared, void *memory)
{
	const TedBatch *batch = &shared->batch;
	TedPair *pairs = memory;
	int32_t *distances = (int32_t *) (pairs + batch->count);
	TedPair *next[TED_GPUS];

	shared->sharer = (uint8_t *) (distances + batch->count);
	divide_pairs(shared);
	for (int s = 0; s < shared->count; s++)
	{
		TedBatch *part = &shared->share[s].batch;

		part->pairs = next[s] = pairs;
		part->distances = distances;
		pairs += part->count;
		distances += part->count;
	}
	for (int64_t i = 0; i < batch->count; i++)
		*next[shared->sharer[i]]++ = batch->pairs[i];
}

/* Cancels all submitted shares. */
void
ted_shared_batch_cancel(TedSharedBatch *shared)
{
	for (int s = 0; s < shared->submitted; s++)
		ted_gpu_engine_cancel(shared->share[s].engine);
}

/* Copies the distances of all shares to the batch. */
static void
copy_distances(TedSharedBatch *shared)
{
	const int32_t *next[TED_GPUS];

	for (int s = 0; s < shared->count; s++)
		next[s] = shared->share[s].batch.distances;
	for (int64_t i = 0; i < shared->batch.count; i++)
		shared->batch.distances[i] = *next[shared->sharer[i]]++;
}

/* Returns the status of the whole batch; a failed share cancels the others. */
static TedEngineStatus
shared_status(TedSharedBatch *shared)
{
	TedEngineStatus together = TED_ENGINE_DONE;

	for (int s = 0; s < shared->count; s++)
	{
		TedEngineStatus status = shared->share[s].status;

		if (status > TED_ENGINE_BUSY)
		{
			ted_shared_batch_cancel(shared);
			return status;
		}
		if (status > together)
			together = status;
	}
	if (together != TED_ENGINE_BUSY && shared->sharer != NULL)
		copy_distances(shared);
	return together;
}

/* Submits the next share. */
static void
submit_next(TedSharedBatch *shared)
{
	int s = shared->submitted++;

	shared->share[s].status =
		ted_gpu_engine_submit(shared->share[s].engine, &shared->share[s].batch);
}

/* Submits the first share of a batch. */
TedEngineStatus
ted_shared_batch_submit(TedSharedBatch *shared, TedGpuEngine *const *engines, int count,
						const TedBatch *batch, void *memory)
{
	*shared = (TedSharedBatch){.batch = *batch, .count = count};
	for (int s = 0; s < count; s++)
	{
		shared->share[s].engine = engines[s];
		shared->share[s].batch = (TedBatch){
			.trees = batch->trees, .tree_count = batch->tree_count, .costs = batch->costs};
		shared->share[s].status = TED_ENGINE_BUSY;
	}
	if (count == 1)
		shared->share[0].batch = *batch;
	else
		copy_pairs(shared, memory);
	submit_next(shared);
	return shared_status(shared);
}

/* Polls the shares under way, and submits the next one. */
TedEngineStatus
ted_shared_batch_poll(TedSharedBatch *shared)
{
	for (int s = 0; s < shared->submitted; s++)
		if (shared->share[s].status == TED_ENGINE_BUSY)
			shared->share[s].status = ted_gpu_engine_poll(shared->share[s].engine);
	if (shared->submitted < shared->count)
		submit_next(shared);
	return shared_status(shared);
}
