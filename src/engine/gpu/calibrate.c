/*
 * calibrate.c
 *	  Measures the rates of a GPU by small and large work of each family.
 *
 * The work takes the way of any batch, so that the times include what the host does for it.
 */
#include "postgres.h"

#include "portability/instr_time.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../engine_tuning.h"
#include "calibration.h"
#include "gpu_context.h"
#include "gpu_lcs.h"

/* Trees, their nodes, those of the two smallest trees, and the labels of nodes. */
#define TREES 128
#define NODES 400
#define FEWEST_NODES 10
#define LABELS 50
#define PAIRS (TREES * TREES)

/* Different symbols of strings, and the symbols of short ones. */
#define SYMBOLS 26

/* Symbols of the shortest strings that the GPU may compare sooner than the processor. */
#define SHORT 4096

/* Symbols of a pair of strings that takes longer by its columns than by its cells. */
#define LONG 16384
#define LONGEST (64 * LONG)

/* Short texts, and long ones. */
#define TEXTS 32768
#define LONG_TEXTS 4096
#define LONG_TEXT 1000

/* Large work takes this long, unless it is as large as it may be. */
#define LARGE_SECONDS 0.1

/* The least part of the time of some work that its bytes, or its cells, are said to take. */
#define LEAST_PART 0.125

/* How often each is measured. */
#define ROUNDS 3

/* Returns the next of a sequence of pseudo-random numbers below `below`. */
static uint32
RandomBelow(uint64 *state, uint32 below)
{
	*state = *state * UINT64CONST(6364136223846793005) + 1442695040888963407;
	return (uint32) (*state >> 33) % below;
}

/* Returns the seconds that the GPU takes for some work. */
static double
SecondsOf(TedGpu *gpu, const GpuWork *work, void *arg)
{
	instr_time begun;
	instr_time took;

	INSTR_TIME_SET_CURRENT(begun);
	if (GpuRun(work, arg) != TED_ENGINE_DONE)
		ereport(ERROR, (errcode(ERRCODE_EXTERNAL_ROUTINE_EXCEPTION),
						errmsg("the GPU could not be measured"),
						gpu->failed ? errdetail("%s", gpu->reason)
									: errdetail("The GPU has not enough memory left.")));
	INSTR_TIME_SET_CURRENT(took);
	INSTR_TIME_SUBTRACT(took, begun);
	return INSTR_TIME_GET_DOUBLE(took);
}

/* Returns a rate by a part of the time of some work: at least LEAST_PART, as both vary. */
static double
PerSecond(double units, double part, double seconds)
{
	return units / Max(part, LEAST_PART * seconds);
}

/* Makes a random tree, in which each node is a child of a random one before it. */
static TedTree *
RandomTree(int32 size, uint64 *state)
{
	TedTree *tree = palloc0_object(TedTree);
	int32 *label = palloc_array(int32, size);
	int32 *subtree_size = palloc_array(int32, size);
	int32 *scratch = palloc_array(int32, 2 * size);
	int32 *parent = palloc_array(int32, size);
	int32 *nodes = palloc_array(int32, size);       /* of the subtree of each node */
	int32 *free_place = palloc0_array(int32, size); /* in postorder, for the next child */

	for (int32 i = 0; i < size; i++)
	{
		parent[i] = i == 0 ? 0 : (int32) RandomBelow(state, (uint32) i);
		nodes[i] = 1;
	}
	for (int32 i = size - 1; i > 0; i--)
		nodes[parent[i]] += nodes[i];
	for (int32 i = 0; i < size; i++)
	{
		int32 place = i == 0 ? size - 1 : free_place[parent[i]];

		free_place[parent[i]] -= nodes[i];
		free_place[i] = place - 1;
		label[place] = (int32) RandomBelow(state, LABELS);
		subtree_size[place] = nodes[i];
	}
	tree->size = size;
	tree->label = label;
	tree->subtree_size = subtree_size;
	CheckStatus(ted_tree_index(tree, scratch, scratch + size, &PgInterrupt));
	return tree;
}

/*
 * Returns how many times longer than the core predicts this processor takes for pairs of trees.
 * Times of the GPU are compared with such predictions.
 */
