/*
 * estimate.c
 *	  Estimates whether a batch takes much less time on the GPU than on the CPU.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "estimate.h"
#include "../engine_tuning.h"
#include "../string_batch.h"

/* Returns an upper bound on the seconds of a batch on the CPU, at little cost. */
static double
SecondsAtMost(const TreesEstimate *of)
{
	double cells = 0;

	for (int64 i = 0; i < of->batch->count; i++)
	{
		const TedPair *pair = &of->batch->pairs[i];

		CHECK_FOR_INTERRUPTS();
		cells += (double) of->batch->trees[pair->a]->left_nodes *
				 (double) of->batch->trees[pair->b]->left_nodes;
	}
	return cells * TED_LONGEST_CELL;
}

/* Estimates the seconds of a batch on the CPU, including slow costs of renaming. */
static double
CpuSeconds(const TreesEstimate *of)
{
	const TedLabelCosts *labels = of->batch->costs.labels; /* NULL for unit costs */
	double rename = labels == NULL || labels->cache == NULL ? 0 : TED_CPU_SLOW_RENAME;
	double seconds = 0;

	for (int64 i = 0; i < of->batch->count; i++)
	{
		const TedPair *pair = &of->batch->pairs[i];

		CHECK_FOR_INTERRUPTS();
		seconds += ted_plan_pair(of->batch->trees[pair->a], of->batch->trees[pair->b],
								 &of->batch->costs, pair->limit)
					   .seconds +
				   rename * of->batch->trees[pair->a]->size * of->batch->trees[pair->b]->size;
	}
	return seconds;
}

/*
 * Estimates the seconds that costs by label add on a GPU: sending trees with new labels, comparing
 * graded labels with each other, and the host's work for each pair.
 */
static double
LabelSeconds(const TreesEstimate *of)
{
	const TedLabelCosts *costs = of->batch->costs.labels; /* NULL for unit costs */
	double labels = of->labels;
	double seconds = TED_GPU_LABELLED_PAIR * (double) of->batch->count;

	if (costs == NULL)
		return 0;
	if (of->labels > 0)
		seconds +=
			TED_GPU_LABELS + labels * TED_GPU_LABEL + (double) of->nodes * TED_GPU_LABELLED_NODE;
	if (costs->cache != NULL)
		seconds += labels * TED_GPU_GRADED_LABEL + labels * labels * TED_GPU_RENAME;
	return seconds;
}

/* Estimates the seconds of a batch on a GPU. */
double
TreesGpuSeconds(const void *trees, const GpuTimes *times)
{
	const TreesEstimate *of = trees;
	TedGpuEstimate estimate = {.calibration = times->calibration, .processors = times->processors};

	for (int64 i = 0; i < of->batch->count; i++)
	{
		const TedPair *pair = &of->batch->pairs[i];

		CHECK_FOR_INTERRUPTS();
		ted_gpu_estimate_pair(&estimate, of->batch->trees[pair->a], of->batch->trees[pair->b],
							  &of->batch->costs, pair->limit);
	}
	return ted_gpu_estimate_seconds(&estimate, (double) of->bytes) + LabelSeconds(of);
}

/* Whether a batch of trees takes much less time on the GPU than on the CPU. */
bool
TreesPay(const void *trees, const GpuTimes *times)
{
	const TreesEstimate *of = trees;
	double least = times->open + times->calibration->launch + LabelSeconds(of);
	double cpu;

	if (SecondsAtMost(of) * TED_WORTHWHILE < least)
		return false;
	cpu = CpuSeconds(of) * TED_WORTHWHILE;
	if (cpu < least)
		return false;
	return times->open + TreesGpuSeconds(trees, times) < cpu;
}

/*
 * Estimates the part of the pairs of symbols that the CPU skips: those so far from the diagonal
 * that strings with enough common symbols cannot match them.
 */
static double
SkippedPart(const StringBatch *batch, double symbols)
{
	double least = 0;

	if (batch->least == NULL || batch->pattern.count <= LCS_BATCH_PATTERN)
		return 0;
	for (int64 i = 0; i < batch->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		least += batch->least[i];
	}
	symbols += (double) batch->pattern.count * (double) batch->count;
	return Max(4 * least / symbols - 1, 0);
}

/* Returns the sizes of a batch of strings. */
static TedStringsSize
StringsSize(const StringBatch *batch)
{
	double symbols = 0;

	for (int64 i = 0; i < batch->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		symbols += batch->texts[i].length;
	}
	return (TedStringsSize){.m = batch->pattern.count,
							.count = (double) batch->count,
							.symbols = symbols,
							.symbol_bytes = batch->symbol_bytes,
							.positions = batch->in_pattern != NULL,
							.skipped = SkippedPart(batch, symbols)};
}

/* Whether a batch of strings takes much less time on the GPU than on the CPU. */
bool
StringsPay(const void *strings, const GpuTimes *times)
{
	TedStringsSize size = StringsSize(strings);
	double cpu = ted_cpu_strings_seconds(&size) * TED_WORTHWHILE;

	return times->open < cpu && times->open + ted_gpu_strings_seconds(&size) < cpu;
}
