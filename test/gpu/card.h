/*
 * card.h
 *	  Common functions of the programs that compare trees on a card.
 */
#ifndef TED_TEST_GPU_CARD_H
#define TED_TEST_GPU_CARD_H

#include "../../src/engine/gpu/device.h"

/* The module, and the device that it has opened. */
extern const TedDeviceModule *module;
extern TedDevice *device;

/* A setting of the planner: whether blocks may share a pair. */
extern bool ted_gpu_may_share;

/* Opens the device with a limit of its memory in bytes, or ends the program. */
extern void open_device(int64_t memory_limit);
#define USUAL_MEMORY ((int64_t) 40 << 30)

/* Ends the program where a call of the module fails. */
extern void check_status(TedDeviceStatus status, const char *what);

/* Returns the time of the wall clock in seconds. */
extern double now(void);

/* Returns the median of times, which are sorted. */
extern double median(double *times, int count);

/* Returns the number of cells of a pair. */
extern double cells_of(const TedTree *a, const TedTree *b);

/* Reads up to `most` trees of a file, one on each line; returns their number. */
extern int32_t read_file(const char *path, TedTree *trees, int32_t most);

/* Runs a batch on the device; returns the seconds it took. */
extern double run_to_end(TedDeviceTrees *trees, const TedBatch *batch);

/* Sends costs by label of trees to the device, those of the first ones in a call before. */
extern void send_label_costs(TedDeviceTrees *set, const TedTree *const *trees, int32_t count,
							 int32_t before, const TedCosts *costs);

/* Computes pairs on the device; returns the seconds it took. */
extern double compute(TedDeviceTrees *trees, const TedPair *pairs, int64_t count, TedCosts costs,
					  int32_t *distances);

/*
 * Returns the median time of the kernels for a pair in seconds, and the memory taken; checks
 * the distance.
 */
extern double pair_seconds(const TedTree *const *pair, int32_t expected, int64_t *memory);

/* Computes all pairs by the core, in several threads. */
#define REFERENCE_THREADS 16
extern void reference(const TedTree **trees, const TedPair *pairs, int64_t count, TedCosts costs,
					  int32_t *distances);

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

#endif /* TED_TEST_GPU_CARD_H */
