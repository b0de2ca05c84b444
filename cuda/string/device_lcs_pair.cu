/*
 * device_lcs_pair.cu
 *	  Length of the longest common subsequence of one long pair.
 *
 * The table of lengths is scanned from both sides at once.  Half of the warps scan the first
 * half of the columns; the other half scan the second half of the columns with both strings
 * reversed.  At the end, the best row for the two scans to meet in is found (Hirschberg,
 * 1975).
 *
 * Warps scan stripes of rows (lcs_stripe.cuh).  Each stripe replaces the words of carries into it
 * by its own, so that one word for 32 columns serves all stripes.  All warps are on the device at
 * the same time, and scan their stripes in ascending order, so no warp waits for one that cannot
 * run.
 */
#include "device_lcs_pair.h"

#include <algorithm>
#include <cmath>

#include "../common/card_tuning.h"
#include "lcs_stripe.cuh"

/* The most warps of a block. */
constexpr int MOST_WARPS = 8;

/* The most rows of match vectors of a stripe, which the warp clears before it scans the stripe. */
constexpr int32_t MOST_TABLE_ROWS = 1200;

/* Arguments of the kernels. */
struct PairArgs
{
	Scan half[2];
	Preparation preparation[2];
	uint32_t *v[2]; /* V of the halves after their last columns */
	int32_t stripes;
	uint32_t warp_bytes; /* bytes of shared memory of a warp */
};

/* Prepares both halves. */
static __global__ void
prepare_halves(const __grid_constant__ PairArgs args)
{
	int half = (int) (blockIdx.x % 2);

	prepare(args.half[half], args.preparation[half], blockIdx.x / 2, gridDim.x / 2);
}

/* Scans both halves, one by even and one by odd blocks. */
template <int W, int BATCH, int TABLES>
static __global__ void
__launch_bounds__(MOST_WARPS *WARP, 1) scan_halves(const __grid_constant__ PairArgs args)
{
	extern __shared__ uint4 shared[];
	int half = (int) (blockIdx.x % 2);
	int warp = (int) (threadIdx.x / WARP);
	int warps = (int) (blockDim.x / WARP);
	Stripe<W, BATCH, TABLES> scan(args.half[half],
								  (char *) shared + (uint32_t) warp * args.warp_bytes);

	for (int32_t stripe = (int32_t) (blockIdx.x / 2) * warps + warp; stripe < args.stripes;
		 stripe += (int32_t) (gridDim.x / 2) * warps)
	{
		uint32_t v[W];

#pragma unroll
		for (int w = 0; w < W; w++)
			v[w] = ~0u;
		scan.fill_tables(stripe);
		if (!scan.run(stripe, v, KeepNothing()))
			return;
#pragma unroll
		for (int w = 0; w < W; w++)
			args.v[half][((size_t) stripe * WARP + (size_t) scan.lane) * W + w] = v[w];
	}
}

/* Returns the sum of the values of all lower threads of a block, and the total. */
static __device__ int32_t
sum_below(int32_t value, int32_t *warp_sum, int32_t *total)
{
	int lane = (int) (threadIdx.x % WARP);
	int warp = (int) (threadIdx.x / WARP);
	int32_t sum = value;
	int32_t below = 0;

	for (int d = 1; d < WARP; d *= 2)
	{
		int32_t other = __shfl_up_sync(ALL, sum, d);

		sum += lane >= d ? other : 0;
	}
	__syncthreads();
	if (lane == WARP - 1)
		warp_sum[warp] = sum;
	__syncthreads();
	*total = 0;
	for (int w = 0; w < (int) (blockDim.x / WARP); w++)
	{
		below += w < warp ? warp_sum[w] : 0;
		*total += warp_sum[w];
	}
	return below + sum - value;
}

/*
 * Returns which of the rows i to i + 31 of the first scan extend the subsequence of the second
 * scan.
 */
static __device__ uint32_t
mirrored_rows(const uint32_t *v, int32_t m, int32_t i)
{
	int32_t first = m - 32 - i;
	uint32_t rows;

	if (first >= 0)
		rows =
			__funnelshift_r(~v[first / 32], first % 32 == 0 ? 0 : ~v[first / 32 + 1], first % 32);
	else
		rows = ~v[0] << -first;
	return __brev(rows);
}

constexpr int MEET_THREADS = 1024;

/*
 * Finds the best row for the two scans to meet in, and sets the length: the greatest sum of the
 * length of the first scan in the rows up to it and that of the second scan in the other rows.
 */
