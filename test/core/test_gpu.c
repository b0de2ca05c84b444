/*
 * test_gpu.c
 *	  Checks the engine of the GPU against exact distances, on a module that fails at will; and
 *	  several GPUs that share batches and joins.
 */
#include <stdio.h>
#include <string.h>

#include "../../src/engine/gpu/gpu.h"
#include "../gpu/fake.h"
#include "../gpu/graded_model.h"
#include "host.h"
#include "random.h"
#include "subtrees.h"
#include "tap.h"
#include "trees.h"

#define TREES 12
#define MAX_SIZE 25
#define MAX_PAIRS 60
#define MAX_TEXTS 20
#define MAX_LENGTH 100
#define MAX_GPUS 3
#define LABELS 3

static TestTree trees[TREES];
static const TedTree *list[TREES]; /* the same by number */

/* Makes the trees. */
static void
make_trees(void)
{
	for (int32_t i = 0; i < TREES; i++)
		make_tree(&trees[i], (Shape) random_below(SHAPES), 1 + (int32_t) random_below(MAX_SIZE),
				  LABELS, 0);
}

static GradedModel model;

/* Makes a model of costs by label, which all batches use until the next call. */
static TedCosts
make_model(void)
{
	return make_graded_model(&model, &(ModelShape){.most = {2, 2, 4},
												   .unit = 1 + (int32_t) random_below(3),
												   .groups = 1 + (int32_t) random_below(LABELS),
												   .labels = LABELS,
												   .graded_in = (int32_t) random_below(3),
												   .length = 20,
												   .alphabet = 3,
												   .never = true,
												   .alike = random_below(2) == 0});
}

/* Chooses costs; one time in three, those of the model. */
static TedCosts
choose_any_costs(uint64_t round)
{
	return random_below(3) > 0 ? choose_costs(round) : (TedCosts){.labels = &model.labels};
}

/* Returns the distance of a pair within its limit. */
static int32_t
distance(const TedPair *pair, const TedCosts *costs)
{
	const TedTree *a = &trees[pair->a].tree;
	const TedTree *b = &trees[pair->b].tree;
	static char block[200000];
	TedArena arena = ted_arena_in(block, sizeof(block) - TED_ARENA_ALIGN);
	TedPairPlan plan = ted_plan_pair(a, b, costs, TED_NO_LIMIT);
	int32_t result;

	ted_pair_distance(&plan, &arena, &(TedInterrupt){0}, &result);
	return result <= pair->limit ? result : TED_BEYOND;
}

/* Runs a batch that engines share to its end, or cancels it after `polls` polls. */
static TedEngineStatus
run_shared(TedGpuEngine *const *engines, int count, const TedBatch *batch, int polls)
{
	void *memory = malloc(ted_shared_batch_memory(batch->count) + 1);
	TedSharedBatch shared;
	TedEngineStatus status = ted_shared_batch_submit(&shared, engines, count, batch, memory);

	while (status == TED_ENGINE_BUSY && polls-- > 0)
		status = ted_shared_batch_poll(&shared);
	if (status == TED_ENGINE_BUSY)
		ted_shared_batch_cancel(&shared);
	free(memory);
	return status;
}

/* Runs a batch to its end, or cancels it after `polls` polls. */
static TedEngineStatus
run(TedGpuEngine *engine, const TedBatch *batch, int polls)
{
	TedEngineStatus status = ted_gpu_engine_submit(engine, batch);

	while (status == TED_ENGINE_BUSY && polls-- > 0)
		status = ted_gpu_engine_poll(engine);
	return status;
}

/* Whether each pair has its distance, or none where there may be such pairs. */
static bool
right(const TedBatch *batch, TedEngineStatus status, int32_t *left)
{
	*left = 0;
	for (int64_t i = 0; i < batch->count; i++)
		if (batch->distances[i] == TED_NO_DISTANCE)
			++*left;
		else if (batch->distances[i] != distance(&batch->pairs[i], &batch->costs))
			return false;
	return status == (*left > 0 ? TED_ENGINE_DECLINED : TED_ENGINE_DONE);
}

