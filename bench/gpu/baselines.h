/*
 * baselines.h
 *	  Published algorithms for the LCS and the SCS on a GPU, as baselines of the benchmark.
 *
 * Symbols are bytes less than `alphabet`; strings, memory and length are in device memory.
 */
#ifndef TED_BENCH_GPU_BASELINES_H
#define TED_BENCH_GPU_BASELINES_H

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

/*
 * Returns the bytes of memory, and starts to compute the length, of the shortest common
 * supersequence, row by row: the term paper on the SCS on GPUs.
 */
extern size_t scs_row_wise_memory(int32_t n, int32_t alphabet);
extern cudaError_t scs_row_wise_launch(const uint8_t *x, int32_t m, const uint8_t *y, int32_t n,
									   int32_t alphabet, void *memory, int32_t *length,
									   cudaStream_t stream);

/*
 * Returns the bytes of memory, and starts to compute the length, of the longest common
 * subsequence by tiles of `rows` rows and `columns` columns: the supernode thesis.  The lesser
 * of m and n must be less than 65536, `rows` no more than 1024, and 2 rows columns bytes less
 * than the shared memory of a block by at least 4 (rows + columns + 1).
 */
extern size_t lcs_tiled_memory(int32_t m, int32_t n);
extern cudaError_t lcs_tiled_launch(const uint8_t *x, int32_t m, const uint8_t *y, int32_t n,
									int32_t rows, int32_t columns, void *memory, int32_t *length,
									cudaStream_t stream);

#endif /* TED_BENCH_GPU_BASELINES_H */
