/*
 * join_filters.cu
 *	  Filters of a join: signatures, labels and traversals; and the lists of pairs for strips.
 *
 * Distances are those of unit costs, so each filter bounds them by numbers of nodes.  A warp
 * at a time appends pairs to a list.  If a list is too short, its counter exceeds its
 * capacity, and the caller tries again with fewer probes.
 */
#include "device.cuh"
#include "join_work.h"
#include "join_order.h"

/* A block compares this number of probes with one indexed tree for each of its threads. */
constexpr int TILE_PROBES = 64;
constexpr int TILE_INDEXED = 128;
static_assert(JOIN_MOST_PROBES / TILE_PROBES < 65536, "a grid has fewer rows of blocks");

/*
 * Threads of a block that reads pairs from a list, and the number of such blocks for each
 * multiprocessor.
 */
constexpr int LIST_THREADS = 128;
constexpr int LIST_BLOCKS = 8;

/* Pairs of lists of rare labels that a warp compares. */
constexpr int WARP_PAIRS = 512;

/*
 * The greatest distance that traversals bound: a warp keeps two numbers for each diagonal in
 * shared memory.
 */
constexpr int MOST_EDITS = 1023;

/* The members of a tree that filters read at once. */
struct Measures
{
	int32_t size;
	int32_t limit;
	int32_t total;
};

/* Loads the measures of a tree. */
static __device__ Measures
measures(const JoinTree *tree)
{
	const int4 bits = *(const int4 *) tree;

	return {bits.x, bits.y, bits.z};
}

/* Returns `sum` plus the differences of four counters. */
static __device__ uint32_t
add_differences(uint32_t a, uint32_t b, uint32_t sum)
{
	uint32_t result;

	asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
	return result;
}

/* Returns the sum of the differences of two signatures. */
static __device__ int
differences(const Signature &a, const Signature &b)
{
	uint32_t sum = 0;

#pragma unroll
	for (int i = 0; i < (int) (sizeof(a.part) / sizeof(a.part[0])); i++)
	{
		sum = add_differences(a.part[i].x, b.part[i].x, sum);
		sum = add_differences(a.part[i].y, b.part[i].y, sum);
		sum = add_differences(a.part[i].z, b.part[i].z, sum);
		sum = add_differences(a.part[i].w, b.part[i].w, sum);
	}
	return (int) sum;
}

/*
 * Whether the sizes of two trees, and signatures that differ by `differ`, allow a distance
 * within the limit.
 */
static __device__ bool
may_match(const Measures &a, const Measures &b, int differ)
{
	const int k = max(a.limit, b.limit);

	return abs(a.size - b.size) <= k && differ + abs(a.total - b.total) <= 2 * k;
}

/* Finds the pairs of a tile whose sizes and signatures allow their limits. */
static __global__ void
__launch_bounds__(TILE_INDEXED) compare_signatures(const JoinWork work)
{
	__shared__ Signature signatures[TILE_PROBES];
	__shared__ Measures probes[TILE_PROBES];
	const int first = work.first + (int) blockIdx.y * TILE_PROBES;
	const int count = min(TILE_PROBES, work.end - first);
	const int begin = work.first_column + (int) blockIdx.x * TILE_INDEXED;
	const int last = min(begin + TILE_INDEXED, work.end_column) - 1;
	const int indexed = min(begin + (int) threadIdx.x, last);
	const bool there = begin + (int) threadIdx.x <= last;
	const Measures least = measures(&work.trees[first]);
	const Measures greatest = measures(&work.trees[first + count - 1]);
	const Measures smallest = measures(&work.trees[begin]);

	/*
	 * trees are in the order of their sizes, so the ends of a tile decide whether any sizes
	 * match
	 */
	if (begin >= first + count || work.trees[last].size < least.size - least.limit ||
		smallest.size - smallest.limit > greatest.size)
		return;
	if ((int) threadIdx.x < count)
	{
		probes[threadIdx.x] = measures(&work.trees[first + threadIdx.x]);
		signatures[threadIdx.x] = work.signatures[first + threadIdx.x];
	}
	__syncthreads();

	const Measures own = measures(&work.trees[indexed]);
	const Signature signature = work.signatures[indexed];

	for (int i = 0; i < count; i++)
	{
		const bool similar = there && indexed < first + i &&
							 may_match(probes[i], own, differences(signatures[i], signature));

		append(similar, {first + i, indexed}, work.similar, &work.counters->similar, work.capacity);
	}
}

/* Whether a label that two trees share is the rarest label that they share. */
static __device__ bool
is_rarest_shared(const JoinTree &a, const JoinTree &b, int32_t label)
{
	int i = 0;
	int j = 0;

	for (;;)
	{
		const int32_t x = a.sorted[i];
		const int32_t y = b.sorted[j];

		if (x == y)
			return x == label;
		i += x < y;
		j += y < x;
	}
}

