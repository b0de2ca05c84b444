/*
 * gpu_join.c
 *	  A threshold join of trees or strings on the GPUs of this backend.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "gpu_context.h"
#include "gpu_join.h"
#include "../engine_tuning.h"

struct GpuJoin
{
	TedSharedJoin shared;
	EngineCounts *counts;
	MemoryContext context;
	MemoryContextCallback free;
};

/* Returns all work: of the pairs of similar size or those of lists, a GPU compares the fewer. */
static TedGpuWork
WorkOf(const GpuJoinSize *size)
{
	TedGpuWork work = size->work;

	work.cells += Min(size->window, size->unlisted + size->listed * TED_JOIN_LISTED_PAIR);
	return work;
}

/* Predicts the seconds that GPUs can share. */
static double
SharedSeconds(const void *join, const GpuTimes *times)
{
	return WorkOf(join).cells / times->rates[TED_JOIN].cells_per_second;
}

/* Whether a join takes much less time on the GPU than on the CPU. */
static bool
JoinPays(const void *join, const GpuTimes *times)
{
	const GpuJoinSize *size = join;
	TedGpuWork work = WorkOf(size);

	return times->open + ted_gpu_seconds(&times->rates[TED_JOIN], &work) <
		   size->cpu_seconds * TED_WORTHWHILE;
}

/* Frees the parts of a join on GPUs, when its memory context is reset. */
static void
FreeOnGpus(void *join)
{
	ted_shared_join_free(&((GpuJoin *) join)->shared);
}

/* Opens a join in the current memory context. */
GpuJoin *
GpuJoinOpen(const GpuJoinSize *size, EngineCounts *counts)
{
	GpuAnswer answer = GpuWanted(JoinPays, size);
	TedGpu *gpus[TED_GPUS];
	MemoryContext context;
	GpuJoin *join;

	counts->refused += answer == GPU_NO_SLOT;
	if (answer != GPU_YES)
		return NULL;
	context = AllocSetContextCreate(CurrentMemoryContext, "ted GPU join", ALLOCSET_SMALL_SIZES);
	join = MemoryContextAllocZero(context, sizeof(GpuJoin));
	join->context = context;
	join->counts = counts;
	join->shared.count = GpuShare(SharedSeconds, size,
								  TED_SHARED_JOIN + size->work.bytes * TED_SHARED_JOIN_BYTE, gpus);
	for (int i = 0; i < join->shared.count; i++)
		join->shared.share[i].gpu = gpus[i];
	join->free.func = FreeOnGpus;
	join->free.arg = join;
	MemoryContextRegisterResetCallback(context, &join->free);
	return join;
}

/* Adds documents; returns false if no GPU can take them. */
static bool
AddDocuments(GpuJoin *join, TedJoinDocuments added)
{
	if (ted_shared_join_add(&join->shared, &added))
		return true;
	GpuAfterWork();
	return false;
}

/* Adds trees, in several calls. */
bool
GpuJoinAddTrees(GpuJoin *join, const TedJoinTrees *added)
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
		if (!AddDocuments(join, (TedJoinDocuments){.trees = &part}))
			return false;
	}
	return true;
}

/* Adds strings. */
bool
GpuJoinAddStrings(GpuJoin *join, const TedJoinStrings *added)
{
	return AddDocuments(join, (TedJoinDocuments){.strings = added});
}

/* Forgets all documents but the first `count`. */
void
GpuJoinForget(GpuJoin *join, int32 count)
{
	ted_shared_join_forget(&join->shared, count);
}

/* Arguments of GpuJoinRun(). */
typedef struct GpuRange
{
	TedSharedJoin *join;
	int32 indexed;
	int32 first;
	int32 end;
	TedJoinRange *range;
} GpuRange;

/* Submits the documents, unless a GPU is working on them already. */
static TedEngineStatus
SubmitRange(void *arg)
{
	GpuRange *run = arg;

	return ted_shared_join_submit(run->join, run->indexed, run->first, run->end);
}

/* Polls the range that is to be fetched next. */
static TedEngineStatus
PollRange(void *arg)
{
	GpuRange *run = arg;

	return ted_shared_join_poll(run->join, run->range);
}

/* Cancels all ranges under way. */
static void
CancelRanges(void *arg)
{
	ted_shared_join_cancel(((GpuRange *) arg)->join);
}

/* Compares a range of documents on the GPUs. */
bool
GpuJoinRun(GpuJoin *join, int32 indexed, int32 first, int32 end, TedJoinRange *range)
{
	static const GpuWork work = {SubmitRange, PollRange, CancelRanges};
	GpuRange run = {&join->shared, indexed, first, end, range};
	TedEngineStatus status = GpuRun(&work, &run);

	if (status == TED_ENGINE_OUT_OF_TURN)
		elog(ERROR, "documents of a join have been compared out of turn");
	if (status != TED_ENGINE_DONE)
		return false;
	join->counts->gpu_batches++;
	GpuCount(range->computed, 0);
	return true;
}

/* Lets idle GPUs continue with the next documents. */
void
GpuJoinLookAfter(GpuJoin *join)
{
	ted_shared_join_look_after(&join->shared);
	GpuAfterWork();
}

/* Closes a join, and frees its memory. */
void
GpuJoinClose(GpuJoin *join)
{
	MemoryContextDelete(join->context);
}
