/*
 * tables.cu
 *	  The kernel of exact tree edit distance where all labels cost the same, and launches of
 *	  kernels for tables.
 */
#include "../common/card.h"
#include "jobs.cuh"

/* Returns the kernel for costs that are the same for all labels, or differ by label. */
static const void *
table_kernel_function(const Kernel &kernel)
{
	return kernel.by_label ? label_kernel(kernel) : kernel_by_costs<false>(kernel);
}

/* Returns the bytes of shared memory of a block with this number of bytes of kept rows. */
static size_t
table_shared_bytes(const Kernel &kernel, size_t kept_bytes)
{
	const Shape &shape = SHAPES[kernel.width];

	return kept_bytes +
		   column_bytes(shape.workers() * shape.columns(), cell_bytes(kernel.wide_cells));
}

/*
 * Returns the greatest number of bytes of kept rows of a worker if its block has a
 * multiprocessor to itself.
 */
int64_t
kept_bytes_at_most(const Kernel &kernel, const cudaDeviceProp &properties)
{
	return ((int64_t) properties.sharedMemPerBlockOptin - (int64_t) table_shared_bytes(kernel, 0) -
			EXCHANGE_BYTES) /
		   SHAPES[kernel.width].workers();
}

/* Returns the number of blocks that run at once with this number of bytes of kept rows each. */
cudaError_t
table_resident_blocks(const Kernel &kernel, size_t kept_bytes, const cudaDeviceProp &properties,
					  int *blocks)
{
	return resident_blocks(table_kernel_function(kernel), SHAPES[kernel.width].block,
						   table_shared_bytes(kernel, kept_bytes), properties, blocks);
}

/* Launches a kernel. */
cudaError_t
launch(const Kernel &kernel, const Work &work, const LabelTable &labels, int blocks,
	   size_t kept_bytes, cudaStream_t stream)
{
	void *arguments[] = {(void *) &work, (void *) &labels};

	return cudaLaunchKernel(table_kernel_function(kernel), blocks, SHAPES[kernel.width].block,
							arguments, table_shared_bytes(kernel, kept_bytes), stream);
}
