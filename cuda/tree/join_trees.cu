/*
 * join_trees.cu
 *	  Lays out the trees of a join for the filters and for strips, by a warp for each tree.
 */
#include "device.cuh"
#include "join_work.h"

/* Warps of a block. */
constexpr int LAYOUT_WARPS = 4;

/* The tree that a warp lays out. */
struct Layout
{
	const JoinArrival &arrival;
	const JoinTree &tree;
	const int64_t base; /* first node of the tree among all nodes that arrive */
	const int lane;

	/* Returns the leftmost leaf of a node. */
	__device__ int
	leaf_of(int x) const
	{
		return x - arrival.subtree_size[base + x] + 1;
	}

	/* Whether a node is the highest one with its leftmost, or rightmost, leaf. */
	__device__ bool
	is_key_root(int x, int right) const
	{
		const int32_t *depth = arrival.depth + base;

		return right ? x == tree.size - 1 || depth[x + 1] >= depth[x]
					 : arrival.highest[base + leaf_of(x)] == x;
	}

	/*
	 * Adds marks for the nodes of the subtree of x: 1 at its first node, and -1 after its last
	 * one.
	 */
	__device__ void
	mark_subtree(int32_t *holding, int x) const
	{
		atomicAdd(&holding[leaf_of(x)], 1);
		if (x + 1 < tree.size)
			atomicAdd(&holding[x + 1], -1);
	}

	/*
	 * Replaces these marks by their prefix sums, less 1: the number of marked subtrees that
	 * contain a node, but for one.
	 */
	__device__ void
	add_marks(int32_t *holding) const
	{
		int before = -1;

		__syncwarp();
		for (int first = 0; first < tree.size; first += WARP)
		{
			const int x = first + lane;
			int sum = x < tree.size ? holding[x] : 0;

			for (int d = 1; d < WARP; d *= 2)
			{
				const int other = __shfl_up_sync(ALL, sum, d);

				sum += lane >= d ? other : 0;
			}
			if (x < tree.size)
				holding[x] = before + sum;
			before += __shfl_sync(ALL, sum, WARP - 1);
		}
		__syncwarp();
	}

	/* Computes the depths of nodes, and the highest node of each leaf. */
	__device__ void
	find_depths() const
	{
		for (int x = lane; x < tree.size; x += WARP)
		{
			mark_subtree(arrival.depth + base, x);
			atomicMax(&arrival.highest[base + leaf_of(x)], x);
		}
		add_marks(arrival.depth + base);
	}

	/* Counts the key roots above the key root of each node. */
	__device__ void
	count_key_roots(int right) const
	{
		for (int x = lane; x < tree.size; x += WARP)
			if (is_key_root(x, right))
				mark_subtree(arrival.above[right] + base, x);
		add_marks(arrival.above[right] + base);
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

	/*
	 * Writes all nodes.  A node's number in the mirror image is its preorder number counted
	 * from the end.
	 */
	__device__ void
	write_nodes(int number) const
	{
		const bool strips = tree.size <= JOIN_STRIP_NODES;
		const StripView *views = arrival.views + 2 * (int64_t) number;

		for (int x = lane; x < tree.size; x += WARP)
		{
			const int32_t label = arrival.label[base + x];
			const int depth = arrival.depth[base + x];
			const int preorder = leaf_of(x) + depth;

			tree.preorder[preorder] = label;
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

	layout.find_depths();
	for (int right = 0; right < 2; right++)
		layout.count_key_roots(right);
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