/* Makes a batch of random pairs. */
static TedBatch
make_batch(TedPair *pairs, int32_t *distances, uint64_t round)
{
	TedBatch batch = {.trees = list,
					  .tree_count = TREES,
					  .pairs = pairs,
					  .distances = distances,
					  .count = random_below(MAX_PAIRS + 1),
					  .costs = choose_any_costs(round)};

	for (int64_t i = 0; i < batch.count; i++)
	{
		pairs[i] =
			(TedPair){.a = (int32_t) random_below(TREES),
					  .b = (int32_t) random_below(TREES),
					  .limit = random_below(2) == 0 ? TED_NO_LIMIT : (int32_t) random_below(30)};
		distances[i] = (int32_t) random_below(5);
	}
	return batch;
}

/*
 * Computes a pair with the distances of its subtrees; whether all are there, or the pair is
 * left to the CPU.
 */
static bool
subtrees_survive(TedGpuEngine *engine, uint64_t round, int32_t *left)
{
	void *expected = malloc(sizeof(int32_t) * MAX_SIZE * MAX_SIZE);
	void *got = malloc(sizeof(int32_t) * MAX_SIZE * MAX_SIZE);
	TedPair pair = {(int32_t) random_below(TREES), (int32_t) random_below(TREES), TED_NO_LIMIT};
	int32_t distance;
	TedBatch batch = {.trees = list,
					  .tree_count = TREES,
					  .pairs = &pair,
					  .distances = &distance,
					  .count = 1,
					  .costs = choose_costs(round),
					  .subtrees = got};
	const TedTree *a = &trees[pair.a].tree;
	const TedTree *b = &trees[pair.b].tree;
	bool passed;

	fill_subtrees(a, b, &batch.costs, expected);
	passed = right(&batch, run(engine, &batch, INT32_MAX), left) &&
			 (*left == 1 || memcmp(got, expected, ted_subtrees_bytes(a, b, &batch.costs)) == 0);
	free(expected);
	free(got);
	return passed;
}

/* Opens an engine. */
static TedGpuEngine *
open_engine(TedGpu *gpu)
{
	TedEngineHost host = {.allocate = allocate, .release = release, .memory_limit = SIZE_MAX};

	return ted_gpu_engine_open(&host, gpu);
}

/* Returns the length of the longest common subsequence, by the table. */
static int32_t
lcs_of(const int32_t *a, int32_t m, const uint8_t *b, int32_t n)
{
	int32_t row[MAX_LENGTH + 1] = {0};

	for (int32_t i = 0; i < m; i++)
		for (int32_t j = 0, diagonal = 0; j < n; j++)
		{
			int32_t above = row[j + 1];

			row[j + 1] = a[i] == b[j] ? diagonal + 1 : ted_max(above, row[j]);
			diagonal = above;
		}
	return row[n];
}

/*
 * Computes a batch of strings, or gives it up; whether each string has its length, or all are
 * left.
 */
static bool
strings_survive(TedGpu *gpu, int32_t *left)
{
	int32_t pattern[MAX_LENGTH];
	uint8_t symbols[MAX_TEXTS][MAX_LENGTH];
	LcsText texts[MAX_TEXTS];
	int32_t lengths[MAX_TEXTS];
	TedDeviceStrings strings = {.pattern = pattern,
								.m = 1 + (int32_t) random_below(MAX_LENGTH),
								.codes = 1 + (int32_t) random_below(20),
								.symbol_bytes = 1,
								.texts = texts,
								.count = 1 + random_below(MAX_TEXTS),
								.lengths = lengths};
	bool given_up = random_below(8) == 0;
	bool passed = true;
	TedEngineStatus status;

	for (int32_t i = 0; i < strings.m; i++)
		pattern[i] = (int32_t) random_below((uint32_t) strings.codes);
	for (int64_t i = 0; i < strings.count; i++)
	{
		texts[i] = (LcsText){symbols[i], (int32_t) random_below(MAX_LENGTH + 1)};
		for (int32_t j = 0; j < texts[i].length; j++)
			symbols[i][j] = (uint8_t) random_below((uint32_t) strings.codes);
	}
	status = ted_gpu_strings_submit(gpu, &strings);
	while (status == TED_ENGINE_BUSY && !given_up)
		status = ted_gpu_strings_poll(gpu);
	*left = status == TED_ENGINE_DECLINED ? (int32_t) strings.count : 0;
	for (int64_t i = 0; i < strings.count && status == TED_ENGINE_DONE; i++)
		passed = passed && lengths[i] == lcs_of(pattern, strings.m, symbols[i], texts[i].length);
	ted_gpu_strings_cancel(gpu);
	return passed && (given_up || status == TED_ENGINE_DONE || status == TED_ENGINE_DECLINED);
}

