/*
 * gpu_join.c
 *	  A threshold join of trees on the GPU of this backend.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "gpu_context.h"
#include "gpu_join.h"
#include "tuning.h"

struct GpuJoin
{
	TedGpuJoin on_device;
	EngineCounts *counts;
	const TedJoinRange *started; /* NULL for none */
	MemoryContext context;
	MemoryContextCallback free;
};

/* Whether a join takes much less time on the GPU than on the CPU. */
static bool
JoinPays(const void *join, const GpuTimes *times)
{
	const GpuJoinSize *size = join;

	return times->open + TED_JOIN_GPU_START + size->nodes * TED_JOIN_GPU_NODE +
			   size->window * TED_JOIN_GPU_PAIR + size->gpu_seconds <
		   size->cpu_seconds * TED_WORTHWHILE;
}

/* Takes what a join has on the GPU from there, however it ends. */
static void
FreeOnDevice(void *join)
{
	ted_gpu_join_free(GpuOfBackend(), &((GpuJoin *) join)->on_device);
}

/* Opens a join in the current memory context. */
GpuJoin *
GpuJoinOpen(const GpuJoinSize *size, EngineCounts *counts)
{
	GpuAnswer answer = GpuWanted(JoinPays, size);
	MemoryContext context;
	GpuJoin *join;

	counts->refused += answer == GPU_NO_SLOT;
	if (answer != GPU_YES)
		return NULL;
	context = AllocSetContextCreate(CurrentMemoryContext, "ted GPU join", ALLOCSET_SMALL_SIZES);
	join = MemoryContextAllocZero(context, sizeof(GpuJoin));
	join->context = context;
	join->counts = counts;
	join->free.func = FreeOnDevice;
	join->free.arg = join;
	MemoryContextRegisterResetCallback(context, &join->free);
	return join;
}

/* Hands trees over. */
bool
GpuJoinAdd(GpuJoin *join, const TedJoinTrees *added)
{
	for (int32 first = 0; first < added->count;)
	{
		TedJoinTrees part = *added;
		int64 nodes = 0;

		CHECK_FOR_INTERRUPTS();
		part.trees += first;
		part.limits += first;
		for (part.count = 0; first < added->count && nodes < TED_JOIN_NODES_PER_CALL; first++)
			nodes += part.trees[part.count++]->size;
		if (!ted_gpu_join_add(GpuOfBackend(), &join->on_device, &part))
		{
			GpuAfterWork();
			return false;
		}
	}
	return true;
}

/* Forgets all trees but the first `count`. */
void
GpuJoinForget(GpuJoin *join, int32 count)
{
	ted_gpu_join_forget(GpuOfBackend(), &join->on_device, count);
}

/* A range on its way to the device. */
typedef struct GpuRange
{
	TedGpuJoin *join;
	TedJoinRange *range;
	bool started;
} GpuRange;

/* Submits it, unless it is under way already. */
static TedEngineStatus
Submit(void *arg)
{
	GpuRange *range = arg;

	return range->started ? TED_ENGINE_BUSY
						  : ted_gpu_join_submit(GpuOfBackend(), range->join, range->range);
}

/* Looks after it. */
static TedEngineStatus
Poll(void *arg)
{
	return ted_gpu_join_poll(GpuOfBackend(), ((GpuRange *) arg)->join);
}

/* Gives it up. */
static void
Cancel(void *arg)
{
	ted_gpu_join_cancel(GpuOfBackend(), ((GpuRange *) arg)->join);
}

/* Starts on a range. */
void
GpuJoinStart(GpuJoin *join, TedJoinRange *range)
{
	if (ted_gpu_join_submit(GpuOfBackend(), &join->on_device, range) == TED_ENGINE_BUSY)
		join->started = range;
	else
		GpuAfterWork();
}

/* Has a range compared. */
bool
GpuJoinRun(GpuJoin *join, TedJoinRange *range)
{
	static const GpuWork work = {Submit, Poll, Cancel};
	GpuRange run = {&join->on_device, range, join->started == range};

	join->started = NULL;
	if (GpuRun(&work, &run) != TED_ENGINE_DONE)
		return false;
	join->counts->gpu_batches++;
	GpuCount(range->computed, 0);
	return true;
}

/* Frees everything. */
void
GpuJoinClose(GpuJoin *join)
{
	MemoryContextDelete(join->context);
}
