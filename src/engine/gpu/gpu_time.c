/*
 * gpu_time.c
 *	  Predicts the time of work on a GPU: opening + cells / rate + bytes / rate.
 */
#include "gpu_time.h"

#include <math.h>

#include "../../core/tree/bounded/bounds.h"
#include "../../core/tree/bounded/strip.h"
#include "../../core/tree/mirror.h"
#include "../engine_tuning.h"

/* Measured on an NVIDIA H100 80GB HBM3. */
const TedRate ted_default_rates[TED_FAMILIES] = {
	[TED_TREES] = {.opening = 7e-5, .cells_per_second = 2e11, .bytes_per_second = 4e8},
	[TED_LONG_STRINGS] = {.opening = 6e-5, .cells_per_second = 7.7e13, .bytes_per_second = 8.3e9},
	[TED_STRING_BATCHES] = {.opening = 6e-5, .cells_per_second = 7.7e13, .bytes_per_second = 8.3e9},
	[TED_JOIN] = {.opening = 0.02, .cells_per_second = 1e11, .bytes_per_second = 3.2e9}};

double
ted_gpu_seconds(const TedRate *rate, const TedGpuWork *work)
{
	return rate->opening * (1 + work->further) +
		   fmax(work->cells, work->alone) / rate->cells_per_second +
		   work->bytes / rate->bytes_per_second;
}

int32_t
ted_gpu_strip_lanes(int32_t size_a, int32_t size_b, int64_t k)
{
	int32_t difference = size_a - size_b;
	int64_t diagonals = (k + difference) / 2 + (k - difference) / 2 + 1;

	return diagonals <= 8 ? 8 : diagonals <= 16 ? 16 : diagonals <= 32 ? 32 : 0;
}

double
ted_gpu_strip_rows(const TedTree *a, const TedTree *b, double nodes, int64_t k)
{
	double tables = TED_GPU_STRIP_TABLES + TED_GPU_STRIP_TABLES_PER_EDIT * (double) k;

	return a->size + nodes * (tables < b->leaves ? tables : b->leaves);
}

/*
 * The cells of a pair's tables are those of the decomposition with fewer of them, or what a strip
 * takes instead.  Blocks share the tables of a pair, and nobody a strip, or tables with costs by
 * label, for which there are no strips.
 */
void
ted_gpu_add_pair(TedGpuWork *work, const TedTree *a, const TedTree *b, const TedCosts *costs,
				 int32_t limit)
{
	bool by_label = ted_costs_by_label(costs);
	bool right = ted_prefers_right(a, b);
	double rows = (double) (right ? a->right_nodes : a->left_nodes);
	double cells = rows * (double) (right ? b->right_nodes : b->left_nodes);
	double alone = fmax(a->size, b->size) * TED_GPU_NODE_ALONE +
				   cells * (by_label ? TED_GPU_LABELLED_CELL_ALONE : TED_GPU_CELL_ALONE);
	int64_t k = ted_strip_width(costs, limit);
	int32_t lanes = by_label ? 0 : ted_gpu_strip_lanes(a->size, b->size, k);

	if (ted_size_bound(a->size, b->size, costs) > limit)
		return;
	if (lanes > 0)
	{
		double strip = ted_gpu_strip_rows(a, b, rows, k);

		cells = fmin(cells, strip * lanes * TED_GPU_STRIP_LANE);
		alone = fmin(alone, strip * TED_GPU_STRIP_ROW_ALONE);
	}
	work->cells += cells + TED_GPU_PAIR;
	work->alone = fmax(work->alone, alone);
}

double
ted_cpu_strings_seconds(const TedStringsSize *size)
{
	double cell = TED_STRING_CPU_CELL * (1 - size->skipped);
	double seconds = size->symbols * (size->m * cell + TED_STRING_CPU_SYMBOL);

	return size->positions ? seconds * TED_STRING_CPU_POSITIONS : seconds;
}

int
ted_gpu_pairs_at_once(double m)
{
	return (int) fmax(1, fmin(TED_STRING_GPU_PAIRS, TED_STRING_GPU_PAIRS_SYMBOLS / m));
}

/*
 * Texts of a short pattern are compared side by side.  Long pairs run some at a time, each column
 * by column of the shorter string, as fast as the host starts them.
 */
double
ted_gpu_strings_seconds(const TedRate *rates, const TedStringsSize *size)
{
	bool side_by_side = size->count > 1 && size->m <= TED_STRING_GPU_PATTERN;
	double columns = fmin(size->m, size->symbols / size->count) *
					 ceil(size->count / ted_gpu_pairs_at_once(size->m));
	TedGpuWork work = {.cells = size->m * size->symbols,
					   .bytes =
						   size->symbols * (size->symbol_bytes == 1 ? 1 : TED_STRING_GPU_SYMBOL)};

	if (side_by_side)
		work.bytes += size->count * TED_STRING_GPU_TEXT;
	else
	{
		work.bytes +=
			columns * (size->positions ? TED_STRING_GPU_STEP_BACK : TED_STRING_GPU_COLUMN);
		work.further = (size->count - 1) * TED_STRING_GPU_FURTHER;
	}
	return ted_gpu_seconds(&rates[side_by_side ? TED_STRING_BATCHES : TED_LONG_STRINGS], &work);
}
