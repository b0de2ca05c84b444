/*
 * memory.cc
 *	  Memory of a device and of the host.
 */
#include "memory.h"

/* Makes room for at least this number of bytes; the contents are lost if the block grows. */
cudaError_t
Block::reserve(int64_t bytes)
{
	cudaError_t status;

	if (bytes <= size)
		return cudaSuccess;
	free();
	if (budget != nullptr && budget->used + bytes > budget->limit)
		return cudaErrorMemoryAllocation;
	status = budget != nullptr ? cudaMalloc(&memory, (size_t) bytes)
							   : cudaMallocHost(&memory, (size_t) bytes);
	if (status != cudaSuccess)
	{
		cudaGetLastError(); /* clear the error: running out of memory is not sticky */
		memory = nullptr;
		return status;
	}
	size = bytes;
	if (budget != nullptr)
		budget->used += bytes;
	return cudaSuccess;
}

/* Frees the block. */
void
Block::free()
{
	if (memory == nullptr)
		return;
	if (budget != nullptr)
	{
		cudaFree(memory);
		budget->used -= size;
	}
	else
		cudaFreeHost(memory);
	memory = nullptr;
	size = 0;
}
