/*
 * cpu.c
 *	  Computes batches of pairs of trees on the calling thread.
 *
 * Consecutive pairs with the same first tree are computed together where tables are the fastest way
 * (one_to_many.c).  Pairs of large trees go through stages first, which mostly settle them.  All
 * pairs use one block of scratch memory.
 */
#include "../core/tree/bounded/bounded.h"
#include "../core/tree/mapping/adaptive.h"
#include "engine.h"
#include "engine_tuning.h"

/* A batch, and the last pairs, which have the same first tree and wait to be computed together. */
typedef struct Run
{
	TedCpu *cpu;
	const TedBatch *batch;
	TedGroup group;
	int64_t place[TED_FOREST_TREES]; /* by member: number of its pair */
	TedPairPlan first;               /* of the first member */
} Run;

/* Makes the arena at least this large, within the memory limit. */
static TedEngineStatus
reserve_arena(TedCpu *cpu, size_t bytes)
{
	const TedEngineHost *host = &cpu->host;

	if (bytes > host->memory_limit)
	{
		cpu->needed = bytes;
		return TED_ENGINE_MEMORY_LIMIT;
	}
	if (bytes + TED_ARENA_ALIGN > cpu->arena.size)
	{
		size_t more = cpu->arena.size + cpu->arena.size / 2;
		char *block;

		/* touching new pages takes time, so the arena grows by at least half */
		if (more <= host->memory_limit)
			bytes = ted_max_bytes(bytes, more);
		ted_cpu_close(cpu);
		block = host->allocate(host->arg, bytes + TED_ARENA_ALIGN);
		if (block == NULL)
			return TED_ENGINE_OUT_OF_MEMORY;
		cpu->arena = ted_arena_in(block, bytes);
	}
	return TED_ENGINE_DONE;
}

/* Frees the memory that batches have taken. */
void
ted_cpu_close(TedCpu *cpu)
{
	if (cpu->arena.base != NULL)
		cpu->host.release(cpu->host.arg, cpu->arena.base);
	cpu->arena = (TedArena){0};
}

/* Converts a status of the core into one of an engine. */
static TedEngineStatus
engine_status(TedStatus status)
{
	return status == TED_OK          ? TED_ENGINE_DONE
		   : status == TED_CANCELLED ? TED_ENGINE_CANCELLED
									 : TED_ENGINE_OUT_OF_MEMORY;
}

/* Computes a pair by its plan. */
static TedEngineStatus
compute_pair(const Run *run, int64_t number, const TedPairPlan *plan)
{
	TedCpu *cpu = run->cpu;
	int32_t *distance = &run->batch->distances[number];
	TedEngineStatus status;
	TedArena arena;

	cpu->refused = run->batch->pairs[number];
	status = reserve_arena(cpu, plan->bytes);
	if (status != TED_ENGINE_DONE)
		return status;
	arena = cpu->arena;
	status = engine_status(ted_pair_distance(plan, &arena, &cpu->host.interrupt, distance));
	if (status == TED_ENGINE_DONE && *distance > cpu->refused.limit)
		*distance = TED_BEYOND;
	return status;
}

/* Runs the stages of a pair up to its tables; *plan is that of the tables if these are needed. */
static TedEngineStatus
run_stages(const Run *run, int64_t number, TedPairPlan *plan, bool *settled)
{
	TedCpu *cpu = run->cpu;
	TedStages stages = ted_stages_begin(plan, cpu->host.memory_limit);

	cpu->refused = run->batch->pairs[number];
	while (stages.stage != TED_STAGE_DONE && stages.stage != TED_STAGE_TABLES)
	{
		TedEngineStatus status = reserve_arena(cpu, ted_stage_memory(&stages));
		TedArena arena = cpu->arena;

		if (status == TED_ENGINE_DONE)
			status = engine_status(ted_stage_run(&stages, &arena, &cpu->host.interrupt));
		if (status != TED_ENGINE_DONE)
			return status;
	}
	*settled = stages.stage == TED_STAGE_DONE;
	*plan = stages.exact;
	if (*settled)
		run->batch->distances[number] = stages.distance;
	return TED_ENGINE_DONE;
}

