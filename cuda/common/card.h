/*
 * card.h
 *	  What a card runs at once.
 */
#ifndef TED_CARD_H
#define TED_CARD_H

#include <cuda_runtime.h>

/* Returns the number of blocks that run at once with this number of bytes of shared memory each. */
static inline cudaError_t
resident_blocks(const void *kernel, int threads, size_t shared_bytes,
				const cudaDeviceProp &properties, int *blocks)
{
	cudaError_t status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
											  (int) shared_bytes);

	*blocks = 0;
	if (status == cudaSuccess)
		status =
			cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, shared_bytes);
	*blocks *= properties.multiProcessorCount;
	return status;
}

#endif /* TED_CARD_H */