/* Returns the part that has a pair, among the parts from `low` to `high`. */
static __device__ int64_t
part_with(const uint64_t *ends, int64_t low, int64_t high, uint64_t pair)
{
	return first_place(low, high, [=](int64_t part) { return ends[part] <= pair; });
}

/*
 * Finds the pairs of lists whose signatures allow their limits.  A pair that is in the lists of
 * several labels is taken from that of the rarest label.
 */
static __global__ void
__launch_bounds__(LIST_THREADS) compare_listed(const JoinWork work)
{
	const JoinLists &lists = work.lists;
	const int lane = (int) threadIdx.x % WARP;
	const uint64_t warp = (uint64_t) blockIdx.x * (LIST_THREADS / WARP) + threadIdx.x / WARP;
	const uint64_t begin = work.first_pair + warp * WARP_PAIRS;
	const uint64_t end = min(begin + WARP_PAIRS, work.end_pair);

	if (begin >= end)
		return;

	int64_t low = part_with(lists.ends, work.first_part, work.end_part - 1, begin);
	const int64_t high = part_with(lists.ends, low, work.end_part - 1, end - 1);

	for (uint64_t first = begin; first < end; first += WARP)
	{
		const uint64_t place = first + lane;
		JoinSurvivor pair = {};
		bool similar = place < end;

		if (similar)
		{
			low = part_with(lists.ends, low, high, place);
			const JoinPart part = lists.parts[low];
			const uint64_t start = low > 0 ? lists.ends[low - 1] : 0;
			const uint64_t posting = lists.postings[part.first + (place - start)];

			pair = {part.probe, (int32_t) (uint32_t) posting};
			const JoinTree &a = work.trees[pair.probe];
			const JoinTree &b = work.trees[pair.indexed];

			similar = may_match(measures(&a), measures(&b),
								differences(work.signatures[pair.probe],
											work.signatures[pair.indexed])) &&
					  is_rarest_shared(a, b, (int32_t) (posting >> 32));
		}
		append(similar, pair, work.similar, &work.counters->similar, work.capacity);
	}
}

/*
 * Whether two trees share enough labels: no more than k nodes of either tree have no
 * counterpart in the other.
 */
static __device__ bool
share_labels(const JoinTree &a, const JoinTree &b, int k)
{
	const int more = a.size - b.size;
	int left_a = k - max(-more, 0); /* nodes of a that may still be without counterpart */
	int left_b = k - max(more, 0);
	int i = 0;
	int j = 0;

	while (i < a.size && j < b.size)
	{
		const int32_t x = a.sorted[i];
		const int32_t y = b.sorted[j];

		i += x <= y;
		j += y <= x;
		left_a -= x < y;
		left_b -= y < x;
		if (left_a < 0 || left_b < 0)
			return false;
	}
	return left_a >= a.size - i && left_b >= b.size - j;
}

/* Compares all labels of the remaining pairs. */
static __global__ void
__launch_bounds__(LIST_THREADS) compare_labels(const JoinWork work)
{
	const uint32_t count = min(work.counters->similar, work.capacity);
	const uint32_t step = gridDim.x * LIST_THREADS;
	const uint32_t rounds = (count + step - 1) / step;

	for (uint32_t round = 0; round < rounds; round++)
	{
		const uint32_t i = round * step + blockIdx.x * LIST_THREADS + threadIdx.x;
		JoinSurvivor pair = {};
		bool shares = false;

		if (i < count)
		{
			pair = work.similar[i];
			const JoinTree &a = work.trees[pair.probe];
			const JoinTree &b = work.trees[pair.indexed];

			shares = share_labels(a, b, max(a.limit, b.limit));
		}
		append(shares, pair, work.labels, &work.counters->labels, work.capacity);
	}
}

/* Two strings, and the number of edits that are allowed between them. */
struct Strings
{
	const int32_t *a;
	const int32_t *b;
	int m;
	int n;
	int k;

	/* Returns the length of the common prefix; all lanes of the group take part. */
	template <int LANES>
	__device__ int
	common_prefix(unsigned group, int lane) const
	{
		const int shorter = min(m, n);

		for (int first = 0;; first += LANES)
		{
			const int i = first + lane;
			const unsigned other = __ballot_sync(group, i >= shorter || a[i] != b[i]) & group;

			if (other != 0)
				return first + __ffs((int) other) - __ffs((int) group);
		}
	}

	/* Returns the first place from i on where the strings differ on diagonal d. */
	__device__ int
	extend(int i, int d) const
	{
		while (i < m && i + d < n && a[i] == b[i + d])
			i++;
		return i;
	}
};

