/*
 * lcs_bench.cu
 *	  Times the kernels for longest common subsequences, and the baselines beside them.
 */
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "baselines.h"
#include "../../test/gpu/lcs_gpu.h"

extern "C"
{
#include "../tile_model.h"
}

/* Returns the median time of some launches in milliseconds. */
template <class Launch>
static double
milliseconds(int rounds, Launch launch)
{
	std::vector<float> times;
	cudaEvent_t start, stop;

	must(cudaEventCreate(&start), "event");
	must(cudaEventCreate(&stop), "event");
	launch();
	for (int i = 0; i < rounds; i++)
	{
		float time;

		must(cudaEventRecord(start), "event");
		launch();
		must(cudaEventRecord(stop), "event");
		must(cudaEventSynchronize(stop), "kernel");
		must(cudaEventElapsedTime(&time, start, stop), "event");
		times.push_back(time);
	}
	must(cudaEventDestroy(start), "event");
	must(cudaEventDestroy(stop), "event");
	std::sort(times.begin(), times.end());
	return times[times.size() / 2];
}

/* Times one long pair by the plan that is chosen for it. */
static void
bench_chosen(const LcsDevicePair &pair, int rounds)
{
	LcsPairPlan plan;

	if (lcs_pair_plan(pair, device, &plan))
		printf("chosen: %d %d %d, %d warps, %.3f ms\n", plan.words, plan.batch, plan.tables,
			   plan.warps, milliseconds(rounds, [&] { launch_pair(pair, plan); }));
	fflush(stdout);
}

/* Times one long pair by all variants. */
static void
bench_pair(int32_t m, int32_t n, uint32_t alphabet, int rounds)
{
	LcsDevicePair pair = put_pair(random_string(m, alphabet), random_string(n, alphabet),
								  alphabet <= 256 ? 1 : 4, alphabet);

	printf("\npair %d x %d over %u symbols: milliseconds by warps a block\n"
		   "W B T |        1        2        4        8\n",
		   m, n, alphabet);
	for (const Variant &variant : variants)
	{
		printf("%d %d %d |", variant.words, variant.batch, variant.tables);
		for (int warps = 1; warps <= 8; warps *= 2)
		{
			LcsPairPlan plan;

			if (!fit(pair, variant, warps, &plan) || plan.warps < warps)
				printf("        -");
			else
				printf(" %8.3f", milliseconds(rounds, [&] { launch_pair(pair, plan); }));
			fflush(stdout);
		}
		printf("\n");
	}
	bench_chosen(pair, rounds);
}

/* Times a column of a lone stripe: nothing is handed from warp to warp. */
static void
bench_columns(uint32_t alphabet)
{
	printf("\nW B T | ns a column of a lone stripe, over %u symbols\n", alphabet);
	for (const Variant &variant : variants)
	{
		LcsDevicePair pair = put_pair(random_string(1024 * variant.words, alphabet),
									  random_string(400000, alphabet), 1, alphabet);
		LcsPairPlan plan;

		if (fit(pair, variant, 1, &plan))
			printf("%d %d %d | %.2f\n", variant.words, variant.batch, variant.tables,
				   milliseconds(5, [&] { launch_pair(pair, plan); }) * 1e6 / 200000);
	}
}

/* Times finding the subsequence itself. */
static void
bench_string(int32_t length, uint32_t alphabet)
{
	LcsDevicePair pair = put_pair(random_string(length, alphabet), random_string(length, alphabet),
								  alphabet <= 256 ? 1 : 4, alphabet);
	LcsStringPlan plan;

	if (!lcs_string_plan(pair, device, &plan))
		return;
	printf("string %d x %d over %u symbols: %.3f ms, %.1f MB\n", length, length, alphabet,
		   milliseconds(5, [&] { launch_string(pair, plan); }),
		   (double) lcs_string_memory(pair, plan) / 1e6);
	fflush(stdout);
}

/* Fills memory of the device with random bytes. */
static __global__ void
fill_random(uint8_t *bytes, size_t count, uint32_t alphabet)
{
	for (size_t i = blockIdx.x * (size_t) blockDim.x + threadIdx.x; i < count;
		 i += (size_t) gridDim.x * blockDim.x)
	{
		uint64_t z = (i + 1) * 0x9E3779B97F4A7C15ull;

		z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
		z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
		bytes[i] = (uint8_t) ((uint32_t) (z >> 33) % alphabet);
	}
}

/* Times one string against many. */
static void
bench_batch(int32_t length, uint32_t alphabet, uint32_t codes, int32_t count)
{
	LcsDeviceBatch batch;
	size_t stride = ((size_t) length + LCS_TEXT_ALIGN - 1) / LCS_TEXT_ALIGN * LCS_TEXT_ALIGN;
	std::vector<int64_t> start;
	std::vector<int32_t> lengths((size_t) count, length);
	double time;

	for (int32_t i = 0; i < count; i++)
		start.push_back((int64_t) ((size_t) i * stride));
	batch.pattern = copy_string(memory_pattern, random_string(length, alphabet), 1);
	batch.m = length;
	batch.symbol_bytes = 1;
	batch.codes = (int32_t) codes;
	batch.texts = memory_texts.room((size_t) count * stride);
	fill_random<<<2048, 256>>>((uint8_t *) memory_texts.data, (size_t) count * stride, alphabet);
	batch.start = (int64_t *) memory_start.copy(start.data(), start.size() * sizeof(int64_t));
	batch.length = (int32_t *) memory_length.copy(lengths.data(), lengths.size() * sizeof(int32_t));
	batch.count = count;
	memory_lengths.room((size_t) count * sizeof(int32_t));
	time =
		milliseconds(7,
					 [&]
					 {
						 must(lcs_gpu_batch_launch(batch, device, (int32_t *) memory_lengths.data,
												   nullptr, nullptr),
							  "lcs_gpu_batch_launch");
					 });
	printf("%6d %6u %6u %9d | %9.3f ms %10.1f M pairs/s %8.2f TCUPS\n", length, alphabet, codes,
		   count, time, count / time / 1e3, (double) count * length * length / time / 1e9);
	fflush(stdout);
}

