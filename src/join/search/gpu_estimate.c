/*
 * gpu_estimate.c
 *	  Estimates the time of a threshold join on a GPU and on the CPU.
 *
 * The estimate for strings follows from their lengths; that for trees, from a sample.  The CPU, and
 * the GPU if that leaves fewer pairs, compare trees that share one of their rarest labels
 * (rare_labels.h); the number of such pairs in the sample is scaled to all trees.  If label ids do
 * not show which labels are rarer, every second tree of the sample is used to count labels for the
 * others, since labels that are rare in a sample seem rarer than they are.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../common/progress.h"
#include "../../core/tree/bounded/bounded.h"
#include "../../core/tree/bounded/bounds.h"
#include "../../core/tree/filters/rare_labels.h"
#include "../../engine/engine_tuning.h"
#include "gpu_search.h"

/*
 * The most trees of a sample, and about the most nodes of its trees; the sample is one of
 * SAMPLED_PART trees, but LEAST_SAMPLED trees if there are as many.
 */
#define SAMPLED_TREES 8192
#define SAMPLED_PART 16
#define LEAST_SAMPLED 256
#define SAMPLED_NODES 1e6

/* In place of a label, for trees that need not share one with smaller trees. */
#define ANY_LABEL PG_UINT64_MAX

/* A label of the prefix of counted tree `tree`. */
typedef struct SampledLabel
{
	uint64 rank;
	int32 tree;
} SampledLabel;

/* The counted trees of a sample, and the labels of their prefixes. */
typedef struct Sample
{
	const TedJoinTrees *trees;
	int32 every; /* step from the place of one counted tree to the next */
	int32 count;
	uint32 *nodes; /* by label: its nodes in the other trees; NULL if label ids show which labels
					* are rare */
	SampledLabel *labels;
	int64 *begin; /* index of the first label of each tree */
} Sample;

/* Returns the place of a counted tree. */
static int32
CountedPlace(const Sample *sample, int32 tree)
{
	return tree * sample->every;
}

/*
 * Counts pairs of similar size, and pairs of these that need not share a label; returns the number
 * of nodes.
 */
static double
CountPairs(const TedJoinTrees *trees, GpuJoinSize *size)
{
	double all = 0;

	for (int32 place = 0, first = 0; place < trees->count; place++)
	{
		int32 nodes = trees->trees[place]->size;

		while (first < place && trees->trees[first]->size < nodes - trees->limits[place])
			first++;
		all += nodes;
		size->window += place - first;
		if (nodes <= trees->limits[place])
			size->unlisted += place - first;
	}
	return all;
}

/* Returns the rank of a label, which is smaller for rarer labels. */
static uint64
RankOf(const Sample *sample, int32 label)
{
	/* of equally frequent labels, those with larger ids are rarer, as they come in later trees */
	return sample->nodes == NULL ? (uint64) label
								 : (uint64) sample->nodes[label] << 32 | (uint32) ~(uint32) label;
}

/* Compares labels by rank, then by tree. */
static inline int
CompareSampled(const SampledLabel *a, const SampledLabel *b)
{
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return (a->tree > b->tree) - (a->tree < b->tree);
}

#define ST_SORT SortSampledLabels
#define ST_ELEMENT_TYPE SampledLabel
#define ST_COMPARE(a, b) CompareSampled(a, b)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* Chooses trees at equal distances; all, if there are few. */
static Sample
ChooseSample(const TedJoinTrees *trees, double nodes)
{
	double part = Min(Max(trees->count / SAMPLED_PART, LEAST_SAMPLED), SAMPLED_TREES);
	double most = Max(Min(part, SAMPLED_NODES * trees->count / Max(nodes, 1)), 1);
	Sample sample = {.trees = trees};
	int32 every = (int32) ceil(trees->count / most);

	/* two trees in each step, unless ids show which labels are rare */
	sample.every = every > 1 && !trees->ranked ? 2 * every : every;
	sample.count = (trees->count - 1) / sample.every + 1;
	if (trees->ranked)
		return sample;
	sample.nodes =
		palloc_extended(sizeof(uint32) * (Size) trees->labels, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int32 t = 0; t < sample.count; t++)
	{
		int32 place = CountedPlace(&sample, t) + sample.every / 2;

		CheckInterrupts();
		for (int32 x = 0; place < trees->count && x < trees->trees[place]->size; x++)
			sample.nodes[trees->trees[place]->label[x]]++;
	}
	return sample;
}

/* Collects the distinct labels of the prefixes of the counted trees. */
static void
FindPrefixes(Sample *sample)
{
	const TedJoinTrees *trees = sample->trees;
	Size room = 0;
	int64 count = 0;

	for (int32 t = 0; t < sample->count; t++)
		room += (Size) trees->trees[CountedPlace(sample, t)]->size;
	sample->labels = palloc_extended(sizeof(SampledLabel) * room, MCXT_ALLOC_HUGE);
	sample->begin = palloc_array(int64, sample->count + 1);
	for (int32 t = 0; t < sample->count; t++)
	{
		int32 place = CountedPlace(sample, t);
		const TedTree *tree = trees->trees[place];
		SampledLabel *labels = sample->labels + count;
		int32 prefix = ted_prefix_nodes(tree->size, trees->limits[place]);
		int32 kept = 0;

		CheckInterrupts();
		sample->begin[t] = count;
		if (tree->size <= trees->limits[place])
		{
			labels[0] = (SampledLabel){ANY_LABEL, t};
			count++;
			continue;
		}
		for (int32 x = 0; x < tree->size; x++)
			labels[x] = (SampledLabel){RankOf(sample, tree->label[x]), t};
		SortSampledLabels(labels, (size_t) tree->size);
		for (int32 x = 0; x < prefix; x++)
			if (x == 0 || labels[x].rank != labels[kept - 1].rank)
				labels[kept++] = labels[x];
		count += kept;
	}
	sample->begin[sample->count] = count;
}