static __global__ void
__launch_bounds__(MEET_THREADS) meet(const uint32_t *v, const uint32_t *reversed, int32_t m,
									 const volatile int *cancel, int32_t *length)
{
	__shared__ int32_t warp_sum[MEET_THREADS / WARP];
	__shared__ int32_t best_of_warp[MEET_THREADS / WARP];
	int32_t words = parts_of_whole(m, LCS_WORD);
	int32_t share = parts_of_whole(words, MEET_THREADS);
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
	best = __reduce_max_sync(ALL, best);
	if (threadIdx.x % WARP == 0)
		best_of_warp[threadIdx.x / WARP] = best;
	__syncthreads();
	if (threadIdx.x < WARP)
	{
		best = __reduce_max_sync(ALL, best_of_warp[threadIdx.x]);
		if (threadIdx.x == 0)
			*length = lcs_cancelled(cancel) ? LCS_CANCELLED : best;
	}
}

/* Returns the kernel for a plan, or NULL. */
template <int TABLES> static void (*scan_kernel(const LcsPairPlan &plan))(PairArgs)
{
	switch (plan.words * 10 + plan.batch)
	{
		case 14:
			return scan_halves<1, 4, TABLES>;
		case 18:
			return scan_halves<1, 8, TABLES>;
		case 24:
			return scan_halves<2, 4, TABLES>;
		case 28:
			return scan_halves<2, 8, TABLES>;
		case 44:
			return scan_halves<4, 4, TABLES>;
		case 48:
			return scan_halves<4, 8, TABLES>;
		default:
			return nullptr;
	}
}

/* Divides the numbers of symbols among the tables; returns false if there are too many. */
static bool
divide_numbers(int32_t numbers, LcsPairPlan *plan)
{
	int32_t most = (int32_t) row_bytes(*plan); /* rows of a second table, see table_place() */

	plan->low_bits = 0;
	plan->table_rows = numbers;
	if (plan->tables == 1)
		return true;
	while (parts_of_whole(numbers, 1 << plan->low_bits) > std::min(most, 1 << plan->low_bits))
		plan->low_bits++;
	plan->table_rows = (1 << plan->low_bits) + parts_of_whole(numbers, 1 << plan->low_bits);
	return plan->table_rows <= MOST_TABLE_ROWS;
}

/*
 * Completes a plan whose words, batch and tables are set; returns false if it does not fit the
 * device.
 */
bool
lcs_pair_fit(const LcsDevicePair &pair, const cudaDeviceProp &device, int most_warps,
			 LcsPairPlan *plan)
{
	const int32_t stripes = parts_of_whole(pair.m, stripe_rows(*plan));
	const int wanted = std::max(std::min({most_warps, MOST_WARPS, (int) stripes}), 1);
	const size_t capacity = device.sharedMemPerBlockOptin;
	bool fits;

	plan->symbol_words = 0;
	fits = divide_numbers(pair.codes + 1, plan);
	if (plan->tables == 2 && pair.codes > stripe_rows(*plan) &&
		(!fits || (size_t) wanted * warp_bytes(*plan) > capacity))
	{
		plan->symbol_words = parts_of_whole(pair.codes + 1, LCS_WORD);
		fits = divide_numbers(stripe_rows(*plan) + 1, plan);
	}
	plan->warps = fits ? (int) std::min(capacity / warp_bytes(*plan), (size_t) wanted) : 0;
	if (plan->warps == 0)
		return false;
	plan->blocks = parts_of_whole(stripes, plan->warps);
	if (plan->blocks > device.multiProcessorCount / 2)
		plan->blocks = device.multiProcessorCount / 2;
	if (plan->blocks == 0)
		plan->blocks = 1;
	plan->shared = (size_t) plan->warps * warp_bytes(*plan);
	return true;
}

/* Returns the number of columns of a half. */
static int32_t
half_columns(const LcsDevicePair &pair, int half)
{
	return half == 0 ? pair.n / 2 : pair.n - pair.n / 2;
}

/*
 * Returns the predicted nanoseconds of a plan.  A lane has W words of V, and is LCS_LAG batches of
 * B columns behind the previous lane, so that a half of n columns and m rows is a wavefront of n /
 * B + LCS_LAG m / 32 W steps.  More stripes than warps take several passes; a pass begins when its
 * first warp is free and the pass above has reached it.
 */
