/*
 * lcs_pair.h
 *	  Length of the longest common subsequence of one long pair, on a GPU.
 */
#ifndef TED_CUDA_STRING_LCS_PAIR_H
#define TED_CUDA_STRING_LCS_PAIR_H

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

extern "C"
{
#include "../../src/engine/lcs_tile.h"
}

/* Value that marks a length where the host has cancelled. */
constexpr int32_t LCS_CANCELLED = -1;

/*
 * A pair in device memory.  Symbols are numbers from 0 to below `codes`, of 1
 * or 4 bytes; what they are does not matter, so that byte strings may come as
 * they are.  The rows of the table are the symbols of a, the columns those of b.
 */
struct LcsDevicePair
{
	const void *a;
	const void *b;
	int32_t m;
	int32_t n;
	int symbol_bytes;
	int32_t codes;
};

/* How a pair is computed. */
struct LcsPairPlan
{
	int words;          /* of V, a thread: 1, 2 or 4 */
	int batch;          /* columns whose carries go from lane to lane at once: 4 or 8 */
	int tables;         /* of match vectors, 1 or 2 */
	int warps;          /* a block */
	int blocks;         /* a half of the columns */
	int low_bits;       /* of a symbol, for the first of two tables */
	int symbol_words;   /* of a bit a symbol where a warp numbers those of its rows, else 0 */
	int32_t table_rows; /* of a warp's match vectors */
	size_t shared;      /* bytes of a block */
};

/* Fills in what follows from words, batch, tables and the most warps; false where it does not fit.
 */
extern bool lcs_pair_fit(const LcsDevicePair &pair, const cudaDeviceProp &device, int most_warps,
						 LcsPairPlan *plan);

/* The batches that there are. */
constexpr int LCS_BATCHES = 2;
constexpr int lcs_batches[LCS_BATCHES] = {4, 8};

/* The tables of match vectors that there may be. */
constexpr int LCS_TABLES = 2;

/* Batches that a lane is behind the one before it: with two, it need not wait for a shuffle. */
constexpr int LCS_LAG = 2;

/* A plan, as the model of its time has it. */
extern LcsTile lcs_pair_tile(const LcsPairPlan &plan);

/* Predicted seconds. */
extern double lcs_pair_time(const LcsDevicePair &pair, const LcsPairPlan &plan,
							const LcsTileModel &model);

/*
 * The plan that a model predicts to be the fastest; false where none fits.
 * Which string has the rows matters to the time, but is left to the caller.
 */
extern bool lcs_pair_plan(const LcsDevicePair &pair, const cudaDeviceProp &device,
						  const LcsTileModel &model, LcsPairPlan *plan);

/* Device memory in bytes that a pair takes beside its strings. */
extern size_t lcs_pair_memory(const LcsDevicePair &pair, const LcsPairPlan &plan);

/*
 * Starts computing a length.  `cancel` is a word of device memory or NULL; once it
 * is not 0 it has to stay so until all is done, and the length may then be
 * LCS_CANCELLED.
 */
extern cudaError_t lcs_pair_launch(const LcsDevicePair &pair, const LcsPairPlan &plan, void *memory,
								   int32_t *length, const volatile int *cancel,
								   cudaStream_t stream);

#endif /* TED_CUDA_STRING_LCS_PAIR_H */
