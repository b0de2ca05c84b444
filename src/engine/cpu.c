/*
 * cpu.c
 *	  The engine that runs everywhere, on the calling thread.
 *
 * A poll computes pairs until it has done a slice of work; pairs in a row that
 * share their first tree are computed together, those of large trees by stages,
 * each by itself.  Trees are referred to, not copied, and the scratch memory of
 * one pair serves the next.
 */
#include "../core/tree/mapping/adaptive.h"
#include "engine_base.h"
#include "engine_tuning.h"

struct TedEngine
{
	TedEngineBase base;
	TedBatch batch;
	int64_t next;   /* the first pair that has no distance yet */
	TedArena arena; /* empty: a pair works on a copy */
	size_t memory_needed;
};

/* Opens an engine. */
static TedEngine *
cpu_open(const TedEngineHost *host)
{
	return ted_engine_new(host, sizeof(TedEngine));
}

/* Forgets the last trees. */
static void
cpu_forget(TedEngine *engine, int32_t count)
{
	engine->base.count = count;
}

/* Notes a batch. */
static TedEngineStatus
cpu_submit(TedEngine *engine, const TedBatch *batch)
{
	engine->batch = *batch;
	engine->next = 0;
	return batch->count > 0 ? TED_ENGINE_BUSY : TED_ENGINE_DONE;
}

/* Makes the arena at least as large as a pair needs. */
static TedEngineStatus
reserve_arena(TedEngine *engine, size_t bytes)
{
	if (bytes > engine->base.host.memory_limit)
	{
		engine->memory_needed = bytes;
		return TED_ENGINE_MEMORY_LIMIT;
	}
	if (bytes + TED_ARENA_ALIGN > engine->arena.size)
	{
		char *block;

		if (engine->arena.base != NULL)
			engine->base.host.release(engine->base.host.arg, engine->arena.base);
		engine->arena = (TedArena){0};
		block = engine->base.host.allocate(engine->base.host.arg, bytes + TED_ARENA_ALIGN);
		if (block == NULL)
			return TED_ENGINE_OUT_OF_MEMORY;
		engine->arena = ted_arena_in(block, bytes);
	}
	return TED_ENGINE_DONE;
}

/* Turns a status of the core into one of the engine. */
static TedEngineStatus
engine_status(TedStatus status)
{
	return status == TED_OK          ? TED_ENGINE_DONE
		   : status == TED_CANCELLED ? TED_ENGINE_CANCELLED
									 : TED_ENGINE_OUT_OF_MEMORY;
}

/* Whether a pair is computed by stages. */
static bool
has_stages(const TedEngine *engine, const TedPair *pair)
{
	return ted_stages_pay(engine->base.trees[pair->a], engine->base.trees[pair->b],
						  &engine->batch.costs, pair->limit);
}

/* Computes a pair by stages, each of which gets the memory that it takes. */
static TedEngineStatus
compute_by_stages(TedEngine *engine, const TedPair *pair, int32_t *distance)
{
	TedStages stages =
		ted_stages_begin(engine->base.trees[pair->a], engine->base.trees[pair->b],
						 &engine->batch.costs, pair->limit, engine->base.host.memory_limit);

	while (stages.stage != TED_STAGE_DONE)
	{
		TedEngineStatus status = reserve_arena(engine, ted_stage_memory(&stages));
		TedArena arena = engine->arena;

		if (status == TED_ENGINE_DONE)
			status = engine_status(ted_stage_run(&stages, &arena, &engine->base.host.interrupt));
		if (status != TED_ENGINE_DONE)
			return status;
	}
	*distance = stages.distance;
	return TED_ENGINE_DONE;
}

/* Computes some pairs with the same first tree. */
static TedEngineStatus
compute(TedEngine *engine, const TedPair *pairs, int32_t count, int32_t *distances)
{
	const TedTree *a = engine->base.trees[pairs->a];
	const TedTree *b[TED_PAIRS_PER_RUN];
	int32_t limits[TED_PAIRS_PER_RUN];
	const TedCosts *costs = &engine->batch.costs;
	TedEngineStatus status;
	TedArena arena;

	for (int32_t i = 0; i < count; i++)
	{
		b[i] = engine->base.trees[pairs[i].b];
		limits[i] = pairs[i].limit;
	}
	status = reserve_arena(engine, ted_distances_memory(a, b, limits, count, costs));
	if (status != TED_ENGINE_DONE)
		return status;
	arena = engine->arena;
	return engine_status(
		ted_distances(a, b, limits, count, costs, &arena, &engine->base.host.interrupt, distances));
}

/* Pairs from the next one on that share their first tree, or 0 for one with stages. */
static int32_t
next_run(const TedEngine *engine)
{
	const TedPair *pairs = &engine->batch.pairs[engine->next];
	int64_t rest = engine->batch.count - engine->next;
	int32_t count = 0;

	while (count < TED_PAIRS_PER_RUN && count < rest && pairs[count].a == pairs->a &&
		   !has_stages(engine, &pairs[count]))
		count++;
	return count;
}

/* Computes a slice of the batch. */
static TedEngineStatus
cpu_poll(TedEngine *engine)
{
	const TedInterrupt *interrupt = &engine->base.host.interrupt;
	int64_t cells = 0;

	if (interrupt->check != NULL && interrupt->check(interrupt->arg))
		return TED_ENGINE_CANCELLED;
	while (engine->next < engine->batch.count && cells < TED_CELLS_PER_POLL)
	{
		const TedPair *pairs = &engine->batch.pairs[engine->next];
		int32_t *distances = &engine->batch.distances[engine->next];
		int32_t count = next_run(engine);
		TedEngineStatus status = count > 0 ? compute(engine, pairs, count, distances)
										   : compute_by_stages(engine, pairs, distances);

		/* one pair may fit where several do not */
		if (status == TED_ENGINE_MEMORY_LIMIT && count > 1)
		{
			count = 1;
			status = compute(engine, pairs, count, distances);
		}
		if (status != TED_ENGINE_DONE)
			return status;
		count = ted_max(count, 1);
		for (int32_t i = 0; i < count; i++)
			cells += TED_CELLS_PER_PAIR + (int64_t) engine->base.trees[pairs[i].a]->size *
											  engine->base.trees[pairs[i].b]->size;
		engine->next += count;
	}
	return engine->next < engine->batch.count ? TED_ENGINE_BUSY : TED_ENGINE_DONE;
}

/* Pairs of the batch under way that have their distances. */
static int64_t
cpu_computed(const TedEngine *engine)
{
	return engine->next;
}

/* The pair that was refused, and its scratch memory. */
static size_t
cpu_memory_needed(const TedEngine *engine, TedPair *pair)
{
	*pair = engine->batch.pairs[engine->next];
	return engine->memory_needed;
}

/* Forgets the batch under way. */
static void
cpu_cancel(TedEngine *engine)
{
	engine->batch.count = 0;
	engine->next = 0;
}

/* Frees everything. */
static void
cpu_close(TedEngine *engine)
{
	if (engine->arena.base != NULL)
		engine->base.host.release(engine->base.host.arg, engine->arena.base);
	ted_engine_free(engine);
}

const TedEngineMethods ted_cpu_engine = {.name = "cpu",
										 .open = cpu_open,
										 .upload = ted_engine_upload,
										 .forget = cpu_forget,
										 .submit = cpu_submit,
										 .poll = cpu_poll,
										 .computed = cpu_computed,
										 .memory_needed = cpu_memory_needed,
										 .cancel = cpu_cancel,
										 .close = cpu_close};
