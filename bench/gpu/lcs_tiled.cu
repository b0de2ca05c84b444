/*
 * lcs_tiled.cu
 *	  Length of the longest common subsequence by tiles, as in the supernode thesis.
 *
 * A launch computes a wavefront of tiles, with a block for each tile.  In shared memory, a
 * block copies the cells above and to the left of its tile from the table, computes the
 * wavefronts of the tile with a thread for each row, and writes all cells of the tile back.
 * Cells have 2 bytes.
 */
#include "baselines.h"

/* Returns the number of cells from one row of the table to the next. */
static __host__ __device__ size_t
stride(int32_t n)
{
	return (size_t) n + 1;
}

/* Fills the tiles of a wavefront; row 0 and column 0 of the table are 0. */
static __global__ void
fill_tiles(uint16_t *table, const uint8_t *x, int32_t m, const uint8_t *y, int32_t n, int32_t rows,
		   int32_t columns, int32_t wave, int32_t first)
{
	extern __shared__ uint16_t cell[];
	int32_t stripe = first + (int32_t) blockIdx.x;
	int32_t i = stripe * rows;
	int32_t j = (wave - stripe) * columns;
	int32_t height = min(rows, m - i);
	int32_t width = min(columns, n - j);
	int32_t row = (int32_t) threadIdx.x;
	int32_t pitch = columns + 1;
	uint16_t *corner = table + (size_t) i * stride(n) + (size_t) j;
	uint8_t symbol = row < height ? x[i + row] : 0;

	for (int32_t k = row; k <= width; k += (int32_t) blockDim.x)
		cell[k] = corner[k];
	if (row < height)
		cell[(row + 1) * pitch] = corner[(size_t) (row + 1) * stride(n)];
	__syncthreads();
	for (int32_t step = 0; step < height + width - 1; step++)
	{
		int32_t k = step - row;

		if (row < height && k >= 0 && k < width)
		{
			const uint16_t *above = cell + row * pitch + k;
			uint16_t *own = cell + (row + 1) * pitch + k;
			uint16_t most = max(above[1], own[0]);

			own[1] = symbol == y[j + k] ? above[0] + 1 : most;
		}
		__syncthreads();
	}
	for (int32_t k = row; k < height * width; k += (int32_t) blockDim.x)
		corner[(size_t) (k / width + 1) * stride(n) + (size_t) (k % width) + 1] =
			cell[(k / width + 1) * pitch + k % width + 1];
}

/* Copies the length to its place. */
static __global__ void
take_length(const uint16_t *cell, int32_t *length)
{
	*length = *cell;
}

/* Returns the bytes of the table. */
size_t
lcs_tiled_memory(int32_t m, int32_t n)
{
	return ((size_t) m + 1) * stride(n) * sizeof(uint16_t);
}

/* Starts to compute a length. */
cudaError_t
lcs_tiled_launch(const uint8_t *x, int32_t m, const uint8_t *y, int32_t n, int32_t rows,
				 int32_t columns, void *memory, int32_t *length, cudaStream_t stream)
{
	uint16_t *table = (uint16_t *) memory;
	int32_t stripes = (m + rows - 1) / rows;
	int32_t tiles = (n + columns - 1) / columns; /* tiles of a stripe */
	size_t shared = ((size_t) rows + 1) * ((size_t) columns + 1) * sizeof(uint16_t);
	unsigned threads = ((unsigned) rows + 31) / 32 * 32;
	cudaError_t error =
		cudaFuncSetAttribute(fill_tiles, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared);

	if (error == cudaSuccess)
		error = cudaMemsetAsync(table, 0, stride(n) * sizeof(uint16_t), stream);
	if (error == cudaSuccess)
		error = cudaMemset2DAsync(table, stride(n) * sizeof(uint16_t), 0, sizeof(uint16_t),
								  (size_t) m + 1, stream);
	if (error != cudaSuccess)
		return error;
	for (int32_t wave = 0; wave < stripes + tiles - 1; wave++)
	{
		int32_t first = wave < tiles ? 0 : wave - tiles + 1;
		int32_t last = wave < stripes ? wave : stripes - 1;

		fill_tiles<<<(unsigned) (last - first + 1), threads, shared, stream>>>(
			table, x, m, y, n, rows, columns, wave, first);
	}
	take_length<<<1, 1, 0, stream>>>(table + (size_t) m * stride(n) + (size_t) n, length);
	return cudaGetLastError();
}
