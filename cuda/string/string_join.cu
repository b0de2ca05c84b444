/*
 * string_join.cu
 *	  Compares short strings: each warp compares a probe with many indexed strings.
 *
 * The blocks of the index have a bit for each string and set (lcs_block.h).  A lane counts
 * for 128 strings at once how many of the probe's sets they lack, in counters whose bits are
 * in different words.  Strings that do not lack too many sets wait in a queue until there is
 * one for each lane.  Each lane then computes the length of the longest common subsequence
 * of its string and the probe, bit-parallel (lcs_bytes.h).
 */
#include "../common/warp.cuh"
#include "string_join_work.h"

/*
 * Warps of a block, whose probes have consecutive ranks and so read the same blocks of the
 * index.
 */
constexpr int WARPS = 8;

/* Strings of a lane, with a bit for each, and words of these bits. */
constexpr int LANE_STRINGS = LCS_BLOCK_STRINGS / WARP;
constexpr int LANE_WORDS = LANE_STRINGS / 32;

/*
 * Bits of the smaller and of the larger counter of lacking sets, and the greatest number that
 * the smaller one counts.
 */
constexpr int FEW_BITS = 3;
constexpr int MOST_BITS = 5;
constexpr int FEW_MISSES = (1 << FEW_BITS) - 1;
static_assert(LCS_MOST_MISSES == (1 << MOST_BITS) - 1, "counters must hold all numbers");

/* A warp checks whether any string is left after this number of sets. */
constexpr int SETS_PER_CHECK = 4;

/* A warp's data of its probe, and of the strings that wait. */
struct WarpMemory
{
	uint64_t match[256]; /* positions of each byte */
	uint8_t set[LCS_MOST_FEATURES];
	int32_t waiting[2 * WARP]; /* ranks of the strings that wait */
};

/* A probe, and the state of its comparison by a warp. */
struct WarpProbe
{
	WarpMemory *memory;
	int32_t number;
	int32_t length;
	int sets;
	bool exact; /* the length in bytes is exact for symbols, too */
	int waiting;
};

/* Returns the bytes of a string. */
static __device__ const uint8_t *
bytes_of(const DeviceStrings &strings, int32_t rank)
{
	const int32_t part = rank / LCS_PART_STRINGS;
	const int32_t last = min(strings.count, (part + 1) * LCS_PART_STRINGS) - 1;

	return strings.bytes + strings.part_bytes[part] +
		   (int64_t) (rank % LCS_PART_STRINGS) * strings.length[last];
}

/* Computes a word of each string's mask of sets. */
static __global__ void
find_sets(const DeviceStrings strings)
{
	const int32_t rank = (int32_t) (blockIdx.x * blockDim.x + threadIdx.x);
	const int word = (int) blockIdx.y;
	const uint32_t *block = (const uint32_t *) strings.blocks +
							(int64_t) (rank / LCS_BLOCK_STRINGS) * (sizeof(LcsBlock) / 4);
	const int string = rank % LCS_BLOCK_STRINGS;
	uint32_t sets = 0;

	if (rank >= strings.count)
		return;
	for (int i = 0; i < 32; i++)
		sets |= (block[(32 * word + i) * (LCS_BLOCK_STRINGS / 32) + string / 32] >> string % 32 & 1)
				<< i;
	strings.sets[(int64_t) rank * SET_WORDS + word] = sets;
}

/* Starts to compute the sets of all strings. */
cudaError_t
string_join_sets(const DeviceStrings &strings, cudaStream_t stream)
{
	constexpr int THREADS = 256;

	find_sets<<<dim3((unsigned) ((strings.count + THREADS - 1) / THREADS), SET_WORDS), THREADS, 0,
				stream>>>(strings);
	return cudaGetLastError();
}

