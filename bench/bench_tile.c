/*
 * bench_tile.c
 *	  Checks the model of tile_model.h against the core's kernels at many tile widths.
 *
 * The two times of the model are fitted on four widths; the others are
 * predicted.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../src/core/string/lcs_pattern.h"
#include "../src/core/string/lcs_scan.h"
#include "../test/core/random.h"
#include "bench.h"
#include "tile_model.h"

#define LENGTH 60000
#define ALPHABET 20

static const int widths[] = {64, 128, 192, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
static const int fitted[] = {128, 512, 4096, 32768};

#define WIDTHS ((int) (sizeof(widths) / sizeof(widths[0])))
#define FITTED ((int) (sizeof(fitted) / sizeof(fitted[0])))

static LcsPair pair;

/* A kernel, and how wide its tiles are. */
typedef struct Tiling
{
	const LcsStripe *kernel;
	int32_t width;
} Tiling;

/* Length of the LCS by tiles of one width. */
static int32_t
run_tiled(const void *arg)
{
	const Tiling *t = arg;
	int32_t length = -1;

	bench_check(
		lcs_scan_tiled(&pair, t->kernel, t->width,
					   bench_arena(lcs_scan_tiled_memory(t->kernel, LENGTH, LENGTH, t->width)),
					   &bench_never, &length));
	return length;
}

/* True for a width that the model is fitted on. */
static bool
is_fitted(int width)
{
	for (int i = 0; i < FITTED; i++)
		if (fitted[i] == width)
			return true;
	return false;
}

/* Times a kernel at all widths, fits the model, and shows both. */
static void
bench_kernel(FILE *csv, const char *name, const LcsStripe *kernel)
{
	StripeModel model = {
		.rows = LENGTH, .columns = LENGTH, .stripe_rows = lcs_stripe_rows(kernel), .workers = 1};
	Tiling tilings[WIDTHS];
	BenchProgram programs[WIDTHS];
	const void *args[WIDTHS];
	double expected[WIDTHS] = {0};
	BenchTimes times[WIDTHS];
	double seconds[FITTED];
	int count = 0;
	int best = 0;
	int predicted_best;
	double worst = 0;

	for (int i = 0; i < WIDTHS; i++)
	{
		tilings[i] = (Tiling){kernel, widths[i]};
		programs[i] = (BenchProgram){name, run_tiled};
		args[i] = &tilings[i];
	}
	bench_measure(programs, args, expected, WIDTHS, times);
	for (int i = 0; i < WIDTHS; i++)
	{
		if (is_fitted(widths[i]))
			seconds[count++] = times[i].seconds.median;
		if (times[i].seconds.median < times[best].seconds.median)
			best = i;
	}
	stripe_fit(&model, fitted, seconds, FITTED);
	predicted_best = stripe_optimum(&model, widths, WIDTHS);

	for (int i = 0; i < WIDTHS; i++)
	{
		const BenchSpread *measured = &times[i].seconds;
		double predicted = stripe_time(&model, widths[i]);
		double error = predicted / measured->median - 1;

		printf("| %s | %d | %.3f (%.3f to %.3f) | %.3f | %+.1f %%%s |\n", name, widths[i],
			   measured->median * 1e3, measured->least * 1e3, measured->greatest * 1e3,
			   predicted * 1e3, error * 100, is_fitted(widths[i]) ? " (fitted)" : "");
		fprintf(csv, "%s,%d,measured,%.9f,%.9f,%.9f\n", name, widths[i], measured->median,
				measured->least, measured->greatest);
		fprintf(csv, "%s,%d,predicted,%.9f,,\n", name, widths[i], predicted);
		if (!is_fitted(widths[i]) && (error > worst || -error > worst))
			worst = error < 0 ? -error : error;
	}
	printf("\n%s: %.3f ns a column of a stripe, %.0f ns a tile; held-out widths within %.1f %%; "
		   "the predicted best, %d, takes %.1f %% more than the best measured, %d.\n",
		   name, model.column * 1e9, model.tile * 1e9, worst * 100, widths[predicted_best],
		   (times[predicted_best].seconds.median / times[best].seconds.median - 1) * 100,
		   widths[best]);
	fflush(stdout);
}

int
main(void)
{
	static uint32_t symbols[LENGTH];
	static uint32_t text[LENGTH];
	static int32_t codes[LENGTH];
	const LcsStripe *avx2 = lcs_stripes_avx2();
	const LcsStripe *avx512 = lcs_stripes_avx512();
	FILE *csv = bench_csv("tile", "series,size,program,seconds,least,greatest");
	const LcsPattern *pattern;
	TedArena arena;

	random_state = 1;
	for (int i = 0; i < LENGTH; i++)
	{
		symbols[i] = random_below(ALPHABET);
		text[i] = random_below(ALPHABET);
	}
	arena.size = lcs_pattern_memory(symbols, LENGTH);
	arena.base = aligned_alloc(TED_ARENA_ALIGN, ted_arena_bytes(arena.size));
	arena.used = 0;
	bench_check(lcs_prepare(symbols, LENGTH, &arena, &bench_never, &pattern));
	bench_check(lcs_encode(pattern, text, LENGTH, codes, &bench_never));
	pair = (LcsPair){pattern->code, codes, LENGTH, LENGTH, pattern->symbols.distinct};

	printf("\n### Width of a tile, strings of %d\n\n", LENGTH);
	printf("| kernel | columns of a tile | measured, ms (spread) | predicted, ms | error |\n");
	printf("| --- | --- | --- | --- | --- |\n");
	bench_kernel(csv, "any processor", &lcs_stripes_any()[LCS_WAVES - 1]);
	if (avx2 != NULL)
		bench_kernel(csv, "AVX2", &avx2[LCS_WAVES - 1]);
	if (avx512 != NULL)
		bench_kernel(csv, "AVX-512", &avx512[LCS_WAVES - 1]);
	fclose(csv);
	free(arena.base);
	return 0;
}
