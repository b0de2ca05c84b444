/*
 * gpu_strings.c
 *	  Batches of strings on a GPU.
 *
 * The module cuts a batch so that it takes little of the device's memory.  A
 * batch that cannot be computed to its end is left as a whole, whatever lengths
 * it has already: that is rare, and another engine is fast.
 */
#include "gpu.h"

/* Sees what has become of the batch under way. */
static TedEngineStatus
see(TedGpu *gpu, TedDeviceStatus status)
{
	gpu->strings = status == TED_DEVICE_BUSY;
	if (status == TED_DEVICE_BUSY)
		return TED_ENGINE_BUSY;
	if (status == TED_DEVICE_DONE)
		return TED_ENGINE_DONE;
	if (status != TED_DEVICE_OUT_OF_MEMORY)
		ted_gpu_fail(gpu);
	return TED_ENGINE_LEFT;
}

/* Submits a batch. */
TedEngineStatus
ted_gpu_strings_submit(TedGpu *gpu, const TedDeviceStrings *strings)
{
	TedDeviceStatus status;

	if (gpu->device == NULL)
		return TED_ENGINE_LEFT;
	status = gpu->module->strings_submit(gpu->device, strings);
	return see(gpu, status == TED_DEVICE_DONE ? TED_DEVICE_BUSY : status);
}

/* Looks after the batch under way. */
TedEngineStatus
ted_gpu_strings_poll(TedGpu *gpu)
{
	return see(gpu, gpu->module->poll(gpu->device));
}

/* Gives up the batch under way, if any. */
void
ted_gpu_strings_cancel(TedGpu *gpu)
{
	if (gpu->strings)
		gpu->module->cancel(gpu->device);
	gpu->strings = false;
}
