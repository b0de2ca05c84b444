/*
 * gpu_time.c
 *	  Estimates the time of a batch on a GPU from times measured on it.
 */
#include "gpu_time.h"

#include <math.h>

#include "../../core/tree/bounded/bounds.h"
#include "../../core/tree/mirror.h"
#include "../../core/tree/bounded/strip.h"
#include "../engine_tuning.h"

/* Measured by ted_gpu_calibrate() on an NVIDIA H100 80GB HBM3. */
const TedCalibration ted_default_calibration = {
	.unit = 0.125e-6,
	.sync_thread = 0.106e-6,
	.sync_warp = 0.160e-6,
	.sync_block = 0.218e-6,
	.sync_multi = 1.10e-6,
	.launch = 8.8e-6,
	.byte = 0.018e-9,
	.tiles = {{{{{8.4e-9, 12.7e-9, 813e-9, 18.6e-6}, {11.7e-9, 19.1e-9, 911e-9, 3.2e-6}},
				{{15.5e-9, -13.0e-9, 919e-9, 19.4e-6}, {21.2e-9, -8.4e-9, 1405e-9, -1.9e-6}},
				{{19.0e-9, -4.8e-9, 1370e-9, 23.8e-6}, {29.3e-9, 6.7e-9, 1919e-9, -16.5e-6}}},
			   {{{11.4e-9, 12.7e-9, 813e-9, 18.6e-6}, {16.6e-9, 19.1e-9, 911e-9, 3.2e-6}},
				{{17.9e-9, -13.0e-9, 919e-9, 19.4e-6}, {26.0e-9, -8.4e-9, 1405e-9, -1.9e-6}},
				{{24.1e-9, -4.8e-9, 1370e-9, 23.8e-6}, {39.4e-9, 6.7e-9, 1919e-9, -16.5e-6}}},
			   {{{12.3e-9, 12.7e-9, 813e-9, 18.6e-6}, {17.3e-9, 19.1e-9, 911e-9, 3.2e-6}},
				{{18.9e-9, -13.0e-9, 919e-9, 19.4e-6}, {26.0e-9, -8.4e-9, 1405e-9, -1.9e-6}},
				{{24.1e-9, -4.8e-9, 1370e-9, 23.8e-6}, {39.4e-9, 6.7e-9, 1919e-9, -16.5e-6}}}}}};

/* Returns the seconds of a worker for a pair with these numbers of rows and columns. */
static double
pair_seconds(double rows, double columns, double threads, double unit, double sync)
{
	return rows * (ceil(columns / threads) * unit + sync);
}

/* Adds the time of a pair by one kind of worker. */
static void
add_seconds(TedGpuEstimate *estimate, int kind, double work, double longest)
{
	estimate->work[kind] += work;
	estimate->longest[kind] = fmax(estimate->longest[kind], longest);
}

/*
 * Returns the lanes of the strip for k insertions and deletions; 0 if there are too many diagonals.
 */
int32_t
ted_gpu_strip_lanes(int32_t size_a, int32_t size_b, int64_t k)
{
	int32_t difference = size_a - size_b;
	int64_t diagonals = (k + difference) / 2 + (k - difference) / 2 + 1;

	return diagonals <= 8 ? 8 : diagonals <= 16 ? 16 : diagonals <= 32 ? 32 : 0;
}

/* Estimates the rows of all forest tables of a strip. */
double
ted_gpu_strip_rows(const TedTree *a, const TedTree *b, double nodes, int64_t k)
{
	double tables = TED_GPU_STRIP_TABLES + TED_GPU_STRIP_TABLES_PER_EDIT * (double) k;

	return a->size + nodes * (tables < b->leaves ? tables : b->leaves);
}

/*
 * Adds the estimate of a pair.  The rows and columns of its tables are the sizes of the subtrees of
 * key roots, in the decomposition with fewer table cells.  If blocks share the pair, it takes as
 * long as the rows of the root's table; each row is handed from warp to warp in two steps.  With
 * costs by label, there are neither shared pairs nor strips.
 */