/* Less than all places. */
constexpr int NOWHERE = -(1 << 29);

/*
 * Whether the string edit distance is within k, by a group of lanes with a diagonal in each.
 * For each number of edits, computes the farthest place on each diagonal that is reached with
 * these edits (Ukkonen, 1985; Myers, 1986).
 */
template <int LANES>
static __device__ bool
within_edits(const Strings &s, unsigned group, int lane)
{
	const int difference = s.n - s.m;
	const int d = min(difference, 0) - (s.k - abs(difference)) / 2 + lane;
	const int prefix = s.common_prefix<LANES>(group, lane);
	int reached = d == 0 ? prefix : NOWHERE;

	for (int edits = 0;; edits++)
	{
		if (__any_sync(group, d == difference && reached >= s.m))
			return true;
		if (edits == s.k)
			return false;

		const int before = __shfl_up_sync(group, reached, 1, LANES);
		const int after = __shfl_down_sync(group, reached, 1, LANES);
		int next = reached + 1;

		next = max(next, lane > 0 ? before : NOWHERE);
		next = max(next, lane < LANES - 1 ? after + 1 : NOWHERE);
		next = min(next, min(s.m, s.n - d));
		reached = next >= 0 ? s.extend(next, d) : NOWHERE;
	}
}

/*
 * Whether the string edit distance is within k, for more diagonals than a warp has lanes;
 * `places` has room for each diagonal twice.
 */
static __device__ bool
within_many_edits(const Strings &s, int lane, int *places)
{
	const int difference = s.n - s.m;
	const int low = min(difference, 0) - (s.k - abs(difference)) / 2;
	const int diagonals = abs(difference) + (s.k - abs(difference)) / 2 * 2 + 1;
	const int prefix = s.common_prefix<WARP>(ALL, lane);
	int *reached = places;
	int *next = places + MOST_EDITS + 3;

	for (int i = lane; i < diagonals + 2; i += WARP)
	{
		reached[i] = i - 1 + low == 0 ? prefix : NOWHERE;
		next[i] = NOWHERE;
	}
	__syncwarp();
	for (int edits = 0;; edits++)
	{
		int *other = reached;

		if (reached[difference - low + 1] >= s.m)
			return true;
		if (edits == s.k)
			return false;
		for (int i = lane + 1; i <= diagonals; i += WARP)
		{
			const int d = i - 1 + low;
			int place = max(max(reached[i], reached[i + 1]) + 1, reached[i - 1]);

			place = min(place, min(s.m, s.n - d));
			next[i] = place >= 0 ? s.extend(place, d) : NOWHERE;
		}
		__syncwarp();
		reached = next;
		next = other;
	}
}

/*
 * Adds a pair to the jobs of strips if a strip can compute it; otherwise adds it to the results
 * without a distance, for the caller.
 */
static __device__ void
hand_on(const JoinWork &work, const JoinSurvivor &pair, bool wanted)
{
	const JoinTree &probe = work.trees[pair.probe];
	const JoinTree &indexed = work.trees[pair.indexed];
	JoinOrder order = {};
	bool strip = false;

	if (wanted)
	{
		order = join_order(work, probe, indexed, max(probe.limit, indexed.limit));
		strip = order.width < STRIP_WIDTHS;
	}
	for (int width = 0; width < STRIP_WIDTHS; width++)
		places_for(strip && order.width == width, &work.counters->width[width]);

	const uint32_t place = places_for(strip, &work.counters->jobs);

	if (strip && place < work.capacity)
	{
		work.jobs[place] = {2 * (order.swapped ? pair.indexed : pair.probe) + order.right,
							2 * (order.swapped ? pair.probe : pair.indexed) + order.right,
							max(probe.limit, indexed.limit), 0};
		work.orders[place] = (uint64_t) order.place << JOIN_ORDER_SHIFT | place;
	}
	append(wanted && !strip, {pair.probe, pair.indexed, TED_NO_DISTANCE}, work.found,
		   &work.counters->found, work.capacity);
}

/*
 * Compares the traversals of the remaining pairs, each by a group of lanes, and hands on those
 * that may be within their limits.
 */
