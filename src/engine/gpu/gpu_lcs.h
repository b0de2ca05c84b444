/*
 * gpu_lcs.h
 *	  Computes longest common subsequences on the GPU of this backend.
 */
#ifndef TED_GPU_LCS_H
#define TED_GPU_LCS_H

#include "postgres.h"

#include "../string_batch.h"
#include "device.h"
#include "gpu_context.h"

/* Computes TedDeviceStrings by GpuRun(), on the GPU of this backend. */
extern const GpuWork gpu_lcs_work;

/* Whether a batch goes to the GPU; opens a context if so. */
extern bool GpuTakesStrings(const StringBatch *batch);

/*
 * Computes a batch on the GPU; returns false if the GPU declines it.  All lengths are computed,
 * even those below `least`.  Bytes must be one-byte characters of the database encoding; a text
 * with others gets TED_NO_LENGTH.
 */
extern bool GpuComputeStrings(const StringBatch *batch);

#endif /* TED_GPU_LCS_H */