static double
predicted_ns(const LcsDevicePair &pair, const LcsPairPlan &plan)
{
	const int32_t stripes = parts_of_whole(pair.m, stripe_rows(plan));
	const int32_t at_once = plan.warps * plan.blocks;
	const int32_t passes = parts_of_whole(stripes, at_once);
	const double batches = parts_of_whole(half_columns(pair, 1), plan.batch);
	const double lag = LCS_LAG * WARP; /* batches from stripe to stripe */
	const double pass = std::max(batches + lag, at_once * lag);
	const double steps = (passes - 1) * pass + batches + (stripes - (passes - 1.0) * at_once) * lag;
	double step = LCS_STEP_NS[plan.words / 2][plan.batch / 8];

	if (plan.tables == 2)
		step *= LCS_TWO_TABLES;
	if (plan.warps > LCS_SCHEDULERS)
		step *= LCS_SHARED_SCHEDULER;
	return steps * step + stripes * LCS_STRIPE_NS;
}

/* Finds the plan that is predicted to be the fastest; returns false if none fits. */
bool
lcs_pair_plan(const LcsDevicePair &pair, const cudaDeviceProp &device, LcsPairPlan *plan)
{
	double least = INFINITY;

	for (int words = 1; words <= 4; words *= 2)
		for (int batch : lcs_batches)
			for (int way = 0; way < LCS_TABLES * MOST_WARPS; way++)
			{
				LcsPairPlan other = {};

				other.words = words;
				other.batch = batch;
				other.tables = 1 + way % LCS_TABLES;
				if (!lcs_pair_fit(pair, device, 1 + way / LCS_TABLES, &other))
					continue;

				const double ns = predicted_ns(pair, other);

				if (ns < least)
				{
					least = ns;
					*plan = other;
				}
			}
	return !std::isinf(least);
}

/* Returns the bytes of device memory that a pair takes besides its strings. */
size_t
lcs_device_pair_memory(const LcsDevicePair &pair, const LcsPairPlan &plan)
{
	size_t bytes = 0;

	for (int i = 0; i < 2; i++)
	{
		ScanMemory memory(plan, pair.m, half_columns(pair, i));

		bytes += memory.rows + memory.columns + memory.carry + memory.v;
	}
	return bytes;
}

/* Starts to compute a length. */
cudaError_t
lcs_pair_launch(const LcsDevicePair &pair, const LcsPairPlan &plan, void *memory, int32_t *length,
				const volatile int *cancel, cudaStream_t stream)
{
	void (*kernel)(PairArgs) = plan.tables == 1 ? scan_kernel<1>(plan) : scan_kernel<2>(plan);
	char *place = (char *) memory;
	PairArgs args = {};
	void *list[] = {&args};
	cudaError_t error;

	if (kernel == nullptr)
		return cudaErrorInvalidValue;
	args.stripes = parts_of_whole(pair.m, stripe_rows(plan));
	args.warp_bytes = (uint32_t) warp_bytes(plan);
	for (int i = 0; i < 2; i++)
	{
		Scan *half = &args.half[i];
		Preparation *to = &args.preparation[i];
		ScanMemory bytes(plan, pair.m, half_columns(pair, i));

		half->rows = (uint32_t *) place;
		half->columns = (uint32_t *) (place += bytes.rows);
		half->carry = (uint64_t *) (place += bytes.columns);
		args.v[i] = (uint32_t *) (place += bytes.carry);
		place += bytes.v;
		half->n = half_columns(pair, i);
		half->match = match_sizes(plan);
		half->cancel = cancel;
		to->pair = pair;
		to->reversed = i == 1;
		to->rows = (int32_t) (bytes.rows / sizeof(uint32_t));
		to->columns = (int32_t) (bytes.columns / sizeof(uint32_t));
		to->first_carry = to->all_carry = bytes.carry / sizeof(uint64_t);
	}

	error = cudaFuncSetAttribute((const void *) kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
								 (int) plan.shared);
	if (error != cudaSuccess)
		return error;
	prepare_halves<<<PREPARE_BLOCKS, PREPARE_THREADS, 0, stream>>>(args);
	error =
		cudaLaunchCooperativeKernel((const void *) kernel, dim3(2 * (unsigned) plan.blocks),
									dim3(WARP * (unsigned) plan.warps), list, plan.shared, stream);
	if (error != cudaSuccess)
		return error;
	meet<<<1, MEET_THREADS, 0, stream>>>(args.v[0], args.v[1], pair.m, cancel, length);
	return cudaGetLastError();
}
