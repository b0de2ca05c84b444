/*
 * scs_row_wise.c
 *	  Length of the shortest common supersequence by the row-wise independent algorithm.
 *
 * Let `last` be the greatest position up to j at which y holds x_i, or 0.  Where there
 * is one, the columns after it add a symbol each to the cell diagonally above it, so
 * that no cell needs another one of its row:
 *
 *	  M[i][j] = 1 + min(M[i-1][j], last > 0 ? M[i-1][last-1] + j - last : i + j - 1)
 *
 * The positions depend on the symbol and on j only and are tabulated first, a
 * row for each symbol of the alphabet.  (The recurrences of the term paper on
 * the SCS on GPUs; of the matrix, two rows are kept.)
 */
#include <stdlib.h>

#include "baselines.h"

/* Bytes of the table of positions. */
size_t
scs_row_wise_memory(int32_t n, uint32_t alphabet)
{
	return alphabet * ((size_t) n + 1) * sizeof(int32_t);
}

/* Tabulates the last position of each symbol up to each j. */
static void
fill_positions(int32_t *position, const uint32_t *y, int32_t n, uint32_t alphabet)
{
	for (uint32_t symbol = 0; symbol < alphabet; symbol++)
	{
		int32_t *row = position + symbol * ((size_t) n + 1);

		row[0] = 0;
		for (int32_t j = 1; j <= n; j++)
			row[j] = y[j - 1] == symbol ? j : row[j - 1];
	}
}

/*
 * Fills a row of M from the one above.  Rows begin one entry before M[i][0]:
 * with i - 1 there in the row above, both cases of the recurrence are one.
 */
static void
fill_row(int32_t *restrict row, const int32_t *restrict above, const int32_t *restrict last,
		 int32_t n)
{
	for (int32_t j = 1; j <= n; j++)
	{
		int32_t left = above[last[j]] + j - last[j];
		int32_t up = above[j + 1];

		row[j + 1] = 1 + (left < up ? left : up);
	}
}

/* Length of the shortest common supersequence. */
int32_t
scs_row_wise(const uint32_t *x, int32_t m, const uint32_t *y, int32_t n, uint32_t alphabet)
{
	int32_t *position = malloc(scs_row_wise_memory(n, alphabet));
	int32_t *row = malloc(((size_t) n + 2) * sizeof(int32_t));
	int32_t *above = malloc(((size_t) n + 2) * sizeof(int32_t));
	int32_t length;

	fill_positions(position, y, n, alphabet);
	for (int32_t j = 0; j <= n; j++)
		row[j + 1] = j;
	for (int32_t i = 1; i <= m; i++)
	{
		int32_t *filled = row;

		row = above;
		above = filled;
		above[0] = i - 1;
		row[1] = i;
		fill_row(row, above, position + x[i - 1] * ((size_t) n + 1), n);
	}
	length = row[n + 1];
	free(position);
	free(row);
	free(above);
	return length;
}