/* A join, which can continue while other work is computed. */
typedef struct JoinUnderTest
{
	TedSharedJoin join;
	const TedTree *sorted[TREES];
	int32_t limit;
	int32_t next; /* the next tree to be compared */
	bool begun;
} JoinUnderTest;

/* Adds the trees to a join of some GPUs; returns false if no GPU can take them. */
static bool
begin_join(TedGpu *gpus, int count, JoinUnderTest *test)
{
	int32_t limits[TREES];

	*test = (JoinUnderTest){.limit = (int32_t) random_below(12), .begun = true};
	test->join.count = count;
	for (int s = 0; s < count; s++)
		test->join.share[s].gpu = &gpus[s];
	for (int32_t i = 0; i < TREES; i++)
	{
		test->sorted[i] = &trees[i].tree;
		limits[i] = test->limit;
	}
	qsort(test->sorted, TREES, sizeof(*test->sorted), compare_sizes_at);
	return ted_shared_join_add(
		&test->join,
		&(TedJoinDocuments){.trees = &(TedJoinTrees){test->sorted, limits, TREES, LABELS, false}});
}

/* Whether a range that is done has all pairs within the limit once, and no others but open ones. */
static bool
right_pairs(const JoinUnderTest *test, const TedJoinRange *range)
{
	int64_t matched = 0;

	for (int32_t probe = range->first; probe < range->done; probe++)
		for (int32_t i = 0; i < probe; i++)
		{
			static char block[200000];
			TedArena arena = ted_arena_in(block, sizeof(block) - TED_ARENA_ALIGN);
			TedPairPlan plan =
				ted_plan_pair(test->sorted[probe], test->sorted[i], &TED_UNIT_COSTS, TED_NO_LIMIT);
			int64_t found = 0;
			int32_t expected;

			ted_pair_distance(&plan, &arena, &(TedInterrupt){0}, &expected);
			for (int64_t pair = 0; pair < range->count; pair++)
				if (range->pairs[pair].probe == probe && range->pairs[pair].indexed == i)
				{
					int32_t distance = range->pairs[pair].distance;

					found++;
					if (distance != TED_NO_DISTANCE && distance != expected)
						return false;
				}
			if (found > 1 || (found == 0 && expected <= test->limit))
				return false;
			matched += found;
		}
	return matched == range->count;
}

/*
 * Compares the next trees of a join.  Some ranges are fetched only later; for these, returns
 * that the join is busy.
 */
static TedEngineStatus
go_on_with_join(JoinUnderTest *test, bool *passed)
{
	TedEngineStatus status = ted_shared_join_submit(&test->join, TREES, test->next, TREES);
	TedJoinRange range;

	if (status == TED_ENGINE_BUSY)
		*passed = ted_shared_join_submit(&test->join, TREES, test->next + 1, TREES) ==
					  TED_ENGINE_OUT_OF_TURN &&
				  *passed;
	if (random_below(3) == 0)
		ted_shared_join_look_after(&test->join);
	if (status == TED_ENGINE_BUSY && random_below(3) == 0)
		return status;
	while (status == TED_ENGINE_BUSY)
		status = ted_shared_join_poll(&test->join, &range);
	if (status != TED_ENGINE_DONE)
		return status;
	*passed = range.first == test->next && range.done > range.first && right_pairs(test, &range) &&
			  *passed;
	test->next = range.done;
	if (random_below(3) > 0)
		ted_shared_join_look_after(&test->join);
	return status;
}

/* Continues a join; whether each range is right or left to the CPU. */
static bool
join_survives(TedGpu *gpus, int count, JoinUnderTest *test, int32_t *left)
{
	TedEngineStatus status = TED_ENGINE_DONE;
	bool passed = true;

	*left = 0;
	if (!test->begun && !begin_join(gpus, count, test))
		status = TED_ENGINE_DECLINED;
	while (status == TED_ENGINE_DONE && test->next < TREES && passed)
		status = go_on_with_join(test, &passed);
	if (status == TED_ENGINE_BUSY)
		return passed;
	*left = status == TED_ENGINE_DECLINED;
	ted_shared_join_free(&test->join);
	test->begun = false;
	return passed && status <= TED_ENGINE_DECLINED;
}

