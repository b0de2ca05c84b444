/*
 * lcs_calibrate.cu
 *	  Measures the costs of one long pair on a GPU.
 *
 * For each number of words a thread, and of warps on a scheduler, pairs with
 * few and with many rows and columns are timed with both batches: that is
 * enough to tell a column, a hand-over, a stripe and a launch apart.
 */
#include "lcs_calibrate.h"
#include "lcs_pair.h"

constexpr int SCHEDULERS = 4; /* of a multiprocessor */
constexpr int CODES = 16;
constexpr int ROUNDS = 3;
constexpr unsigned FILL_THREADS = 256;

/* Few and many blocks of rows, and columns. */
constexpr int32_t block_counts[] = {1, 12};
constexpr int32_t column_counts[] = {12000, 60000};
constexpr int32_t MOST_ROWS = 12 * 2 * SCHEDULERS * 1024 * 4;
constexpr int32_t MOST_COLUMNS = 60000;

constexpr int SAMPLES = 2 * 2 * LCS_BATCHES;

/* Sets symbols that look random. */
static __global__ void
fill_symbols(uint8_t *symbols, int32_t count)
{
	int32_t i = (int32_t) (blockIdx.x * blockDim.x + threadIdx.x);

	if (i < count)
		symbols[i] = (uint8_t) ((((uint32_t) i * 0x9E3779B1u) ^ ((uint32_t) i >> 3)) >> 16) % CODES;
}

/* The largest pair that is timed. */
static LcsDevicePair
largest_pair()
{
	LcsDevicePair pair = {};

	pair.m = MOST_ROWS;
	pair.n = MOST_COLUMNS;
	pair.symbol_bytes = 1;
	pair.codes = CODES;
	return pair;
}

/* Bytes of the strings and of the length. */
static size_t
string_bytes()
{
	return (MOST_ROWS + MOST_COLUMNS + sizeof(uint4) + sizeof(int32_t)) / sizeof(uint4) *
		   sizeof(uint4);
}

/* Device memory in bytes that measuring takes. */
size_t
lcs_calibrate_memory()
{
	LcsPairPlan plan = {};

	plan.words = 4;
	plan.batch = 8;
	plan.tables = 1;
	return string_bytes() + lcs_pair_memory(largest_pair(), plan);
}

/* The least seconds of some launches of a pair. */
static cudaError_t
time_pair(const LcsDevicePair &pair, const LcsPairPlan &plan, void *memory, cudaEvent_t *event,
		  cudaStream_t stream, double *seconds)
{
	int32_t *length = (int32_t *) memory;
	cudaError_t error = cudaSuccess;

	*seconds = 0;
	for (int round = 0; round < ROUNDS && error == cudaSuccess; round++)
	{
		float milliseconds = 0;

		error = cudaEventRecord(event[0], stream);
		if (error == cudaSuccess)
			error = lcs_pair_launch(pair, plan, (char *) memory + string_bytes(), length, nullptr,
									stream);
		if (error == cudaSuccess)
			error = cudaEventRecord(event[1], stream);
		if (error == cudaSuccess)
			error = cudaEventSynchronize(event[1]);
		if (error == cudaSuccess)
			error = cudaEventElapsedTime(&milliseconds, event[0], event[1]);
		if (round == 0 || milliseconds / 1e3 < *seconds)
			*seconds = milliseconds / 1e3;
	}
	return error;
}

/* Measures the costs for some words a thread and warps on a scheduler. */
static cudaError_t
measure(const cudaDeviceProp &device, int words, int shares, void *memory, cudaEvent_t *event,
		cudaStream_t stream, LcsTileCosts *costs)
{
	LcsTileSample samples[SAMPLES];
	int count = 0;
	cudaError_t error = cudaSuccess;

	for (int i = 0; i < SAMPLES && error == cudaSuccess; i++)
	{
		LcsTileSample *sample = &samples[count++];
		LcsDevicePair pair = largest_pair();
		LcsPairPlan plan;
		int warps = SCHEDULERS * shares;

		plan.words = words;
		plan.batch = lcs_batches[i / 4];
		plan.tables = 1;
		pair.a = (char *) memory + sizeof(uint4);
		pair.b = (const char *) pair.a + MOST_ROWS;
		pair.m = block_counts[i % 2] * warps * words * 1024;
		pair.n = column_counts[i / 2 % 2];
		if (!lcs_pair_fit(pair, device, warps, &plan))
			return cudaErrorInvalidConfiguration;
		error = time_pair(pair, plan, memory, event, stream, &sample->seconds);
		sample->pair = {pair.m, (pair.n + 1) / 2};
		sample->tile = lcs_pair_tile(plan);
	}
	if (error == cudaSuccess && !lcs_tile_fit(costs, samples, count))
		error = cudaErrorUnknown;
	return error;
}

/* Sets the costs. */
cudaError_t
lcs_calibrate(const cudaDeviceProp &device, void *memory, cudaStream_t stream, LcsTileModel *model)
{
	char *strings = (char *) memory + sizeof(uint4);
	int32_t symbols = MOST_ROWS + MOST_COLUMNS;
	cudaEvent_t event[2] = {};
	cudaError_t error = cudaEventCreate(&event[0]);

	if (error == cudaSuccess)
		error = cudaEventCreate(&event[1]);
	if (error == cudaSuccess)
	{
		fill_symbols<<<(unsigned) symbols / FILL_THREADS + 1, FILL_THREADS, 0, stream>>>(
			(uint8_t *) strings, symbols);
		error = cudaGetLastError();
	}
	for (int words = 0; words < LCS_TILE_WORDS; words++)
		for (int shares = 1; shares <= LCS_TILE_SHARES && error == cudaSuccess; shares++)
			error = measure(device, 1 << words, shares, memory, event, stream,
							&model->costs[words][shares - 1]);
	for (int i = 0; i < 2; i++)
		if (event[i] != nullptr)
			cudaEventDestroy(event[i]);
	return error;
}
