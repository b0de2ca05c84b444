/*
 * limits.c
 *	  A batch with less and less of the device's memory.
 *
 * X-TED shows its time on cards of 20, 40 and 80 GB (PVLDB 17(7), 2024, section 7).  Here,
 * the limits on one card go down to where a batch must be computed a few pairs at a time.
 * The engine slices the batch, see gpu.c.
 */
#include <stdlib.h>

#include "../../src/engine/gpu/gpu.h"
#include "../../test/core/host.h"
#include "gpu_levels.h"

#define RUNS 3
#define MOST_RUN_SECONDS 0.5

/* Computes the batch; returns the seconds it took, and counts the pairs left to the CPU. */
static double
engine_seconds(TedGpuEngine *engine, const SampleBatch *sample, int64_t *left, int64_t *wrong)
{
	const TedTree **list = tree_list(sample->trees, sample->tree_count);
	TedBatch batch = {.trees = list,
					  .tree_count = sample->tree_count,
					  .pairs = sample->pairs,
					  .distances = malloc(sizeof(int32_t) * (size_t) sample->count),
					  .count = sample->count,
					  .costs = TED_UNIT_COSTS};
	double start = now();
	TedEngineStatus status = ted_gpu_engine_submit(engine, &batch);

	while (status == TED_ENGINE_BUSY)
		status = ted_gpu_engine_poll(engine);
	start = now() - start;
	*left = 0;
	for (int64_t i = 0; i < sample->count; i++)
		if (batch.distances[i] == TED_NO_DISTANCE)
			(*left)++;
		else
			*wrong += batch.distances[i] != sample->expected[i];
	free(batch.distances);
	free(list);
	return start;
}

/*
 * Computes the batch within a limit; returns the number of pairs whose distance differs from
 * the core's.
 */
static int64_t
run_limit(int64_t megabytes, const SampleBatch *sample, FILE *csv)
{
	TedGpu gpu = {.memory_limit = megabytes << 20};
	TedEngineHost host = {.allocate = allocate, .release = release, .memory_limit = SIZE_MAX};
	TedGpuEngine *engine = ted_gpu_engine_open(&host, &gpu);
	TedDeviceInfo info;
	double seconds[RUNS];
	double typical;
	int runs = 0;
	int64_t left = 0;
	int64_t wrong = 0;

	open_device(gpu.memory_limit);
	gpu.module = module;
	gpu.device = device;
	do /* trees are laid out in the first run */
		seconds[runs] = engine_seconds(engine, sample, &left, &wrong);
	while (++runs < RUNS && seconds[0] < MOST_RUN_SECONDS);
	if (gpu.device == NULL)
	{
		fprintf(stderr, "the device failed: %s\n", gpu.reason);
		exit(1);
	}
	module->info(device, &info);
	ted_gpu_engine_close(engine);
	ted_gpu_close(&gpu);
	typical = median(seconds, runs);
	printf("| %lld | %.0f | %.1f | %.1f | %lld | %lld |\n", (long long) megabytes,
		   (double) info.used / (1 << 20), 1e3 * typical, 1e-9 * sample->cells / typical,
		   (long long) left, (long long) wrong);
	fprintf(csv, "limit,%lld,one kernel,%g\n", (long long) megabytes, typical);
	return wrong;
}

/* Computes a batch of pairs of trees of the files, with less and less memory. */
int
run_limits(int64_t count, char **paths, int files)
{
	static const int64_t limits[] = {40960, 4096, 1024, 512, 256, 128, 64};
	SampleBatch sample = sample_batch(count, paths, files);
	FILE *csv = open_csv("gpu");
	int64_t wrong = 0;

	printf("%lld pairs of %d trees, %.1f G cells; the CPU's %d threads took %.2f s.\n\n"
		   "| limit MB | taken MB | ms | G cells/s | pairs left to the CPU | wrong |\n"
		   "| --- | --- | --- | --- | --- | --- |\n",
		   (long long) count, sample.tree_count, 1e-9 * sample.cells, REFERENCE_THREADS,
		   sample.cpu);
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		wrong += run_limit(limits[i], &sample, csv);
	fclose(csv);
	return wrong > 0;
}
