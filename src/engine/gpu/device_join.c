/*
 * device_join.c
 *	  Joins on a GPU: the documents and the range under way, also when the device fails.
 */
#include "gpu.h"

/* Frees the join, or closes the device, after a status with which it cannot go on. */
static void
refuse_join(TedGpu *gpu, TedGpuJoin *join, TedDeviceStatus status)
{
	join->under_way = false;
	if (status == TED_DEVICE_OUT_OF_MEMORY)
		ted_gpu_join_free(gpu, join);
	else
		ted_gpu_fail(gpu);
}

/* Waits for the range under way on the device, if any. */
void
ted_gpu_join_settle(TedGpu *gpu)
{
	TedGpuJoin *join = gpu->joins;

	while (join != NULL && !join->under_way)
		join = join->next;
	if (join == NULL)
		return;
	while (join->under_way)
		ted_gpu_join_look_after(gpu, join);
}

/* Adds documents to a join; returns false if the device cannot take them. */
bool
ted_gpu_join_add(TedGpu *gpu, TedGpuJoin *join, const TedJoinDocuments *added)
{
	TedDeviceStatus status = TED_DEVICE_DONE;

	ted_gpu_join_settle(gpu);
	if (gpu->device == NULL || join->lost)
		return false;
	if (join->join == NULL)
	{
		status = gpu->module->join_create(gpu->device, &join->join);
		if (status == TED_DEVICE_DONE)
		{
			join->next = gpu->joins;
			gpu->joins = join;
		}
		else
			join->join = NULL;
	}
	if (status == TED_DEVICE_DONE)
		status = gpu->module->join_add(join->join, added);
	if (status != TED_DEVICE_DONE)
		refuse_join(gpu, join, status);
	return status == TED_DEVICE_DONE;
}

/* Forgets all documents of a join but the first `count`. */
void
ted_gpu_join_forget(TedGpu *gpu, TedGpuJoin *join, int32_t count)
{
	ted_gpu_join_settle(gpu);
	if (join->join != NULL)
		gpu->module->join_forget(join->join, count);
}

/* Submits a range of a join. */
TedEngineStatus
ted_gpu_join_submit(TedGpu *gpu, TedGpuJoin *join, TedJoinRange *range)
{
	TedDeviceStatus status;

	if (join->under_way || join->done)
		return TED_ENGINE_OUT_OF_TURN;
	ted_gpu_join_settle(gpu);
	if (join->join == NULL)
		return TED_ENGINE_DECLINED;
	status = gpu->module->join_submit(join->join, range);
	join->under_way = status == TED_DEVICE_DONE || status == TED_DEVICE_BUSY;
	if (join->under_way)
		return TED_ENGINE_BUSY;
	refuse_join(gpu, join, status);
	return TED_ENGINE_DECLINED;
}

/* Polls the range under way, if any, for a caller who does not need it yet. */
void
ted_gpu_join_look_after(TedGpu *gpu, TedGpuJoin *join)
{
	TedDeviceStatus status = TED_DEVICE_BUSY;

	if (join->under_way)
		status = gpu->module->poll(gpu->device);
	if (status == TED_DEVICE_BUSY)
		return;
	join->under_way = false;
	join->done = status == TED_DEVICE_DONE;
	if (!join->done)
		refuse_join(gpu, join, status);
}

/* Polls the range under way; once it is done, gives it to the caller. */
TedEngineStatus
ted_gpu_join_poll(TedGpu *gpu, TedGpuJoin *join)
{
	bool done;

	ted_gpu_join_look_after(gpu, join);
	if (join->under_way)
		return TED_ENGINE_BUSY;
	done = join->done;
	join->done = false;
	return done ? TED_ENGINE_DONE : TED_ENGINE_DECLINED;
}
