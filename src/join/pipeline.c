/*
 * pipeline.c
 *	  Threshold join of trees: filter, candidates, verification.
 *
 * The order of the filters, cheapest first: sizes, rarest labels, signatures
 * and all labels (candidates.h); traversals (bounds.h, traversals.h); the greedy mapping, whose
 * cost is an upper bound and settles the pair where it equals the lower one, or is
 * within the threshold and no more is asked, as long as it settles enough pairs;
 * the bounded distance, up to what is known.  Of candidates that a probe cannot
 * tell apart (equivalence.h), only the first one is judged.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../common/host.h"
#include "../core/common/tuning.h"
#include "../core/tree/bounded.h"
#include "../core/tree/traversals.h"
#include "gpu_search.h"
#include "pipeline.h"
#include "trees.h"

/* Pairs whose distances are computed at once. */
#define PAIRS_PER_BATCH 16384

/* Matches after which a run of probes stops to have them fetched. */
#define MATCHES_PER_RUN 16384

/*
 * Greedy mappings are tried on so many pairs, then on one of so many, to hold what
 * they save against what they take; all others have one where that pays.
 */
#define GREEDY_TRIALS 2000
#define GREEDY_SAMPLE 16

/* What trials of greedy mappings take and save in seconds, about, the latest ones counting most. */
typedef struct GreedyTrials
{
	int32 count;
	uint32 pairs; /* since the first trials */
	double taken;
	double saved; /* for distances that are not computed, or up to less */
} GreedyTrials;

/* A candidate and its bounds. */
typedef struct Verdict
{
	int32 distance; /* or what it is at most; TED_BEYOND above the threshold */
	int32 pair;     /* whose distance decides, or -1 where it is known */
} Verdict;

/* A pair that waits for the distance of a pair to be computed: its own, or of an equivalent one. */
typedef struct WaitingPair
{
	int32 probe;
	int32 indexed;
	Verdict verdict;
} WaitingPair;

/* Memory that one pair takes in a batch. */
#define BATCH_BYTES (sizeof(WaitingPair) + sizeof(TedPair) + sizeof(int32))

/* Memory that a tree takes in arrays by place, and a pair for it in a batch. */
#define TREE_BYTES                                                                                 \
	(sizeof(int32) + sizeof(double) + sizeof(TedIndexedTree) + sizeof(TedCandidate) +              \
	 sizeof(Verdict) + BATCH_BYTES)

struct JoinPipeline
{
	MemoryContext context;
	JoinEmit emit;
	void *arg;
	TreeThreshold threshold;
	bool distances_wanted;
	JoinCounts *counts;
	EngineSession *session;
	JoinTrees *indexed;
	TedIndexedTrees added; /* what the index of the trees added will take */
	Size bounds_bytes;     /* what their bounds will take, at most */
	JoinTrees *probes;
	JoinTrees *searched;      /* those that are looked up: one of the two */
	int32 next_probe;         /* the first one that has not been looked up */
	int32 *by_size;           /* numbers of the indexed trees in the order of their sizes */
	double *work;             /* by place in that order: that of looking up the trees before it */
	int32 *probes_by_size;    /* the same of probes, where the GPU has them; else NULL */
	GpuSearch *gpu;           /* NULL where the CPU finds the pairs, by what follows */
	TedIndexedTree *in_order; /* the indexed trees in their order */
	TedCandidateIndex *index;
	TedCandidate *candidates;  /* of one probe */
	Verdict *verdicts;         /* by candidate */
	TedTraversals *traversals; /* of the probe under search, once that is turned into bits */
	bool in_bits;
	TedArena bits;
	TedArena scratch; /* for one search, or the bounds of one pair */
	int32 *map_a;
	int32 *map_b;
	int32 map_room;
	GreedyTrials greedy;
	WaitingPair *waiting;
	int32 waiting_count;
	TedPair *pairs; /* whose distances they wait for */
	int32 *distances;
	int32 pair_count;
	bool taking; /* what the GPU has found */
};

/* Opens a join in the current memory context. */
JoinPipeline *
PipelineOpen(const TreeThreshold *threshold, bool distances_wanted, JoinCounts *counts,
			 JoinEmit emit, void *arg)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted join", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	JoinPipeline *join = palloc0_object(JoinPipeline);

	join->context = context;
	join->emit = emit;
	join->arg = arg;
	join->threshold = *threshold;
	join->distances_wanted = distances_wanted;
	join->counts = counts;
	join->session = SessionOpen(&TED_UNIT_COSTS);
	SessionCount(join->session, &counts->engine);
	join->indexed = JoinTreesCreate(join->session, NULL);
	MemoryContextSwitchTo(caller);
	return join;
}

