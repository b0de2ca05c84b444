/*
 * gpu_open.c
 *	  Opens and closes a GPU, and frees the trees, joins and strings on it.
 */
#include <stdio.h>

#include "gpu.h"

/* Opens the device of a GPU. */
TedDeviceStatus
ted_gpu_open(TedGpu *gpu)
{
	TedDeviceStatus status =
		gpu->module->open(gpu->number, gpu->memory_limit, &gpu->device, gpu->reason);

	gpu->failed = status == TED_DEVICE_FAILED;
	if (status == TED_DEVICE_DONE)
		gpu->reason[0] = '\0';
	else
		gpu->device = NULL;
	return status;
}

/* Stops the slice under way of a set of trees, if any. */
void
ted_gpu_trees_stop(TedGpu *gpu, TedGpuTrees *trees)
{
	if (trees->under_way)
		gpu->module->cancel(gpu->device);
	trees->under_way = false;
}

/* Removes a set of trees from the device. */
void
ted_gpu_trees_free(TedGpu *gpu, TedGpuTrees *trees)
{
	TedGpuTrees **link = &gpu->trees;

	if (trees->set == NULL)
		return;
	ted_gpu_trees_stop(gpu, trees);
	while (*link != trees)
		link = &(*link)->next;
	*link = trees->next;
	gpu->module->trees_free(trees->set);
	trees->set = NULL;
	trees->sent = 0;
}

/* Cancels the range under way, or drops a finished range. */
void
ted_gpu_join_cancel(TedGpu *gpu, TedGpuJoin *join)
{
	if (join->under_way)
		gpu->module->cancel(gpu->device);
	join->under_way = join->done = false;
}

/* Removes a join from the device. */
void
ted_gpu_join_free(TedGpu *gpu, TedGpuJoin *join)
{
	TedGpuJoin **link = &gpu->joins;

	if (join->join == NULL)
		return;
	ted_gpu_join_cancel(gpu, join);
	while (*link != join)
		link = &(*link)->next;
	*link = join->next;
	gpu->module->join_free(join->join);
	join->join = NULL;
	join->lost = true;
}

/* Cancels the batch of strings under way, if any. */
void
ted_gpu_strings_cancel(TedGpu *gpu)
{
	if (gpu->strings.under_way > 0)
		gpu->module->cancel(gpu->device);
	gpu->strings.under_way = 0;
}

/* Closes the device, and frees all that is on it. */
void
ted_gpu_close(TedGpu *gpu)
{
	if (gpu->device == NULL)
		return;
	while (gpu->trees != NULL)
		ted_gpu_trees_free(gpu, gpu->trees);
	while (gpu->joins != NULL)
		ted_gpu_join_free(gpu, gpu->joins);
	ted_gpu_strings_cancel(gpu);
	gpu->module->close(gpu->device);
	gpu->device = NULL;
}

/* Closes the device after a failure. */
void
ted_gpu_fail(TedGpu *gpu)
{
	snprintf(gpu->reason, sizeof(gpu->reason), "%s", gpu->module->error(gpu->device));
	gpu->failed = true;
	ted_gpu_close(gpu);
}
