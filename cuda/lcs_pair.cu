/*
 * lcs_pair.cu
 *	  Length of the longest common subsequence of one long pair.
 *
 * The table of lengths is scanned from both sides at once: one half of the
 * warps goes through the first half of the columns, the other one through the
 * second half of them with both strings reversed, and the best row to meet in
 * is found at the end (Hirschberg, 1975).
 *
 * A stripe is the rows of a warp, some words of V a lane.  A lane is some
 * batches of columns behind the one before it, whose carries it gets by a
 * shuffle.  A warp gets the carries of the stripe above through memory, where
 * those of 32 columns are a word together with the number of the stripe that
 * they go into: whoever reads that number has read the carries, too.  Each
 * stripe replaces the word by its own, so that one word for 32 columns serves
 * all stripes.  All warps are on the device at the same time, and go through
 * their stripes in ascending order, so nobody waits for a warp that cannot run.
 *
 * The match vectors of a stripe are in shared memory, by symbol, lane and word.
 * Where those of all symbols do not fit, the warp numbers the symbols of its
 * own rows by hashing.
 */
#include <cuda/atomic>

#include "lcs_pair.h"
#include "lcs_step.cuh"

/* Columns whose carries are handed from warp to warp at once. */
constexpr int GRANULE = 32;

/* Most threads of a block. */
constexpr int MOST_WARPS = 8;

/* Batches from one feeding of columns to the next. */
constexpr int PERIOD = LCS_LANES;

/* Periods of columns that are kept; lanes are at up to LAG before the present one. */
constexpr int PERIODS = 4;

/* Periods, and failed polls, after which a warp asks whether to stop. */
constexpr int PERIODS_PER_CHECK = 256;
constexpr int POLLS_PER_CHECK = 1024;

/* One of the two scans. */
struct Half
{
	int32_t n;
	bool reversed;
	uint64_t *carry; /* by granule: carries, first column highest, below the stripe's number */
	uint32_t *v;     /* after the last column */
};

/* What the kernel is given. */
struct PairArgs
{
	LcsDevicePair pair;
	Half half[2];
	int32_t stripes;
	int32_t table_rows;
	uint32_t hash_slots; /* 0 where symbols are not numbered anew; else a power of two */
	uint32_t warp_bytes; /* of shared memory */
	const uint32_t *cancel;
};

/* A slot of a warp's hash table. */
struct Slot
{
	uint32_t key;    /* symbol + 1; 0 where the slot is free */
	uint32_t offset; /* of the symbol's match vectors, in bytes */
};

static __host__ __device__ inline int32_t
parts(int32_t whole, int32_t size)
{
	return (int32_t) (((int64_t) whole + size - 1) / size);
}

/* Loads a word of carries, from wherever it was stored last. */
static __device__ __forceinline__ uint64_t
load_carries(uint64_t *word)
{
	return cuda::atomic_ref<uint64_t, cuda::thread_scope_device>(*word).load(
		cuda::memory_order_relaxed);
}

static __device__ __forceinline__ void
store_carries(uint64_t *word, uint64_t value)
{
	cuda::atomic_ref<uint64_t, cuda::thread_scope_device>(*word).store(value,
																	   cuda::memory_order_relaxed);
}

/* Symbol number i of a string. */
static __device__ __forceinline__ uint32_t
symbol_at(const void *string, int symbol_bytes, int32_t i)
{
	return symbol_bytes == 1 ? ((const uint8_t *) string)[i] : ((const uint32_t *) string)[i];
}