/* Whether a label that two trees share is the rarest label that they share. */
static bool
IsRarestShared(const Sample *sample, int32 a, int32 b, uint64 rank)
{
	int64 i = sample->begin[a];
	int64 j = sample->begin[b];

	while (sample->labels[i].rank != sample->labels[j].rank)
		if (sample->labels[i].rank < sample->labels[j].rank)
			i++;
		else
			j++;
	return sample->labels[i].rank == rank;
}

/* Adds a pair of trees in the list of a label; the pair represents `others` pairs. */
static void
AddListedPair(const Sample *sample, const SampledLabel *a, const SampledLabel *b, double others,
			  GpuJoinSize *size)
{
	const TedJoinTrees *trees = sample->trees;
	int32 larger = CountedPlace(sample, a->tree);
	int32 smaller = CountedPlace(sample, b->tree);

	if (trees->trees[larger]->size - trees->trees[smaller]->size > trees->limits[larger])
		return;
	if (a->rank != ANY_LABEL)
		size->listed += others;
	if (IsRarestShared(sample, a->tree, b->tree, a->rank))
	{
		const TedTree *large = trees->trees[larger];
		const TedTree *small = trees->trees[smaller];
		int32 limit = trees->limits[larger];
		TedArena arena;
		int32 bound;

		/* the pair on the CPU and on a GPU */
		ArenaInit(&arena, ted_label_bound_memory(large->size, small->size));
		CheckStatus(
			ted_label_bound(large, small, &TED_UNIT_COSTS, limit, &arena, &PgInterrupt, &bound));
		pfree(arena.base);
		if (bound == TED_BEYOND)
			return;
		size->cpu_seconds += others * ted_plan_pair(large, small, &TED_UNIT_COSTS, limit).seconds;
		size->work.cells += others * TED_JOIN_GPU_CANDIDATE;
		if (limit > TED_JOIN_GPU_EDITS)
			size->work.cells += others * (double) large->left_nodes * (double) small->left_nodes *
								TED_JOIN_GPU_CELL;
	}
}

/* Returns the end of the list of a label in the sorted labels. */
static int64
ListEnd(const SampledLabel *labels, int64 begin, int64 count)
{
	int64 end = begin;

	while (end < count && labels[end].rank == labels[begin].rank)
		end++;
	return end;
}

/* Returns the number of pairs in a list. */
static double
ListPairs(int64 entries)
{
	return (double) entries * (double) (entries - 1) / 2;
}

/* Adds the pairs of the lists of all labels, or a sample of them at equal distances. */
static void
AddListedPairs(const Sample *sample, GpuJoinSize *size)
{
	double scale = (double) sample->trees->count / sample->count;
	int64 count = sample->begin[sample->count];
	SampledLabel *labels = palloc_extended(sizeof(SampledLabel) * (Size) count, MCXT_ALLOC_HUGE);
	double pairs = 0;
	double next;
	double step;

	memcpy(labels, sample->labels, sizeof(SampledLabel) * (Size) count);
	SortSampledLabels(labels, (size_t) count);
	for (int64 begin = 0, end; begin < count; begin = end)
	{
		end = ListEnd(labels, begin, count);
		pairs += ListPairs(end - begin);
	}
	step = Max(pairs / TED_JOIN_SAMPLED_PAIRS, 1);
	next = step / 2;
	for (int64 begin = 0, end; begin < count; begin = end)
	{
		end = ListEnd(labels, begin, count);
		for (; next < ListPairs(end - begin); next += step)
		{
			/* pair 0 is entries 1 and 0; the next ones are entry 2 with 0 and 1, and so on */
			int64 later = (int64) ((1 + sqrt(1 + 8 * floor(next))) / 2);
			int64 earlier = (int64) (floor(next) - ListPairs(later));

			CheckInterrupts();
			if (earlier >= 0 && earlier < later && later < end - begin)
				AddListedPair(sample, &labels[begin + later], &labels[begin + earlier],
							  step * scale * scale, size);
		}
		next -= ListPairs(end - begin);
	}
	pfree(labels);
}

GpuJoinSize
EstimateGpuJoin(const TedJoinTrees *trees)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted GPU estimate", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	GpuJoinSize size = {0};
	double nodes = CountPairs(trees, &size);
	Sample sample = ChooseSample(trees, nodes);

	size.work.bytes = nodes * TED_JOIN_GPU_NODE;
	FindPrefixes(&sample);
	AddListedPairs(&sample, &size);
	size.cpu_seconds += nodes * TED_JOIN_CPU_NODE + size.listed * TED_JOIN_CPU_LISTED_PAIR +
						size.unlisted * TED_JOIN_CPU_PAIR;
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	return size;
}

GpuJoinSize
EstimateGpuStrings(const TedJoinStrings *strings)
{
	const LcsCandidateIndex *index = strings->index;
	double with_length[LCS_MOST_FEATURES + 1] = {0};
	double pairs = 0;

	for (int32 rank = 0; rank < index->shorter; rank++)
		with_length[index->length[rank]]++;
	for (int m = 0; m <= LCS_MOST_FEATURES; m++)
		for (int n = m; n <= LCS_MOST_FEATURES && strings->least[m + n] <= m; n++)
			pairs += with_length[m] * (n == m ? (with_length[m] - 1) / 2 : with_length[n]);
	return (GpuJoinSize){.cpu_seconds = pairs * TED_JOIN_CPU_STRINGS,
						 .work = {.cells = pairs * TED_JOIN_GPU_STRINGS,
								  .bytes = index->shorter * TED_JOIN_GPU_STRING}};
}
