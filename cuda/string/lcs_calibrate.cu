/*
 * lcs_calibrate.cu
 *	  Measures the costs of one long pair on a GPU.
 *
 * For each number of words in a thread and of warps on a scheduler, pairs with few and with
 * many rows and columns are timed with both sizes of batches.  That suffices to find the
 * times of a column, a hand-over, a stripe and a launch.  If match vectors are found in
 * another way, a column takes longer; one pair measures that time.
 */
#include "lcs_calibrate.h"
#include "device_lcs_pair.h"

constexpr uint32_t FEW_CODES = 16;
constexpr uint32_t MANY_CODES = 65536; /* enough that warps number them */
constexpr int ROUNDS = 3;
constexpr unsigned FILL_THREADS = 256;

/* Few and many blocks of rows, and few and many columns. */
constexpr int32_t block_counts[] = {1, 12};
constexpr int32_t column_counts[] = {12000, 60000};
constexpr int32_t MOST_ROWS = 12 * 2 * LCS_SCHEDULERS * 1024 * 4;
constexpr int32_t MOST_COLUMNS = 60000;
constexpr int32_t SYMBOLS = MOST_ROWS + MOST_COLUMNS;

constexpr int SAMPLES = 2 * 2 * LCS_BATCHES;

/* Fills symbols with pseudo-random codes. */
static __global__ void
fill_symbols(uint32_t *symbols, int32_t count, uint32_t codes)
{
	int32_t i = (int32_t) (blockIdx.x * blockDim.x + threadIdx.x);

	if (i < count)
		symbols[i] = (((uint32_t) i * 0x9E3779B1u) ^ ((uint32_t) i >> 3)) * 0x85EBCA6Bu % codes;
}

/* Returns the largest pair that is timed. */
static LcsDevicePair
largest_pair()
{
	LcsDevicePair pair = {};

	pair.m = MOST_ROWS;
	pair.n = MOST_COLUMNS;
	pair.symbol_bytes = sizeof(uint32_t);
	pair.codes = FEW_CODES;
	return pair;
}

/* Returns the bytes of the strings and of the length. */
static size_t
string_bytes()
{
	return SYMBOLS * sizeof(uint32_t) + sizeof(uint4);
}

/* Returns the bytes of device memory that the measurement takes. */
size_t
lcs_calibrate_memory()
{
	LcsPairPlan plan = {};

	plan.words = 4;
	plan.batch = 8;
	plan.tables = 1;
	return string_bytes() + lcs_device_pair_memory(largest_pair(), plan);
}

/* The resources of a measurement. */
struct Measuring
{
	const cudaDeviceProp &device;
	char *memory;
	cudaStream_t stream;
	cudaEvent_t event[2];

	/* Returns the two strings, one after the other. */
	uint32_t *
	symbols() const
	{
		return (uint32_t *) (memory + sizeof(uint4));
	}
};

/* Measures the time of a pair in seconds, as the least of some launches. */
static cudaError_t
time_pair(const Measuring &with, const LcsDevicePair &pair, const LcsPairPlan &plan,
		  double *seconds)
{
	cudaError_t error = cudaSuccess;

	*seconds = 0;
	for (int round = 0; round < ROUNDS && error == cudaSuccess; round++)
	{
		float milliseconds = 0;

		error = cudaEventRecord(with.event[0], with.stream);
		if (error == cudaSuccess)
			error = lcs_pair_launch(pair, plan, with.memory + string_bytes(),
									(int32_t *) with.memory, nullptr, with.stream);
		if (error == cudaSuccess)
			error = cudaEventRecord(with.event[1], with.stream);
		if (error == cudaSuccess)
			error = cudaEventSynchronize(with.event[1]);
		if (error == cudaSuccess)
			error = cudaEventElapsedTime(&milliseconds, with.event[0], with.event[1]);
		if (round == 0 || milliseconds / 1e3 < *seconds)
			*seconds = milliseconds / 1e3;
	}
	return error;
}

