/*
 * gpu_search.c
 *	  Finds the pairs of a threshold join of trees or strings on the GPU.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/progress.h"
#include "../../compat.h"
#include "../../engine/gpu/gpu_context.h"
#include "gpu_search.h"
#include "search.h"

/* Returns the trees in the order of their places, with their limits, as a GPU gets them. */
static TedJoinTrees
PlaceTrees(const DocumentThreshold *threshold, const SortedTrees *sorted, int32 labels, bool ranked)
{
	const TedTree **trees =
		palloc_extended(sizeof(TedTree *) * (Size) sorted->count, MCXT_ALLOC_HUGE);
	int32 *limits = palloc_extended(sizeof(int32) * (Size) sorted->count, MCXT_ALLOC_HUGE);

	for (int32 place = 0; place < sorted->count; place++)
	{
		trees[place] = sorted->trees->trees[sorted->number[place]].tree;
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

/* Frees the arrays of PlaceTrees(). */
static void
FreePlaced(TedJoinTrees *placed)
{
	pfree((void *) placed->trees);
	pfree((void *) placed->limits);
}

/* Whether this process may open a search: only the leader, whose GPU context stays open, does. */
static bool
MayOpen(int32 indexed)
{
	return !IsParallelWorker() && indexed > 0 && GpuIsPossible();
}

/* Opens a search for indexed documents, if the GPU is estimated to be much faster. */
static GpuSearch *
OpenSearch(GpuJoinSize size, int32 indexed, const Team *team, EngineCounts *counts)
{
	GpuSearch *search;
	GpuJoin *join;

	/* without the GPU, all processes would share the work */
	if (team != NULL)
		size.cpu_seconds /= team->members;
	join = GpuJoinOpen(&size, counts);
	if (join == NULL)
		return NULL;
	search = palloc0_object(GpuSearch);
	search->join = join;
	search->indexed = indexed;
	return search;
}

/* Closes a search if the GPU could not take its documents. */
static GpuSearch *
KeepIfTaken(GpuSearch *search, bool taken)
{
	if (!taken)
		GpuSearchClose(&search);
	return search;
}

GpuSearch *
GpuSearchOpen(const DocumentThreshold *threshold, const SortedTrees *indexed, int32 labels,
			  const Team *team, EngineCounts *counts)
{
	GpuSearch *search;
	TedJoinTrees placed;

	if (!MayOpen(indexed->count))
		return NULL;
	placed = PlaceTrees(threshold, indexed, labels, team != NULL);
	search = OpenSearch(EstimateGpuJoin(&placed), indexed->count, team, counts);
	if (search != NULL)
	{
		search->threshold = *threshold;
		search = KeepIfTaken(search, GpuJoinAddTrees(search->join, &placed));
	}
	FreePlaced(&placed);
	return search;
}

GpuSearch *
GpuSearchOpenStrings(const TedJoinStrings *indexed, const Team *team, EngineCounts *counts)
{
	GpuSearch *search;

	if (!MayOpen(indexed->index->shorter))
		return NULL;
	search = OpenSearch(EstimateGpuStrings(indexed), indexed->index->shorter, team, counts);
	return search == NULL ? NULL : KeepIfTaken(search, GpuJoinAddStrings(search->join, indexed));
}

bool
GpuSearchAddProbes(GpuSearch *search, const SortedTrees *probes, int32 labels)
{
	TedJoinTrees placed = PlaceTrees(&search->threshold, probes, labels, false);
	bool taken = GpuJoinAddTrees(search->join, &placed);

	FreePlaced(&placed);
	return taken;
}

int32
GpuSearchFind(GpuSearch **gpu, JoinPipeline *join, DocumentsSide side, int32 first, int32 end,
			  GpuCountRange count, GpuTakePair take)
{
	GpuSearch *search = *gpu;
	JoinCounts *counts = join->counts;
	const int32 *by_size = side == JOIN_INDEXED ? join->by_size : join->probes_by_size;
	int32 offset = side == JOIN_INDEXED ? 0 : search->indexed;
	int64 enough = counts->found + MATCHES_PER_RUN;

	if (!search->taking)
	{
		const TedJoinRange *range;

		if (!GpuJoinRun(search->join, search->indexed, offset + first, offset + end,
						&search->range))
		{
			GpuSearchClose(gpu);
			return first;
		}

		/* copy the pairs, as the GPU may be closed before they are used */
		range = &search->range;
		if (range->count > search->capacity)
		{
			if (search->pairs != NULL)
				pfree(search->pairs);
			search->pairs =
				palloc_extended(sizeof(TedJoinPair) * (Size) range->count, MCXT_ALLOC_HUGE);
			search->capacity = range->count;
		}
		if (range->count > 0)
			memcpy(search->pairs, range->pairs, sizeof(TedJoinPair) * (Size) range->count);
		search->next = 0;

		search->taking = true;
		counts->window += search->range.window;
		counts->labels += search->range.labels;
		counts->batches++;
		count(counts, &search->range);
	}
	GpuJoinLookAfter(search->join);
	while (search->next < search->range.count)
	{
		const TedJoinPair *pair = &search->pairs[search->next];

		if (counts->found >= enough)
			return first;
		CheckInterrupts();
		search->next++;
		take(join->search, by_size[pair->probe - offset], join->by_size[pair->indexed],
			 pair->distance);
	}
	search->taking = false;
	return search->range.done - offset;
}

void
GpuSearchClose(GpuSearch **search)
{
	GpuJoinClose((*search)->join);
	if ((*search)->pairs != NULL)
		pfree((*search)->pairs);
	pfree(*search);
	*search = NULL;
}
