/*
 * levels.h
 *	  Tree edit distance level by level, with a launch for each level: the baseline of the tree
 *	  benchmark.
 *
 * An implementation of X-TED (Fan et al., PVLDB 17(7), 2024), written from its equations:
 * see levels.cu.
 */
#ifndef TED_BENCH_GPU_LEVELS_H
#define TED_BENCH_GPU_LEVELS_H

#ifdef __cplusplus
extern "C"
{
#endif

#include "../xted_model.h"

/* Threads of a block. */
#define LEVELS_BLOCK TED_THREADS_BLOCK

/* The most blocks that share a table. */
#define LEVELS_MOST_BLOCKS 16

	/* A pair on the device. */
	typedef struct Levels Levels;

	/*
	 * Copies a pair to the device and sorts its tables by level and by way: a
	 * table of r x c cells is computed by a warp from r c = warp^2 on, and
	 * likewise by a block and by several.  NULL where the device has not enough
	 * memory.
	 */
	extern Levels *levels_create(const TedTree *a, const TedTree *b, TedCosts costs,
								 const TedThresholds *thresholds);
	extern void levels_free(Levels *levels);

	/* Computes the distance; the time is that of the kernels. */
	extern int32_t levels_run(Levels *levels, double *seconds);

	/*
	 * Returns the time of the table of the two roots after levels_run(), in seconds: by a
	 * thread, a warp or a block of `threads` threads, or by `blocks` blocks.
	 */
	extern double levels_table_seconds(Levels *levels, int32_t threads, int32_t blocks);

	/* Returns the bytes of device memory that are taken. */
	extern int64_t levels_memory(const Levels *levels);

	/* Returns the number of kernels that levels_run() launches. */
	extern int32_t levels_launches(const Levels *levels);

#ifdef __cplusplus
}
#endif

#endif /* TED_BENCH_GPU_LEVELS_H */