static double
ProcessorFactor(const TedTree *const *trees)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "ted processor measurement",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	double predicted = 0;
	double seconds = 0;

	for (int32 t = 2; t < TREES; t += 2)
	{
		TedPairPlan plan = ted_plan_pair(trees[t], trees[t + 1], &TED_UNIT_COSTS, TED_NO_LIMIT);
		TedArena arena;
		int32 distance;
		instr_time begun;
		instr_time took;

		CheckMemoryLimit(plan.bytes, "measurement of the processor");
		ArenaInit(&arena, plan.bytes);
		INSTR_TIME_SET_CURRENT(begun);
		CheckStatus(ted_pair_distance(&plan, &arena, &PgInterrupt, &distance));
		INSTR_TIME_SET_CURRENT(took);
		INSTR_TIME_SUBTRACT(took, begun);
		predicted += plan.seconds;
		seconds += INSTR_TIME_GET_DOUBLE(took);
		MemoryContextReset(context);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	return seconds / predicted;
}

/* A batch of trees for GpuRun(). */
typedef struct TreesWork
{
	TedGpuEngine *engine;
	TedBatch batch;
} TreesWork;

static TedEngineStatus
SubmitTrees(void *arg)
{
	TreesWork *work = arg;

	return ted_gpu_engine_submit(work->engine, &work->batch);
}

static TedEngineStatus
PollTrees(void *arg)
{
	return ted_gpu_engine_poll(((TreesWork *) arg)->engine);
}

static void
CancelTrees(void *arg)
{
	ted_gpu_engine_cancel(((TreesWork *) arg)->engine);
}

/*
 * Measures batches: sending takes what the first of two equal batches takes longer, and cells what
 * a batch of many pairs takes longer than one pair.
 */
static void
MeasureBatches(TedGpu *gpu, TreesWork *work, TedRate *rate)
{
	static const GpuWork trees_work = {SubmitTrees, PollTrees, CancelTrees};
	TedBatch *batch = &work->batch;
	double bytes = 0;

	for (int32 t = 0; t < TREES; t++)
		bytes += 4.0 * sizeof(int32) * batch->trees[t]->size;
	/* the last round counts, as the first one may load kernels and take memory */
	for (int round = 0; round < ROUNDS; round++)
	{
		TedGpuWork large = {0};
		double first;
		double seconds;

		ted_gpu_engine_forget(work->engine, batch->trees, 0);
		batch->count = TREES;
		first = SecondsOf(gpu, &trees_work, work);
		seconds = SecondsOf(gpu, &trees_work, work);
		rate->bytes_per_second = PerSecond(bytes, first - seconds, first);

		while (seconds < LARGE_SECONDS && batch->count < PAIRS)
		{
			batch->count = Min(4 * batch->count, PAIRS);
			seconds = SecondsOf(gpu, &trees_work, work);
		}
		for (int64 i = 0; i < batch->count; i++)
			ted_gpu_add_pair(&large, batch->trees[batch->pairs[i].a],
							 batch->trees[batch->pairs[i].b], &batch->costs, TED_NO_LIMIT);
		batch->count = 1;
		rate->opening = SecondsOf(gpu, &trees_work, work);
		rate->cells_per_second = PerSecond(large.cells, seconds - rate->opening, seconds);
	}
}

/* Measures pairs of trees; also returns the factor of the processor. */
static double
MeasureTrees(TedGpu *gpu, TedRate *rate)
{
	TedEngineHost host = {.allocate = HostAllocate,
						  .release = HostRelease,
						  .arg = CurrentMemoryContext,
						  .memory_limit = (Size) ted_max_memory * 1024,
						  .interrupt = PgInterrupt};
	const TedTree **trees = palloc_array(const TedTree *, TREES);
	TedPair *pairs = palloc_array(TedPair, PAIRS);
	TreesWork work = {.batch = {.trees = trees,
								.tree_count = TREES,
								.pairs = pairs,
								.distances = palloc_array(int32, PAIRS),
								.costs = TED_UNIT_COSTS}};
	uint64 state = 1;

	for (int32 t = 0; t < TREES; t++)
		trees[t] = RandomTree(t < 2 ? FEWEST_NODES : NODES, &state);
	for (int32 i = 0; i < PAIRS; i++)
		pairs[i] = (TedPair){i % TREES, (i + i / TREES + 1) % TREES, TED_NO_LIMIT};

	work.engine = ted_gpu_engine_open(&host, gpu);
	if (work.engine == NULL)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
	PG_TRY();
	{
		MeasureBatches(gpu, &work, rate);
	}
	PG_FINALLY();
	{
		ted_gpu_engine_close(work.engine);
	}
	PG_END_TRY();
	return ProcessorFactor(trees);
}

