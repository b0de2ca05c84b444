/*
 * gpu_levels.h
 *	  X-TED's experiments: what gpu_levels runs.
 */
#ifndef TED_TEST_GPU_GPU_LEVELS_H
#define TED_TEST_GPU_GPU_LEVELS_H

#include <stdio.h>

#include "card.h"
#include "levels.h"

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

#endif /* TED_TEST_GPU_GPU_LEVELS_H */
