/*
 * engine.h
 *	  Batches of pairs of trees, and the CPU, which computes them.
 *
 * This file does not depend on PostgreSQL.  A GPU computes the same integers, see gpu.h.
 */
#ifndef TED_ENGINE_H
#define TED_ENGINE_H

#include "../core/tree/ted.h"

/* In place of the distance of a declined pair. */
#define TED_NO_DISTANCE (-1)

typedef enum TedEngineStatus
{
	TED_ENGINE_DONE = 0, /* every pair submitted has its distance */
	TED_ENGINE_DECLINED, /* each pair has its distance, or TED_NO_DISTANCE */
	TED_ENGINE_BUSY,     /* call poll again */
	TED_ENGINE_CANCELLED,
	TED_ENGINE_MEMORY_LIMIT, /* a pair needs more than memory_limit */
	TED_ENGINE_OUT_OF_MEMORY,
	TED_ENGINE_OUT_OF_TURN /* the previous range of a join has not been fetched */
} TedEngineStatus;

/* Memory and interrupts that the host provides. */
typedef struct TedEngineHost
{
	void *(*allocate)(void *arg, size_t bytes); /* returns NULL where there is no memory */
	void (*release)(void *arg, void *block);
	void *arg;
	size_t memory_limit; /* bytes of scratch memory that one pair may take */
	TedInterrupt interrupt;
} TedEngineHost;

/* One pair, by the numbers of its trees. */
typedef struct TedPair
{
	int32_t a;
	int32_t b;
	int32_t limit; /* at least 0, or TED_NO_LIMIT */
} TedPair;

/* Pairs of trees to compute; all arrays are the caller's and stay until the batch is done. */
typedef struct TedBatch
{
	const TedTree *const *trees; /* by number; a device gets them before, see device.h */
	int32_t tree_count;
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

/* Counts of the work of a session's GPUs. */
typedef struct EngineCounts
{
	int64_t gpu_batches;
	int64_t fallbacks; /* pairs that the GPU declined and the CPU computed */
	int64_t refused;   /* batches computed on the CPU because too many backends had a GPU context */
} EngineCounts;

/* The CPU as the host uses it; all zeros but for the host at first. */
typedef struct TedCpu
{
	TedEngineHost host;
	TedArena arena;   /* passed by copy, so that it stays empty */
	int64_t computed; /* pairs before this one of the batch under way have their distances */

	/* after TED_ENGINE_MEMORY_LIMIT: the pair that was refused, and the bytes that it needs */
	TedPair refused;
	size_t needed;
} TedCpu;

/* Computes a batch. */
extern TedEngineStatus ted_cpu_compute(TedCpu *cpu, const TedBatch *batch);

/* Frees the memory that batches have taken. */
extern void ted_cpu_close(TedCpu *cpu);

#endif /* TED_ENGINE_H */
