/*
 * scs_row_wise.cu
 *	  Length of the shortest common supersequence, row by row.
 *
 * One table holds, for each symbol, its last position up to each j.  With it, a row of M
 * depends only on the row above, so that all cells of a row are independent of each other: a
 * thread computes a cell, and a launch computes a row.  (The recurrences are those of the
 * term paper on the SCS on GPUs; two rows of the matrix are kept.)
 */
#include "baselines.h"

constexpr unsigned BLOCK = 256;

/* Tabulates the last position of each symbol up to each j, a thread a symbol. */
static __global__ void
fill_positions(int32_t *position, const uint8_t *y, int32_t n, int32_t alphabet)
{
	int32_t symbol = (int32_t) (blockIdx.x * blockDim.x + threadIdx.x);
	int32_t *row = position + (size_t) symbol * ((size_t) n + 1);
	int32_t last = 0;

	if (symbol >= alphabet)
		return;
	for (int32_t j = 0; j <= n; j++)
	{
		if (j > 0 && y[j - 1] == symbol)
			last = j;
		row[j] = last;
	}
}

/* Fills row i of M from the one above, a thread a cell; rows begin with M[i][0]. */
static __global__ void
fill_row(int32_t *row, const int32_t *above, const int32_t *position, const uint8_t *x, int32_t i,
		 int32_t n)
{
	int32_t j = (int32_t) (blockIdx.x * blockDim.x + threadIdx.x);

	if (j > n)
		return;
	if (i == 0 || j == 0)
		row[j] = i + j;
	else
	{
		int32_t last = position[x[i - 1] * ((size_t) n + 1) + (size_t) j];
		int32_t left = last > 0 ? above[last - 1] + j - last : i + j - 1;

		row[j] = 1 + min(above[j], left);
	}
}

/* Returns the bytes of the table of positions and of two rows. */
size_t
scs_row_wise_memory(int32_t n, int32_t alphabet)
{
	return ((size_t) alphabet + 2) * ((size_t) n + 1) * sizeof(int32_t);
}

/* Starts to compute a length. */
cudaError_t
scs_row_wise_launch(const uint8_t *x, int32_t m, const uint8_t *y, int32_t n, int32_t alphabet,
					void *memory, int32_t *length, cudaStream_t stream)
{
	int32_t *position = (int32_t *) memory;
	int32_t *rows[2];
	unsigned blocks = (unsigned) n / BLOCK + 1;

	rows[0] = position + (size_t) alphabet * ((size_t) n + 1);
	rows[1] = rows[0] + n + 1;
	fill_positions<<<((unsigned) alphabet + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(position, y, n,
																					alphabet);
	for (int32_t i = 0; i <= m; i++)
		fill_row<<<blocks, BLOCK, 0, stream>>>(rows[i % 2], rows[(i + 1) % 2], position, x, i, n);
	if (cudaGetLastError() != cudaSuccess)
		return cudaErrorLaunchFailure;
	return cudaMemcpyAsync(length, rows[m % 2] + n, sizeof(int32_t), cudaMemcpyDeviceToDevice,
						   stream);
}
