/*
 * tile_model.h
 *	  Models of the time that tiled dynamic programming takes, and their optima.
 *
 * The supernode thesis cuts a table of rows x columns cells into m x n tiles
 * and computes one wavefront of tiles after another, each in the time of one
 * tile: T(m, n) = t_tile(m, n) (m + n - 1).  Its two forms differ in t_tile.
 * The third model is that of the bit-parallel tiles of src/core/string/lcs_scan.c.
 */
#ifndef TED_BENCH_TILE_MODEL_H
#define TED_BENCH_TILE_MODEL_H

/* Numbers of tiles along the rows and along the columns. */
typedef struct TileGrid
{
	int m;
	int n;
} TileGrid;

/* Processors that pass messages: t_tile = rows columns t_cell / (m n) + t_message. */
typedef struct ClusterModel
{
	int rows;
	int columns;
	int processors; /* m is at most this */
	double cell;    /* time of a cell */
	double message; /* time to receive and to send a tile's border */
} ClusterModel;

extern double cluster_time(const ClusterModel *model, TileGrid grid);
extern TileGrid cluster_optimum(const ClusterModel *model);

/*
 * A GPU, where a tile goes through its own wavefronts and through shared
 * memory: t_tile = A / m + B / n + C / (m n) - D with
 * A = rows (t_step + 2 t_move / s), B = columns (t_step + (1 + 1 / s) t_move),
 * C = rows columns t_move / s, D = t_step - t_move / s.
 */
typedef struct GpuModel
{
	int rows;
	int columns;
	int processors;    /* m is at most this */
	double step;       /* time of one wavefront inside a tile */
	double move;       /* time of a memory transaction */
	double values;     /* s: values that a transaction moves */
	long memory_limit; /* a tile of 2-byte values takes fewer bytes; 0 where there is no limit */
} GpuModel;

extern double gpu_time(const GpuModel *model, TileGrid grid);

/* The best grid with at least `least_m` tiles along the rows; {0, 0} where none fits. */
extern TileGrid gpu_optimum(const GpuModel *model, int least_m);

/*
 * Stripes of `stripe_rows` rows, taken through tiles of C columns.  A tile
 * takes columns * t_column + t_tile, its hand-over and its start:
 *
 *	  T(C) = stripes (columns t_column + tiles t_tile) / workers
 *	         + (workers - 1) (C t_column + t_tile)
 */
typedef struct StripeModel
{
	int rows;
	int columns;
	int stripe_rows;
	int workers;
	double column; /* time of a column of a stripe */
	double tile;   /* time of a tile whatever its columns */
} StripeModel;

extern double stripe_time(const StripeModel *model, int tile_columns);

/* Sets the two times of a model by least squares of relative error; needs two different widths. */
extern void stripe_fit(StripeModel *model, const int *tile_columns, const double *time, int count);

/* Index of the best of `count` widths. */
extern int stripe_optimum(const StripeModel *model, const int *tile_columns, int count);

#endif /* TED_BENCH_TILE_MODEL_H */