/* A warp and the stripe that it scans. */
template <int W, int BATCH, int LAG> struct Stripe
{
	static constexpr int ROWS = LCS_LANES * LCS_WORD * W;
	static constexpr uint32_t ROW_BYTES = LCS_LANES * W * sizeof(uint32_t);
	static constexpr int PERIOD_COLUMNS = PERIOD * BATCH;
	static constexpr int QUADS = PERIODS * PERIOD_COLUMNS / 4;
	static constexpr int GROUPS = LAG * BATCH / 4;
	static constexpr int GRANULE_BATCHES = GRANULE / BATCH;
	/* after which batch of a granule the last lane is at the end of one */
	static constexpr int STORE_AFTER = (31 * LAG - 1) % GRANULE_BATCHES;

	const PairArgs &args;
	const Half &half;
	int lane;
	uint4 *ring;     /* offsets of the match vectors of the columns of some periods */
	char *table;     /* match vectors; the first row is blank */
	Slot *slots;     /* hash table */
	uint32_t *count; /* symbols in it */

	/* Finds a warp's part of the shared memory. */
	__device__
	Stripe(const PairArgs &args, const Half &half, char *shared)
		: args(args), half(half), lane((int) (threadIdx.x % LCS_LANES))
	{
		table = shared;
		ring = (uint4 *) (table + args.table_rows * ROW_BYTES);
		slots = (Slot *) (ring + QUADS);
		count = (uint32_t *) (slots + args.hash_slots);
	}

	/* The symbol of a row. */
	__device__ uint32_t
	row_symbol(int32_t row) const
	{
		return symbol_at(args.pair.a, args.pair.symbol_bytes,
						 half.reversed ? args.pair.m - 1 - row : row);
	}

	/* The slot of a symbol or, where there is none, the free one for it. */
	__device__ Slot *
	find_slot(uint32_t symbol) const
	{
		uint32_t mask = args.hash_slots - 1;
		uint32_t i = (symbol * 0x9E3779B1u >> 7) & mask;

		while (slots[i].key != 0 && slots[i].key != symbol + 1)
			i = (i + 1) & mask;
		return &slots[i];
	}

	/* Offset of the match vectors of a symbol; 0 for one that is not in the stripe. */
	__device__ uint32_t
	symbol_offset(uint32_t symbol) const
	{
		return args.hash_slots == 0 ? (symbol + 1) * ROW_BYTES : find_slot(symbol)->offset;
	}

	/* Numbers the symbols of the stripe. */
	__device__ void
	number_symbols(int32_t first)
	{
		uint32_t mask = args.hash_slots - 1;

		for (uint32_t i = (uint32_t) lane; i < args.hash_slots; i += LCS_LANES)
			slots[i] = {0, 0};
		if (lane == 0)
			*count = 0;
		__syncwarp();
		for (int32_t row = first + lane; row < args.pair.m && row < first + ROWS; row += LCS_LANES)
		{
			uint32_t symbol = row_symbol(row);
			uint32_t i = (symbol * 0x9E3779B1u >> 7) & mask;
			uint32_t key;

			while ((key = atomicCAS(&slots[i].key, 0, symbol + 1)) != 0 && key != symbol + 1)
				i = (i + 1) & mask;
			if (key == 0)
				slots[i].offset = (atomicAdd(count, 1) + 1) * ROW_BYTES;
		}
		__syncwarp();
	}

	/* Sets the match vectors of the stripe. */
	__device__ void
	fill_table(int32_t first)
	{
		int32_t row = first + lane * LCS_WORD * W;

		if (args.hash_slots != 0)
			number_symbols(first);
		for (int32_t i = 0; i < args.table_rows; i++)
			*(Words<W> *) (table + (uint32_t) i * ROW_BYTES + lane * sizeof(Words<W>)) = {};
		for (int w = 0; w < W; w++)
			for (uint32_t bit = 1; bit != 0 && row < args.pair.m; bit <<= 1, row++)
				((Words<W> *) (table + symbol_offset(row_symbol(row))))[lane].word[w] |= bit;
	}

	/* Where the offsets of four columns are: so that those that lanes read at once are in a row. */
	static __device__ __forceinline__ uint32_t
	quad_place(uint32_t quad)
	{
		return quad / GROUPS % (QUADS / GROUPS) + quad % GROUPS * (QUADS / GROUPS);
	}

	/* Loads a lane's symbols of a period. */
	__device__ __forceinline__ void
	load_columns(int32_t period, uint32_t (&symbol)[BATCH]) const
	{
#pragma unroll
		for (int i = 0; i < BATCH; i++)
		{
			int32_t j = period * PERIOD_COLUMNS + i * LCS_LANES + lane;

			if (j < half.n)
				symbol[i] = symbol_at(args.pair.b, args.pair.symbol_bytes,
									  half.reversed ? args.pair.n - 1 - j : j);
		}
	}

	/* Puts the offsets of the match vectors of a period where all lanes find them. */
	__device__ __forceinline__ void
	feed_columns(int32_t period, const uint32_t (&symbol)[BATCH])
	{
		__syncwarp();
#pragma unroll
		for (int i = 0; i < BATCH; i++)
		{
			int32_t j = period * PERIOD_COLUMNS + i * LCS_LANES + lane;
			uint32_t *quad = (uint32_t *) &ring[quad_place((uint32_t) j / 4)];

			quad[j % 4] = j < half.n ? symbol_offset(symbol[i]) : 0;
		}
		__syncwarp();
	}

	/* Loads the match vectors of a lane's batch of columns. */
	__device__ __forceinline__ void
	load_match(int32_t batch, Words<W> (&match)[BATCH]) const
	{
		uint32_t quad = (uint32_t) (batch - LAG * lane) * (BATCH / 4);
		const char *own = table + lane * sizeof(Words<W>);

#pragma unroll
		for (int i = 0; i < BATCH / 4; i++)
		{
			uint4 offset = ring[quad_place(quad + i)];

			match[4 * i] = *(const Words<W> *) (own + offset.x);
			match[4 * i + 1] = *(const Words<W> *) (own + offset.y);
			match[4 * i + 2] = *(const Words<W> *) (own + offset.z);
			match[4 * i + 3] = *(const Words<W> *) (own + offset.w);
		}
	}

	/* Waits for the carries into a granule; false where the host asks to stop. */
	__device__ __forceinline__ bool
	await_carries(int32_t granule, uint32_t stripe, uint64_t &carries) const
	{
		for (int polls = 0; __any_sync(LCS_ALL_LANES, carries >> 32 != stripe); polls++)
		{
			if (polls % POLLS_PER_CHECK == POLLS_PER_CHECK - 1 && lcs_cancelled(args.cancel))
				return false;
			carries = load_carries(&half.carry[granule]);
		}
		return true;
	}

	/* Scans the stripe; false where the host asks to stop. */
	__device__ bool
	scan(int32_t stripe)
	{
		int32_t granules = parts(half.n, GRANULE);
		int32_t periods = parts(granules * GRANULE_BATCHES + 31 * LAG, PERIOD);
		uint32_t v[W];
		uint32_t symbol[BATCH];
		Words<W> match[BATCH];
		uint32_t out = 0;               /* carries out of the last columns */
		uint32_t pending[LAG + 1] = {}; /* those of the lane before, of batches to come */
		uint64_t next = granules > 0 ? load_carries(&half.carry[0]) : 0;

		__syncwarp();
		fill_table(stripe * ROWS);
#pragma unroll
		for (int i = 0; i < QUADS / LCS_LANES; i++)
			ring[i * LCS_LANES + lane] = {};
		load_columns(0, symbol);
		feed_columns(0, symbol);
		load_columns(1, symbol);
#pragma unroll
		for (int w = 0; w < W; w++)
			v[w] = ~0u;
		load_match(0, match);

		for (int32_t period = 0; period < periods; period++)
		{
			if (period % PERIODS_PER_CHECK == PERIODS_PER_CHECK - 1 && lcs_cancelled(args.cancel))
				return false;
			feed_columns(period + 1, symbol);
			load_columns(period + 2, symbol);

#pragma unroll 1
			for (int g = 0; g < BATCH; g++)
			{
				int32_t granule = period * BATCH + g;
				uint32_t incoming = 0;

				if (granule < granules)
				{
					if (!await_carries(granule, (uint32_t) stripe, next))
						return false;
					incoming = (uint32_t) next;
					if (granule + 1 < granules)
						next = load_carries(&half.carry[granule + 1]);
				}
#pragma unroll
				for (int b = 0; b < GRANULE_BATCHES; b++)
				{
					int32_t batch = granule * GRANULE_BATCHES + b;
					uint32_t in = lane == 0 ? incoming << (BATCH * b)
											: pending[0] << (32 - BATCH);
					Words<W> present[BATCH];

#pragma unroll
					for (int i = 0; i < BATCH; i++)
						present[i] = match[i];
					load_match(batch + 1, match);
#pragma unroll
					for (int i = 0; i < BATCH; i++)
						lcs_step<W>(v, present[i], in, out);
					pending[LAG - 1] = __shfl_up_sync(LCS_ALL_LANES, out, 1);
					if (LAG == 2)
					{
						uint32_t newest = pending[1];

						pending[0] = pending[2];
						pending[2] = newest;
					}
					if (b == STORE_AFTER)
					{
						int32_t done = (batch - 31 * LAG) / GRANULE_BATCHES;

						if (lane == 31 && batch >= 31 * LAG && done < granules)
							store_carries(&half.carry[done], (uint64_t) (stripe + 1) << 32 | out);
					}
				}
			}
		}
#pragma unroll
		for (int w = 0; w < W; w++)
			half.v[(size_t) stripe * (LCS_LANES * W) + lane * W + w] = v[w];
		return true;
	}
};

