/*
 * device_lcs_pair.h
 *	  Length of the longest common subsequence of one long pair, on a GPU.
 */
#ifndef TED_DEVICE_LCS_PAIR_H
#define TED_DEVICE_LCS_PAIR_H

#include <cuda_runtime_api.h>

extern "C"
{
#include "../../src/engine/lcs_tile.h"
}
#include "lcs_plan.h"

/* Value that marks a length where the host has cancelled. */
constexpr int32_t LCS_CANCELLED = -1;

/* Fills in what follows from words, batch, tables and the most warps; false where it does not fit.
 */
extern bool lcs_pair_fit(const LcsDevicePair &pair, const cudaDeviceProp &device, int most_warps,
						 LcsPairPlan *plan);

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
extern size_t lcs_device_pair_memory(const LcsDevicePair &pair, const LcsPairPlan &plan);

/*
 * Starts computing a length.  `cancel` is a word of device memory or NULL; once it
 * is not 0 it must stay so until all is done, and the length may then be
 * LCS_CANCELLED.
 */
extern cudaError_t lcs_pair_launch(const LcsDevicePair &pair, const LcsPairPlan &plan, void *memory,
								   int32_t *length, const volatile int *cancel,
								   cudaStream_t stream);

#endif /* TED_DEVICE_LCS_PAIR_H */
