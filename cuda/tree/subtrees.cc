/*
 * subtrees.cc
 *	  Transfers distances between subtrees to the host.
 */
#include <algorithm>
#include <cstring>

#include "../common/card_tuning.h"
#include "subtrees.h"

/* Begins the transfer of a matrix. */
cudaError_t
SubtreeTransfer::begin(const char *device, size_t pitch, size_t row_bytes, int32_t rows, char *host,
					   cudaStream_t stream)
{
	this->device = device;
	this->pitch = pitch;
	this->row_bytes = row_bytes;
	this->rows = rows;
	this->host = host;
	return fetch(stream);
}

/* Starts to copy the next rows on the stream. */
cudaError_t
SubtreeTransfer::fetch(cudaStream_t stream)
{
	cudaError_t status;

	count = (int32_t) std::min((size_t) rows, std::max(SUBTREE_BYTES / row_bytes, (size_t) 1));
	status = staging.reserve((int64_t) (count * row_bytes));
	if (status != cudaSuccess)
		return status;
	return cudaMemcpy2DAsync(staging.as<void>(), row_bytes, device, pitch, row_bytes,
							 (size_t) count, cudaMemcpyDeviceToHost, stream);
}

/* Copies the rows that have arrived to their place, and starts to transfer the next ones. */
cudaError_t
SubtreeTransfer::go_on(cudaStream_t stream, bool &more)
{
	more = rows > count;
	if (rows == 0)
		return cudaSuccess;
	std::memcpy(host, staging.as<void>(), count * row_bytes);
	host += count * row_bytes;
	device += count * pitch;
	rows -= count;
	return more ? fetch(stream) : cudaSuccess;
}