/* Measures a pair of some blocks of rows by a plan whose words, batch and tables are set. */
static cudaError_t
take_sample(const Measuring &with, LcsDevicePair pair, int32_t blocks, LcsPairPlan plan, int warps,
			LcsTileSample *sample)
{
	pair.a = with.symbols();
	pair.b = with.symbols() + MOST_ROWS;
	pair.m = blocks * warps * plan.words * 1024;
	if (!lcs_pair_fit(pair, with.device, warps, &plan))
		return cudaErrorInvalidConfiguration;
	sample->pair = {pair.m, (pair.n + 1) / 2};
	sample->tile = lcs_pair_tile(plan);
	return time_pair(with, pair, plan, &sample->seconds);
}

/*
 * Measures the costs for a number of words in a thread and of warps on a scheduler, with one
 * table.
 */
static cudaError_t
measure_tile_costs(const Measuring &with, int words, int shares, LcsTileCosts *costs)
{
	LcsTileSample samples[SAMPLES];
	cudaError_t error = cudaSuccess;

	for (int i = 0; i < SAMPLES && error == cudaSuccess; i++)
	{
		LcsDevicePair pair = largest_pair();
		LcsPairPlan plan = {};

		plan.words = words;
		plan.batch = lcs_batches[i / 4];
		plan.tables = 1;
		pair.n = column_counts[i / 2 % 2];
		error = take_sample(with, pair, block_counts[i % 2], plan, LCS_SCHEDULERS * shares,
							&samples[i]);
	}
	if (error == cudaSuccess && !lcs_tile_fit(costs, samples, SAMPLES))
		error = cudaErrorUnknown;
	return error;
}

/* Measures the cost of a column if match vectors are found in another way. */
static cudaError_t
measure_column(const Measuring &with, int words, int shares, uint32_t codes, LcsTileCosts *costs)
{
	LcsDevicePair pair = largest_pair();
	LcsPairPlan plan = {};
	LcsTileSample sample;
	cudaError_t error;

	plan.words = words;
	plan.batch = lcs_batches[0];
	plan.tables = 2;
	pair.codes = (int32_t) codes;
	error = take_sample(with, pair, block_counts[1], plan, LCS_SCHEDULERS * shares, &sample);
	/* if there is no room for this number of warps on a scheduler, no plan will have it */
	if (error == cudaSuccess && sample.tile.shares == shares)
		lcs_tile_fit_column(costs, &sample);
	return error;
}

/* Measures all costs for few codes, and the cost of columns for each way to find match vectors. */
static cudaError_t
measure_all(const Measuring &with, LcsTileModel *model)
{
	cudaError_t error = cudaSuccess;

	for (int match = 0; match < LCS_MATCHES && error == cudaSuccess; match++)
	{
		uint32_t codes = match == LCS_MATCH_NUMBERED ? MANY_CODES : FEW_CODES;

		fill_symbols<<<(unsigned) SYMBOLS / FILL_THREADS + 1, FILL_THREADS, 0, with.stream>>>(
			with.symbols(), SYMBOLS, codes);
		error = cudaGetLastError();
		for (int i = 0; i < LCS_TILE_WORDS * LCS_TILE_SHARES && error == cudaSuccess; i++)
		{
			int words = 1 << i / LCS_TILE_SHARES;
			int shares = 1 + i % LCS_TILE_SHARES;
			LcsTileCosts *costs = &model->costs[match][i / LCS_TILE_SHARES][shares - 1];

			if (match == LCS_MATCH_TABLE)
				error = measure_tile_costs(with, words, shares, costs);
			else
			{
				*costs = model->costs[LCS_MATCH_TABLE][i / LCS_TILE_SHARES][shares - 1];
				error = measure_column(with, words, shares, codes, costs);
			}
		}
	}
	return error;
}

/* Measures the costs of a model. */
cudaError_t
lcs_calibrate(const cudaDeviceProp &device, void *memory, cudaStream_t stream, LcsTileModel *model)
{
	Measuring with = {device, (char *) memory, stream, {}};
	cudaError_t error = cudaEventCreate(&with.event[0]);

	if (error == cudaSuccess)
		error = cudaEventCreate(&with.event[1]);
	if (error == cudaSuccess)
		error = measure_all(with, model);
	for (cudaEvent_t event : with.event)
		if (event != nullptr)
			cudaEventDestroy(event);
	return error;
}