/* GPUs, and engines that have the trees; several engines may be on one GPU. */
typedef struct Machine
{
	TedGpu gpu[MAX_GPUS];
	int gpus;
	TedGpuEngine *engine[MAX_GPUS];
	JoinUnderTest join;
} Machine;

/* Opens some GPUs and engines. */
static void
open_machine(Machine *machine)
{
	*machine = (Machine){.gpus = 1 + (int) random_below(MAX_GPUS)};
	for (int i = 0; i < machine->gpus; i++)
	{
		machine->gpu[i] =
			(TedGpu){.number = i, .module = ted_device_module(), .memory_limit = INT64_MAX};
		ted_gpu_open(&machine->gpu[i]);
	}
	for (int i = 0; i < MAX_GPUS; i++)
		machine->engine[i] = open_engine(&machine->gpu[i % machine->gpus]);
}

/* Closes the GPUs and engines. */
static void
close_machine(Machine *machine)
{
	ted_shared_join_free(&machine->join.join);
	for (int i = 0; i < MAX_GPUS; i++)
		ted_gpu_engine_close(machine->engine[i]);
	for (int i = 0; i < machine->gpus; i++)
		ted_gpu_close(&machine->gpu[i]);
}

/* Does something at random that can happen between batches; returns whether the result is right. */
static bool
something_happens(Machine *machine, TedGpuEngine *chosen, uint64_t round, int32_t *left)
{
	TedGpu *gpu = &machine->gpu[random_below((uint32_t) machine->gpus)];
	TedPair pairs[MAX_PAIRS];
	int32_t distances[MAX_PAIRS];
	TedBatch batch = make_batch(pairs, distances, round);

	*left = 0;
	switch (random_below(10))
	{
		case 0:
			ted_gpu_close(gpu); /* which leaves all work to the CPU or other GPUs */
			return true;
		case 1:
			ted_gpu_close(gpu);
			ted_gpu_open(gpu);
			return true;
		case 2:
			ted_gpu_engine_forget(chosen, list, TREES / 2);
			return true;
		case 3:
			run(chosen, &batch, (int) random_below(3));
			ted_gpu_engine_cancel(chosen);
			return true;
		case 4:
			return strings_survive(gpu, left);
		case 5:
			return subtrees_survive(chosen, round, left);
		case 6:
			return join_survives(machine->gpu, machine->gpus, &machine->join, left);
		case 7:
			run_shared(machine->engine, machine->gpus, &batch, (int) random_below(3));
			return true;
		default:
			return true;
	}
}

/*
 * Runs several batches on several GPUs and engines with random events in between; whether all
 * results are right.
 */
static bool
survives(uint64_t round, int32_t *left)
{
	Machine machine;
	bool passed = true;

	*left = 0;
	make_trees();
	make_model();
	open_machine(&machine);
	for (int i = 0; i < 8; i++)
	{
		TedGpuEngine *chosen = machine.engine[random_below(MAX_GPUS)];
		TedPair pairs[MAX_PAIRS];
		int32_t distances[MAX_PAIRS];
		TedBatch batch = make_batch(pairs, distances, round);
		int32_t left_here;
		TedEngineStatus status;

		passed = something_happens(&machine, chosen, round, &left_here) && passed;
		*left += left_here;
		status = random_below(2) == 0 ? run(chosen, &batch, INT32_MAX)
									  : run_shared(machine.engine, machine.gpus, &batch, INT32_MAX);
		passed = right(&batch, status, &left_here) && passed;
		*left += left_here;
	}
	close_machine(&machine);
	return passed && fake.devices == 0 && fake.sets == 0 && fake.used == 0 && fake.misused == 0;
}

/* Lets the module compute everything, with several devices and short ranges. */
static void
reset(void)
{
	fake_reset();
	fake.count = MAX_GPUS;
	fake.range = 5;
	fake.one_short_in = random_below(4);
}

/* Tests faults of all kinds at every call. */
static void
test_faults(void)
{
	static const char *const names[] = {
		"open",           "trees_create", "trees_add", "label_costs", "submit",
		"strings_submit", "join_create",  "join_add",  "join_submit", "poll"};
	static const TedDeviceStatus statuses[] = {TED_DEVICE_OUT_OF_MEMORY, TED_DEVICE_NONE,
											   TED_DEVICE_FAILED};

	for (int function = 0; function < FAKE_FUNCTIONS; function++)
		for (int status = 0; status < 3; status++)
		{
			int failed = 0;

			for (int call = 1; call <= 20; call++)
			{
				int32_t left;

				reset();
				fake.fail_at[function] = call;
				fake.fail_with[function] = statuses[status];
				failed += !survives((uint64_t) call, &left);
			}
			ok(failed == 0, "%s fails with status %d at calls 1 to 20", names[function],
			   statuses[status]);
		}
}