/* Adds a tree to be indexed. */
int32
PipelineAddIndexed(JoinPipeline *join, Datum tree)
{
	int32 known = JoinTreesCount(join->indexed);
	int32 number = JoinTreesAdd(join->indexed, tree);

	if (number == known)
	{
		int32 size = JoinTreesGet(join->indexed, number)->tree->size;

		ted_count_tree(&join->added, size, DistanceAllowed(&join->threshold, size));
		join->bounds_bytes += JoinTreesBoundsBytes(size);
	}
	return number;
}

/* Memory that the trees added take when written. */
Size
PipelineExportBytes(const JoinPipeline *join)
{
	return JoinTreesExportBytes(join->indexed);
}

/* Writes the trees added. */
void
PipelineExport(const JoinPipeline *join, char *image)
{
	JoinTreesExport(join->indexed, image);
}

/* Adds trees that were written to be indexed. */
int32 *
PipelineImport(JoinPipeline *join, const char *image, int worker)
{
	return JoinTreesImport(join->indexed, image, worker);
}

/* Number of labels of all trees. */
static int32
LabelCount(const JoinPipeline *join)
{
	return LabelTableCount(SessionLabels(join->session));
}

/* Orders trees by size; all processes with these trees, in the same way. */
static inline int
CompareBySize(const JoinTree *a, const JoinTree *b)
{
	if (a->tree->size != b->tree->size)
		return a->tree->size - b->tree->size;
	return (a->order > b->order) - (a->order < b->order);
}

#define ST_SORT SortBySize
#define ST_ELEMENT_TYPE int32
#define ST_COMPARE(a, b, trees) CompareBySize(JoinTreesGet(trees, *a), JoinTreesGet(trees, *b))
#define ST_COMPARE_ARG_TYPE JoinTrees
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/*
 * Sums the work of looking up the indexed trees in the order of their sizes, each in
 * those before it: about as the squares of their sizes, as does that of a distance.
 */
static void
SumWork(JoinPipeline *join)
{
	int32 count = JoinTreesCount(join->indexed);

	join->work = palloc_extended(sizeof(double) * ((Size) count + 1), MCXT_ALLOC_HUGE);
	join->work[0] = 0;
	for (int32 place = 0; place < count; place++)
	{
		double size = JoinTreesGet(join->indexed, join->by_size[place])->tree->size;

		join->work[place + 1] = join->work[place] + size * size;
	}
}

/* Has the join take another threshold. */
void
PipelineSetThreshold(JoinPipeline *join, const TreeThreshold *threshold)
{
	join->threshold = *threshold;
}

/* Numbers of some trees in the order of their sizes. */
static int32 *
NumbersBySize(JoinTrees *trees)
{
	int32 count = JoinTreesCount(trees);
	int32 *by_size = palloc_extended(sizeof(int32) * (Size) count, MCXT_ALLOC_HUGE);

	for (int32 i = 0; i < count; i++)
		by_size[i] = i;
	SortBySize(by_size, (size_t) count, trees);
	return by_size;
}

/* Makes the index by which the CPU finds candidates. */
static void
MakeIndex(JoinPipeline *join)
{
	int32 count = JoinTreesCount(join->indexed);
	int32 labels = LabelCount(join);
	TedArena arena;

	join->added = (TedIndexedTrees){0};
	join->in_order = palloc_extended(sizeof(TedIndexedTree) * (Size) count, MCXT_ALLOC_HUGE);
	for (int32 i = 0; i < count; i++)
	{
		const TedTree *view = JoinTreesGet(join->indexed, join->by_size[i])->tree;
		TedIndexedTree *tree = &join->in_order[i];

		*tree = (TedIndexedTree){view, view->size, DistanceAllowed(&join->threshold, view->size)};
		ted_count_tree(&join->added, tree->size, tree->limit);
	}
	ArenaInit(&arena, ted_candidate_index_memory(&join->added, labels));
	CheckStatus(
		ted_candidate_index(join->in_order, count, labels, &arena, &PgInterrupt, &join->index));
	ArenaInit(&arena, ted_traversals_memory(labels));
	CheckStatus(ted_traversals(labels, &arena, &join->traversals));
	join->candidates = palloc_extended(sizeof(TedCandidate) * (Size) count, MCXT_ALLOC_HUGE);
	join->verdicts = palloc_extended(sizeof(Verdict) * (Size) count, MCXT_ALLOC_HUGE);
}

