/*
 * test_baselines.c
 *	  Checks the baselines of the benchmark against the plain table of lengths, and the tile
 *	  models against the examples that the thesis works out.
 */
#include <math.h>
#include <stdlib.h>

#include "../../bench/baselines.h"
#include "../../bench/tile_model.h"
#include "plain_lcs.h"
#include "random.h"
#include "tap.h"

#define MAX_LENGTH 150

/* Tests random pairs of strings, and tiles of random sizes. */
static void
test_lengths(uint32_t alphabet, int count)
{
	int row_wise = 0;
	int anti_diagonal = 0;
	int tiled = 0;
	int words = 0;
	int hashed = 0;

	for (int k = 0; k < count; k++)
	{
		int32_t m = (int32_t) random_below(MAX_LENGTH + 1);
		int32_t n = (int32_t) random_below(MAX_LENGTH + 1);
		uint32_t *x = malloc((size_t) m * sizeof(uint32_t));
		uint32_t *y = malloc((size_t) n * sizeof(uint32_t));
		int32_t rows = 1 + (int32_t) random_below(40);
		int32_t columns = 1 + (int32_t) random_below(40);
		int32_t lcs;

		for (int32_t i = 0; i < m; i++)
			x[i] = random_below(alphabet);
		for (int32_t j = 0; j < n; j++)
			y[j] = random_below(alphabet);
		lcs = plain_lcs(x, m, y, n);
		row_wise += scs_row_wise(x, m, y, n, alphabet) == m + n - lcs;
		anti_diagonal += scs_anti_diagonal(x, m, y, n) == m + n - lcs;
		tiled += lcs_tiled(x, m, y, n, rows, columns) == lcs;
		words += lcs_words(x, m, y, n, alphabet) == lcs;
		hashed += lcs_words_hashed(x, m, y, n) == lcs;
		free(x);
		free(y);
	}
	ok(row_wise == count, "row-wise SCS: %d pairs over %u symbols", count, alphabet);
	ok(anti_diagonal == count, "anti-diagonal SCS: %d pairs over %u symbols", count, alphabet);
	ok(tiled == count, "tiled LCS: %d pairs over %u symbols", count, alphabet);
	ok(words == count, "LCS by words: %d pairs over %u symbols", count, alphabet);
	ok(hashed == count, "LCS by words, hashed: %d pairs over %u symbols", count, alphabet);
}

/* Whether two numbers agree to the nearest unit. */
static bool
near(double value, double expected)
{
	return fabs(value - expected) <= 0.5;
}

/* Tests the example of the thesis for a cluster; times are in microseconds. */
static void
test_cluster(void)
{
	ClusterModel model = {
		.rows = 600, .columns = 1200, .processors = 6, .cell = 0.012, .message = 193};
	TileGrid best = cluster_optimum(&model);

	ok(best.m == 6 && best.n == 6, "cluster: the optimum is (6, 6)");
	ok(near(cluster_time(&model, best), 4763), "cluster: it takes 4763 us");
	ok(near(cluster_time(&model, (TileGrid){1, 1}), 8833), "cluster: one tile takes 8833 us");
}

/* Tests the example of the thesis for a GPU; times are in cycles. */
static void
test_gpu(void)
{
	GpuModel model = {.rows = 600,
					  .columns = 1200,
					  .processors = 6,
					  .step = 901,
					  .move = 41.3,
					  .values = 32,
					  .memory_limit = 49152};
	TileGrid best = gpu_optimum(&model, 1);

	ok(best.m == 5 && best.n == 7, "GPU: the optimum is (5, 7)");
	ok(near(gpu_time(&model, best) / 1000, 3254), "GPU: it takes 3.254 million cycles");
	model.memory_limit = 1000;
	best = gpu_optimum(&model, 1);
	ok(best.m == 6 && 2 * 100 * ((1200 + best.n - 1) / best.n) < 1000,
	   "GPU: less memory asks for more tiles");
	model.memory_limit = 2;
	ok(gpu_optimum(&model, 1).m == 0, "GPU: no tile fits no memory");
	model.memory_limit = 0;
	best = gpu_optimum(&model, 2);
	ok(best.m == 2 && best.n == 2,
	   "GPU: without a memory limit, of two rows or more (2, 2) is best");
}

/* Tests that a fit returns a model's own times. */
static void
test_stripe(void)
{
	static const int widths[] = {64, 256, 1000, 4096, 1 << 20};
	StripeModel model = {.rows = 60000,
						 .columns = 60000,
						 .stripe_rows = 256,
						 .workers = 1,
						 .column = 2.5,
						 .tile = 700};
	StripeModel fitted = model;
	double time[5];

	ok(near(stripe_time(&model, 1000), 235 * (60000 * 2.5 + 60 * 700.0)),
	   "stripes: one worker does all tiles");
	ok(stripe_optimum(&model, widths, 5) == 4, "stripes: the widest tile is best for one worker");
	model.workers = fitted.workers = 8;
	ok(near(stripe_time(&model, 1000),
			235 / 8.0 * (60000 * 2.5 + 60 * 700.0) + 7 * (1000 * 2.5 + 700)),
	   "stripes: workers share tiles, and wait for the first one");
	ok(stripe_optimum(&model, widths, 5) == 3, "stripes: not for several");
	for (int i = 0; i < 5; i++)
		time[i] = stripe_time(&model, widths[i]);
	stripe_fit(&fitted, widths, time, 4);
	ok(fabs(fitted.column / model.column - 1) < 1e-6 && fabs(fitted.tile / model.tile - 1) < 1e-6,
	   "stripes: the times of a model come back from a fit");
}

int
main(void)
{
	random_state = setting("SEED", 1);
	for (uint32_t alphabet = 1; alphabet <= 256; alphabet *= 4)
		test_lengths(alphabet, (int) rounds(300));
	test_cluster();
	test_gpu();
	test_stripe();
	return done_testing();
}
