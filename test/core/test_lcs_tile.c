/*
 * test_lcs_tile.c
 *	  Tests of the model of a GPU's tiles.
 */
#include <math.h>

#include "../../src/engine/gpu/lcs_tile.h"
#include "tap.h"

/* Whether two numbers agree but for rounding. */
static bool
near(double value, double expected)
{
	return fabs(value - expected) <= 1e-6 * fabs(expected);
}

/* Times worked out by hand. */
static void
test_time(void)
{
	LcsTileModel model = {.costs = {[LCS_MATCH_TABLE][1][0] = {2, 10, 100, 5000}}};
	LcsTile tile = {.words = 2, .batch = 4, .lag = 1, .shares = 1, .warps = 3};

	/* 2048 rows a stripe; (1000 / 4 + 32) steps of 4 * 2 + 10 */
	ok(near(lcs_tile_time(&model, (LcsTilePair){2048, 1000}, &tile), 282 * 18 + 100 + 5000),
	   "one stripe");
	ok(near(lcs_tile_time(&model, (LcsTilePair){2049, 1000}, &tile), 314 * 18 + 200 + 5000),
	   "a row more makes another stripe");
	tile.lag = 2;
	ok(near(lcs_tile_time(&model, (LcsTilePair){2049, 1000}, &tile), 378 * 18 + 200 + 5000),
	   "lanes lag by two batches");
	tile.lag = 1;
	ok(near(lcs_tile_time(&model, (LcsTilePair){4 * 2048, 1000}, &tile),
			(282 + 282) * 18 + 400 + 5000),
	   "a second pass waits for a warp");
	ok(near(lcs_tile_time(&model, (LcsTilePair){4 * 2048, 4}, &tile), (96 + 33) * 18 + 400 + 5000),
	   "or for the carries");
	ok(near(lcs_tile_time(&model, (LcsTilePair){0, 1000}, &tile), 5000), "no rows");
}

/* Tests that the best batch, sqrt(128 * 12.5 / (2 lag)) columns, takes the least time. */
static void
test_batch(void)
{
	LcsTileModel model = {.costs = {[LCS_MATCH_TABLE][2][0] = {2, 12.5, 0, 0}}};
	LcsTile tile = {.words = 4, .batch = 1, .lag = 2, .shares = 1, .warps = 1 << 20};
	LcsTilePair pair = {1 << 20, 1 << 20};

	for (int batch = 16; batch <= 25; batch++)
	{
		LcsTile best = tile;
		LcsTile other = tile;

		best.batch = 20;
		other.batch = batch;
		ok(lcs_tile_time(&model, pair, &best) <= lcs_tile_time(&model, pair, &other),
		   "20 is not worse than %d", batch);
	}
}

/* Tests that a fit returns the costs of a model. */
static void
test_fit(void)
{
	LcsTileModel model = {.costs = {{{{7e-9, 11e-9, 600e-9, 12e-6}}},
									[LCS_MATCH_TABLES] = {{{9e-9, 11e-9, 600e-9, 12e-6}}}}};
	LcsTileCosts fitted;
	LcsTileSample samples[8];

	for (int i = 0; i < 8; i++)
	{
		LcsTileSample *s = &samples[i];

		s->tile =
			(LcsTile){.words = 1, .batch = i % 2 ? 8 : 4, .lag = 2, .shares = 1, .warps = 264};
		s->pair = (LcsTilePair){i & 2 ? 5000 : 100000, i & 4 ? 3000 : 40000};
		s->seconds = lcs_tile_time(&model, s->pair, &s->tile);
	}
	ok(lcs_tile_fit(&fitted, samples, 8), "the costs can be told");
	ok(near(fitted.column, 7e-9) && near(fitted.hand_over, 11e-9) && near(fitted.stripe, 600e-9) &&
		   near(fitted.launch, 12e-6),
	   "they come back from a fit");
	samples[0].tile.match = LCS_MATCH_TABLES;
	samples[0].seconds = lcs_tile_time(&model, samples[0].pair, &samples[0].tile);
	lcs_tile_fit_column(&fitted, samples);
	ok(near(fitted.column, 9e-9) && near(fitted.stripe, 600e-9), "dearer columns from one sample");
	ok(!lcs_tile_fit(&fitted, samples, 1), "one sample does not tell all costs");
}

int
main(void)
{
	test_time();
	test_batch();
	test_fit();
	return done_testing();
}
