/*
 * xted_model.h
 *	  X-TED's model of the time that square tables take on a GPU: where one way of computing a
 *	  table overtakes another (Fan et al., PVLDB 17(7), 2024).
 */
#ifndef TED_BENCH_XTED_MODEL_H
#define TED_BENCH_XTED_MODEL_H

#include <stdint.h>

/* Threads of a warp and of a block as workers. */
#define TED_THREADS_WARP 32
#define TED_THREADS_BLOCK 256

/* Seconds of a cell, by one thread, and of the synchronisation after it. */
typedef struct TedSteps
{
	double unit;
	double sync_warp;
	double sync_block;
	double sync_multi; /* several blocks */
} TedSteps;

/* Measured on an NVIDIA H100, as the paper does on its own card. */
extern const TedSteps ted_xted_steps;

/*
 * Seconds that a worker of `threads` takes for a table of n x n cells, which it
 * computes along anti-diagonals of strips of as many rows, where `cell` is the time
 * of a step: a cell and the synchronisation after it.  A worker of 1 is a thread.
 */
extern double ted_xted_seconds(double n, double threads, double cell);

/* A worker as that model sees it. */
typedef struct TedWorker
{
	double threads;
	double cell;
} TedWorker;

/*
 * The size from which the second worker, which has more threads and the longer
 * steps, is faster than the first; INFINITY where the two never cross.
 */
extern double ted_xted_crossing(TedWorker small, TedWorker large);

/* Where the four ways of computing a table overtake one another; INFINITY for nowhere. */
typedef struct TedThresholds
{
	double warp;    /* from here on a warp is faster than a thread */
	double block;   /* a block than a warp */
	double multi;   /* several blocks than one */
	int32_t blocks; /* how many; 0 for nowhere */
} TedThresholds;

/* The same for a device on which `most_blocks` blocks run at once. */
extern TedThresholds ted_xted_thresholds(const TedSteps *steps, int32_t most_blocks);

/* Number of blocks, 2 to `most`, with which a table of n x n cells takes the least time. */
extern int32_t ted_xted_blocks(const TedSteps *steps, double n, int32_t most);

#endif /* TED_BENCH_XTED_MODEL_H */
