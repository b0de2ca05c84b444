/*
 * join_trees.cu
 *	  Lays the trees of a join out for the filters and for strips, a warp for each.
 */
#include <cub/device/device_radix_sort.cuh>

#include "device.cuh"
#include "join_work.h"

/* Warps of a block. */
constexpr int LAYOUT_WARPS = 4;

/* Threads of a block that has one for each item. */
constexpr int THREADS = 256;

/* What one warp lays out. */
struct Layout
{
	const JoinArrival &arrival;
	const JoinTree &tree;
	const int64_t base; /* of its nodes among all that arrive */
	const int lane;

	/* Whether a node is the highest one with its leftmost, or rightmost, leaf. */
	__device__ bool
	is_key_root(int x, int right) const
	{
		const uint32_t depth = arrival.depth[base + x];

		if (!right)
			return (depth & JOIN_KEY_ROOT) != 0;
		return x == tree.size - 1 ||
			   (arrival.depth[base + x + 1] & ~JOIN_KEY_ROOT) >= (depth & ~JOIN_KEY_ROOT);
	}

	/* Notes where the key roots whose subtrees hold a node become more, and fewer. */
	__device__ void
	mark_key_roots(int right) const
	{
		int32_t *above = arrival.above[right] + base;

		for (int x = lane; x < tree.size; x += WARP)
			if (is_key_root(x, right))
			{
				atomicAdd(&above[x - arrival.subtree_size[base + x] + 1], 1);
				if (x + 1 < tree.size)
					atomicAdd(&above[x + 1], -1);
			}
		__syncwarp();
	}

	/* Turns that into the number of key roots above the key root of each node. */
	__device__ void
	count_key_roots(int right) const
	{
		int32_t *above = arrival.above[right] + base;
		int before = -1;

		for (int first = 0; first < tree.size; first += WARP)
		{
			const int x = first + lane;
			int sum = x < tree.size ? above[x] : 0;

			for (int d = 1; d < WARP; d *= 2)
			{
				const int other = __shfl_up_sync(ALL, sum, d);

				sum += lane >= d ? other : 0;
			}
			if (x < tree.size)
				above[x] = before + sum;
			before += __shfl_sync(ALL, sum, WARP - 1);
		}
		__syncwarp();
	}

	/* Writes a node as a row, a column and a step of a strip. */
	__device__ void
	write_strip(const StripView &view, int x, int preorder, int depth, int source, int right) const
	{
		const int32_t label = arrival.label[base + source];
		const uint16_t size = (uint16_t) arrival.subtree_size[base + source];

		((StripRow *) view.rows)[x] = {label, size, (uint16_t) arrival.above[right][base + source]};
		((StripColumn *) view.columns())[x] = {label, size, (uint16_t) depth};
		((StripStep *) view.steps())[tree.size - 1 - preorder] = {
			(uint16_t) x, size, (uint16_t) depth, (uint16_t) is_key_root(source, right)};
	}

	/* Writes all nodes: a node's number in the mirror image is what is left of preorder. */
	__device__ void
	write_nodes(int number) const
	{
		const bool strips = tree.size <= JOIN_STRIP_NODES;
		const StripView *views = arrival.views + 2 * (int64_t) number;

		for (int x = lane; x < tree.size; x += WARP)
		{
			const int32_t label = arrival.label[base + x];
			const int depth = (int) (arrival.depth[base + x] & ~JOIN_KEY_ROOT);
			const int preorder = x - arrival.subtree_size[base + x] + 1 + depth;

			tree.preorder[preorder] = label;
			arrival.keys[base + x] = (uint64_t) number << 32 | (uint32_t) (label + 1);
			if (strips)
			{
				write_strip(views[0], x, preorder, depth, x, 0);
				write_strip(views[1], tree.size - 1 - preorder, tree.size - 1 - x, depth, x, 1);
			}
		}
	}
};

/* Counts the labels of a tree by their classes. */
static __device__ void
write_signature(const Layout &layout, int number, uint32_t *counters)
{
	const int lane = layout.lane;
	Signature &signature = layout.arrival.signatures[number];
	int total = 0;

	for (int i = lane; i < SIGNATURE_COUNTERS; i += WARP)
		counters[i] = 0;
	__syncwarp();
	for (int x = lane; x < layout.tree.size; x += WARP)
		atomicAdd(&counters[label_class(layout.arrival.label[layout.base + x])], 1u);
	__syncwarp();
	for (int i = lane; i < SIGNATURE_COUNTERS; i += WARP)
	{
		const uint32_t count = min(counters[i], 255u);

		((uint8_t *) &signature)[i] = (uint8_t) count;
		total += (int) count;
	}
	total = __reduce_add_sync(ALL, total);
	if (lane == 0)
		layout.arrival.trees[number].total = total;
}

/* Lays out a tree by each warp. */
static __global__ void
__launch_bounds__(LAYOUT_WARPS *WARP) lay_out(const JoinArrival arrival)
{
	__shared__ uint32_t counters[LAYOUT_WARPS][SIGNATURE_COUNTERS];
	const int warp = (int) threadIdx.x / WARP;
	const int number = (int) blockIdx.x * LAYOUT_WARPS + warp;

	if (number >= arrival.count)
		return;
	const JoinTree tree = arrival.trees[number];
	const Layout layout = {arrival, tree, tree.postorder - arrival.label, (int) threadIdx.x % WARP};

	for (int right = 0; right < 2; right++)
	{
		layout.mark_key_roots(right);
		layout.count_key_roots(right);
	}
	layout.write_nodes(number);
	write_signature(layout, number, counters[warp]);
}

/* Starts the kernel that lays trees out. */
cudaError_t
join_lay_out(const JoinArrival &arrival, cudaStream_t stream)
{
	lay_out<<<(arrival.count + LAYOUT_WARPS - 1) / LAYOUT_WARPS, LAYOUT_WARPS * WARP, 0, stream>>>(
		arrival);
	return cudaGetLastError();
}

/* Keeps the labels of sorted keys. */
static __global__ void
store_labels(const uint64_t *keys, int64_t count, int32_t *labels)
{
	const int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;

	if (i < count)
		labels[i] = (int32_t) (uint32_t) keys[i] - 1;
}

/* Starts the kernel that does so. */
cudaError_t
join_store_sorted(const uint64_t *keys, int64_t count, int32_t *labels, cudaStream_t stream)
{
	store_labels<<<(unsigned) ((count + THREADS - 1) / THREADS), THREADS, 0, stream>>>(keys, count,
																					   labels);
	return cudaGetLastError();
}

/* Sorts keys. */
cudaError_t
join_sort(void *scratch, size_t &bytes, const uint64_t *keys, uint64_t *sorted, int64_t count,
		  int first_bit, int end_bit, cudaStream_t stream)
{
	return cub::DeviceRadixSort::SortKeys(scratch, bytes, keys, sorted, count, first_bit, end_bit,
										  stream);
}