/* Indexes the trees added. */
void
PipelineIndex(JoinPipeline *join)
{
	MemoryContext caller = MemoryContextSwitchTo(join->context);
	int32 count = JoinTreesCount(join->indexed);
	SortedTrees sorted = {.trees = join->indexed, .count = count};
	Size room;

	sorted.number = join->by_size = NumbersBySize(join->indexed);
	SumWork(join);
	join->gpu = GpuSearchOpen(&join->threshold, &sorted, LabelCount(join), &join->counts->engine);
	if (join->gpu == NULL)
		MakeIndex(join);
	/* a batch is full when the candidates of a probe have been added */
	room = PAIRS_PER_BATCH + (Size) count;
	join->waiting = palloc_extended(sizeof(WaitingPair) * room, MCXT_ALLOC_HUGE);
	join->pairs = palloc_extended(sizeof(TedPair) * room, MCXT_ALLOC_HUGE);
	join->distances = palloc_extended(sizeof(int32) * room, MCXT_ALLOC_HUGE);
	SessionKeepTrees(join->session);
	join->probes = JoinTreesCreate(join->session, join->indexed);
	MemoryContextSwitchTo(caller);
}

/* Passes a pair on to the caller. */
static void
Found(JoinPipeline *join, int32 probe, int32 indexed, int32 distance)
{
	int32 size = 0;
	int32 indexed_size = 0;

	if (join->distances_wanted) /* looking for sizes takes time where pairs come by the million */
	{
		size = JoinTreesGet(join->searched, probe)->tree->size;
		indexed_size = JoinTreesGet(join->indexed, indexed)->tree->size;
	}
	join->counts->found++;
	join->emit(join->arg, probe, indexed, distance, Max(size, indexed_size),
			   Min(size, indexed_size));
}

/* Computes the distances that pairs wait for. */
static void
VerifyBatch(JoinPipeline *join)
{
	if (join->pair_count == 0)
		return;
	SessionCompute(join->session, join->pairs, join->pair_count, join->distances);
	join->counts->batches++;
	for (int32 i = 0; i < join->waiting_count; i++)
	{
		const WaitingPair *waiting = &join->waiting[i];
		int32 distance = Min(join->distances[waiting->verdict.pair], waiting->verdict.distance);

		if (distance != TED_BEYOND)
			Found(join, waiting->probe, waiting->indexed, distance);
	}
	join->waiting_count = 0;
	join->pair_count = 0;
}

/* Makes an arena of scratch memory as large as need be; what it had is lost. */
static void
ReserveArena(TedArena *arena, Size bytes)
{
	if (bytes <= arena->size - arena->used)
		return;
	if (arena->base != NULL)
		pfree(arena->base);
	ArenaInit(arena, bytes);
}

/* Makes room for the bounds of a pair. */
static void
ReserveScratch(JoinPipeline *join, int32 size_a, int32 size_b, int32 max_distance)
{
	int32 larger = Max(size_a, size_b);

	ReserveArena(&join->scratch,
				 Max(ted_greedy_mapping_memory(size_a, size_b),
					 ted_traversal_bound_memory(size_a, size_b, &TED_UNIT_COSTS, max_distance)));
	if (larger > join->map_room)
	{
		if (join->map_room > 0)
		{
			pfree(join->map_a);
			pfree(join->map_b);
		}
		join->map_room = larger;
		join->map_a = palloc_extended(sizeof(int32) * (Size) larger, MCXT_ALLOC_HUGE);
		join->map_b = palloc_extended(sizeof(int32) * (Size) larger, MCXT_ALLOC_HUGE);
	}
}

/* Lower bound of a candidate by its traversals, for which the probe may be turned into bits. */
static int32
TraversalBound(JoinPipeline *join, const TedBoundsIndex *probe, const TedBoundsIndex *indexed,
			   int32 limit)
{
	int32 bound;

	if (!ted_traversals_pay(probe->size, indexed->size, limit))
	{
		CheckStatus(ted_traversal_bound(probe, indexed, &TED_UNIT_COSTS, limit, &join->scratch,
										&PgInterrupt, &bound));
		return bound;
	}
	if (!join->in_bits)
	{
		TedArena bits;

		ReserveArena(&join->bits, ted_traversals_start_memory(probe->size));
		bits = join->bits;
		CheckStatus(ted_traversals_start(join->traversals, probe, &bits, &PgInterrupt));
		join->in_bits = true;
	}
	CheckStatus(ted_traversals_bound(join->traversals, indexed, limit, &PgInterrupt, &bound));
	return bound;
}