/* Scans both halves; blocks take turns at them. */
template <int W, int BATCH, int LAG>
static __global__ void
__launch_bounds__(MOST_WARPS *LCS_LANES, 1) scan_halves(const __grid_constant__ PairArgs args)
{
	extern __shared__ uint4 shared[];
	int warp = (int) (threadIdx.x / LCS_LANES);
	int warps = (int) (blockDim.x / LCS_LANES);
	Stripe<W, BATCH, LAG> scan(args, args.half[blockIdx.x % 2],
							   (char *) shared + (uint32_t) warp * args.warp_bytes);

	for (int32_t stripe = (int32_t) (blockIdx.x / 2) * warps + warp; stripe < args.stripes;
		 stripe += (int32_t) (gridDim.x / 2) * warps)
		if (!scan.scan(stripe))
			return;
}

/* The sum over all lower threads of a block. */
static __device__ int32_t
sum_below(int32_t value, int32_t *warp_sum, int32_t *total)
{
	int lane = (int) (threadIdx.x % LCS_LANES);
	int warp = (int) (threadIdx.x / LCS_LANES);
	int32_t sum = value;
	int32_t below = 0;

	for (int d = 1; d < LCS_LANES; d *= 2)
	{
		int32_t other = __shfl_up_sync(LCS_ALL_LANES, sum, d);

		sum += lane >= d ? other : 0;
	}
	__syncthreads();
	if (lane == LCS_LANES - 1)
		warp_sum[warp] = sum;
	__syncthreads();
	*total = 0;
	for (int w = 0; w < (int) (blockDim.x / LCS_LANES); w++)
	{
		below += w < warp ? warp_sum[w] : 0;
		*total += warp_sum[w];
	}
	return below + sum - value;
}

