/*
 * strip.cu
 *	  The kernel of strips.
 *
 * It is persistent: groups of lanes fetch pairs from a queue.
 */
#include "strip.cuh"

/* Blocks on a multiprocessor for which registers must suffice. */
constexpr int STRIP_RESIDENT = 8;

/* Computes pairs by groups of LANES lanes. */
template <int LANES>
static __global__ void
__launch_bounds__(STRIP_BLOCK, STRIP_RESIDENT) strips(const StripWork work)
{
	compute_strips<LANES>(work, (int) (blockIdx.x * STRIP_BLOCK + threadIdx.x));
}

/* Returns the kernel for rows of this number of lanes. */
static const void *
strip_kernel(StripLanes width)
{
	switch (width)
	{
		case STRIP_8:
			return (const void *) strips<8>;
		case STRIP_16:
			return (const void *) strips<16>;
		default:
			return (const void *) strips<32>;
	}
}

/* Returns the number of blocks that run at once. */
cudaError_t
strip_resident_blocks(StripLanes width, const cudaDeviceProp &properties, int *blocks)
{
	cudaError_t status =
		cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, strip_kernel(width), STRIP_BLOCK, 0);

	*blocks *= properties.multiProcessorCount;
	return status;
}

/* Launches the kernel. */
cudaError_t
strip_launch(StripLanes width, const StripWork &work, int blocks, cudaStream_t stream)
{
	void *arguments[] = {(void *) &work};

	return cudaLaunchKernel(strip_kernel(width), blocks, STRIP_BLOCK, arguments, 0, stream);
}