/* Prepares a probe: the positions of each byte, and the list of its sets. */
static __device__ WarpProbe
prepare(const StringJoinWork &work, int32_t number, WarpMemory *memory)
{
	const int lane = (int) threadIdx.x % WARP;
	const int32_t length = work.probes.length[number];
	const uint8_t *bytes = bytes_of(work.probes, number);
	const uint32_t word =
		lane < SET_WORDS ? work.probes.sets[(int64_t) number * SET_WORDS + lane] : 0;
	bool shares = false;
	int before = __popc(word);

	for (int i = lane; i < 256; i += WARP)
		memory->match[i] = 0;
	__syncwarp();
	for (int i = lane; i < length; i += WARP)
	{
		atomicOr((unsigned long long *) &memory->match[bytes[i]], 1ull << i);
		shares |= bytes[i] == LCS_SHARED_BYTE;
	}
	for (int lanes = 1; lanes < WARP; lanes *= 2)
	{
		const int others = __shfl_up_sync(ALL, before, lanes);

		before += lane < lanes ? 0 : others;
	}

	const int sets = __shfl_sync(ALL, before, WARP - 1);

	before -= __popc(word);
	for (uint32_t bits = word; bits != 0; bits &= bits - 1)
		memory->set[before++] = (uint8_t) (32 * lane + __ffs((int) bits) - 1);
	__syncwarp();
	return {memory, number, length, sets, !(work.shared && __any_sync(ALL, shares)), 0};
}

/*
 * Returns the strings of a lane that lack no more than `misses` of the sets of a probe.  A
 * counter begins at its greatest value less `misses`, so that the first set too many carries.
 */
template <int BITS>
static __device__ uint4
lacking_few(const uint4 *strings, const WarpProbe &probe, int misses, bool there)
{
	const unsigned begin = (1u << BITS) - 1 - (unsigned) misses;
	uint32_t counter[BITS][LANE_WORDS];
	uint32_t over[LANE_WORDS];

#pragma unroll
	for (int w = 0; w < LANE_WORDS; w++)
	{
		over[w] = there ? 0 : ALL;
#pragma unroll
		for (int b = 0; b < BITS; b++)
			counter[b][w] = begin >> b & 1 ? ALL : 0;
	}
	for (int i = 0; i < probe.sets; i++)
	{
		const uint4 have = strings[probe.memory->set[i] * WARP];
		const uint32_t words[LANE_WORDS] = {have.x, have.y, have.z, have.w};

#pragma unroll
		for (int w = 0; w < LANE_WORDS; w++)
		{
			uint32_t carry = ~words[w];

#pragma unroll
			for (int b = 0; b < BITS; b++)
			{
				const uint32_t sum = counter[b][w] ^ carry;

				carry &= counter[b][w];
				counter[b][w] = sum;
			}
			over[w] |= carry;
		}
		if (i % SETS_PER_CHECK == SETS_PER_CHECK - 1 &&
			__all_sync(ALL, (over[0] & over[1] & over[2] & over[3]) == ALL))
			break;
	}
	return {~over[0], ~over[1], ~over[2], ~over[3]};
}

/* Returns the length of the longest common subsequence of the bytes of a probe and a string. */
static __device__ int
common_bytes(const WarpProbe &probe, const uint8_t *bytes, int32_t length)
{
	const uint64_t outside = probe.length < 64 ? ~0ull << probe.length : 0;
	uint64_t v = ~0ull;

	for (int j = 0; j < length; j++)
	{
		const uint64_t matching = v & probe.memory->match[bytes[j]];

		v = (v + matching) | (v & ~matching);
	}
	return __popcll(~(v | outside));
}

/* Compares a probe with waiting strings, one for each lane as far as there are any. */
static __device__ void
compare(const StringJoinWork &work, const uint8_t *least, WarpProbe &probe)
{
	const int lane = (int) threadIdx.x % WARP;
	const bool there = lane < probe.waiting;
	const int32_t rank = there ? probe.memory->waiting[lane] : 0;
	const int32_t length = work.indexed.length[rank];
	int common = 0;

	if (there)
		common = common_bytes(probe, bytes_of(work.indexed, rank), length);
	append(there && common >= least[probe.length + length],
		   TedJoinPair{work.offset + probe.number, rank, probe.exact ? common : TED_NO_DISTANCE},
		   work.found, &work.counters->found, work.capacity);
	__syncwarp();
	if (probe.waiting > WARP && lane < probe.waiting - WARP)
		probe.memory->waiting[lane] = probe.memory->waiting[WARP + lane];
	__syncwarp();
	probe.waiting = max(probe.waiting - WARP, 0);
}

