/*
 * gpu_search.c
 *	  Finds the pairs of a threshold join of trees on the GPU.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../../engine/gpu_context.h"
#include "gpu_estimate.h"
#include "gpu_search.h"

/* Trees by their places, with their limits, as a device gets them. */
static TedJoinTrees
PlaceTrees(const DocumentThreshold *threshold, const SortedTrees *sorted, int32 labels, bool ranked)
{
	const TedTree **trees =
		palloc_extended(sizeof(TedTree *) * (Size) sorted->count, MCXT_ALLOC_HUGE);
	int32 *limits = palloc_extended(sizeof(int32) * (Size) sorted->count, MCXT_ALLOC_HUGE);

	for (int32 place = 0; place < sorted->count; place++)
	{
		trees[place] = JoinTreesGet(sorted->trees, sorted->number[place])->tree;
		limits[place] = place > 0 && trees[place]->size == trees[place - 1]->size
							? limits[place - 1]
							: DistanceAllowed(threshold, trees[place]->size);
	}
	return (TedJoinTrees){.trees = trees,
						  .limits = limits,
						  .count = sorted->count,
						  .labels = labels,
						  .ranked = ranked};
}

/* Frees the arrays of trees by their places. */
static void
FreePlaced(TedJoinTrees *placed)
{
	pfree((void *) placed->trees);
	pfree((void *) placed->limits);
}

/* Opens a search. */
GpuSearch *
GpuSearchOpen(const DocumentThreshold *threshold, const SortedTrees *indexed, int32 labels,
			  const Team *team, EngineCounts *counts)
{
	GpuSearch *search = NULL;
	GpuJoin *join;
	GpuJoinSize size;
	TedJoinTrees placed;

	/* one process feeds the device: the leader, whose context stays */
	if (IsParallelWorker() || indexed->count == 0 || !GpuIsPossible())
		return NULL;
	placed = PlaceTrees(threshold, indexed, labels, team != NULL);
	size = EstimateGpuJoin(&placed);
	/* without the device, all processes would do as much */
	if (team != NULL)
		size.cpu_seconds /= TeamMembers(team);
	join = GpuJoinOpen(&size, counts);
	if (join != NULL)
	{
		search = palloc0_object(GpuSearch);
		search->join = join;
		search->threshold = *threshold;
		search->indexed = *indexed;
		if (!GpuJoinAdd(join, &placed))
		{
			GpuSearchClose(search);
			search = NULL;
		}
	}
	FreePlaced(&placed);
	return search;
}

/* Hands probes over. */
bool
GpuSearchAddProbes(GpuSearch *search, const SortedTrees *probes, int32 labels)
{
	TedJoinTrees placed = PlaceTrees(&search->threshold, probes, labels, false);
	bool taken = GpuJoinAdd(search->join, &placed);

	FreePlaced(&placed);
	return taken;
}

/* Forgets probes. */
void
GpuSearchForgetProbes(GpuSearch *search)
{
	GpuJoinForget(search->join, search->indexed.count);
}

/* Keeps what a range has found, as the device may be closed before it is asked for. */
static void
KeepPairs(GpuSearch *search)
{
	const TedJoinRange *range = &search->range;

	if (range->count > search->capacity)
	{
		if (search->pairs != NULL)
			pfree(search->pairs);
		search->pairs = palloc_extended(sizeof(TedJoinPair) * (Size) range->count, MCXT_ALLOC_HUGE);
		search->capacity = range->count;
	}
	if (range->count > 0)
		memcpy(search->pairs, range->pairs, sizeof(TedJoinPair) * (Size) range->count);
	search->next = 0;
}

/* Compares some trees. */
bool
GpuSearchRun(GpuSearch *search, int32 first, int32 end)
{
	if (!GpuJoinRun(search->join, search->indexed.count, first, end, &search->range))
		return false;
	KeepPairs(search);
	GpuJoinLookAfter(search->join);
	return true;
}

/* Lets GPUs go on with the rest of the trees of the last run. */
void
GpuSearchLookAfter(GpuSearch *search)
{
	GpuJoinLookAfter(search->join);
}

/* The next pair found. */
const TedJoinPair *
GpuSearchNext(GpuSearch *search)
{
	return search->next < search->range.count ? &search->pairs[search->next++] : NULL;
}

/* Gives back what a search has taken. */
void
GpuSearchClose(GpuSearch *search)
{
	GpuJoinClose(search->join);
	if (search->pairs != NULL)
		pfree(search->pairs);
	pfree(search);
}
