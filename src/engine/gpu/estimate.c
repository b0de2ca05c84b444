/*
 * estimate.c
 *	  Predicts whether a batch takes much less time on the GPU than on the CPU.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "estimate.h"
#include "../engine_tuning.h"
#include "../string_batch.h"

double
TreesGpuSeconds(const void *trees, const GpuTimes *times)
{
	const TreesEstimate *of = trees;
	const TedBatch *batch = of->batch;
	const TedLabelCosts *costs = batch->costs.labels;
	double labels = of->labels;
	TedGpuWork work = {.bytes = (double) of->bytes};

	for (int64 i = 0; i < batch->count; i++)
	{
		const TedPair *pair = &batch->pairs[i];

		CHECK_FOR_INTERRUPTS();
		ted_gpu_add_pair(&work, batch->trees[pair->a], batch->trees[pair->b], &batch->costs,
						 pair->limit);
	}

	/* new labels, graded labels compared, and the host's work for each pair */
	if (costs != NULL)
		work.bytes += TED_GPU_LABELLED_PAIR * (double) batch->count;
	if (costs != NULL && of->labels > 0)
		work.bytes += TED_GPU_LABELS + labels * TED_GPU_LABEL;
	if (costs != NULL && costs->cache != NULL)
	{
		work.bytes += labels * TED_GPU_GRADED_LABEL;
		work.cells += labels * labels * TED_GPU_RENAME;
	}
	return ted_gpu_seconds(&times->rates[TED_TREES], &work);
}

/* Whether a batch of trees takes much less time on the GPU than on the CPU. */
bool
TreesPay(const void *trees, const GpuTimes *times)
{
	const TedBatch *batch = ((const TreesEstimate *) trees)->batch;
	const TedLabelCosts *costs = batch->costs.labels;
	double rename = costs == NULL || costs->cache == NULL ? 0 : TED_CPU_SLOW_RENAME;
	double least = times->open + times->rates[TED_TREES].opening;
	double most = 0;
	double cpu = 0;

	/* most batches are so small that no plan is needed to tell */
	for (int64 i = 0; i < batch->count; i++)
	{
		const TedPair *pair = &batch->pairs[i];

		CHECK_FOR_INTERRUPTS();
		most += TED_LONGEST_CELL * (double) batch->trees[pair->a]->left_nodes *
				(double) batch->trees[pair->b]->left_nodes;
	}
	if (most * TED_WORTHWHILE < least)
		return false;

	for (int64 i = 0; i < batch->count; i++)
	{
		const TedTree *a = batch->trees[batch->pairs[i].a];
		const TedTree *b = batch->trees[batch->pairs[i].b];

		CHECK_FOR_INTERRUPTS();
		cpu += ted_plan_pair(a, b, &batch->costs, batch->pairs[i].limit).seconds +
			   rename * a->size * b->size;
	}
	cpu *= TED_WORTHWHILE;
	return least < cpu && times->open + TreesGpuSeconds(trees, times) < cpu;
}

/* Whether a batch of strings takes much less time on the GPU than on the CPU. */
bool
StringsPay(const void *strings, const GpuTimes *times)
{
	const StringBatch *batch = strings;
	TedStringsSize size = {.m = batch->pattern.count,
						   .count = (double) batch->count,
						   .symbol_bytes = batch->symbol_bytes,
						   .positions = batch->in_pattern != NULL};
	double least = 0;
	double cpu;

	for (int64 i = 0; i < batch->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		size.symbols += batch->texts[i].length;
		least += batch->least == NULL ? 0 : batch->least[i];
	}

	/* the CPU skips what is so far from the diagonal that it cannot belong to a match */
	if (batch->least != NULL && batch->pattern.count > LCS_BATCH_PATTERN)
		size.skipped = Max(4 * least / (size.symbols + size.m * size.count) - 1, 0);

	cpu = ted_cpu_strings_seconds(&size) * TED_WORTHWHILE;
	return times->open < cpu && times->open + ted_gpu_strings_seconds(times->rates, &size) < cpu;
}
