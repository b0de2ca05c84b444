/*
 * gpu_lcs.h
 *	  Longest common subsequences by the GPU of this backend.
 */
#ifndef TED_GPU_LCS_H
#define TED_GPU_LCS_H

#include "postgres.h"

#include "device.h"
#include "string_batch.h"

/* Whether the GPU is to compute a batch; opens a context where that pays. */
extern bool GpuTakesStrings(const StringBatch *batch);

/*
 * Computes a batch on the GPU; false where the GPU declines it.  All lengths are
 * computed, whether they are below `least` or not.  Bytes are characters of the
 * database's encoding; where they are not, the length is TED_NO_LENGTH.
 */
extern bool GpuComputeStrings(const StringBatch *batch);

#endif /* TED_GPU_LCS_H */
