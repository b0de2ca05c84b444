/*
 * engine.h
 *	  What computes a batch of pairs of trees: one interface for CPU and GPU.
 *
 * Knows nothing of PostgreSQL: a GPU module implements the same table of
 * functions in a library of its own.  The way of a batch: open an engine,
 * upload the trees once, submit pairs of them by number, poll until all are
 * done, close.  Every engine gives the same integers.
 */
#ifndef TED_ENGINE_H
#define TED_ENGINE_H

#include "../core/tree/ted.h"

typedef struct TedEngine TedEngine;

/* A GPU of a process, see gpu.h. */
typedef struct TedGpu TedGpu;

/* Distance value that marks a declined pair. */
#define TED_NO_DISTANCE (-1)

typedef enum TedEngineStatus
{
	TED_ENGINE_DONE = 0, /* every pair submitted has its distance */
	TED_ENGINE_DECLINED, /* the same, or TED_NO_DISTANCE */
	TED_ENGINE_BUSY,     /* call poll again */
	TED_ENGINE_CANCELLED,
	TED_ENGINE_MEMORY_LIMIT, /* a pair needs more than memory_limit; see memory_needed */
	TED_ENGINE_OUT_OF_MEMORY,
	TED_ENGINE_OUT_OF_TURN /* what was submitted before has not been asked for */
} TedEngineStatus;

/* Memory, interrupts and GPU that an engine gets from its host; copied by open. */
typedef struct TedEngineHost
{
	void *(*allocate)(void *arg, size_t bytes); /* NULL where there is no memory */
	void (*release)(void *arg, void *block);
	void *arg;
	size_t memory_limit; /* bytes of scratch memory that one pair may take */
	TedInterrupt interrupt;
	TedGpu *gpu; /* for the engine that computes on it */
} TedEngineHost;

/* One pair, by the numbers of its trees. */
typedef struct TedPair
{
	int32_t a;
	int32_t b;
	int32_t limit; /* at least 0, or TED_NO_LIMIT */
} TedPair;

/* Pairs to compute; both arrays are the caller's and stay until poll says that it is done. */
typedef struct TedBatch
{
	const TedPair *pairs;
	int32_t *distances; /* written: the distance, or TED_BEYOND where it is above the limit */
	int64_t count;
	TedCosts costs; /* these must fit every pair, see ted_costs_fit() */

	/*
	 * NULL, or for a batch of one pair on a GPU, written: the distances between all
	 * pairs of subtrees, see ted_subtrees_int16()
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
	 * Hands over trees, which get the numbers from 0 in the order of all
	 * uploads.  They are the caller's and stay until close or forget.
	 */
	TedEngineStatus (*upload)(TedEngine *engine, const TedTree *trees, int32_t count);

	/* Forgets all trees but the first ones, so that their numbers are given again. */
	void (*forget)(TedEngine *engine, int32_t count);

	/* Submits a batch; only one may be under way. */
	TedEngineStatus (*submit)(TedEngine *engine, const TedBatch *batch);

	/* Works on, or checks the work under way, for at most some milliseconds between interrupts. */
	TedEngineStatus (*poll)(TedEngine *engine);

	/* Pairs of the batch under way that have their distances; NULL where that is not known. */
	int64_t (*computed)(const TedEngine *engine);

	/* Scratch memory in bytes of the pair that was refused with TED_ENGINE_MEMORY_LIMIT. */
	size_t (*memory_needed)(const TedEngine *engine, TedPair *pair);

	/* Cancels the batch under way; the trees stay. */
	void (*cancel)(TedEngine *engine);

	/* Frees everything. */
	void (*close)(TedEngine *engine);
} TedEngineMethods;

/* The engine that runs everywhere, on the calling thread. */
extern const TedEngineMethods ted_cpu_engine;

/* The engine that sends batches to a GPU, and declines what that one cannot compute. */
extern const TedEngineMethods ted_gpu_engine;

#endif /* TED_ENGINE_H */