/* Which of the rows i to i + 31 of the first scan extend the second scan's subsequence. */
static __device__ uint32_t
mirrored_rows(const uint32_t *v, int32_t m, int32_t i)
{
	int32_t first = m - 32 - i;
	uint32_t rows;

	if (first >= 0)
		rows = __funnelshift_r(~v[first / 32], first % 32 == 0 ? 0 : ~v[first / 32 + 1], first % 32);
	else
		rows = ~v[0] << -first;
	return __brev(rows);
}

constexpr int MEET_THREADS = 1024;

/*
 * Finds the row in which the two scans meet: the most that the first scan
 * reaches in the rows up to it and the second one in the others.
 */
static __global__ void
__launch_bounds__(MEET_THREADS) meet(const uint32_t *v, const uint32_t *reversed, int32_t m,
									 const uint32_t *cancel, int32_t *length)
{
	__shared__ int32_t warp_sum[MEET_THREADS / LCS_LANES];
	__shared__ int32_t best_of_warp[MEET_THREADS / LCS_LANES];
	int32_t words = parts(m, LCS_WORD);
	int32_t share = parts(words, MEET_THREADS);
	int32_t first = min((int32_t) threadIdx.x * share, words);
	int32_t end = min(first + share, words);
	int32_t gain = 0;
	int32_t loss = 0;
	int32_t total, total_loss, sum, best;

	for (int32_t w = first; w < end; w++)
	{
		gain += __popc(~v[w]);
		loss += __popc(mirrored_rows(reversed, m, w * LCS_WORD));
	}
	sum = sum_below(gain, warp_sum, &total) - sum_below(loss, warp_sum, &total_loss);
	sum += total_loss;
	best = sum;
	for (int32_t w = first; w < end; w++)
	{
		uint32_t up = ~v[w];
		uint32_t down = mirrored_rows(reversed, m, w * LCS_WORD);

		for (int bit = 0; bit < LCS_WORD; bit++)
		{
			sum += (int32_t) (up >> bit & 1) - (int32_t) (down >> bit & 1);
			best = max(best, sum);
		}
	}
	best = __reduce_max_sync(LCS_ALL_LANES, best);
	if (threadIdx.x % LCS_LANES == 0)
		best_of_warp[threadIdx.x / LCS_LANES] = best;
	__syncthreads();
	if (threadIdx.x < LCS_LANES)
	{
		bool cancelled = lcs_cancelled(cancel);

		best = __reduce_max_sync(LCS_ALL_LANES, best_of_warp[threadIdx.x]);
		if (threadIdx.x == 0)
			*length = cancelled ? LCS_CANCELLED : best;
	}
}

