/*
 * lcs_tile.c
 *	  Model of a GPU's time for one long pair of strings, and the best tile for it.
 */
#include <math.h>

#include "lcs_tile.h"

#define WORD_ROWS 32
#define LANES 32

/* Number of terms of the cost: columns, hand-overs, stripes, and one launch. */
#define TERMS 4

/* Returns a / b, rounded up. */
static int32_t
ceiling(int32_t a, int32_t b)
{
	return (int32_t) (((int64_t) a + b - 1) / b);
}

/* Returns the greater of two numbers. */
static double
greater(double a, double b)
{
	return a > b ? a : b;
}

/* Counts columns, hand-overs, stripes and launches of a pair. */
static void
count_terms(LcsTilePair pair, const LcsTile *tile, double *terms)
{
	int32_t stripes = ceiling(pair.rows, LANES * WORD_ROWS * tile->words);
	int32_t passes = ceiling(stripes, tile->warps);
	double batches = ceiling(pair.columns, tile->batch);
	double lag = (double) tile->lag * LANES; /* batches from stripe to stripe */
	/* a pass begins when its first warp is free and the pass above has reached it */
	double pass = greater(batches + lag, tile->warps * lag);
	double steps = 0;

	if (stripes > 0)
		steps = (passes - 1) * pass + batches + (stripes - (passes - 1.0) * tile->warps) * lag;
	terms[0] = steps * tile->batch;
	terms[1] = steps;
	terms[2] = stripes;
	terms[3] = 1;
}

/* Returns the index of a number of words per thread. */
static int
words_index(int words)
{
	return words == 4 ? 2 : words - 1;
}

/* Returns the costs of a tile. */
static const LcsTileCosts *
tile_costs(const LcsTileModel *model, const LcsTile *tile)
{
	return &model->costs[tile->match][words_index(tile->words)][tile->shares - 1];
}

/* Predicts the seconds of a pair from its counts. */
static double
terms_time(const LcsTileCosts *costs, const double *terms)
{
	return terms[0] * costs->column + terms[1] * costs->hand_over + terms[2] * costs->stripe +
		   terms[3] * costs->launch;
}

/* Predicts the seconds of a pair with a tile. */
double
lcs_tile_time(const LcsTileModel *model, LcsTilePair pair, const LcsTile *tile)
{
	double terms[TERMS];

	count_terms(pair, tile, terms);
	return terms_time(tile_costs(model, tile), terms);
}

/* Solves linear equations by elimination; returns false unless there is exactly one solution. */
static bool
solve(double equation[TERMS][TERMS + 1], double *solution)
{
	for (int k = 0; k < TERMS; k++)
	{
		int pivot = k;

		for (int i = k + 1; i < TERMS; i++)
			if (fabs(equation[i][k]) > fabs(equation[pivot][k]))
				pivot = i;
		if (fabs(equation[pivot][k]) < 1e-12)
			return false;
		for (int j = 0; j <= TERMS; j++)
		{
			double other = equation[k][j];

			equation[k][j] = equation[pivot][j];
			equation[pivot][j] = other;
		}
		for (int i = 0; i < TERMS; i++)
		{
			double factor = equation[i][k] / equation[k][k];

			for (int j = k; j <= TERMS && i != k; j++)
				equation[i][j] -= factor * equation[k][j];
		}
	}
	for (int k = 0; k < TERMS; k++)
		solution[k] = equation[k][TERMS] / equation[k][k];
	return true;
}

/* Fits the costs to samples by least squares of the relative error. */
bool
lcs_tile_fit(LcsTileCosts *costs, const LcsTileSample *samples, int count)
{
	double equation[TERMS][TERMS + 1] = {{0}};
	double scale[TERMS] = {0}; /* makes all unknowns about equally large */
	double solution[TERMS];

	for (int k = 0; k < count; k++)
	{
		double terms[TERMS];

		count_terms(samples[k].pair, &samples[k].tile, terms);
		for (int i = 0; i < TERMS; i++)
			scale[i] = greater(scale[i], terms[i] / samples[k].seconds);
	}
	for (int k = 0; k < count; k++)
	{
		double terms[TERMS];

		count_terms(samples[k].pair, &samples[k].tile, terms);
		for (int i = 0; i < TERMS; i++)
			terms[i] /= samples[k].seconds * scale[i];
		for (int i = 0; i < TERMS; i++)
		{
			for (int j = 0; j < TERMS; j++)
				equation[i][j] += terms[i] * terms[j];
			equation[i][TERMS] += terms[i];
		}
	}
	if (!solve(equation, solution))
		return false;
	costs->column = solution[0] / scale[0];
	costs->hand_over = solution[1] / scale[1];
	costs->stripe = solution[2] / scale[2];
	costs->launch = solution[3] / scale[3];
	return true;
}

/* Sets the cost of a column so that a sample takes the time measured. */
void
lcs_tile_fit_column(LcsTileCosts *costs, const LcsTileSample *sample)
{
	double terms[TERMS];

	count_terms(sample->pair, &sample->tile, terms);
	costs->column += (sample->seconds - terms_time(costs, terms)) / terms[0];
}
