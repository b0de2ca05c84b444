/*
 * cpu.c
 *	  The engine that computes on the calling thread; it is available everywhere.
 *
 * A poll computes pairs until it has done a slice of work.  Consecutive pairs with the same first
 * tree are computed together; pairs of large trees, only if their stages do not settle them.  Trees
 * are referenced, not copied, and pairs reuse one block of scratch memory.
 */
#include "../core/tree/mapping/adaptive.h"
#include "engine_base.h"
#include "engine_tuning.h"

struct TedEngine
{
	TedEngineBase base;
	TedBatch batch;
	int64_t next;      /* all pairs before this one have their distances */
	int64_t under_way; /* the pair whose memory is being reserved */
	TedArena arena;    /* passed by copy, so that it stays empty */
	size_t memory_needed;
};

/* Opens the CPU engine. */
static TedEngine *
cpu_open(const TedEngineHost *host)
{
	return ted_engine_new(host, sizeof(TedEngine));
}

/* Forgets all trees but the first `count`. */
static void
cpu_forget(TedEngine *engine, int32_t count)
{
	engine->base.count = count;
}

/* Accepts a batch. */
static TedEngineStatus
cpu_submit(TedEngine *engine, const TedBatch *batch)
{
	engine->batch = *batch;
	engine->next = 0;
	return batch->count > 0 ? TED_ENGINE_BUSY : TED_ENGINE_DONE;
}

/* Makes the arena at least this large, within the memory limit. */
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
		size_t more = engine->arena.size + engine->arena.size / 2;
		char *block;

		/* touching new pages takes time, so the arena grows by at least half */
		if (more <= engine->base.host.memory_limit)
			bytes = ted_max_bytes(bytes, more);
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

/* Converts a status of the core into one of the engine. */
static TedEngineStatus
engine_status(TedStatus status)
{
	return status == TED_OK          ? TED_ENGINE_DONE
		   : status == TED_CANCELLED ? TED_ENGINE_CANCELLED
									 : TED_ENGINE_OUT_OF_MEMORY;
}

/* Whether a pair is computed by stages first. */
static bool
has_stages(const TedEngine *engine, const TedPair *pair)
{
	return ted_stages_pay(engine->base.trees[pair->a], engine->base.trees[pair->b],
						  &engine->batch.costs, pair->limit);
}

/* Runs the stages of a pair up to the tables; leaves TED_NO_DISTANCE if tables are needed. */
static TedEngineStatus
run_stages(TedEngine *engine, const TedPair *pair, int32_t *distance)
{
	TedStages stages =
		ted_stages_begin(engine->base.trees[pair->a], engine->base.trees[pair->b],
						 &engine->batch.costs, pair->limit, engine->base.host.memory_limit);

	while (stages.stage != TED_STAGE_DONE && stages.stage != TED_STAGE_TABLES)
	{
		TedEngineStatus status = reserve_arena(engine, ted_stage_memory(&stages));
		TedArena arena = engine->arena;

		if (status == TED_ENGINE_DONE)
			status = engine_status(ted_stage_run(&stages, &arena, &engine->base.host.interrupt));
		if (status != TED_ENGINE_DONE)
			return status;
	}
	*distance = stages.stage == TED_STAGE_DONE ? stages.distance : TED_NO_DISTANCE;
	return TED_ENGINE_DONE;
}

/* Pairs of a run that are computed together; they share the first tree. */
typedef struct Together
{
	int32_t count;
	int32_t place[TED_PAIRS_PER_RUN]; /* position of each pair in the run */
	const TedTree *b[TED_PAIRS_PER_RUN];
	int32_t limits[TED_PAIRS_PER_RUN];
} Together;

/* Computes `count` of the pairs in `together`, from `first` on. */
static TedEngineStatus
compute(TedEngine *engine, const Together *together, int32_t first, int32_t count)
{
	const TedPair *pairs = &engine->batch.pairs[engine->next];
	const TedTree *a = engine->base.trees[pairs->a];
	const TedTree *const *b = together->b + first;
	const int32_t *limits = together->limits + first;
	const TedCosts *costs = &engine->batch.costs;
	int32_t distances[TED_PAIRS_PER_RUN];
	TedEngineStatus status =
		reserve_arena(engine, ted_distances_memory(a, b, limits, count, costs));
	TedArena arena = engine->arena;

	if (status == TED_ENGINE_DONE)
		status = engine_status(ted_distances(a, b, limits, count, costs, &arena,
											 &engine->base.host.interrupt, distances));
	for (int32_t i = 0; status == TED_ENGINE_DONE && i < count; i++)
	{
		int32_t place = together->place[first + i];

		engine->batch.distances[engine->next + place] =
			distances[i] <= pairs[place].limit ? distances[i] : TED_BEYOND;
	}
	return status;
}

