/*
 * test_gpu_time.c
 *	  Checks the models of a GPU against published crossings and against their own formulas.
 */
#include <math.h>
#include <stdio.h>

#include "../../bench/xted_model.h"
#include "../../src/engine/gpu/gpu_time.h"
#include "random.h"
#include "tap.h"
#include "trees.h"

/* The times that X-TED's paper has measured, in microseconds. */
static const TedSteps published = {
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

/* Seconds of `pairs` pairs of the same trees. */
static double
seconds_of(int pairs, const TedTree *a, const TedTree *b, int32_t limit)
{
	TedGpuWork work = {0};

	for (int i = 0; i < pairs; i++)
		ted_gpu_add_pair(&work, a, b, &TED_UNIT_COSTS, limit);
	return ted_gpu_seconds(&ted_default_rates[TED_TREES], &work);
}

/* Tests the predicted times of trees. */
static void
test_trees(void)
{
	static const TedRate rate = {.opening = 2, .cells_per_second = 10, .bytes_per_second = 100};
	static TestTree a;
	static TestTree b;
	TedGpuWork work = {.further = 0.5, .cells = 30, .alone = 20, .bytes = 50};
	double opening = ted_default_rates[TED_TREES].opening;
	double one;
	double many;

	ok(ted_gpu_seconds(&rate, &work) == 3 + 3 + 0.5, "opening + cells / rate + bytes / rate");
	work.alone = 40;
	ok(ted_gpu_seconds(&rate, &work) == 3 + 4 + 0.5, "or as long as the longest pair");

	random_state = 1;
	make_tree(&a, RANDOM, 600, 3, 0);
	make_tree(&b, RANDOM, 600, 3, 0);
	one = seconds_of(1, &a.tree, &b.tree, TED_NO_LIMIT);
	many = seconds_of(100, &a.tree, &b.tree, TED_NO_LIMIT);
	ok(seconds_of(0, &a.tree, &b.tree, TED_NO_LIMIT) == opening, "no pairs take the opening");
	ok(many < 50 * one, "a hundred pairs take %.1f times as long as one", many / one);
	ok(seconds_of(10000, &a.tree, &b.tree, 10) <
		   seconds_of(10000, &a.tree, &b.tree, TED_NO_LIMIT) / 5,
	   "up to a limit they take less");
	ok(seconds_of(1, &a.tree, &b.tree, 10) > 2 * opening, "a single one waits for its rows");
	make_tree(&b, RANDOM, 611, 3, 0);
	ok(seconds_of(1, &a.tree, &b.tree, 10) == opening, "and for none where their sizes tell");
}

/* Tests the predicted times of strings against measured ones, in milliseconds. */
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

	for (size_t i = 0; i < sizeof(measured) / sizeof(measured[0]); i++)
	{
		double cpu = ted_cpu_strings_seconds(&measured[i].size) * 1e3;
		double gpu = ted_gpu_strings_seconds(ted_default_rates, &measured[i].size) * 1e3;

		ok(fabs(log(cpu / measured[i].cpu)) < 0.6 && fabs(log(gpu / measured[i].gpu)) < 0.6,
		   "strings of %.0f and %.0f symbols: CPU %.1f ms, GPU %.1f ms", measured[i].size.m,
		   measured[i].size.symbols, cpu, gpu);
	}
	ok(ted_cpu_strings_seconds(&small) < ted_gpu_strings_seconds(ted_default_rates, &small),
	   "a short pair is no work for a GPU");
	ok(ted_cpu_strings_seconds(&sent) < 2 * ted_gpu_strings_seconds(ted_default_rates, &sent),
	   "neither is what takes longer to send");
}

int
main(void)
{
	random_state = setting("SEED", 1);
	test_published();
	test_crossings(rounds(3000));
	test_trees();
	test_strings();
	return done_testing();
}
