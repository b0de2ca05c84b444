/*
 * engine.h
 *	  Interface of the engines that compute batches of pairs of trees, on the CPU or a GPU.
 *
 * This file does not depend on PostgreSQL.  The steps of a batch: open an engine, upload the trees
 * once, submit pairs of trees by number, poll until all are done, close.  All engines compute the
 * same integers.
 */
#ifndef TED_ENGINE_H
#define TED_ENGINE_H

#include "../core/tree/ted.h"

typedef struct TedEngine TedEngine;

/* A GPU as a process uses it, see gpu.h. */
typedef struct TedGpu TedGpu;

/* In place of the distance of a declined pair. */
#define TED_NO_DISTANCE (-1)

typedef enum TedEngineStatus
{
	TED_ENGINE_DONE = 0, /* every pair submitted has its distance */
	TED_ENGINE_DECLINED, /* each pair has its distance, or TED_NO_DISTANCE */
	TED_ENGINE_BUSY,     /* call poll again */
	TED_ENGINE_CANCELLED,
	TED_ENGINE_MEMORY_LIMIT, /* a pair needs more than memory_limit; see memory_needed */
	TED_ENGINE_OUT_OF_MEMORY,
	TED_ENGINE_OUT_OF_TURN /* the previous range of a join has not been fetched */
} TedEngineStatus;

/* Memory, interrupts and GPU that the host provides; open() copies this. */
typedef struct TedEngineHost
{
	void *(*allocate)(void *arg, size_t bytes); /* returns NULL where there is no memory */
	void (*release)(void *arg, void *block);
	void *arg;
	size_t memory_limit; /* bytes of scratch memory that one pair may take */
	TedInterrupt interrupt;
	TedGpu *gpu; /* for the GPU engine */
} TedEngineHost;

/* One pair, by the numbers of its trees. */
typedef struct TedPair
{
	int32_t a;
	int32_t b;
	int32_t limit; /* at least 0, or TED_NO_LIMIT */
} TedPair;

/* Pairs to compute; both arrays are the caller's and stay until the batch is done. */
typedef struct TedBatch
{
	const TedPair *pairs;
	int32_t *distances; /* written: the distance, or TED_BEYOND where it is above the limit */
	int64_t count;
	TedCosts costs; /* fit every pair, see ted_costs_fit() */

	/*
	 * NULL; or, for a batch of one pair on a GPU, written: the distances between all pairs of
	 * subtrees, see ted_subtrees_int16()
	 */
	void *subtrees;
} TedBatch;

/* The functions of an engine. */
typedef struct TedEngineMethods
{
	const char *name;

	/* Opens an engine, or returns NULL where there is no memory. */
	TedEngine *(*open)(const TedEngineHost *host);

	/*
	 * Adds trees, which are numbered from 0 in the order of all uploads.  They are the caller's,
	 * and stay until close or forget.
	 */
	TedEngineStatus (*upload)(TedEngine *engine, const TedTree *trees, int32_t count);

	/* Forgets all trees but the first `count`; the next upload gives their numbers again. */
	void (*forget)(TedEngine *engine, int32_t count);

	/* Submits a batch; only one may be under way. */
	TedEngineStatus (*submit)(TedEngine *engine, const TedBatch *batch);

	/* Computes, or polls the device, for some milliseconds at most. */
	TedEngineStatus (*poll)(TedEngine *engine);

	/* Returns the pairs of the batch that have their distances; NULL if the engine cannot know. */
	int64_t (*computed)(const TedEngine *engine);

	/*
	 * Returns the scratch memory in bytes of the pair refused with TED_ENGINE_MEMORY_LIMIT; NULL if
	 * the engine refuses none.
	 */
	size_t (*memory_needed)(const TedEngine *engine, TedPair *pair);

	/* Cancels the batch under way; the trees stay. */
	void (*cancel)(TedEngine *engine);

	/* Frees everything. */
	void (*close)(TedEngine *engine);
} TedEngineMethods;

/* Computes on the calling thread; available everywhere. */
extern const TedEngineMethods ted_cpu_engine;

/* Sends batches to a GPU, and declines pairs that the GPU cannot compute. */
extern const TedEngineMethods ted_gpu_engine;

#endif /* TED_ENGINE_H */