/* The kernel for a plan, or NULL. */
static void (*scan_kernel(const LcsPairPlan &plan))(PairArgs)
{
	int key = plan.words * 100 + plan.batch * 10 + plan.lag;

	switch (key)
	{
		case 141:
			return scan_halves<1, 4, 1>;
		case 142:
			return scan_halves<1, 4, 2>;
		case 181:
			return scan_halves<1, 8, 1>;
		case 182:
			return scan_halves<1, 8, 2>;
		case 241:
			return scan_halves<2, 4, 1>;
		case 242:
			return scan_halves<2, 4, 2>;
		case 281:
			return scan_halves<2, 8, 1>;
		case 282:
			return scan_halves<2, 8, 2>;
		case 441:
			return scan_halves<4, 4, 1>;
		case 442:
			return scan_halves<4, 4, 2>;
		case 481:
			return scan_halves<4, 8, 1>;
		case 482:
			return scan_halves<4, 8, 2>;
		default:
			return nullptr;
	}
}

/* Rows of a stripe. */
static int32_t
stripe_rows(const LcsPairPlan &plan)
{
	return LCS_LANES * LCS_WORD * plan.words;
}

/* Slots of the hash table of a warp. */
static uint32_t
hash_slots(const LcsPairPlan &plan)
{
	return plan.recode ? 2 * (uint32_t) stripe_rows(plan) : 0;
}

/* Bytes of shared memory of a warp. */
static size_t
warp_bytes(const LcsPairPlan &plan)
{
	size_t bytes = (size_t) plan.table_rows * LCS_LANES * (size_t) plan.words * sizeof(uint32_t) +
				   (size_t) PERIODS * PERIOD * (size_t) plan.batch * sizeof(uint32_t);

	return plan.recode ? bytes + hash_slots(plan) * sizeof(Slot) + sizeof(uint4) : bytes;
}

