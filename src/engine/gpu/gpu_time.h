/*
 * gpu_time.h
 *	  Estimates the time of a batch on a GPU from times measured on it.
 *
 * The estimates for batches of trees and of strings decide whether a batch is sent to the GPU. This
 * file does not depend on PostgreSQL.
 */
#ifndef TED_GPU_TIME_H
#define TED_GPU_TIME_H

#include "device.h"

/* Threads of a warp and of a block as workers. */
#define TED_THREADS_WARP 32
#define TED_THREADS_BLOCK 256

/* Times for a device that has not been measured, which are those of an NVIDIA H100. */
extern const TedCalibration ted_default_calibration;
#define TED_DEFAULT_PROCESSORS 132

/*
 * Returns the lanes of the strip for k insertions and deletions: 8, 16 or 32, with one lane for
 * each diagonal; 0 if there are too many diagonals.
 */
extern int32_t ted_gpu_strip_lanes(int32_t size_a, int32_t size_b, int64_t k);

/*
 * Estimates the rows of all forest tables of a strip, where the subtrees of the key roots of `a`
 * have `nodes` nodes in all.  The estimate is measured on pairs of similar size that are mostly
 * beyond the limit; similar trees have more rows.
 */
extern double ted_gpu_strip_rows(const TedTree *a, const TedTree *b, double nodes, int64_t k);

/* Estimate of a batch, to which pairs are added. */
typedef struct TedGpuEstimate
{
	const TedCalibration *calibration;
	int32_t processors;
	double work[4];    /* thread seconds of all pairs, by the kind of worker */
	double longest[4]; /* seconds of the longest pair, by the kind of worker */
	double cells;      /* table cells of pairs that are not computed by strips */
} TedGpuEstimate;

/* Adds the estimate of a pair. */
extern void ted_gpu_estimate_pair(TedGpuEstimate *estimate, const TedTree *a, const TedTree *b,
								  const TedCosts *costs, int32_t limit);

/* Estimates the seconds of the pairs added, and of the transfer of `bytes` bytes. */
extern double ted_gpu_estimate_seconds(const TedGpuEstimate *estimate, double bytes);

/* Size of a batch of strings: a pattern of m symbols, and texts, none of them empty. */
typedef struct TedStringsSize
{
	double m;
	double count;
	double symbols;   /* of all texts */
	int symbol_bytes; /* bytes of a symbol of a text: 1 for bytes sent as they are, otherwise 4 */
	bool positions;   /* whether the subsequence itself is wanted */
	double skipped;   /* part of the pairs of symbols that the CPU skips */
} TedStringsSize;

/*
 * Estimate the seconds of a batch of strings.  The estimate for the CPU is a minimum for strings
 * that have little in common.
 */
extern double ted_cpu_strings_seconds(const TedStringsSize *size);
extern double ted_gpu_strings_seconds(const TedStringsSize *size);

/* Returns the number of pairs with a pattern of m symbols that a GPU computes at the same time. */
extern int ted_gpu_pairs_at_once(double m);

#endif /* TED_GPU_TIME_H */
