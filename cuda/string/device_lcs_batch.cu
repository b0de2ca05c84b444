/*
 * device_lcs_batch.cu
 *	  Longest common subsequences of one pattern and many texts.
 *
 * A team of 1 to 32 lanes computes a text, with up to 4 words of V in each lane.  A thread
 * computes a text for patterns of up to 128 symbols, a warp for the longest patterns.  In a
 * team, each lane is a batch of columns behind the lane before it, and gets the carries of
 * that lane by a shuffle.
 *
 * The match vectors of the pattern are in the shared memory of a block.  A row of them has a
 * place for each lane that loads one at the same time, so that no two lanes access the same
 * bank, whatever their symbols.  For small teams, these places hold copies of the same
 * words.
 */
#include "device_lcs_batch.h"
#include "lcs_step.cuh"

/* Threads of a block. */
constexpr int BLOCK = 256;

/* A warp checks for cancellation after this number of batches of columns. */
constexpr int BATCHES_PER_CHECK = 1024;

/* Arguments of the kernel. */
struct BatchArgs
{
	LcsDeviceBatch batch;
	int32_t *lengths;
	const volatile int *cancel;
};

/* A lane of a team of LANES lanes with W words each. */
template <class Symbol, int W, int LANES> struct TeamLane
{
	static constexpr int COLUMNS = LANES == 1 && sizeof(Symbol) == 1 ? 16 : 8; /* of a batch */
	static constexpr int PLACES = LANES * W > WARP ? LANES : WARP / W;         /* of a row */
	static constexpr int ROW_BYTES = PLACES * W * (int) sizeof(uint32_t);

	/* Symbols of a batch, loaded at once. */
	struct alignas(COLUMNS * sizeof(Symbol)) Columns
	{
		Symbol symbol[COLUMNS];
	};

	uint32_t v[W];
	uint32_t out; /* carries out of the last columns, the last one lowest */

	/* Starts a text. */
	__device__ __forceinline__ void
	begin()
	{
		out = 0;
#pragma unroll
		for (int w = 0; w < W; w++)
			v[w] = ~0u;
	}

	/*
	 * Computes V after a batch of columns that are all within the text; `own` are the match
	 * vectors of symbol 0.
	 */
	__device__ __forceinline__ void
	scan_full(const char *own, const Columns &columns, uint32_t in)
	{
#pragma unroll
		for (int i = 0; i < COLUMNS; i++)
		{
			Words<W> match = *(const Words<W> *) (own + columns.symbol[i] * ROW_BYTES);

			if (LANES == 1)
				lcs_step_alone<W>(v, lcs_matched<W>(v, match));
			else
				lcs_step<W>(v, lcs_matched<W>(v, match), in, out);
		}
	}

	/* Computes V after a batch of which only the first `valid` columns are within the text. */
	__device__ __forceinline__ void
	scan_partly(const char *own, const Columns &columns, int32_t valid, uint32_t in)
	{
#pragma unroll
		for (int i = 0; i < COLUMNS; i++)
		{
			int row = i < valid ? (int) columns.symbol[i] : -1;
			Words<W> match = *(const Words<W> *) (own + row * ROW_BYTES);

			lcs_step<W>(v, lcs_matched<W>(v, match), in, out);
		}
	}

	/* Returns the length at the end of the text: the number of zeros in V of the team. */
	__device__ __forceinline__ int32_t
	length() const
	{
		int32_t zeros = 0;

#pragma unroll
		for (int w = 0; w < W; w++)
			zeros += __popc(~v[w]);
#pragma unroll
		for (int d = 1; d < LANES; d *= 2)
			zeros += __shfl_xor_sync(ALL, zeros, d);
		return zeros;
	}
};

/*
 * Sets the match vectors of the pattern, by all threads of a block; the first row is blank.
 * Returns where the thread finds those of symbol 0.
 */
template <class Symbol, int W, int LANES>
static __device__ __forceinline__ const char *
fill_match_table(const LcsDeviceBatch &batch, Words<W> *table)
{
	constexpr int PLACES = TeamLane<Symbol, W, LANES>::PLACES;

	for (int i = (int) threadIdx.x; i < (batch.codes + 1) * PLACES; i += BLOCK)
		table[i] = {};
	__syncthreads();
	for (int i = (int) threadIdx.x; i < batch.m * (PLACES / LANES); i += BLOCK)
	{
		int row = i % batch.m;
		int place = i / batch.m * LANES + row / (LCS_WORD * W);
		int symbol = ((const Symbol *) batch.pattern)[row];

		atomicOr(&table[(symbol + 1) * PLACES + place].word[row / LCS_WORD % W],
				 1u << row % LCS_WORD);
	}
	__syncthreads();
	return (const char *) &table[PLACES + (int) threadIdx.x % PLACES];
}

