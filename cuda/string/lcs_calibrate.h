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
#include "../../src/engine/lcs_tile.h"
}

/* Device memory in bytes that measuring takes. */
extern size_t lcs_calibrate_memory();

/*
 * Sets the costs that lcs_pair_plan() asks for, from some dozens of pairs of
 * about a millisecond.
 */
extern cudaError_t lcs_calibrate(const cudaDeviceProp &device, void *memory, cudaStream_t stream,
								 LcsTileModel *model);

#endif /* TED_LCS_CALIBRATE_H */
