/*
 * xted_model.c
 *	  X-TED's model of the time that square tables take on a GPU.
 */
#include "xted_model.h"

#include <math.h>

const TedSteps ted_xted_steps = {
	.unit = 0.125e-6, .sync_warp = 0.160e-6, .sync_block = 0.218e-6, .sync_multi = 1.10e-6};

/* Seconds that a worker takes for a table of n x n cells. */
double
ted_xted_seconds(double n, double threads, double cell)
{
	if (n <= threads)
		return (2 * n - 1) * cell;
	return n / threads * (threads + n - 1) * cell;
}

/* The size from which the larger worker is faster. */
double
ted_xted_crossing(TedWorker small, TedWorker large)
{
	double ratio = large.cell * small.threads / small.cell;
	double half = (small.threads - 1 - 2 * ratio) / 2;
	double root = -half + sqrt(fmax(half * half - ratio, 0));
	double slope = small.cell / small.threads - large.cell / large.threads;
	double offset = large.cell * (large.threads - 1) / large.threads -
					small.cell * (small.threads - 1) / small.threads;

	/* up to the threads of the smaller one both take as many steps */
	if (large.cell <= small.cell)
		return 1;
	/* n (w + n - 1) c / w = (2n - 1) C, up to the threads of the larger one */
	if (root <= large.threads)
		return root;
	/* n (w + n - 1) c / w = n (W + n - 1) C / W, beyond them */
	return slope > 0 ? fmax(offset / slope, large.threads) : INFINITY;
}

/* A worker of this number of blocks. */
static TedWorker
blocks_worker(const TedSteps *steps, int32_t blocks)
{
	return (TedWorker){(double) blocks * TED_THREADS_BLOCK, steps->unit + steps->sync_multi};
}

/* Number of blocks with which a table of n x n cells takes the least time. */
int32_t
ted_xted_blocks(const TedSteps *steps, double n, int32_t most)
{
	int32_t best = 2;
	double least = INFINITY;

	for (int32_t blocks = 2; blocks <= most; blocks++)
	{
		TedWorker worker = blocks_worker(steps, blocks);
		double seconds = ted_xted_seconds(n, worker.threads, worker.cell);

		if (seconds < least)
		{
			least = seconds;
			best = blocks;
		}
	}
	return best;
}

/* Where the four ways of computing a table overtake one another. */
TedThresholds
ted_xted_thresholds(const TedSteps *steps, int32_t most_blocks)
{
	TedWorker thread = {1, steps->unit};
	TedWorker warp = {TED_THREADS_WARP, steps->unit + steps->sync_warp};
	TedWorker block = {TED_THREADS_BLOCK, steps->unit + steps->sync_block};
	TedThresholds thresholds = {.warp = ted_xted_crossing(thread, warp),
								.block = ted_xted_crossing(warp, block),
								.multi = INFINITY};

	/* the fewest blocks that overtake a block first */
	for (int32_t blocks = 2; blocks <= most_blocks; blocks++)
	{
		double crossing = ted_xted_crossing(block, blocks_worker(steps, blocks));

		if (crossing < thresholds.multi)
		{
			thresholds.multi = crossing;
			thresholds.blocks = blocks;
		}
	}
	return thresholds;
}
