/*
 * join_lists.cu
 *	  Lists of rare labels, and the parts of them with which a probe is compared.
 *
 * Two trees within their limit share one of the rarest labels of both, unless the larger
 * tree has no more nodes than its limit (rare_labels.h).  The labels of a tree are sorted by
 * rank, so its prefix comes first and equal labels are neighbours; the first of these stands
 * for all.
 */
#include <cub/device/device_scan.cuh>

#include "device.cuh"
#include "join_work.h"

/* Threads of a block, and the lanes that read the prefix of a tree. */
constexpr int THREADS = 256;
constexpr int LANES = 8;

/* A missing posting, which is sorted behind all others. */
constexpr uint64_t NO_POSTING = ~(uint64_t) 0;

/* Whether a node of a prefix is the first one with its label. */
static __device__ bool
is_first(const JoinTree &tree, int node)
{
	return node == 0 || tree.sorted[node] != tree.sorted[node - 1];
}

/* Returns the posting of a label and a tree. */
static __device__ uint64_t
posting_of(int32_t label, int32_t tree)
{
	return (uint64_t) (uint32_t) label << 32 | (uint32_t) tree;
}

/* Writes the postings of indexed trees. */
static __global__ void
write_postings(const JoinTree *trees, int32_t indexed, uint64_t *postings)
{
	const int64_t thread = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	const int32_t number = (int32_t) (thread / LANES);

	if (number >= indexed)
		return;
	const JoinTree tree = trees[number];
	const int nodes = join_prefix_nodes(tree.size, tree.limit);

	for (int node = (int) (thread % LANES); node < nodes; node += LANES)
		postings[tree.prefix + node] =
			is_first(tree, node) ? posting_of(tree.sorted[node], number) : NO_POSTING;
}

/* Starts the kernel that writes the postings. */
cudaError_t
join_list_postings(const JoinTree *trees, int32_t indexed, uint64_t *postings, cudaStream_t stream)
{
	write_postings<<<(unsigned) (((int64_t) indexed * LANES + THREADS - 1) / THREADS), THREADS, 0,
					 stream>>>(trees, indexed, postings);
	return cudaGetLastError();
}

/*
 * Returns the first indexed tree whose size, minus `less` times its limit, is not less than a
 * size.
 */
static __device__ int32_t
first_of_size(const JoinTree *trees, int32_t end, int32_t size, int32_t less)
{
	return (int32_t) first_place(
		0, end, [=](int64_t tree) { return trees[tree].size - less * trees[tree].limit < size; });
}

/* Returns the first posting from `low` on that is not less than another one. */
static __device__ int64_t
first_posting(const JoinLists &lists, int64_t low, uint64_t posting)
{
	return first_place(low, lists.posting_count,
					   [&](int64_t place) { return lists.postings[place] < posting; });
}

/* Finds the parts for some probes, and writes the number of pairs of each part to `ends`. */
static __global__ void
find_parts(const JoinTree *trees, int32_t indexed, int32_t first, int32_t end, JoinLists lists)
{
	const int64_t thread = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	const int64_t number = first + thread / LANES;

	if (number >= end)
		return;
	const JoinTree tree = trees[number];
	const int nodes = join_prefix_nodes(tree.size, tree.limit);
	const int32_t last = (int32_t) min(number, (int64_t) indexed);
	const int32_t from = first_of_size(trees, last, tree.size - tree.limit, 0);
	const int32_t to = first_of_size(trees, last, tree.size + 1, 1);
	const bool listed = !join_needs_window(tree.size, tree.limit) && from < to;

	for (int node = (int) (thread % LANES); node < nodes; node += LANES)
	{
		int64_t begin = 0;
		int64_t after = 0;

		if (listed && is_first(tree, node))
		{
			begin = first_posting(lists, 0, posting_of(tree.sorted[node], from));
			after = first_posting(lists, begin, posting_of(tree.sorted[node], to));
		}
		lists.parts[tree.prefix - lists.base + node] = {(int32_t) number, (uint32_t) begin};
		lists.ends[tree.prefix - lists.base + node] = (uint64_t) (after - begin);
	}
}

/* Copies the end of each probe's last part. */
static __global__ void
copy_ends(const JoinTree *trees, int32_t first, int32_t end, JoinLists lists, uint64_t *probe_ends)
{
	const int64_t number = first + (int64_t) blockIdx.x * THREADS + threadIdx.x;

	if (number < end)
		probe_ends[number - first] =
			lists.ends[trees[number].prefix - lists.base +
					   join_prefix_nodes(trees[number].size, trees[number].limit) - 1];
}

/* Finds the parts for some probes, and their ends. */
cudaError_t
join_find_parts(void *scratch, size_t &bytes, const JoinTree *trees, int32_t indexed, int32_t first,
				int32_t end, const JoinLists &lists, int64_t part_count, uint64_t *probe_ends,
				cudaStream_t stream)
{
	const int64_t count = end - first;

	if (scratch != nullptr)
		find_parts<<<(unsigned) ((count * LANES + THREADS - 1) / THREADS), THREADS, 0, stream>>>(
			trees, indexed, first, end, lists);

	const cudaError_t status =
		cub::DeviceScan::InclusiveSum(scratch, bytes, lists.ends, lists.ends, part_count, stream);

	if (scratch != nullptr && status == cudaSuccess)
		copy_ends<<<(unsigned) ((count + THREADS - 1) / THREADS), THREADS, 0, stream>>>(
			trees, first, end, lists, probe_ends);
	return status == cudaSuccess ? cudaGetLastError() : status;
}