/*
 * Tests devices that have little memory, or less than they report, and modules that cannot
 * compute everything.
 */
static void
test_memory(uint64_t rounds)
{
	int failed = 0;
	int64_t pairs = 0;
	int64_t left_in_all = 0;

	for (uint64_t round = 0; round < rounds; round++)
	{
		int32_t left;

		reset();
		fake.memory = 1 + random_below(100000);
		fake.room = random_below(3) == 0 ? fake.memory : random_below((uint32_t) fake.memory);
		fake.largest = 1 + random_below(2 * MAX_SIZE);
		failed += !survives(round, &left);
		pairs += fake.pairs;
		left_in_all += left;
	}
	ok(failed == 0 && pairs > 0 && left_in_all > 0,
	   "memory runs out: %lld pairs computed, %lld left", (long long) pairs,
	   (long long) left_in_all);
}

/* Tests which data is sent, and when. */
static void
test_slices(void)
{
	TedGpu gpu = {.module = ted_device_module(), .memory_limit = INT64_MAX};
	TedGpuEngine *engine;
	TedPair pairs[8];
	int32_t distances[8];
	TedBatch batch = {.trees = list,
					  .tree_count = TREES,
					  .pairs = pairs,
					  .distances = distances,
					  .count = 8,
					  .costs = TED_UNIT_COSTS};
	int32_t left;

	fake_reset();
	for (int32_t i = 0; i < TREES; i++)
		make_tree(&trees[i], RANDOM, 10, 3, 0); /* 400 bytes a pair, 160 a tree */
	for (int i = 0; i < 8; i++)
		pairs[i] = (TedPair){.a = 0, .b = i, .limit = TED_NO_LIMIT};
	ted_gpu_open(&gpu);
	engine = open_engine(&gpu);
	ok(right(&batch, run(engine, &batch, INT32_MAX), &left) && left == 0 &&
		   fake.calls[FAKE_TREES_ADD] == 1 && fake.calls[FAKE_SUBMIT] == 1,
	   "all trees go at once, and all pairs");
	ok(right(&batch, run(engine, &batch, INT32_MAX), &left) && fake.calls[FAKE_TREES_ADD] == 1 &&
		   fake.calls[FAKE_SUBMIT] == 2,
	   "trees go once");

	gpu.memory_limit = 3 * 400 / 7 * 8 + 8;
	run(engine, &batch, INT32_MAX);
	ok(right(&batch, TED_ENGINE_DONE, &left) && fake.calls[FAKE_SUBMIT] == 5,
	   "the memory limit splits a batch");
	gpu.memory_limit = 400;
	run(engine, &batch, INT32_MAX);
	ok(right(&batch, TED_ENGINE_DECLINED, &left) && left == 8 && fake.calls[FAKE_SUBMIT] == 5,
	   "a pair beyond it is left");

	gpu.memory_limit = INT64_MAX;
	fake.room = TREES * 160 + 3 * 400;
	run(engine, &batch, INT32_MAX);
	ok(right(&batch, TED_ENGINE_DONE, &left) && fake.calls[FAKE_SUBMIT] == 5 + 2 + 4,
	   "without memory for 8 pairs or 4, they go two by two");
	fake.room = TREES * 160 + 399;
	run(engine, &batch, INT32_MAX);
	ok(right(&batch, TED_ENGINE_DECLINED, &left) && left == 8 && fake.calls[FAKE_SUBMIT] == 11 + 4,
	   "without memory for one, the others are not tried");
	fake.room = INT64_MAX;
	ted_gpu_engine_close(engine);
	ted_gpu_close(&gpu);
}