/* Notes what the greedy mapping of a pair has taken, and what its upper bound has saved. */
static void
NoteGreedy(GreedyTrials *greedy, const TedTree *probe, const TedTree *indexed, int32 limit,
		   int32 settling, int32 upper)
{
	double computed = ted_pair_seconds(probe, indexed, &TED_UNIT_COSTS, limit);

	if (greedy->count == 2 * GREEDY_TRIALS)
	{
		greedy->count /= 2;
		greedy->taken /= 2;
		greedy->saved /= 2;
	}
	greedy->count++;
	greedy->taken += TED_GREEDY_NODE_TIME * 1e-9 * (probe->size + indexed->size);
	if (upper <= settling)
		greedy->saved += computed;
	else if (upper <= limit)
		greedy->saved += computed - ted_pair_seconds(probe, indexed, &TED_UNIT_COSTS, upper - 1);
}

/*
 * Upper bound of a candidate by its greedy mapping, TED_BEYOND above the limit or where
 * that is not worth trying; one that is not more than `settling` settles the pair.
 */
static int32
GreedyBound(JoinPipeline *join, const TedBoundsIndex *probe, const TedBoundsIndex *indexed,
			int32 limit, int32 settling)
{
	GreedyTrials *greedy = &join->greedy;
	bool trial = greedy->count < GREEDY_TRIALS || ++greedy->pairs % GREEDY_SAMPLE == 0;
	int32 upper;

	if (!trial && greedy->saved < greedy->taken)
		return TED_BEYOND;
	CheckStatus(ted_greedy_mapping(probe, indexed, &TED_UNIT_COSTS, limit, &join->scratch,
								   &PgInterrupt, join->map_a, join->map_b, &upper));
	if (trial)
		NoteGreedy(greedy, probe->tree, indexed->tree, limit, settling, upper);
	return upper <= limit ? upper : TED_BEYOND;
}

/* Takes a candidate through the bounds; adds it to the pairs to be computed if need be. */
static Verdict
Judge(JoinPipeline *join, int32 probe_number, const TedCandidate *candidate)
{
	int32 indexed_number = join->by_size[candidate->number];
	const TedBoundsIndex *probe = JoinTreesBounds(join->searched, probe_number);
	const TedBoundsIndex *indexed = JoinTreesBounds(join->indexed, indexed_number);
	int32 lower;
	int32 settling;
	int32 upper;

	ReserveScratch(join, probe->size, indexed->size, candidate->limit);
	lower = TraversalBound(join, probe, indexed, candidate->limit);
	if (lower == TED_BEYOND)
		return (Verdict){.distance = TED_BEYOND, .pair = -1};
	settling = join->distances_wanted ? Max(lower, candidate->bound) : candidate->limit;
	upper = GreedyBound(join, probe, indexed, candidate->limit, settling);
	if (upper <= settling)
		return (Verdict){.distance = upper, .pair = -1};
	join->pairs[join->pair_count] =
		(TedPair){.a = JoinTreesGet(join->searched, probe_number)->number,
				  .b = JoinTreesGet(join->indexed, indexed_number)->number,
				  .limit = Min(candidate->limit, upper - 1)};
	return (Verdict){.distance = upper, .pair = join->pair_count++};
}

/* Passes a candidate on, or has it wait. */
static void
Settle(JoinPipeline *join, int32 probe, int32 indexed, Verdict verdict)
{
	if (verdict.pair >= 0)
	{
		join->counts->verified++;
		join->waiting[join->waiting_count++] = (WaitingPair){probe, indexed, verdict};
		return;
	}
	join->counts->settled++;
	if (verdict.distance != TED_BEYOND)
		Found(join, probe, indexed, verdict.distance);
}

