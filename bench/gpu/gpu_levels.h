/*
 * gpu_levels.h
 *	  X-TED's experiments: what gpu_levels runs.
 */
#ifndef TED_BENCH_GPU_GPU_LEVELS_H
#define TED_BENCH_GPU_GPU_LEVELS_H

#include <stdio.h>

#include "../../test/gpu/card.h"
#include "levels.h"

/* A setting of the planner: whether blocks may share a pair. */
extern bool ted_gpu_may_share;

/* Returns the time of the wall clock in seconds. */
extern double now(void);

/* Returns the median of times, which are sorted. */
extern double median(double *times, int count);

/* Reads up to `most` trees of a file, one on each line; returns their number. */
extern int32_t read_file(const char *path, TedTree *trees, int32_t most);

/*
 * Returns the median time of the kernels for a pair in seconds, and the memory taken; checks
 * the distance.
 */
extern double pair_seconds(const TedTree *const *pair, int32_t expected, int64_t *memory);

/* Returns trees by number, for a batch. */
extern const TedTree **tree_list(const TedTree *trees, int32_t count);

/* Computes a batch by the CPU engine, on this thread; returns the seconds it took. */
extern double compute_on_cpu(const TedTree *trees, int32_t tree_count, const TedPair *pairs,
							 int64_t count, int32_t *distances);

/* Random pairs of trees, and their distances. */
typedef struct SampleBatch
{
	TedTree *trees;
	const TedTree **pointers; /* pointers to the trees */
	int32_t tree_count;
	TedPair *pairs;
	int32_t *expected;
	int64_t count;
	double cells;
	double cpu; /* seconds of REFERENCE_THREADS threads */
} SampleBatch;

/* Makes `count` pairs of the trees of files. */
extern SampleBatch sample_batch(int64_t count, char **paths, int files);

/* Returns the median time of a pair by levels, in seconds; checks the distance. */
extern double levels_seconds(Levels *levels, int32_t expected);

/* Opens a file of build/bench for further rows. */
extern FILE *open_csv(const char *name);

/*
 * Prints the sizes from which on one way to compute a table is faster than another, by the
 * model and measured.
 */
extern int run_crossings(void);

/*
 * Computes a batch of `count` pairs of trees of the files, with less and less of the device's
 * memory.
 */
extern int run_limits(int64_t count, char **paths, int files);

#endif /* TED_BENCH_GPU_GPU_LEVELS_H */
