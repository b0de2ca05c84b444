/*
 * lcs_tiled.c
 *	  Length of the longest common subsequence by tiles, as in the supernode thesis.
 *
 * The table of lengths is cut into tiles.  A tile takes the cells along its
 * upper and its left side from its neighbours, writes all of its own cells and
 * hands its last row and column on.  The tiles of an anti-diagonal are
 * independent of each other.
 */
#include <stdlib.h>
#include <string.h>

#include "baselines.h"

/* Fills a tile, whose row 0 and column 0 are set; rows are `stride` apart. */
static void
fill_tile(int32_t *cell, size_t stride, const uint32_t *x, int32_t rows, const uint32_t *y,
		  int32_t columns)
{
	for (int32_t i = 0; i < rows; i++)
	{
		const int32_t *above = cell + (size_t) i * stride;
		int32_t *row = cell + ((size_t) i + 1) * stride;

		for (int32_t j = 0; j < columns; j++)
		{
			int32_t most = above[j + 1] > row[j] ? above[j + 1] : row[j];

			row[j + 1] = x[i] == y[j] ? above[j] + 1 : most;
		}
	}
}

/* The lesser of two numbers. */
static int32_t
lesser(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

/* Length of the longest common subsequence. */
int32_t
lcs_tiled(const uint32_t *x, int32_t m, const uint32_t *y, int32_t n, int32_t rows, int32_t columns)
{
	int32_t stripes = (m + rows - 1) / rows;
	int32_t tiles = (n + columns - 1) / columns; /* of a stripe */
	size_t stride = (size_t) columns + 1;
	int32_t *cell = malloc(((size_t) rows + 1) * stride * sizeof(int32_t));
	int32_t *row = calloc((size_t) n + 1, sizeof(int32_t));    /* last ones of the tiles above */
	int32_t *column = calloc((size_t) m + 1, sizeof(int32_t)); /* last ones of the tiles before */
	int32_t *corner = calloc((size_t) stripes + 1, sizeof(int32_t)); /* above these, by stripe */
	int32_t length;

	for (int32_t wave = 0; wave < stripes + tiles - 1; wave++)
		for (int32_t stripe = wave < tiles ? 0 : wave - tiles + 1;
			 stripe <= wave && stripe < stripes; stripe++)
		{
			int32_t i = stripe * rows;
			int32_t j = (wave - stripe) * columns;
			int32_t height = lesser(rows, m - i);
			int32_t width = lesser(columns, n - j);
			size_t row_bytes = (size_t) width * sizeof(int32_t);

			cell[0] = corner[stripe];
			corner[stripe] = row[j + width - 1];
			memcpy(cell + 1, row + j, row_bytes);
			for (int32_t k = 0; k < height; k++)
				cell[((size_t) k + 1) * stride] = column[i + k];
			fill_tile(cell, stride, x + i, height, y + j, width);
			memcpy(row + j, cell + (size_t) height * stride + 1, row_bytes);
			for (int32_t k = 0; k < height; k++)
				column[i + k] = cell[((size_t) k + 1) * stride + (size_t) width];
		}
	length = m > 0 && n > 0 ? row[n - 1] : 0;
	free(cell);
	free(row);
	free(column);
	free(corner);
	return length;
}