/* Fills in what follows from words, batch, lag and the most warps; false where it does not fit. */
bool
lcs_pair_fit(const LcsDevicePair &pair, const cudaDeviceProp &device, int most_warps,
			 LcsPairPlan *plan)
{
	int32_t stripes = parts(pair.m, stripe_rows(*plan));
	size_t warps;

	plan->recode = false;
	plan->table_rows = pair.codes + 1;
	if (warp_bytes(*plan) > device.sharedMemPerBlockOptin || pair.codes > stripe_rows(*plan))
	{
		plan->recode = true;
		plan->table_rows = (pair.codes < stripe_rows(*plan) ? pair.codes : stripe_rows(*plan)) + 1;
	}
	warps = device.sharedMemPerBlockOptin / warp_bytes(*plan);
	if (warps == 0)
		return false;
	plan->warps = (int) warps < most_warps ? (int) warps : most_warps;
	plan->warps = plan->warps < MOST_WARPS ? plan->warps : MOST_WARPS;
	plan->blocks = parts(stripes, plan->warps);
	if (plan->blocks > device.multiProcessorCount / 2)
		plan->blocks = device.multiProcessorCount / 2;
	if (plan->blocks == 0)
		plan->blocks = 1;
	plan->shared = (size_t) plan->warps * warp_bytes(*plan);
	return true;
}

/* The plan for a pair. */
bool
lcs_pair_plan(const LcsDevicePair &pair, const cudaDeviceProp &device, LcsPairPlan *plan)
{
	plan->words = 1;
	plan->batch = 8;
	plan->lag = 1;
	return lcs_pair_fit(pair, device, 4, plan);
}

/* Bytes of the carries of a half. */
static size_t
carry_bytes(int32_t n)
{
	return (size_t) parts(n, GRANULE) * sizeof(uint64_t);
}

/* Bytes of V of a half. */
static size_t
v_bytes(const LcsDevicePair &pair, const LcsPairPlan &plan)
{
	int32_t rows = stripe_rows(plan);

	return (size_t) parts(pair.m, rows) * (size_t) (rows / 8);
}

/* Device memory in bytes that a pair takes beside its strings. */
size_t
lcs_pair_memory(const LcsDevicePair &pair, const LcsPairPlan &plan)
{
	int32_t n = pair.n / 2;

	return carry_bytes(n) + carry_bytes(pair.n - n) + 2 * v_bytes(pair, plan);
}

/* Starts computing a length. */
cudaError_t
lcs_pair_launch(const LcsDevicePair &pair, const LcsPairPlan &plan, void *memory, int32_t *length,
				const uint32_t *cancel, cudaStream_t stream)
{
	void (*kernel)(PairArgs) = scan_kernel(plan);
	int32_t n = pair.n / 2;
	char *place = (char *) memory;
	PairArgs args = {};
	void *list[] = {&args};
	cudaError_t error;

	if (kernel == nullptr)
		return cudaErrorInvalidValue;
	args.pair = pair;
	args.stripes = parts(pair.m, stripe_rows(plan));
	args.table_rows = plan.table_rows;
	args.hash_slots = hash_slots(plan);
	args.warp_bytes = (uint32_t) warp_bytes(plan);
	args.cancel = cancel;
	for (int i = 0; i < 2; i++)
	{
		Half *half = &args.half[i];

		half->n = i == 0 ? n : pair.n - n;
		half->reversed = i == 1;
		half->carry = (uint64_t *) place;
		place += carry_bytes(half->n);
	}
	for (int i = 0; i < 2; i++)
	{
		args.half[i].v = (uint32_t *) place;
		place += v_bytes(pair, plan);
	}

	error = cudaMemsetAsync(memory, 0, carry_bytes(n) + carry_bytes(pair.n - n), stream);
	if (error == cudaSuccess)
		error = cudaFuncSetAttribute((const void *) kernel,
									 cudaFuncAttributeMaxDynamicSharedMemorySize,
									 (int) plan.shared);
	if (error == cudaSuccess)
		error = cudaLaunchCooperativeKernel((const void *) kernel, dim3(2 * (unsigned) plan.blocks),
											dim3(LCS_LANES * (unsigned) plan.warps), list,
											plan.shared, stream);
	if (error != cudaSuccess)
		return error;
	meet<<<1, MEET_THREADS, 0, stream>>>(args.half[0].v, args.half[1].v, pair.m, cancel, length);
	return cudaGetLastError();
}
