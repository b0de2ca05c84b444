/*
 * model.h
 *	  Estimated time of a batch on a GPU, from times measured on it.
 *
 * The model is of batches of trees and of strings; it decides whether a batch is sent
 * to the GPU.  It knows nothing of PostgreSQL.
 */
#ifndef TED_MODEL_H
#define TED_MODEL_H

#include "device.h"

/* Threads of the workers. */
#define TED_THREADS_WARP 32
#define TED_THREADS_BLOCK 256

/* Times assumed for a device that has not been measured: those of an NVIDIA H100. */
extern const TedCalibration ted_default_calibration;
#define TED_DEFAULT_PROCESSORS 132

/*
 * Strips, which compute pairs up to a limit, have 8, 16 or 32 lanes, one for each
 * diagonal: those for k insertions and deletions, or 0 where these are too many.
 */
extern int32_t ted_gpu_strip_lanes(int32_t size_a, int32_t size_b, int64_t k);

/*
 * Estimated rows of all forest tables of a strip where the subtrees of the key roots
 * of a have this number of nodes; as measured on pairs of similar size that are mostly
 * beyond the limit, similar trees have more.
 */
extern double ted_gpu_strip_rows(const TedTree *a, const TedTree *b, double nodes, int64_t k);

/* A batch as it is estimated: add pair by pair. */
typedef struct TedGpuEstimate
{
	const TedCalibration *calibration;
	int32_t processors;
	double work[4];    /* thread seconds, by the kind of worker that computes the pairs */
	double longest[4]; /* seconds of the pair that takes longest */
	double cells;      /* of the tables of pairs that are not computed by strips */
} TedGpuEstimate;

extern void ted_gpu_estimate_pair(TedGpuEstimate *estimate, const TedTree *a, const TedTree *b,
								  const TedCosts *costs, int32_t limit);

/* Seconds that the pairs added take, with this number of bytes transferred. */
extern double ted_gpu_estimate_seconds(const TedGpuEstimate *estimate, double bytes);

/* A batch of strings as it is estimated: a pattern of m symbols and texts, none of them empty. */
typedef struct TedStringsSize
{
	double m;
	double count;
	double symbols;   /* of all texts */
	int symbol_bytes; /* 1 where they are bytes as they come, else 4 */
	bool positions;   /* the subsequence itself is wanted */
	double skipped;   /* part of the pairs of symbols that a CPU need not look at */
} TedStringsSize;

/*
 * Seconds that such a batch takes on a CPU at least where its strings have little
 * in common, and on a GPU.
 */
extern double ted_cpu_strings_seconds(const TedStringsSize *size);
extern double ted_gpu_strings_seconds(const TedStringsSize *size);

/* How many pairs with a pattern of m symbols a GPU computes at the same time. */
extern int ted_gpu_pairs_at_once(double m);

#endif /* TED_MODEL_H */
