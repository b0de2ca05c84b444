/*
 * shared_join.c
 *	  A join that several GPUs share.
 *
 * All have all documents.  Each is given those from where the last one was given some,
 * as many as make a range; when a range has been asked for, its GPU goes on with what is
 * left of its documents, or with the next ones.  Ranges are asked for in the order of documents.
 * Where a GPU loses the join, the others start again from what was to be asked for.
 */
#include "gpu.h"

/* Adds documents. */
bool
ted_shared_join_add(TedSharedJoin *join, const TedJoinDocuments *added)
{
	bool taken = false;

	for (int s = 0; s < join->count; s++)
		taken |= ted_gpu_join_add(join->share[s].gpu, &join->share[s].join, added);
	return taken;
}

/* Forgets documents, and what has not been asked for. */
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

/* Starts a range on a GPU that has none, if there are documents for it. */
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

/* The GPU with the range that is wanted next; NULL for none. */
static TedJoinShare *
first_share(TedSharedJoin *join)
{
	for (int s = 0; s < join->count; s++)
		if (join->share[s].started && join->share[s].range.first == join->wanted)
			return &join->share[s];
	return NULL;
}

/* Starts all GPUs that have not lost the join again, from the document wanted next; false for none.
 */
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

/* Submits documents: finds the range that is wanted next, or starts the GPUs on it. */
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

/* Polls the range that is wanted next. */
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

/* Lets the GPUs go on. */
void
ted_shared_join_look_after(TedSharedJoin *join)
{
	for (int s = 0; s < join->count; s++)
		ted_gpu_join_look_after(join->share[s].gpu, &join->share[s].join);
	start_all(join);
}