template <int LANES, bool MANY>
static __global__ void
__launch_bounds__(LIST_THREADS) compare_traversals(const JoinWork work)
{
	__shared__ int places[MANY ? LIST_THREADS / WARP : 1][MANY ? 2 * (MOST_EDITS + 3) : 1];
	const uint32_t count = min(work.counters->labels, work.capacity);
	const uint32_t groups = gridDim.x * (LIST_THREADS / LANES);
	const uint32_t rounds = (count + groups - 1) / groups;
	const int lane = (int) threadIdx.x % LANES;
	const unsigned group = (ALL >> (WARP - LANES)) << (threadIdx.x % WARP - lane);

	for (uint32_t round = 0; round < rounds; round++)
	{
		const uint32_t i =
			(round * gridDim.x + blockIdx.x) * (LIST_THREADS / LANES) + threadIdx.x / LANES;
		JoinSurvivor pair = {};
		bool within = i < count;

		if (within)
		{
			pair = work.labels[i];
			const JoinTree &a = work.trees[pair.probe];
			const JoinTree &b = work.trees[pair.indexed];
			const int k = max(a.limit, b.limit);
			Strings preorder = {a.preorder, b.preorder, a.size, b.size, k};
			Strings postorder = {a.postorder, b.postorder, a.size, b.size, k};

			if (!MANY)
				within = within_edits<LANES>(preorder, group, lane) &&
						 within_edits<LANES>(postorder, group, lane);
			else if (k <= MOST_EDITS)
			{
				within = within_many_edits(preorder, lane, places[threadIdx.x / WARP]);
				__syncwarp();
				within = within && within_many_edits(postorder, lane, places[threadIdx.x / WARP]);
			}
		}
		__syncwarp();
		hand_on(work, pair, within && lane == 0);
	}
}

/* Starts the filters, one after another. */
cudaError_t
join_filter(const JoinWork &work, int32_t most_edits, int processors, cudaStream_t stream)
{
	const dim3 tiles(
		(unsigned) ((work.end_column - work.first_column + TILE_INDEXED - 1) / TILE_INDEXED),
		(unsigned) ((work.end - work.first + TILE_PROBES - 1) / TILE_PROBES));
	const uint64_t warps = (work.end_pair - work.first_pair + WARP_PAIRS - 1) / WARP_PAIRS;
	const unsigned list_blocks =
		(unsigned) ((warps + LIST_THREADS / WARP - 1) / (LIST_THREADS / WARP));
	const unsigned blocks = (unsigned) (LIST_BLOCKS * processors);

	if (work.listed ? warps == 0 : tiles.x == 0)
		return cudaSuccess;
	if (work.listed)
		compare_listed<<<list_blocks, LIST_THREADS, 0, stream>>>(work);
	else
		compare_signatures<<<tiles, TILE_INDEXED, 0, stream>>>(work);
	compare_labels<<<blocks, LIST_THREADS, 0, stream>>>(work);
	if (most_edits < 8)
		compare_traversals<8, false><<<blocks, LIST_THREADS, 0, stream>>>(work);
	else if (most_edits < 16)
		compare_traversals<16, false><<<blocks, LIST_THREADS, 0, stream>>>(work);
	else if (most_edits < WARP)
		compare_traversals<WARP, false><<<blocks, LIST_THREADS, 0, stream>>>(work);
	else
		compare_traversals<WARP, true><<<blocks, LIST_THREADS, 0, stream>>>(work);
	return cudaGetLastError();
}

/* Puts jobs into their order, which is also that of their results. */
static __global__ void
arrange(const uint64_t *orders, uint32_t count, const StripJob *from, StripJob *to)
{
	const uint32_t i = blockIdx.x * LIST_THREADS + threadIdx.x;

	if (i < count)
	{
		StripJob job = from[(uint32_t) orders[i]];

		job.result = (int32_t) i;
		to[i] = job;
	}
}

/* Starts the kernel that puts jobs into their order. */
cudaError_t
join_arrange(const uint64_t *orders, uint32_t count, const StripJob *from, StripJob *to,
			 cudaStream_t stream)
{
	arrange<<<(count + LIST_THREADS - 1) / LIST_THREADS, LIST_THREADS, 0, stream>>>(orders, count,
																					from, to);
	return cudaGetLastError();
}

/* Collects the pairs whose distances are within their limits. */
static __global__ void
collect_near_pairs(const StripJob *jobs, const int32_t *distances, uint32_t count,
				   const JoinWork work)
{
	const uint32_t i = blockIdx.x * LIST_THREADS + threadIdx.x;
	StripJob job = {};
	bool within = i < count;
	int32_t distance = 0;

	if (within)
	{
		job = jobs[i];
		distance = distances[i];
		within = distance <= job.limit;
	}
	append(within, {max(job.a, job.b) / 2, min(job.a, job.b) / 2, distance}, work.found,
		   &work.counters->found, work.capacity);
}

/* Starts the kernel that collects pairs. */
cudaError_t
join_collect(const StripJob *jobs, const int32_t *distances, uint32_t count, const JoinWork &work,
			 cudaStream_t stream)
{
	collect_near_pairs<<<(count + LIST_THREADS - 1) / LIST_THREADS, LIST_THREADS, 0, stream>>>(
		jobs, distances, count, work);
	return cudaGetLastError();
}
