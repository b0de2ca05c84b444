/*
 * test_gpu_time.c
 *	  Checks the models of a GPU against published crossings and against their own formulas.
 */
#include <math.h>
#include <stdio.h>

#include "../../bench/xted_model.h"
#include "random.h"
#include "tap.h"
#include "trees.h"

/* The times that X-TED's paper has measured, in microseconds. */
static const TedCalibration published = {
	.unit = 0.19, .sync_warp = 0.24, .sync_block = 0.63, .sync_multi = 1.64};

/* Whether a number is the same to two decimals, the last of which may be rounded otherwise. */
static bool
about(double number, double expected)
{
	return fabs(number - expected) < 0.015;
}

/* Tests the crossings of the paper. */
static void
test_published(void)
{
	TedThresholds two = ted_xted_thresholds(&published, 2);
	TedThresholds four = ted_xted_thresholds(&published, 4);

	ok(about(two.warp, 3.95), "a warp overtakes a thread at %.2f", two.warp);
	ok(about(two.block, 90.37), "a block overtakes a warp at %.2f", two.block);
	ok(isinf(two.multi) && two.blocks == 0, "two blocks never overtake one");
	ok(about(four.multi, 886.98) && four.blocks == 4, "%d blocks overtake one at %.2f", four.blocks,
	   four.multi);
	ok(about(ted_xted_crossing((TedWorker){256, 0.82}, (TedWorker){INFINITY, 1.83}), 886.98),
	   "the published crossing is one with as many blocks as rows");
	ok(ted_xted_blocks(&published, 900, 16) == 4 && ted_xted_blocks(&published, 400, 16) == 2 &&
		   ted_xted_blocks(&published, 4000, 16) == 16,
	   "as many blocks as a table has rows for, and no more");
}

/*
 * Tests that the two times are equal at a crossing, and that the larger worker is faster beyond
 * it.
 */
static void
test_crossings(uint64_t rounds)
{
	int failed = 0;
	int crossed = 0;

	for (uint64_t round = 0; round < rounds; round++)
	{
		TedWorker small = {1 << random_below(6), 0.1 + random_below(1000) / 100.0};
		TedWorker large = {small.threads * (2 << random_below(5)),
						   small.cell * (1 + random_below(1000) / 20.0)};
		double n = ted_xted_crossing(small, large);
		double far = isinf(n) ? 1e9 : 1.01 * n;
		bool wins = ted_xted_seconds(far, large.threads, large.cell) <=
					ted_xted_seconds(far, small.threads, small.cell);

		crossed += !isinf(n);
		failed += wins == isinf(n);
		if (!isinf(n) && large.cell > small.cell)
			failed += fabs(ted_xted_seconds(n, large.threads, large.cell) /
							   ted_xted_seconds(n, small.threads, small.cell) -
						   1) > 1e-9;
	}
	ok(failed == 0 && crossed > 0 && (uint64_t) crossed < rounds,
	   "%d of %llu pairs of workers cross", crossed, (unsigned long long) rounds);
}

/* Tests the estimated times of batches. */
static void
test_batches(void)
{
	static TestTree a;
	static TestTree b;
	TedGpuEstimate estimate = {.calibration = &ted_default_calibration,
							   .processors = TED_DEFAULT_PROCESSORS};
	TedGpuEstimate limited = estimate;
	double one;
	double many;

	random_state = 1;
	make_tree(&a, RANDOM, 600, 3, 0);
	make_tree(&b, RANDOM, 600, 3, 0);
	ok(about(ted_gpu_estimate_seconds(&estimate, 1e9) * 1e3,
			 (ted_default_calibration.launch + 1e9 * ted_default_calibration.byte) * 1e3),
	   "no pairs take a launch and the transfer");
	ted_gpu_estimate_pair(&estimate, &a.tree, &b.tree, &TED_UNIT_COSTS, TED_NO_LIMIT);
	one = ted_gpu_estimate_seconds(&estimate, 0);
	for (int i = 1; i < 100; i++)
		ted_gpu_estimate_pair(&estimate, &a.tree, &b.tree, &TED_UNIT_COSTS, TED_NO_LIMIT);
	many = ted_gpu_estimate_seconds(&estimate, 0);
	ok(many < 10 * one, "a hundred pairs take %.1f times as long as one", many / one);
	for (int i = 100; i < 100000; i++)
		ted_gpu_estimate_pair(&estimate, &a.tree, &b.tree, &TED_UNIT_COSTS, TED_NO_LIMIT);
	ok(ted_gpu_estimate_seconds(&estimate, 0) > 10 * many,
	   "a thousand times as many take longer when the device is full");

	many = ted_gpu_estimate_seconds(&estimate, 0);
	for (int i = 0; i < 100000; i++)
		ted_gpu_estimate_pair(&limited, &a.tree, &b.tree, &TED_UNIT_COSTS, 10);
	ok(ted_gpu_estimate_seconds(&limited, 0) < many / 5, "up to a limit they take less");
	many = ted_gpu_estimate_seconds(&limited, 0);
	make_tree(&b, RANDOM, 611, 3, 0);
	ted_gpu_estimate_pair(&limited, &a.tree, &b.tree, &TED_UNIT_COSTS, 10);
	ok(ted_gpu_estimate_seconds(&limited, 0) == many, "and none where their sizes tell");
}

/* Tests the estimated times of strings against measured ones, in milliseconds. */
static void
test_strings(void)
{
	static const struct
	{
		TedStringsSize size;
		double cpu;
		double gpu;
	} measured[] = {{{60000, 1, 60000, 4, false, 0}, 18, 0.7},
					{{60000, 1, 60000, 4, true, 0}, 27, 5},
					{{1e6, 1, 1e6, 4, false, 0}, 3727, 15},
					{{1000, 1e6, 1e9, 1, false, 0}, 4000, 160},
					{{10300, 152, 1.57e6, 4, false, 0.2}, 33, 5.7}};

	TedStringsSize small = {100, 1, 100, 4, false, 0};
	TedStringsSize sent = {2, 1e6, 2e7, 1, false, 0};

	LcsTile tile = {
		.match = LCS_MATCH_TABLE, .words = 2, .batch = 4, .lag = 2, .shares = 1, .warps = 30};
	LcsTilePair half = {60000, 30000};
	double kernel = lcs_tile_time(&ted_default_calibration.tiles, half, &tile) * 1e3;

	ok(fabs(kernel - 0.5) < 0.03, "60,000 symbols each take %.2f ms", kernel);
	for (size_t i = 0; i < sizeof(measured) / sizeof(measured[0]); i++)
	{
		double cpu = ted_cpu_strings_seconds(&measured[i].size) * 1e3;
		double gpu = ted_gpu_strings_seconds(&measured[i].size) * 1e3;

		ok(fabs(log(cpu / measured[i].cpu)) < 0.4 && fabs(log(gpu / measured[i].gpu)) < 0.4,
		   "strings of %.0f and %.0f symbols: CPU %.1f ms, GPU %.1f ms", measured[i].size.m,
		   measured[i].size.symbols, cpu, gpu);
	}
	ok(ted_cpu_strings_seconds(&small) < ted_gpu_strings_seconds(&small),
	   "a short pair is no work for a GPU");
	ok(ted_cpu_strings_seconds(&sent) < 2 * ted_gpu_strings_seconds(&sent),
	   "neither is what takes longer to send");
}

int
main(void)
{
	random_state = setting("SEED", 1);
	test_published();
	test_crossings(rounds(3000));
	test_batches();
	test_strings();
	return done_testing();
}
