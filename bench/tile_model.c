/*
 * tile_model.c
 *	  Models of the time that tiled dynamic programming takes, and their optima.
 *
 * The thesis solves for a real optimum; the numbers of tiles are integers,
 * few, and bounded by processors and memory, so all of them are tried here.
 */
#include <stdbool.h>

#include "tile_model.h"

/* a / b, rounded up. */
static int
ceiling(int a, int b)
{
	return (a + b - 1) / b;
}

/* Time with this grid of tiles that pass messages. */
double
cluster_time(const ClusterModel *model, TileGrid grid)
{
	double cells = (double) model->rows * model->columns / ((double) grid.m * grid.n);

	return (cells * model->cell + model->message) * (grid.m + grid.n - 1);
}

/* The best grid. */
TileGrid
cluster_optimum(const ClusterModel *model)
{
	TileGrid best = {1, 1};

	for (int m = 1; m <= model->processors; m++)
		for (int n = 1; n <= model->columns; n++)
			if (cluster_time(model, (TileGrid){m, n}) < cluster_time(model, best))
				best = (TileGrid){m, n};
	return best;
}

/* Time with this grid of tiles on a GPU. */
double
gpu_time(const GpuModel *model, TileGrid grid)
{
	double part = model->move / model->values;
	double a = model->rows * (model->step + 2 * part);
	double b = model->columns * (model->step + model->move + part);
	double c = (double) model->rows * model->columns * part;
	double d = model->step - part;
	double tile = a / grid.m + b / grid.n + c / ((double) grid.m * grid.n) - d;

	return tile * (grid.m + grid.n - 1);
}

/* True where a tile fits the memory. */
static bool
gpu_fits(const GpuModel *model, TileGrid grid)
{
	long bytes = 2L * ceiling(model->rows, grid.m) * ceiling(model->columns, grid.n);

	return model->memory_limit == 0 || bytes < model->memory_limit;
}

/* The best grid with at least `least_m` tiles along the rows. */
TileGrid
gpu_optimum(const GpuModel *model, int least_m)
{
	TileGrid best = {0, 0};

	for (int m = least_m; m <= model->processors; m++)
		for (int n = 1; n <= model->columns; n++)
		{
			TileGrid grid = {m, n};

			if (gpu_fits(model, grid) &&
				(best.m == 0 || gpu_time(model, grid) < gpu_time(model, best)))
				best = grid;
		}
	return best;
}

/* How often a run goes through a column of a stripe and through a tile. */
static void
stripe_counts(const StripeModel *model, int tile_columns, double *columns, double *tiles)
{
	double share = (double) ceiling(model->rows, model->stripe_rows) / model->workers;

	*columns = share * model->columns + (model->workers - 1.0) * tile_columns;
	*tiles = share * ceiling(model->columns, tile_columns) + (model->workers - 1.0);
}

/* Time with tiles of this number of columns. */
double
stripe_time(const StripeModel *model, int tile_columns)
{
	double columns;
	double tiles;

	stripe_counts(model, tile_columns, &columns, &tiles);
	return columns * model->column + tiles * model->tile;
}

/* Sets the two times: the normal equations of columns t_column + tiles t_tile = time. */
void
stripe_fit(StripeModel *model, const int *tile_columns, const double *time, int count)
{
	double cc = 0;
	double ct = 0;
	double tt = 0;
	double c1 = 0;
	double t1 = 0;

	for (int i = 0; i < count; i++)
	{
		double columns;
		double tiles;

		stripe_counts(model, tile_columns[i], &columns, &tiles);
		columns /= time[i];
		tiles /= time[i];
		cc += columns * columns;
		ct += columns * tiles;
		tt += tiles * tiles;
		c1 += columns;
		t1 += tiles;
	}
	model->column = (c1 * tt - t1 * ct) / (cc * tt - ct * ct);
	model->tile = (t1 * cc - c1 * ct) / (cc * tt - ct * ct);
}

/* Index of the best of `count` widths. */
int
stripe_optimum(const StripeModel *model, const int *tile_columns, int count)
{
	int best = 0;

	for (int i = 1; i < count; i++)
		if (stripe_time(model, tile_columns[i]) < stripe_time(model, tile_columns[best]))
			best = i;
	return best;
}
