/*
 * gpu_search.c
 *	  Finds the pairs of a threshold join of trees on the GPU.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../../core/tree/bounded/bounded.h"
#include "../../common/host.h"
#include "../../common/progress.h"
#include "../../engine/gpu_context.h"
#include "../../engine/engine_tuning.h"
#include "gpu_search.h"

/* The tree at a place. */
static const TedTree *
TreeAt(const SortedTrees *sorted, int32 place)
{
	return JoinTreesGet(sorted->trees, sorted->number[place])->tree;
}

/* Adds what the CPU and the GPU take for a pair to the times of both. */
static void
AddPairTimes(const SortedTrees *sorted, int32 a, int32 b, int32 limit, GpuJoinSize *size)
{
	const TedTree *larger = TreeAt(sorted, a);
	const TedTree *smaller = TreeAt(sorted, b);
	TedArena arena;
	int32 bound;

	ArenaInit(&arena, ted_label_bound_memory(larger->size, smaller->size));
	CheckStatus(
		ted_label_bound(larger, smaller, &TED_UNIT_COSTS, limit, &arena, &PgInterrupt, &bound));
	pfree(arena.base);
	if (bound == TED_BEYOND)
		return;
	size->cpu_seconds += ted_pair_seconds(larger, smaller, &TED_UNIT_COSTS, limit);
	size->gpu_seconds += TED_JOIN_GPU_CANDIDATE;
	if (limit > TED_JOIN_GPU_EDITS)
		size->gpu_tables +=
			(double) larger->left_nodes * (double) smaller->left_nodes * TED_GPU_CELL;
}

/* The first tree of a size similar to that at a place, from the first one for the place before. */
static int32
FirstSimilar(const SortedTrees *sorted, const int32 *limits, int32 place, int32 first)
{
	int32 least = TreeAt(sorted, place)->size - limits[place];

	while (first < place && TreeAt(sorted, first)->size < least)
		first++;
	return first;
}

/* Number of pairs of similar size. */
static double
Window(const SortedTrees *sorted, const int32 *limits)
{
	double window = 0;

	for (int32 place = 0, first = 0; place < sorted->count; place++)
	{
		first = FirstSimilar(sorted, limits, place, first);
		window += place - first;
	}
	return window;
}

/* Estimates a join by some of its pairs of similar size, evenly spread. */
static GpuJoinSize
EstimateSize(const SortedTrees *sorted, const int32 *limits)
{
	GpuJoinSize size = {.window = Window(sorted, limits)};
	double samples = Min(Max(size.window / TED_JOIN_PAIRS_PER_SAMPLE, TED_JOIN_LEAST_SAMPLES),
						 TED_JOIN_MOST_SAMPLES);
	double step = Max(size.window / samples, 1);
	double done = 0;
	double next = step / 2;

	for (int32 place = 0, first = 0; place < sorted->count; place++)
	{
		CheckInterrupts();
		first = FirstSimilar(sorted, limits, place, first);
		for (; next < done + place - first; next += step)
			AddPairTimes(sorted, place, first + (int32) (next - done), limits[place], &size);
		done += place - first;
		size.nodes += TreeAt(sorted, place)->size;
	}
	size.cpu_seconds = size.cpu_seconds * step + size.window * TED_JOIN_CPU_PAIR;
	size.gpu_seconds *= step;
	size.gpu_tables *= step;
	return size;
}

/* The limits of some trees, by place. */
static int32 *
Limits(const DocumentThreshold *threshold, const SortedTrees *sorted)
{
	int32 *limits = palloc_extended(sizeof(int32) * (Size) sorted->count, MCXT_ALLOC_HUGE);

	for (int32 place = 0; place < sorted->count; place++)
		limits[place] = DistanceAllowed(threshold, TreeAt(sorted, place)->size);
	return limits;
}

/* Hands trees over; false where the device cannot take them. */
static bool
AddTrees(GpuSearch *search, const SortedTrees *sorted, const int32 *limits, int32 labels)
{
	const TedTree **trees =
		palloc_extended(sizeof(TedTree *) * (Size) sorted->count, MCXT_ALLOC_HUGE);
	TedJoinTrees added = {
		.trees = trees, .limits = limits, .count = sorted->count, .labels = labels};
	bool taken;

	for (int32 place = 0; place < sorted->count; place++)
		trees[place] = TreeAt(sorted, place);
	taken = GpuJoinAdd(search->join, &added);
	pfree(trees);
	return taken;
}

/* Opens a search. */
GpuSearch *
GpuSearchOpen(const DocumentThreshold *threshold, const SortedTrees *indexed, int32 labels,
			  EngineCounts *counts)
{
	GpuSearch *search;
	GpuJoin *join;
	GpuJoinSize size;
	int32 *limits;

	/* one process feeds the device: the leader, whose context stays */
	if (IsParallelWorker() || indexed->count == 0 || !GpuIsPossible())
		return NULL;
	limits = Limits(threshold, indexed);
	size = EstimateSize(indexed, limits);
	join = GpuJoinOpen(&size, counts);
	if (join == NULL)
	{
		pfree(limits);
		return NULL;
	}
	search = palloc0_object(GpuSearch);
	search->join = join;
	search->threshold = *threshold;
	search->indexed = *indexed;
	if (!AddTrees(search, indexed, limits, labels))
	{
		GpuSearchClose(search);
		search = NULL;
	}
	pfree(limits);
	return search;
}

/* Hands probes over. */
bool
GpuSearchAddProbes(GpuSearch *search, const SortedTrees *probes, int32 labels)
{
	int32 *limits = Limits(&search->threshold, probes);
	bool taken = AddTrees(search, probes, limits, labels);

	pfree(limits);
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
