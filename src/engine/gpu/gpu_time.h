/*
 * gpu_time.h
 *	  Predicts the time of work on a GPU: opening + cells / rate + bytes / rate.
 *
 * The prediction decides whether a GPU gets the work, so it has to be right where a GPU begins to
 * pay; larger work takes much less time on a GPU anyway.  This file does not depend on PostgreSQL.
 */
#ifndef TED_GPU_TIME_H
#define TED_GPU_TIME_H

#include "../engine.h"

/* Kinds of work, each computed by kernels of its own. */
typedef enum TedFamily
{
	TED_TREES,          /* batches of pairs of trees */
	TED_LONG_STRINGS,   /* pairs of strings, one by one */
	TED_STRING_BATCHES, /* a string and many texts, side by side */
	TED_MEASURED_FAMILIES,
	TED_JOIN = TED_MEASURED_FAMILIES, /* whole joins, which take too long to be measured */
	TED_FAMILIES
} TedFamily;

/* What a GPU takes for a family of work. */
typedef struct TedRate
{
	double opening; /* seconds of the smallest work */
	double cells_per_second;
	double bytes_per_second; /* from the host's arrays to the device's kernels */
} TedRate;

/* The rates of an NVIDIA H100, which has this number of multiprocessors. */
extern const TedRate ted_default_rates[TED_FAMILIES];
#define TED_DEFAULT_PROCESSORS 132

/* Work on a GPU; all zeros at first. */
typedef struct TedGpuWork
{
	double further; /* openings besides the first one */
	double cells;
	double alone; /* cells that the GPU could compute until the longest pair is done */
	double bytes;
} TedGpuWork;

/* Predicts the seconds of some work. */
extern double ted_gpu_seconds(const TedRate *rate, const TedGpuWork *work);

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

/* Adds a pair of trees. */
extern void ted_gpu_add_pair(TedGpuWork *work, const TedTree *a, const TedTree *b,
							 const TedCosts *costs, int32_t limit);

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
 * Predict the seconds of a batch of strings, by the rates of all families.  The time on the CPU is
 * a minimum for strings that have little in common.
 */
extern double ted_cpu_strings_seconds(const TedStringsSize *size);
extern double ted_gpu_strings_seconds(const TedRate *rates, const TedStringsSize *size);

/* Returns the number of pairs with a pattern of m symbols that a GPU computes at the same time. */
extern int ted_gpu_pairs_at_once(double m);

#endif /* TED_GPU_TIME_H */