/* Times the baselines beside ours. */
static void
bench_baselines(int32_t length, uint32_t alphabet)
{
	LcsDevicePair pair =
		put_pair(random_string(length, alphabet), random_string(length, alphabet), 1, alphabet);
	/* the thesis's own times of a step and of a transaction, in cycles */
	GpuModel model = {length, length, device.multiProcessorCount, 901, 41.3, 32, 49152};
	TileGrid grid = gpu_optimum(&model, 1);
	int32_t rows = (length + grid.m - 1) / grid.m;
	int32_t columns = (length + grid.n - 1) / grid.n;
	int32_t *out = (int32_t *) result.room(sizeof(int32_t));
	LcsPairPlan plan;
	double ours, row_wise, tiled;

	if (!lcs_pair_plan(pair, device, &plan))
		return;
	ours = milliseconds(9, [&] { launch_pair(pair, plan); });
	workspace.room(
		std::max(scs_row_wise_memory(pair.n, pair.codes), lcs_tiled_memory(pair.m, pair.n)));
	row_wise = milliseconds(3,
							[&]
							{
								must(scs_row_wise_launch((const uint8_t *) pair.a, pair.m,
														 (const uint8_t *) pair.b, pair.n,
														 pair.codes, workspace.data, out, nullptr),
									 "scs_row_wise_launch");
							});
	tiled = milliseconds(3,
						 [&]
						 {
							 must(lcs_tiled_launch((const uint8_t *) pair.a, pair.m,
												   (const uint8_t *) pair.b, pair.n, rows, columns,
												   workspace.data, out, nullptr),
								  "lcs_tiled_launch");
						 });
	printf("%6d %4u | ours %8.3f ms | row-wise SCS %8.3f ms | tiled LCS (%d x %d) %8.3f ms\n",
		   length, alphabet, ours, row_wise, rows, columns, tiled);
	fflush(stdout);
}

/* Times one string against many. */
static void
bench_batches()
{
	static const int32_t lengths[] = {20, 32, 64, 100, 128, 200, 256, 500, 1000, 2000, 4000};

	printf("\none against many\nlength symbols codes    texts\n");
	for (int32_t length : lengths)
	{
		int32_t count = (int32_t) std::min(8e6, 4e11 / length / length);

		bench_batch(length, 26, 26, count);
		bench_batch(length, 256, 256, count);
	}
}

/* Times pairs of other lengths and alphabets by the plans that are chosen for them. */
static void
bench_plans()
{
	static const struct
	{
		int32_t m;
		int32_t n;
		uint32_t alphabet;
	} pairs[] = {{30000, 10000, 26},       {100000, 30000, 4},      {150000, 150000, 100},
				 {250000, 250000, 256},    {70000, 60000, 1000},    {300000, 200000, 10000},
				 {700000, 500000, 200},    {1000000, 90000, 26},    {1000000, 600000, 2},
				 {80000, 80000, 50000},    {500000, 400000, 65536}, {1000000, 1000000, 256},
				 {1000000, 1000000, 65536}};

	bench_columns(26);
	bench_pair(20000, 20000, 26, 9);
	bench_pair(400000, 400000, 26, 3);
	printf("\n");
	for (auto &one : pairs)
	{
		LcsDevicePair pair =
			put_pair(random_string(one.m, one.alphabet), random_string(one.n, one.alphabet),
					 one.alphabet <= 256 ? 1 : 4, one.alphabet);

		printf("%d x %d over %u symbols, ", one.m, one.n, one.alphabet);
		bench_chosen(pair, 5);
	}
}

/* Times subsequences themselves. */
static void
bench_strings()
{
	printf("\n");
	bench_string(10000, 26);
	bench_string(60000, 4);
	bench_string(60000, 26);
	bench_string(60000, 256);
	bench_string(60000, 65536);
	bench_string(200000, 26);
	bench_string(1000000, 26);
}

/* Times our kernels beside the baselines. */
static void
bench_all_baselines()
{
	printf("\nbaselines, by length and symbols\n");
	bench_baselines(2000, 26);
	bench_baselines(60000, 26);
}

/* Times long pairs. */
static void
bench_pairs()
{
	for (uint32_t alphabet : {26u, 256u, 65536u})
		bench_pair(60000, 60000, alphabet, 9);
	for (uint32_t alphabet : {26u, 256u, 65536u})
		bench_pair(1000000, 1000000, alphabet, 3);
}

/* Times what `part` says, or all. */
int
bench(const char *part)
{
	static const struct
	{
		const char *name;
		void (*run)();
	} parts[] = {{"batch", bench_batches},
				 {"plans", bench_plans},
				 {"strings", bench_strings},
				 {"baselines", bench_all_baselines},
				 {"pairs", bench_pairs}};

	printf("%s, %d processors, %zu bytes of shared memory a block\n", device.name,
		   device.multiProcessorCount, device.sharedMemPerBlockOptin);
	for (auto &one : parts)
		if (*part == 0 || strcmp(part, one.name) == 0)
			one.run();
	return 0;
}
