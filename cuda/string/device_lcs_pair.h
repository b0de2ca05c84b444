/*
 * device_lcs_pair.h
 *	  Length of the longest common subsequence of one long pair, on a GPU.
 */
#ifndef TED_DEVICE_LCS_PAIR_H
#define TED_DEVICE_LCS_PAIR_H

#include <cuda_runtime_api.h>

#include "lcs_plan.h"

/* A length that was not computed, since the host has cancelled. */
constexpr int32_t LCS_CANCELLED = -1;

/*
 * Completes a plan whose words, batch and tables are set, with no more than `most_warps` warps
 * in a block; returns false if it does not fit the device.
 */
extern bool lcs_pair_fit(const LcsDevicePair &pair, const cudaDeviceProp &device, int most_warps,
						 LcsPairPlan *plan);

/*
 * Finds the plan that is predicted to be the fastest; returns false if none fits.  The time also
 * depends on which string has the rows, which the caller chooses.
 */
extern bool lcs_pair_plan(const LcsDevicePair &pair, const cudaDeviceProp &device,
						  LcsPairPlan *plan);

/* Returns the bytes of device memory that a pair takes besides its strings. */
extern size_t lcs_device_pair_memory(const LcsDevicePair &pair, const LcsPairPlan &plan);

/*
 * Starts to compute a length.  `cancel` is a word of device memory or NULL; once it is not 0 it
 * must stay so until all kernels have ended, and the length may then be LCS_CANCELLED.
 */
extern cudaError_t lcs_pair_launch(const LcsDevicePair &pair, const LcsPairPlan &plan, void *memory,
								   int32_t *length, const volatile int *cancel,
								   cudaStream_t stream);

#endif /* TED_DEVICE_LCS_PAIR_H */
