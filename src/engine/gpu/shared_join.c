/*
 * shared_join.c
 *	  A join that several GPUs share.
 *
 * All GPUs have all documents.  Each GPU in turn is given the next documents, as many as fit in a
 * range.  When a range has been fetched, its GPU continues with the rest of its documents, or with
 * the next ones.  Ranges are fetched in the order of their documents.  If a GPU loses the join, the
 * others start again from the first document that has not been fetched.
 */
#include "gpu.h"

/* Adds documents to all GPUs; returns false if none can take them. */
bool
ted_shared_join_add(TedSharedJoin *join, const TedJoinDocuments *added)
{
	bool taken = false;

	for (int s = 0; s < join->count; s++)
		taken |= ted_gpu_join_add(join->share[s].gpu, &join->share[s].join, added);
	return taken;
}

/* Forgets all documents but the first `count`, and cancels ranges. */
void
ted_shared_join_forget(TedSharedJoin *join, int32_t count)
{
	ted_shared_join_cancel(join);
	for (int s = 0; s < join->count; s++)
		ted_gpu_join_forget(join->share[s].gpu, &join->share[s].join, count);
}

/* Removes the join from all devices. */
void
ted_shared_join_free(TedSharedJoin *join)
{
	for (int s = 0; s < join->count; s++)
		ted_gpu_join_free(join->share[s].gpu, &join->share[s].join);
}

/* Cancels all ranges. */
void
ted_shared_join_cancel(TedSharedJoin *join)
{
	for (int s = 0; s < join->count; s++)
	{
		TedJoinShare *share = &join->share[s];

		ted_gpu_join_cancel(share->gpu, &share->join);
		share->started = false;
		share->range.done = share->end;
	}
	join->next = join->end;
}

/* Starts a range on a GPU that has none, if there are documents left. */
static void
start_range(TedSharedJoin *join, TedJoinShare *share)
{
	bool rest = share->range.done < share->end;
	int32_t first = rest ? share->range.done : join->next;

	if (share->started || share->join.lost || first == join->end)
		return;
	share->range = (TedJoinRange){
		.indexed = join->indexed, .first = first, .end = rest ? share->end : join->end};
	share->started =
		ted_gpu_join_submit(share->gpu, &share->join, &share->range) == TED_ENGINE_BUSY;
	if (share->started && !rest)
		join->next = share->end = share->range.done;
}

/* Starts a range on each GPU that has none. */
static void
start_all(TedSharedJoin *join)
{
	for (int s = 0; s < join->count; s++)
		start_range(join, &join->share[s]);
}

/* Returns the GPU with the range to be fetched next; NULL if there is none. */
static TedJoinShare *
first_share(TedSharedJoin *join)
{
	for (int s = 0; s < join->count; s++)
		if (join->share[s].started && join->share[s].range.first == join->wanted)
			return &join->share[s];
	return NULL;
}

/* Starts all GPUs that have the join again, from the first document not fetched; false for none. */
static bool
start_again(TedSharedJoin *join)
{
	ted_shared_join_cancel(join);
	join->next = join->wanted;
	for (int s = 0; s < join->count; s++)
		join->share[s].end = join->share[s].range.done = join->wanted;
	start_all(join);
	return first_share(join) != NULL;
}

/* Submits documents, unless a GPU has the range to be fetched next. */
TedEngineStatus
ted_shared_join_submit(TedSharedJoin *join, int32_t indexed, int32_t first, int32_t end)
{
	for (int s = 0; s < join->count; s++)
		if (join->share[s].started &&
			(indexed != join->indexed || first != join->wanted || end != join->end))
			return TED_ENGINE_OUT_OF_TURN;
	join->indexed = indexed;
	join->wanted = first;
	join->end = end;
	return first_share(join) != NULL || start_again(join) ? TED_ENGINE_BUSY : TED_ENGINE_DECLINED;
}

/* Polls the range to be fetched next. */
TedEngineStatus
ted_shared_join_poll(TedSharedJoin *join, TedJoinRange *range)
{
	TedJoinShare *share = first_share(join);
	TedEngineStatus status = ted_gpu_join_poll(share->gpu, &share->join);

	for (int s = 0; s < join->count; s++)
		ted_gpu_join_look_after(join->share[s].gpu, &join->share[s].join);
	if (status == TED_ENGINE_BUSY)
		return status;
	share->started = false;
	if (status != TED_ENGINE_DONE)
		return start_again(join) ? TED_ENGINE_BUSY : TED_ENGINE_DECLINED;
	*range = share->range;
	join->wanted = range->done;
	return status;
}

/* Looks after the ranges under way, and starts idle GPUs. */
void
ted_shared_join_look_after(TedSharedJoin *join)
{
	for (int s = 0; s < join->count; s++)
		ted_gpu_join_look_after(join->share[s].gpu, &join->share[s].join);
	start_all(join);
}