/* Computes the pairs that wait, together if that fits in memory, and empties the group. */
static TedEngineStatus
compute_group(Run *run)
{
	TedCpu *cpu = run->cpu;
	TedGroup *group = &run->group;
	int32_t distances[TED_FOREST_TREES];
	TedEngineStatus status = TED_ENGINE_DONE;

	if (group->count == 1)
		status = compute_pair(run, run->place[0], &run->first);
	else if (group->count > 1)
	{
		TedGroupPlan plan = ted_plan_group(group);
		bool together = plan.vectors.lanes > 0 && plan.bytes <= cpu->host.memory_limit;

		if (together)
			status = reserve_arena(cpu, plan.bytes);
		if (together && status == TED_ENGINE_DONE)
		{
			TedArena arena = cpu->arena;

			status = engine_status(
				ted_group_distances(group, &plan, &arena, &cpu->host.interrupt, distances));
		}
		for (int32_t i = 0; status == TED_ENGINE_DONE && i < group->count; i++)
		{
			int64_t number = run->place[i];

			if (together)
				run->batch->distances[number] =
					distances[i] <= run->batch->pairs[number].limit ? distances[i] : TED_BEYOND;
			else
			{
				TedPairPlan alone =
					ted_plan_pair(group->a, group->member[i], group->costs, TED_NO_LIMIT);

				status = compute_pair(run, number, &alone);
			}
		}
	}
	group->count = 0;
	group->largest = 0;
	group->sums = (TedTree){0};
	return status;
}

/* Computes a pair, or adds it to those that wait. */
static TedEngineStatus
compute_or_wait(Run *run, int64_t number)
{
	const TedPair *pair = &run->batch->pairs[number];
	const TedTree *a = run->batch->trees[pair->a];
	const TedTree *b = run->batch->trees[pair->b];
	TedPairPlan plan = ted_plan_pair(a, b, &run->batch->costs, pair->limit);
	TedEngineStatus status = TED_ENGINE_DONE;

	if (ted_stages_pay(&plan))
	{
		bool settled;

		status = run_stages(run, number, &plan, &settled);
		if (status != TED_ENGINE_DONE || settled)
			return status;
	}
	if (plan.way != TED_BY_TABLES || plan.tables.path_limit > 0)
		return compute_pair(run, number, &plan);
	if (run->group.a != a || !ted_group_add(&run->group, b))
	{
		status = compute_group(run);
		run->group.a = a;
		ted_group_add(&run->group, b);
	}
	if (run->group.count == 1)
		run->first = plan;
	run->place[run->group.count - 1] = number;
	return status;
}

/* Computes a batch. */
TedEngineStatus
ted_cpu_compute(TedCpu *cpu, const TedBatch *batch)
{
	const TedInterrupt *interrupt = &cpu->host.interrupt;
	TedEngineStatus status = TED_ENGINE_DONE;
	int64_t steps = TED_STEPS_PER_CHECK; /* so that the first pair checks for interrupts */
	Run run;

	run.cpu = cpu;
	run.batch = batch;
	run.group = (TedGroup){.costs = &batch->costs};
	for (int64_t i = 0; status == TED_ENGINE_DONE && i < batch->count; i++)
	{
		const TedPair *pair = &batch->pairs[i];

		/* the pairs that wait are the last ones, but for those that are computed alone */
		cpu->computed = i - run.group.count;
		if (ted_interrupted(interrupt, &steps,
							TED_CELLS_PER_PAIR + (int64_t) batch->trees[pair->a]->size *
													 batch->trees[pair->b]->size))
			status = TED_ENGINE_CANCELLED;
		else
			status = compute_or_wait(&run, i);
	}
	if (status == TED_ENGINE_DONE)
		status = compute_group(&run);
	cpu->computed = 0;
	return status;
}