/* Returns the seconds that a pattern and `count` texts of random bytes take. */
static double
StringsSeconds(TedGpu *gpu, int32 m, int32 count, int32 length)
{
	int32 *pattern = palloc_array(int32, m);
	uint8 *symbols = palloc((Size) count * (Size) length);
	LcsText *texts = palloc_array(LcsText, count);
	TedDeviceStrings strings = {.pattern = pattern,
								.m = m,
								.codes = SYMBOLS,
								.symbol_bytes = 1,
								.texts = texts,
								.count = count,
								.lengths = palloc_array(int32, count)};
	double least = 0;
	uint64 state = 1;

	for (int32 i = 0; i < m; i++)
		pattern[i] = (int32) RandomBelow(&state, SYMBOLS);
	for (int64 i = 0; i < (int64) count * length; i++)
		symbols[i] = (uint8) RandomBelow(&state, SYMBOLS);
	for (int32 i = 0; i < count; i++)
		texts[i] = (LcsText){symbols + (Size) i * (Size) length, length};
	for (int round = 0; round < ROUNDS; round++)
	{
		double seconds = SecondsOf(gpu, &gpu_lcs_work, &strings);

		least = round == 0 ? seconds : Min(least, seconds);
	}
	pfree(pattern);
	pfree(symbols);
	pfree(texts);
	pfree(strings.lengths);
	return least;
}

/* Measures single pairs of strings: a small one, one that takes columns, one that takes cells. */
static void
MeasureLongStrings(TedGpu *gpu, TedRate *rate)
{
	const double bytes = 1 + TED_STRING_GPU_COLUMN; /* of a symbol */
	int32 length = LONG;
	double seconds;

	rate->opening = StringsSeconds(gpu, SHORT, 1, SHORT);
	seconds = StringsSeconds(gpu, length, 1, length);
	rate->bytes_per_second = PerSecond(length * bytes, seconds - rate->opening, seconds);
	for (; seconds < LARGE_SECONDS && length < LONGEST; length *= 2)
		seconds = StringsSeconds(gpu, 2 * length, 1, 2 * length);
	rate->cells_per_second =
		PerSecond((double) length * length,
				  seconds - rate->opening - length * bytes / rate->bytes_per_second, seconds);
}

/* Measures one string and many: two long texts, many short texts, and many long ones. */
static void
MeasureStringBatches(TedGpu *gpu, TedRate *rate)
{
	double seconds;

	rate->opening = StringsSeconds(gpu, SHORT, 2, SHORT);
	seconds = StringsSeconds(gpu, SYMBOLS, TEXTS, SYMBOLS);
	rate->bytes_per_second = PerSecond(TEXTS * (double) (SYMBOLS + TED_STRING_GPU_TEXT),
									   seconds - rate->opening, seconds);
	seconds = StringsSeconds(gpu, TED_STRING_GPU_PATTERN, LONG_TEXTS, LONG_TEXT);
	rate->cells_per_second = PerSecond((double) LONG_TEXTS * LONG_TEXT * TED_STRING_GPU_PATTERN,
									   seconds - rate->opening -
										   LONG_TEXTS * (double) (LONG_TEXT + TED_STRING_GPU_TEXT) /
											   rate->bytes_per_second,
									   seconds);
}

void
MeasureRates(TedGpu *gpu, TedRate *rates)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted GPU measurement", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	double factor;

	factor = MeasureTrees(gpu, &rates[TED_TREES]);
	MeasureLongStrings(gpu, &rates[TED_LONG_STRINGS]);
	MeasureStringBatches(gpu, &rates[TED_STRING_BATCHES]);
	for (int family = 0; family < TED_MEASURED_FAMILIES; family++)
	{
		rates[family].opening /= factor;
		rates[family].cells_per_second *= factor;
		rates[family].bytes_per_second *= factor;
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}
