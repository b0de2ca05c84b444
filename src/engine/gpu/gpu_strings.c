/*
 * gpu_strings.c
 *	  Computes batches of strings on a GPU.
 *
 * The module cuts a batch into parts that take little device memory.  If there is not even memory
 * for a part, half of the texts are sent.  If a batch cannot be finished, all of it is declined,
 * including the lengths computed so far: this is rare, and the CPU is fast.
 */
#include "gpu.h"

/* Halves the number of texts to send, or fails the device; returns whether to try again. */
static bool
try_fewer(TedGpu *gpu, TedDeviceStatus status, int64_t count)
{
	if (status != TED_DEVICE_OUT_OF_MEMORY)
		ted_gpu_fail(gpu);
	gpu->strings.most = count / 2;
	return gpu->device != NULL && gpu->strings.most > 0;
}

/* Submits the next texts, if any; returns the status of the batch. */
static TedEngineStatus
submit_next_texts(TedGpu *gpu)
{
	TedGpuStrings *strings = &gpu->strings;

	while (strings->done < strings->batch.count)
	{
		TedDeviceStrings part = strings->batch;
		int64_t rest = part.count - strings->done;
		TedDeviceStatus status;

		part.count = rest < strings->most ? rest : strings->most;
		part.texts += strings->done;
		part.lengths += strings->done;
		status = gpu->module->strings_submit(gpu->device, &part);
		if (status == TED_DEVICE_DONE || status == TED_DEVICE_BUSY)
		{
			strings->under_way = part.count;
			return TED_ENGINE_BUSY;
		}
		if (!try_fewer(gpu, status, part.count))
			return TED_ENGINE_DECLINED;
	}
	return TED_ENGINE_DONE;
}

/* Starts a batch. */
TedEngineStatus
ted_gpu_strings_submit(TedGpu *gpu, const TedDeviceStrings *strings)
{
	ted_gpu_join_settle(gpu); /* this may find that the device has failed */
	if (gpu->device == NULL)
		return TED_ENGINE_DECLINED;
	gpu->strings = (TedGpuStrings){.batch = *strings, .most = strings->count};
	return submit_next_texts(gpu);
}

/* Polls the texts under way; when they are done, submits the next texts. */
TedEngineStatus
ted_gpu_strings_poll(TedGpu *gpu)
{
	TedGpuStrings *strings = &gpu->strings;
	TedDeviceStatus status = gpu->module->poll(gpu->device);
	int64_t count = strings->under_way;

	if (status == TED_DEVICE_BUSY)
		return TED_ENGINE_BUSY;
	strings->under_way = 0;
	if (status == TED_DEVICE_DONE)
		strings->done += count;
	else if (!try_fewer(gpu, status, count))
		return TED_ENGINE_DECLINED;
	return submit_next_texts(gpu);
}