/*
 * Appends the strings that a lane has left to the waiting ones; `begin` is the rank of its
 * first string.
 */
static __device__ void
let_wait(const StringJoinWork &work, const uint8_t *least, WarpProbe &probe, uint4 left,
		 int32_t begin)
{
	const int lane = (int) threadIdx.x % WARP;
	uint32_t words[LANE_WORDS] = {left.x, left.y, left.z, left.w};

#pragma unroll
	for (int w = 0; w < LANE_WORDS; w++)
		for (unsigned lanes; (lanes = __ballot_sync(ALL, words[w] != 0)) != 0;)
		{
			if (words[w] != 0)
				probe.memory->waiting[probe.waiting + __popc(lanes_before(lanes, lane))] =
					begin + 32 * w + __ffs((int) words[w]) - 1;
			words[w] &= words[w] - 1;
			probe.waiting += __popc(lanes);
			__syncwarp();
			if (probe.waiting >= WARP)
				compare(work, least, probe);
		}
}

/* Returns the bits of a word from `begin` to before `end`, which may be outside of the word. */
static __device__ uint32_t
bits_between(int begin, int end)
{
	const int low = max(begin, 0);
	const int high = min(end, 32);

	return low >= high ? 0 : (high == 32 ? ALL : (1u << high) - 1) & ~((1u << low) - 1);
}

/* Compares probes with the indexed strings, one for each warp. */
static __global__ void
__launch_bounds__(WARPS *WARP) look_up(const StringJoinWork work)
{
	__shared__ WarpMemory memory[WARPS];
	__shared__ uint8_t least[TED_JOIN_STRING_TOTALS];
	const int lane = (int) threadIdx.x % WARP;
	const int32_t number = work.first + (int32_t) (blockIdx.x * WARPS + threadIdx.x / WARP);

	for (int i = (int) threadIdx.x; i < TED_JOIN_STRING_TOTALS; i += (int) blockDim.x)
		least[i] = (uint8_t) work.limits->least[i];
	__syncthreads();
	if (number >= work.end)
		return;

	WarpProbe probe = prepare(work, number, &memory[threadIdx.x / WARP]);
	const LengthWindow window = work.limits->window[probe.length];
	const int32_t first = work.self ? max(window.begin, number + 1) : window.begin;

	for (int32_t block = first / LCS_BLOCK_STRINGS; block * LCS_BLOCK_STRINGS < window.end; block++)
	{
		const int32_t begin = block * LCS_BLOCK_STRINGS + lane * LANE_STRINGS;
		const int32_t low = max(first, begin);
		const int32_t high = min(window.end, begin + LANE_STRINGS);
		const uint4 *strings =
			work.indexed.blocks + (int64_t) block * (sizeof(LcsBlock) / sizeof(uint4)) + lane;
		const bool there = low < high;

		/* the shortest string of a lane needs the fewest symbols in common */
		const int misses =
			there ? probe.length - least[probe.length + work.indexed.length[low]] : 0;
		uint4 left = {ALL, ALL, ALL, ALL};

		if (__all_sync(ALL, misses <= FEW_MISSES))
			left = lacking_few<FEW_BITS>(strings, probe, misses, there);
		else if (__all_sync(ALL, misses <= LCS_MOST_MISSES))
			left = lacking_few<MOST_BITS>(strings, probe, misses, there);
		left.x &= bits_between(low - begin, high - begin);
		left.y &= bits_between(low - begin - 32, high - begin - 32);
		left.z &= bits_between(low - begin - 64, high - begin - 64);
		left.w &= bits_between(low - begin - 96, high - begin - 96);
		let_wait(work, least, probe, left, begin);
	}
	if (probe.waiting > 0)
		compare(work, least, probe);
}

/* Starts to find the pairs that match. */
cudaError_t
string_join_compare(const StringJoinWork &work, cudaStream_t stream)
{
	const int32_t probes = work.end - work.first;

	look_up<<<(unsigned) ((probes + WARPS - 1) / WARPS), WARPS * WARP, 0, stream>>>(work);
	return cudaGetLastError();
}