/* Tests batches with costs by label. */
static void
test_labels(void)
{
	TedGpu gpu = {.module = ted_device_module(), .memory_limit = INT64_MAX};
	TedEngineHost host = {.allocate = allocate, .release = release, .memory_limit = SIZE_MAX};
	TedPair pairs[8];
	int32_t distances[8];
	TedBatch batch = {
		.trees = list, .tree_count = TREES, .pairs = pairs, .distances = distances, .count = 8};
	TedGpuEngine *engine;
	int32_t left;

	fake_reset();
	for (int32_t i = 0; i < TREES; i++)
		make_tree(&trees[i], RANDOM, 10, LABELS, 0);
	for (int i = 0; i < 8; i++)
		pairs[i] = (TedPair){.a = 0, .b = i, .limit = TED_NO_LIMIT};
	batch.costs = make_model();
	ted_gpu_open(&gpu);
	engine = open_engine(&gpu);
	gpu.memory_limit = 3 * 400 / 7 * 8 + 8;
	ok(right(&batch, run(engine, &batch, INT32_MAX), &left) && left == 0 &&
		   fake.calls[FAKE_LABEL_COSTS] == 1 && fake.calls[FAKE_SUBMIT] == 3,
	   "costs by label go once for all pairs");
	ok(right(&batch, run(engine, &batch, INT32_MAX), &left) && left == 0 &&
		   fake.calls[FAKE_LABEL_COSTS] == 1 && fake.calls[FAKE_SUBMIT] == 6,
	   "and for all batches");
	ted_gpu_engine_forget(engine, list, TREES / 2);
	ok(right(&batch, run(engine, &batch, INT32_MAX), &left) && left == 0 &&
		   fake.calls[FAKE_LABEL_COSTS] == 2 && fake.calls[FAKE_SUBMIT] == 9,
	   "until there are other trees");
	batch.subtrees = distances; /* which no pair wants */
	batch.count = 1;
	ok(right(&batch, run(engine, &batch, INT32_MAX), &left) && left == 1 &&
		   fake.calls[FAKE_SUBMIT] == 9,
	   "distances of subtrees are left");
	batch.subtrees = NULL;
	model.labels.traits = NULL;
	ok(right(&batch, run(engine, &batch, INT32_MAX), &left) && left == 1 &&
		   fake.calls[FAKE_SUBMIT] == 9,
	   "pairs are left where only a function knows the costs");
	model.labels.traits = traits_by_model;
	ted_gpu_engine_close(engine);

	host.memory_limit = 50;
	engine = ted_gpu_engine_open(&host, &gpu);
	ok(right(&batch, run(engine, &batch, INT32_MAX), &left) && left == 1 &&
		   fake.calls[FAKE_LABEL_COSTS] == 2,
	   "without memory for the costs, pairs are left");
	ted_gpu_engine_close(engine);
	ted_gpu_close(&gpu);
	ok(fake.misused == 0, "and nothing is misused");
}

/* Whether the module has been given costs by label. */
static bool
costs_are_sent(void *arg)
{
	(void) arg;
	return fake.calls[FAKE_LABEL_COSTS] > 0;
}

/* Tests labels of many different costs, and a cancel while they are sent. */
static void
test_kinds(void)
{
	enum
	{
		MANY_LABELS = 101
	};
	TedGpu gpu = {.module = ted_device_module(), .memory_limit = INT64_MAX};
	TedEngineHost host = {.allocate = allocate, .release = release, .memory_limit = SIZE_MAX};
	TedPair pairs[TREES];
	int32_t distances[TREES];
	TedBatch batch = {
		.trees = list, .tree_count = TREES, .pairs = pairs, .distances = distances, .count = TREES};
	TedGpuEngine *engine;
	int32_t left;

	fake_reset();
	for (int32_t i = 0; i < TREES; i++)
	{
		make_tree(&trees[i], RANDOM, 10, MANY_LABELS, 0);
		pairs[i] = (TedPair){.a = 0, .b = i, .limit = TED_NO_LIMIT};
	}
	trees[0].label[0] = MANY_LABELS - 1;
	batch.costs = make_graded_model(
		&model,
		&(ModelShape){.most = {9, 9, 9}, .unit = 1, .groups = MANY_LABELS, .labels = MANY_LABELS});
	ted_gpu_open(&gpu);
	engine = open_engine(&gpu);
	ok(right(&batch, run(engine, &batch, INT32_MAX), &left) && left == 0,
	   "labels may be of many kinds");
	ted_gpu_engine_close(engine);

	fake_reset();
	fake.milliseconds = 60000;
	host.interrupt.check = costs_are_sent;
	engine = ted_gpu_engine_open(&host, &gpu);
	ok(run(engine, &batch, INT32_MAX) == TED_ENGINE_CANCELLED && fake.cancelled == 1,
	   "sending their costs is cancelled");
	ted_gpu_engine_close(engine);
	ted_gpu_close(&gpu);
	ok(fake.misused == 0, "and nothing is misused");
}