void
ted_gpu_estimate_pair(TedGpuEstimate *estimate, const TedTree *a, const TedTree *b,
					  const TedCosts *costs, int32_t limit)
{
	const TedCalibration *times = estimate->calibration;
	bool right = ted_prefers_right(a, b);
	double rows = (double) (right ? a->right_nodes : a->left_nodes);
	double columns = (double) (right ? b->right_nodes : b->left_nodes);
	double threads[3] = {1, TED_THREADS_WARP, TED_THREADS_BLOCK};
	double sync[3] = {times->sync_thread, times->sync_warp, times->sync_block};
	double row_seconds = 2 * (times->unit + times->sync_warp);
	double root = fmax(a->size, b->size) * row_seconds;
	double shared = rows * ceil(columns / TED_PIPELINE_COLUMNS) * row_seconds * TED_THREADS_BLOCK;
	int64_t k = ted_strip_width(costs, limit);
	bool by_label = ted_costs_by_label(costs);
	int32_t lanes = by_label ? 0 : ted_gpu_strip_lanes(a->size, b->size, k);
	double strip =
		lanes > 0 ? ted_gpu_strip_rows(a, b, rows, k) * (times->unit + times->sync_warp) : INFINITY;
	double strip_work = strip * fmax(lanes, 1);

	if (ted_size_bound(a->size, b->size, costs) > limit)
		return;
	for (int kind = 0; kind < 3; kind++)
	{
		double seconds = pair_seconds(rows, columns, threads[kind], times->unit, sync[kind]);

		add_seconds(estimate, kind, fmin(seconds * threads[kind], strip_work),
					fmin(seconds, strip));
	}
	if (by_label)
		shared = root = INFINITY;
	add_seconds(estimate, 3, fmin(shared, strip_work), fmin(root, strip));
	if (strip_work > rows * columns * times->unit)
		estimate->cells += rows * columns;
}

/*
 * Estimates the seconds of the pairs added, by the fastest kind of worker; at least as long as the
 * GPU takes for their table cells when it is full.
 */
double
ted_gpu_estimate_seconds(const TedGpuEstimate *estimate, double bytes)
{
	double held = (double) estimate->processors * TED_THREADS_PER_PROCESSOR;
	double least = INFINITY;

	for (int kind = 0; kind < 4; kind++)
		least = fmin(least, fmax(estimate->work[kind] / held, estimate->longest[kind]));
	least = fmax(least, estimate->cells * TED_GPU_CELL * TED_DEFAULT_PROCESSORS /
							(double) estimate->processors);
	return estimate->calibration->launch + bytes * estimate->calibration->byte + least;
}

/* Estimates the seconds of a batch of strings on the CPU. */
double
ted_cpu_strings_seconds(const TedStringsSize *size)
{
	double cell = TED_STRING_CPU_CELL * (1 - size->skipped);
	double seconds = size->symbols * (size->m * cell + TED_STRING_CPU_SYMBOL);

	return size->positions ? seconds * TED_STRING_CPU_POSITIONS : seconds;
}

/* Returns the number of pairs with a pattern of m symbols that fill a GPU. */
int
ted_gpu_pairs_at_once(double m)
{
	return (int) fmax(1, fmin(TED_STRING_GPU_PAIRS, TED_STRING_GPU_PAIRS_SYMBOLS / m));
}

/*
 * Estimates the seconds of a batch of strings on a GPU.  Texts of a short pattern are compared side
 * by side; long pairs run some at a time, as fast as the host starts them.
 */
double
ted_gpu_strings_seconds(const TedStringsSize *size)
{
	double transfer =
		size->count * TED_STRING_GPU_TEXT +
		size->symbols * (size->symbol_bytes == 1 ? TED_STRING_GPU_BYTE : TED_STRING_GPU_SYMBOL);
	double cells = size->m * size->symbols * TED_STRING_GPU_CELL;
	double shorter = fmin(size->m, size->symbols / size->count);
	double pair = TED_STRING_GPU_PAIR + shorter * TED_STRING_GPU_COLUMN;

	if (size->positions)
		pair += shorter * TED_STRING_GPU_STEP_BACK;
	if (size->count > 1 && size->m <= TED_STRING_GPU_PATTERN)
		pair = TED_STRING_GPU_PAIR;
	else
	{
		double turns = ceil(size->count / ted_gpu_pairs_at_once(size->m));

		pair = fmax(pair * turns, size->count * TED_STRING_GPU_LAUNCHES);
	}
	return transfer + fmax(pair, cells);
}
