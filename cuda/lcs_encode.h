/*
 * lcs_encode.h
 *	  Symbols to codes of a pattern, on a GPU.
 */
#ifndef LCS_ENCODE_H
#define LCS_ENCODE_H

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

extern "C"
{
#include "../src/core/lcs_pattern.h"
}

/*
 * Starts writing the codes, of 2 or 4 bytes, of symbols in device memory, as
 * lcs_encode() does.  `slots` is a copy of pattern->slots in device memory; of
 * the pattern, only numbers are used.  Codes of 2 bytes are for patterns of
 * fewer than 65536 distinct symbols.
 */
extern cudaError_t lcs_gpu_encode(const LcsPattern *pattern, const LcsSlot *slots,
								  const uint32_t *symbols, size_t count, void *codes,
								  int code_bytes, cudaStream_t stream);

/* Slots of a pattern. */
static inline size_t
lcs_gpu_slots(const LcsPattern *pattern)
{
	return (size_t) pattern->mask + 1;
}

#endif /* LCS_ENCODE_H */