/* Finds the indexed trees that come before `end` in their order and are within the threshold. */
static void
Search(JoinPipeline *join, int32 probe_number, int32 end)
{
	const TedTree *probe = JoinTreesGet(join->searched, probe_number)->tree;
	int32 limit = DistanceAllowed(&join->threshold, probe->size);
	TedCandidateCounts counts = {0};
	int32 count;

	CHECK_FOR_INTERRUPTS();
	ReserveArena(&join->scratch, ted_candidates_memory(probe->size, limit));
	CheckStatus(ted_candidates(join->index, probe, limit, end, &join->scratch, &PgInterrupt,
							   join->candidates, &count, &counts));
	join->counts->window += counts.window;
	join->counts->prefix += counts.prefix;
	join->counts->labels += counts.label;
	for (int32 i = 0; i < count; i++)
	{
		const TedCandidate *candidate = &join->candidates[i];
		int32 indexed = join->by_size[candidate->number];

		join->verdicts[i] = candidate->like == i ? Judge(join, probe_number, candidate)
												 : join->verdicts[candidate->like];
		Settle(join, probe_number, indexed, join->verdicts[i]);
	}
	if (join->in_bits)
		ted_traversals_end(join->traversals);
	join->in_bits = false;
	if (join->waiting_count >= PAIRS_PER_BATCH)
		VerifyBatch(join);
}

/* Has the CPU go on, as the GPU has failed or has no memory. */
static void
LoseGpu(JoinPipeline *join)
{
	GpuSearchClose(join->gpu);
	join->gpu = NULL;
	MakeIndex(join);
}

/* Adds what the GPU did with a range to the counts; what is left open counts later. */
static void
CountRange(JoinCounts *counts, const TedJoinRange *range)
{
	counts->window += range->window;
	counts->prefix += range->similar;
	counts->labels += range->labels;
	counts->settled += range->labels - range->computed;
	counts->verified += range->computed;
	counts->batches++;
}

/* Leaves a pair for a batch. */
static void
LeaveOpen(JoinPipeline *join, int32 probe, int32 indexed)
{
	const JoinTree *a = JoinTreesGet(join->searched, probe);
	const JoinTree *b = JoinTreesGet(join->indexed, indexed);
	int32 limit = DistanceAllowed(&join->threshold, Max(a->tree->size, b->tree->size));

	join->counts->settled--;
	join->pairs[join->pair_count] = (TedPair){.a = a->number, .b = b->number, .limit = limit};
	Settle(join, probe, indexed, (Verdict){.distance = TED_BEYOND, .pair = join->pair_count++});
}

/*
 * Takes what the GPU has found, or as much as is enough; returns whether that was
 * all.  The probe at place `first` is the first one in the order `by_size`.
 */
static bool
TakeFound(JoinPipeline *join, const int32 *by_size, int32 first)
{
	int64 enough = join->counts->found + MATCHES_PER_RUN;

	GpuSearchLookAfter(join->gpu);
	while (join->counts->found < enough)
	{
		const TedJoinPair *pair = GpuSearchNext(join->gpu);

		if (pair == NULL)
		{
			VerifyBatch(join);
			return true;
		}
		if (pair->distance == TED_NO_DISTANCE)
			LeaveOpen(join, by_size[pair->probe - first], join->by_size[pair->indexed]);
		else
			Found(join, by_size[pair->probe - first], join->by_size[pair->indexed], pair->distance);
		if (join->waiting_count >= PAIRS_PER_BATCH)
			VerifyBatch(join);
	}
	return false;
}

/* Has the GPU compare the trees from a place on; returns where to go on. */
static int32
RunOnGpu(JoinPipeline *join, const int32 *by_size, int32 offset, int32 first, int32 end)
{
	if (!join->taking)
	{
		if (!GpuSearchRun(join->gpu, first, end))
		{
			LoseGpu(join);
			return first;
		}
		CountRange(join->counts, &join->gpu->range);
	}
	join->taking = !TakeFound(join, by_size, offset);
	return join->taking ? first : join->gpu->range.done;
}

/* Number of different indexed trees. */
int32
PipelineTrees(const JoinPipeline *join)
{
	return JoinTreesCount(join->indexed);
}

/* Whether as many trees as there are should be looked up at once. */
bool
PipelineTakesAll(const JoinPipeline *join)
{
	return join->gpu != NULL;
}

/* Number of the tree at a place in their order. */
int32
PipelineTreeAt(const JoinPipeline *join, int32 place)
{
	return join->by_size[place];
}

