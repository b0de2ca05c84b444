/*
 * device_lcs_batch.h
 *	  Lengths of the longest common subsequences of one string and many, on a GPU.
 */
#ifndef TED_DEVICE_LCS_BATCH_H
#define TED_DEVICE_LCS_BATCH_H

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

/*
 * Texts begin at multiples of this number of symbols, and memory is readable up to the next
 * multiple.
 */
constexpr int LCS_TEXT_ALIGN = 16;

/*
 * A pattern and texts in device memory.  Symbols are numbers of 1 or 2 bytes that are less than
 * `codes`.
 */
struct LcsDeviceBatch
{
	const void *pattern;
	int32_t m;
	int symbol_bytes;
	int32_t codes;
	const void *texts;
	const int64_t *start;  /* start of each text, in symbols */
	const int32_t *length; /* length of each text, in symbols */
	int32_t count;
};

/* Whether a pattern is short enough and has few enough codes for a batch. */
extern bool lcs_gpu_batch_fits(int32_t m, int32_t codes, const cudaDeviceProp &device);

/*
 * Starts to compute the lengths, in the order of the texts.  `cancel` is a word of device
 * memory or NULL; once it is not 0, lengths may stay unset.
 */
extern cudaError_t lcs_gpu_batch_launch(const LcsDeviceBatch &batch, const cudaDeviceProp &device,
										int32_t *lengths, const volatile int *cancel,
										cudaStream_t stream);

#endif /* TED_DEVICE_LCS_BATCH_H */