/* Computes the lengths of texts, each by a team. */
template <class Symbol, int W, int LANES>
static __global__ void
__launch_bounds__(BLOCK) scan_texts(const __grid_constant__ BatchArgs args)
{
	using Team = TeamLane<Symbol, W, LANES>;
	using Columns = typename Team::Columns;
	constexpr int COLUMNS = Team::COLUMNS;
	constexpr int TEAMS = WARP / LANES; /* teams of a warp */
	extern __shared__ uint4 shared[];
	const LcsDeviceBatch &batch = args.batch;
	int lane = (int) threadIdx.x % LANES;
	int warp = (int) (blockIdx.x * (BLOCK / WARP) + threadIdx.x / WARP);
	int warps = (int) gridDim.x * (BLOCK / WARP);
	int until_check = BATCHES_PER_CHECK;
	const char *own = fill_match_table<Symbol, W, LANES>(batch, (Words<W> *) shared);
	Team team;

	for (int64_t first = (int64_t) warp * TEAMS; first < batch.count;
		 first += (int64_t) warps * TEAMS)
	{
		int64_t text = first + (int) (threadIdx.x % WARP) / LANES;
		int32_t n = text < batch.count ? batch.length[text] : 0;
		const Columns *columns =
			(const Columns *) ((const Symbol *) batch.texts + (n > 0 ? batch.start[text] : 0));
		int32_t most = __reduce_max_sync(ALL, n);
		int32_t batches = (int32_t) (((int64_t) most + COLUMNS - 1) / COLUMNS) + LANES - 1;
		Columns next = {};
		uint32_t pending = 0; /* carries of the lane before, for the next batch */

		team.begin();
		if (lane == 0 && n > 0)
			next = columns[0];
		for (int32_t k = 0; k < batches; k++)
		{
			int32_t at = k - lane;
			Columns present = next;
			uint32_t in = lane == 0 ? 0 : pending << (32 - COLUMNS);
			/* whether the batch is within the text, and how many of its columns are */
			bool inside = at >= 0 && at < n / COLUMNS;
			int32_t valid = at < 0 ? 0 : min(max(n - at * COLUMNS, 0), COLUMNS);

			if (at + 1 >= 0 && (int64_t) (at + 1) * COLUMNS < n)
				next = columns[at + 1];
			if (--until_check == 0)
			{
				if (__any_sync(ALL, lcs_cancelled(args.cancel)))
					return;
				until_check = BATCHES_PER_CHECK;
			}
			if (__all_sync(ALL, inside))
				team.scan_full(own, present, in);
			else
				team.scan_partly(own, present, valid, in);
			if (LANES > 1)
				pending = __shfl_up_sync(ALL, team.out, 1);
		}

		const int32_t length = team.length();

		if (lane == 0 && text < batch.count)
			args.lengths[text] = length;
	}
}

/* A kernel and the size of its teams, which limits its patterns. */
struct BatchKernel
{
	void (*scan)(BatchArgs);
	int words;
	int lanes;
};

template <class Symbol>
static constexpr BatchKernel kernels[] = {
	{scan_texts<Symbol, 1, 1>, 1, 1},   {scan_texts<Symbol, 2, 1>, 2, 1},
	{scan_texts<Symbol, 4, 1>, 4, 1},   {scan_texts<Symbol, 4, 2>, 4, 2},
	{scan_texts<Symbol, 4, 4>, 4, 4},   {scan_texts<Symbol, 4, 8>, 4, 8},
	{scan_texts<Symbol, 4, 16>, 4, 16}, {scan_texts<Symbol, 4, 32>, 4, 32},
};

/* Returns the kernel for patterns of m symbols, or NULL. */
static const BatchKernel *
batch_kernel(int32_t m, int symbol_bytes)
{
	for (size_t i = 0; i < sizeof(kernels<uint8_t>) / sizeof(kernels<uint8_t>[0]); i++)
	{
		const BatchKernel *kernel =
			symbol_bytes == 1 ? &kernels<uint8_t>[i] : &kernels<uint16_t>[i];

		if (m <= kernel->words * kernel->lanes * LCS_WORD)
			return kernel;
	}
	return nullptr;
}

/* Returns the bytes of shared memory of a block. */
static size_t
batch_shared_bytes(const BatchKernel *kernel, int32_t codes)
{
	int words = kernel->words * kernel->lanes;

	return ((size_t) codes + 1) * (size_t) (words < WARP ? WARP : words) * sizeof(uint32_t);
}

/* Whether a pattern is short enough and has few enough codes for a batch. */
bool
lcs_gpu_batch_fits(int32_t m, int32_t codes, const cudaDeviceProp &device)
{
	const BatchKernel *kernel = batch_kernel(m, 1);

	return kernel != nullptr && batch_shared_bytes(kernel, codes) <= device.sharedMemPerBlockOptin;
}

/* Starts to compute the lengths, in the order of the texts. */
cudaError_t
lcs_gpu_batch_launch(const LcsDeviceBatch &batch, const cudaDeviceProp &device, int32_t *lengths,
					 const volatile int *cancel, cudaStream_t stream)
{
	const BatchKernel *kernel = batch_kernel(batch.m, batch.symbol_bytes);
	BatchArgs args = {batch, lengths, cancel};
	void *list[] = {&args};
	int blocks = 0;
	size_t shared;
	cudaError_t error;

	if (kernel == nullptr)
		return cudaErrorInvalidValue;
	shared = batch_shared_bytes(kernel, batch.codes);
	error = cudaFuncSetAttribute((const void *) kernel->scan,
								 cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared);
	if (error == cudaSuccess)
		error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel->scan, BLOCK, shared);
	if (error != cudaSuccess)
		return error;
	return cudaLaunchKernel((const void *) kernel->scan,
							dim3((unsigned) (blocks * device.multiProcessorCount)), dim3(BLOCK),
							list, shared, stream);
}
