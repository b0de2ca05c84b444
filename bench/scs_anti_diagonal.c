/*
 * scs_anti_diagonal.c
 *	  Length of the shortest common supersequence by anti-diagonals.
 *
 * M[i][0] = i, M[0][j] = j, and otherwise
 *
 *	  M[i][j] = 1 + (x_i = y_j ? M[i-1][j-1] : min(M[i][j-1], M[i-1][j]))
 *
 * The cells with the same i + j depend on the two diagonals before only, not
 * on each other.  A diagonal is kept by i; y is reversed, so that a diagonal
 * walks both strings forwards.
 */
#include <stdlib.h>

#include "baselines.h"

/* Fills `count` cells of a diagonal from the two before it, which begin one entry earlier. */
static void
fill_diagonal(int32_t *restrict cell, const int32_t *restrict before,
			  const int32_t *restrict before_last, const uint32_t *restrict x,
			  const uint32_t *restrict y, int32_t count)
{
	for (int32_t k = 0; k < count; k++)
	{
		int32_t least = before[k] < before[k + 1] ? before[k] : before[k + 1];

		cell[k] = 1 + (x[k] == y[k] ? before_last[k] : least);
	}
}

/* Length of the shortest common supersequence. */
int32_t
scs_anti_diagonal(const uint32_t *x, int32_t m, const uint32_t *y, int32_t n)
{
	uint32_t *reversed = malloc(((size_t) n + 1) * sizeof(uint32_t));
	int32_t *diagonal[3];
	int32_t length;

	for (int32_t j = 0; j < n; j++)
		reversed[j] = y[n - 1 - j];
	for (int k = 0; k < 3; k++)
		diagonal[k] = malloc(((size_t) m + 1) * sizeof(int32_t));

	for (int32_t d = 0; d <= m + n; d++)
	{
		int32_t *cell = diagonal[d % 3];
		int32_t first = d <= n ? 1 : d - n;
		int32_t last = d <= m ? d - 1 : m;

		if (d <= n)
			cell[0] = d;
		if (d <= m)
			cell[d] = d;
		fill_diagonal(cell + first, diagonal[(d + 2) % 3] + first - 1,
					  diagonal[(d + 1) % 3] + first - 1, x + first - 1, reversed + (n - d + first),
					  last - first + 1);
	}
	length = diagonal[(m + n) % 3][m];
	free(reversed);
	for (int k = 0; k < 3; k++)
		free(diagonal[k]);
	return length;
}