/* Where to begin for a portion of the work of looking up all trees before `end`. */
int32
PipelinePortion(const JoinPipeline *join, int32 end, double part)
{
	double rest = join->work[end] * (1 - part);
	int32 low = 0;
	int32 high = end - 1;

	while (low < high)
	{
		int32 middle = low + (high - low) / 2;

		if (join->work[middle] < rest)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Finds the pairs of some indexed trees with those before them. */
int32
PipelineRunSelf(JoinPipeline *join, int32 first, int32 end)
{
	MemoryContext caller = MemoryContextSwitchTo(join->context);
	int64 enough = join->counts->found + MATCHES_PER_RUN;

	join->searched = join->indexed;
	if (join->gpu != NULL)
	{
		first = RunOnGpu(join, join->by_size, 0, first, end);
		MemoryContextSwitchTo(caller);
		return first;
	}
	for (; first < end && join->counts->found < enough; first++)
		Search(join, join->by_size[first], first);
	VerifyBatch(join);
	MemoryContextSwitchTo(caller);
	return first;
}

/* Adds a probe. */
int32
PipelineAddProbe(JoinPipeline *join, Datum tree)
{
	return JoinTreesAdd(join->probes, tree);
}

/* Has the GPU find the trees of some probes. */
static void
RunProbesOnGpu(JoinPipeline *join)
{
	int32 indexed = JoinTreesCount(join->indexed);
	SortedTrees sorted = {.trees = join->probes, .count = JoinTreesCount(join->probes)};

	if (join->probes_by_size == NULL)
	{
		sorted.number = join->probes_by_size = NumbersBySize(join->probes);
		if (!GpuSearchAddProbes(join->gpu, &sorted, LabelCount(join)))
		{
			LoseGpu(join);
			return;
		}
	}
	join->next_probe = RunOnGpu(join, join->probes_by_size, indexed, indexed + join->next_probe,
								indexed + sorted.count) -
					   indexed;
}

/* Finds the trees of probes, as many as have enough matches. */
static void
RunProbesOnCpu(JoinPipeline *join)
{
	int64 enough = join->counts->found + MATCHES_PER_RUN;
	int32 count = JoinTreesCount(join->probes);

	for (; join->next_probe < count && join->counts->found < enough; join->next_probe++)
		Search(join,
			   join->probes_by_size == NULL ? join->next_probe
											: join->probes_by_size[join->next_probe],
			   JoinTreesCount(join->indexed));
	VerifyBatch(join);
}

/* Makes room for other probes. */
static void
ForgetProbes(JoinPipeline *join)
{
	if (join->gpu != NULL)
		GpuSearchForgetProbes(join->gpu);
	if (join->probes_by_size != NULL)
		pfree(join->probes_by_size);
	join->probes_by_size = NULL;
	JoinTreesReset(join->probes);
	join->next_probe = 0;
}

/* Finds the indexed trees of the probes added, all of them or as many as have enough matches. */
bool
PipelineRunProbes(JoinPipeline *join)
{
	MemoryContext caller = MemoryContextSwitchTo(join->context);
	bool more;

	join->searched = join->probes;
	if (join->gpu != NULL)
		RunProbesOnGpu(join);
	else
		RunProbesOnCpu(join);
	more = join->next_probe < JoinTreesCount(join->probes);
	if (!more)
		ForgetProbes(join);
	MemoryContextSwitchTo(caller);
	return more;
}

/* Memory that the index of the trees added will take, and their bounds and batches of pairs. */
static Size
IndexBytes(const JoinPipeline *join)
{
	return TREE_BYTES * (Size) join->added.count + PAIRS_PER_BATCH * BATCH_BYTES +
		   join->bounds_bytes + ted_candidate_index_memory(&join->added, LabelCount(join));
}

/* Memory that the join takes, and will take to index the trees added. */
Size
PipelineMemory(const JoinPipeline *join)
{
	Size bytes = MemoryContextMemAllocated(join->context, true);

	return join->by_size == NULL ? bytes + IndexBytes(join) : bytes;
}

/* Memory that a tree with so many nodes takes with the index. */
Size
PipelineTreeBytes(const JoinPipeline *join, int32 size)
{
	TedIndexedTrees one = {0};

	ted_count_tree(&one, size, DistanceAllowed(&join->threshold, size));
	return sizeof(JoinTree) + sizeof(TedTree) + 4 * sizeof(int32) * (Size) size +
		   JoinTreesBoundsBytes(size) + TREE_BYTES + ted_candidate_index_memory(&one, 0);
}

/* Frees everything. */
void
PipelineClose(JoinPipeline *join)
{
	SessionClose(join->session);
	MemoryContextDelete(join->context);
}
