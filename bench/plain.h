/*
 * plain.h
 *	  The textbook algorithm, as the baseline of the benchmark.
 */
#ifndef TED_BENCH_PLAIN_H
#define TED_BENCH_PLAIN_H

#include "../src/core/tree/ted.h"

/* Tree edit distance with unit costs by Zhang and Shasha, of trees as they are. */
extern int32_t plain_distance(const TedTree *a, const TedTree *b);

#endif /* TED_BENCH_PLAIN_H */
