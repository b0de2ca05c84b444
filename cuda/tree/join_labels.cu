/*
 * join_labels.cu
 *	  Ranks the labels of a join by their numbers of nodes, and sorts those of each tree by
 *	  rank.
 */
#include <cub/device/device_radix_sort.cuh>

#include "device.cuh"
#include "join_work.h"

/* Threads of a block. */
constexpr int THREADS = 256;

/* Returns the number of blocks that have a thread for each item. */
static unsigned
blocks_for(int64_t items)
{
	return (unsigned) ((items + THREADS - 1) / THREADS);
}

/* Counts the nodes of trees by label, a warp for each tree. */
static __global__ void
count_labels(const JoinTree *trees, int32_t count, uint32_t *nodes)
{
	const int64_t number = ((int64_t) blockIdx.x * THREADS + threadIdx.x) / WARP;

	if (number < count)
		for (int x = (int) threadIdx.x % WARP; x < trees[number].size; x += WARP)
			atomicAdd(&nodes[trees[number].postorder[x]], 1u);
}

/* Writes the numbers of all labels in ascending order. */
static __global__ void
number_labels(int32_t *labels, int32_t count)
{
	const int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;

	if (i < count)
		labels[i] = (int32_t) i;
}

/* Sets the ranks of sorted labels. */
static __global__ void
set_ranks(const int32_t *labels, const JoinRanks ranks)
{
	const int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;

	if (i < ranks.count)
		ranks.rank[labels[i]] = (int32_t) i + 1;
}

/*
 * Ranks labels in ascending order of their numbers of nodes; labels with equal numbers are
 * ranked by label.
 */
cudaError_t
join_rank(void *scratch, size_t &bytes, const JoinTree *trees, int32_t count,
		  const JoinRanks &ranks, cudaStream_t stream)
{
	const size_t labels = (size_t) ranks.count;
	uint32_t *nodes = (uint32_t *) scratch;
	int32_t *numbers = (int32_t *) (nodes + 2 * labels);
	size_t sort_bytes = bytes - 4 * labels * sizeof(int32_t);
	cudaError_t status = cudaSuccess;

	if (scratch != nullptr)
	{
		status = cudaMemsetAsync(nodes, 0, labels * sizeof(uint32_t), stream);
		count_labels<<<blocks_for((int64_t) count * WARP), THREADS, 0, stream>>>(trees, count,
																				 nodes);
		number_labels<<<blocks_for(ranks.count), THREADS, 0, stream>>>(numbers, ranks.count);
	}
	if (status == cudaSuccess)
		status = cub::DeviceRadixSort::SortPairs(
			scratch == nullptr ? nullptr : numbers + 2 * labels, sort_bytes, nodes, nodes + labels,
			numbers, numbers + labels, ranks.count, 0, 32, stream);
	bytes = sort_bytes + 4 * labels * sizeof(int32_t);
	if (scratch != nullptr && status == cudaSuccess)
		set_ranks<<<blocks_for(ranks.count), THREADS, 0, stream>>>(numbers + labels, ranks);
	return status == cudaSuccess ? cudaGetLastError() : status;
}

/*
 * Writes a key for each node, by a warp for each tree: the tree's number above the rank of the
 * node's label.
 */
static __global__ void
write_ranks(const JoinTree *trees, int32_t count, const JoinRanks ranks, const int32_t *sorted,
			uint64_t *keys)
{
	const int64_t number = ((int64_t) blockIdx.x * THREADS + threadIdx.x) / WARP;

	if (number >= count)
		return;
	for (int x = (int) threadIdx.x % WARP; x < trees[number].size; x += WARP)
	{
		const int32_t label = trees[number].postorder[x];
		const int32_t rank = label >= ranks.count    ? 0
							 : ranks.rank == nullptr ? label + 1
													 : ranks.rank[label];

		keys[trees[number].sorted - sorted + x] = (uint64_t) number << 32 | (uint32_t) rank;
	}
}

/* Extracts the ranks from sorted keys. */
static __global__ void
keep_ranks(const uint64_t *keys, int64_t count, int32_t *sorted)
{
	const int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;

	if (i < count)
		sorted[i] = (int32_t) (uint32_t) keys[i];
}

/* Sorts keys. */
cudaError_t
join_sort(void *scratch, size_t &bytes, const uint64_t *keys, uint64_t *sorted, int64_t count,
		  int first_bit, int end_bit, cudaStream_t stream)
{
	return cub::DeviceRadixSort::SortKeys(scratch, bytes, keys, sorted, count, first_bit, end_bit,
										  stream);
}

/* Sorts the labels of some trees by their ranks. */
cudaError_t
join_sort_labels(void *scratch, size_t &bytes, const JoinTree *trees, int32_t count, int64_t nodes,
				 const JoinRanks &ranks, int32_t *sorted, cudaStream_t stream)
{
	uint64_t *keys = (uint64_t *) scratch;
	size_t sort_bytes = bytes - 2 * (size_t) nodes * sizeof(uint64_t);
	cudaError_t status;

	if (scratch != nullptr)
		write_ranks<<<blocks_for((int64_t) count * WARP), THREADS, 0, stream>>>(trees, count, ranks,
																				sorted, keys);
	status = join_sort(scratch == nullptr ? nullptr : keys + 2 * nodes, sort_bytes, keys,
					   keys + nodes, nodes, 0, 32 + (32 - __builtin_clz((unsigned) count)), stream);
	bytes = sort_bytes + 2 * (size_t) nodes * sizeof(uint64_t);
	if (scratch != nullptr && status == cudaSuccess)
		keep_ranks<<<blocks_for(nodes), THREADS, 0, stream>>>(keys + nodes, nodes, sorted);
	return status == cudaSuccess ? cudaGetLastError() : status;
}
