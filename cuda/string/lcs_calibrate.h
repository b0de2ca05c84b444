/*
 * lcs_calibrate.h
 *	  Measures the costs of one long pair on a GPU.
 */
#ifndef TED_LCS_CALIBRATE_H
#define TED_LCS_CALIBRATE_H

#include <cstddef>

#include <cuda_runtime_api.h>

extern "C"
{
#include "../../src/engine/gpu/lcs_tile.h"
}

/* Returns the bytes of device memory that the measurement takes. */
extern size_t lcs_calibrate_memory();

/*
 * Measures the costs of the model that lcs_pair_plan() uses, by some dozens of pairs of about a
 * millisecond each.
 */
extern cudaError_t lcs_calibrate(const cudaDeviceProp &device, void *memory, cudaStream_t stream,
								 LcsTileModel *model);

#endif /* TED_LCS_CALIBRATE_H */