/* Tests which GPU gets which part of a shared batch and of a shared join. */
static void
test_shares(void)
{
	Machine machine;
	TedPair pairs[60];
	int32_t distances[60];
	TedBatch batch = {.trees = list,
					  .tree_count = TREES,
					  .pairs = pairs,
					  .distances = distances,
					  .count = 60,
					  .costs = TED_UNIT_COSTS};
	int32_t left = 0;
	TedEngineStatus status;

	reset();
	make_trees();
	for (int i = 0; i < 60; i++)
		pairs[i] = (TedPair){.a = i % TREES, .b = i / TREES, .limit = TED_NO_LIMIT};
	do
	{
		open_machine(&machine);
		if (machine.gpus == MAX_GPUS)
			break;
		close_machine(&machine);
	} while (true);
	status = run_shared(machine.engine, MAX_GPUS, &batch, INT32_MAX);
	ok(right(&batch, status, &left) && left == 0 && fake.pairs == 60 && fake.batches[0] == 1 &&
		   fake.batches[1] == 1 && fake.batches[2] == 1,
	   "three GPUs share a batch");
	ted_gpu_close(&machine.gpu[1]);
	status = run_shared(machine.engine, MAX_GPUS, &batch, INT32_MAX);
	ok(right(&batch, status, &left) && left > 0 && left < 40,
	   "one without a device leaves its part");

	fake.range = 3;
	fake.one_short_in = 0;
	ted_gpu_open(&machine.gpu[1]);
	while (join_survives(machine.gpu, MAX_GPUS, &machine.join, &left) && machine.join.begun)
		;
	ok(left == 0 && fake.ranges[0] == 2 && fake.ranges[1] == 1 && fake.ranges[2] == 1,
	   "three GPUs take four ranges in turns");
	close_machine(&machine);
}

/* Tests submitting a range before the current one has been fetched. */
static void
test_turns(void)
{
	TedGpu gpu = {.module = ted_device_module(), .memory_limit = INT64_MAX};
	TedGpuJoin join = {0};
	TedJoinRange range = {.indexed = TREES, .end = TREES};
	TedJoinRange other = range;
	const TedTree *sorted[TREES];
	int32_t limits[TREES] = {0};
	TedJoinTrees added = {sorted, limits, TREES, LABELS, false};

	reset();
	make_trees();
	for (int32_t i = 0; i < TREES; i++)
		sorted[i] = &trees[i].tree;
	qsort(sorted, TREES, sizeof(*sorted), compare_sizes_at);
	ted_gpu_open(&gpu);
	ok(ted_gpu_join_add(&gpu, &join, &(TedJoinDocuments){.trees = &added}) &&
		   ted_gpu_join_submit(&gpu, &join, &range) == TED_ENGINE_BUSY &&
		   ted_gpu_join_submit(&gpu, &join, &other) == TED_ENGINE_OUT_OF_TURN,
	   "a range is refused while another one is under way");
	ted_gpu_join_settle(&gpu);
	ok(ted_gpu_join_submit(&gpu, &join, &other) == TED_ENGINE_OUT_OF_TURN,
	   "and until that has been asked for");
	ok(ted_gpu_join_poll(&gpu, &join) == TED_ENGINE_DONE &&
		   ted_gpu_join_submit(&gpu, &join, &other) == TED_ENGINE_BUSY,
	   "or given up");
	ted_gpu_join_cancel(&gpu, &join);
	ok(ted_gpu_join_submit(&gpu, &join, &other) == TED_ENGINE_BUSY && fake.misused == 0,
	   "which is not the module's business");
	ted_gpu_close(&gpu);
}

int
main(void)
{
	uint64_t seed = setting("SEED", 1);
	uint64_t count = rounds(3000);

	printf("# seed %llu, %llu times\n", (unsigned long long) seed, (unsigned long long) count);
	random_state = seed;
	for (int32_t i = 0; i < TREES; i++)
		list[i] = &trees[i].tree;
	test_faults();
	test_memory(count / 3);
	test_slices();
	test_labels();
	test_kinds();
	test_shares();
	test_turns();
	return done_testing();
}