/* Runs the stages of a run of pairs; collects the pairs that remain in `together`. */
static TedEngineStatus
run_all_stages(TedEngine *engine, int32_t count, Together *together)
{
	const TedPair *pairs = &engine->batch.pairs[engine->next];

	together->count = 0;
	for (int32_t i = 0; i < count; i++)
	{
		int32_t limit = pairs[i].limit;

		if (has_stages(engine, &pairs[i]))
		{
			int32_t *distance = &engine->batch.distances[engine->next + i];
			TedEngineStatus status;

			engine->under_way = engine->next + i;
			status = run_stages(engine, &pairs[i], distance);
			if (status != TED_ENGINE_DONE)
				return status;
			if (*distance != TED_NO_DISTANCE)
				continue;
			limit = TED_NO_LIMIT; /* the strip has been tried */
		}
		together->place[together->count] = i;
		together->b[together->count] = engine->base.trees[pairs[i].b];
		together->limits[together->count++] = limit;
	}
	return TED_ENGINE_DONE;
}

/* Computes the next `count` pairs, which share their first tree. */
static TedEngineStatus
compute_run(TedEngine *engine, int32_t count)
{
	Together together;
	TedEngineStatus status = run_all_stages(engine, count, &together);

	if (status != TED_ENGINE_DONE)
		return status;
	status = compute(engine, &together, 0, together.count);
	if (status != TED_ENGINE_MEMORY_LIMIT)
		return status;
	/* a single pair may fit in memory */
	status = TED_ENGINE_DONE;
	for (int32_t i = 0; status == TED_ENGINE_DONE && i < together.count; i++)
	{
		engine->under_way = engine->next + together.place[i];
		status = compute(engine, &together, i, 1);
	}
	return status;
}

/*
 * Returns the number of next pairs that are computed in one run; sets their number of table cells.
 */
static int32_t
next_run(const TedEngine *engine, int64_t *cells)
{
	const TedPair *pairs = &engine->batch.pairs[engine->next];
	int64_t rest = engine->batch.count - engine->next;
	int64_t size = engine->base.trees[pairs->a]->size;
	int32_t count = 0;

	*cells = 0;
	while (count < TED_PAIRS_PER_RUN && count < rest && pairs[count].a == pairs->a &&
		   *cells < TED_CELLS_PER_RUN)
		*cells += TED_CELLS_PER_PAIR + size * engine->base.trees[pairs[count++].b]->size;
	return count;
}

/* Computes a slice of the batch. */
static TedEngineStatus
cpu_poll(TedEngine *engine)
{
	const TedInterrupt *interrupt = &engine->base.host.interrupt;
	int64_t done = 0;

	if (interrupt->check != NULL && interrupt->check(interrupt->arg))
		return TED_ENGINE_CANCELLED;
	while (engine->next < engine->batch.count && done < TED_CELLS_PER_POLL)
	{
		int64_t cells;
		int32_t count = next_run(engine, &cells);
		TedEngineStatus status = compute_run(engine, count);

		if (status != TED_ENGINE_DONE)
			return status;
		engine->next += count;
		done += cells;
	}
	return engine->next < engine->batch.count ? TED_ENGINE_BUSY : TED_ENGINE_DONE;
}

/* Returns the number of pairs of the batch that have their distances. */
static int64_t
cpu_computed(const TedEngine *engine)
{
	return engine->next;
}

/* Returns the scratch memory in bytes of the pair that was refused, and the pair. */
static size_t
cpu_memory_needed(const TedEngine *engine, TedPair *pair)
{
	*pair = engine->batch.pairs[engine->under_way];
	return engine->memory_needed;
}

/* Drops the batch under way. */
static void
cpu_cancel(TedEngine *engine)
{
	engine->batch.count = 0;
	engine->next = 0;
}

/* Closes the engine, and frees its memory. */
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
