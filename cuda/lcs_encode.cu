/*
 * lcs_encode.cu
 *	  Symbols to codes of a pattern: the hash table of the core, on a GPU.
 */
#include "lcs_encode.h"

constexpr unsigned BLOCK = 256;
constexpr unsigned MOST_BLOCKS = 2048;

/* Writes codes, some a thread. */
template <class Code>
static __global__ void
encode(const LcsSlot *slots, uint32_t mask, int shift, const uint32_t *symbols, size_t count,
	   Code *codes)
{
	size_t threads = (size_t) gridDim.x * blockDim.x;

	for (size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads)
	{
		uint32_t symbol = symbols[i];
		uint32_t place = (symbol * LCS_HASH) >> shift;
		LcsSlot slot;

		while ((slot = slots[place]).code != 0 && slot.symbol != symbol)
			place = (place + 1) & mask;
		codes[i] = (Code) slot.code;
	}
}

/* Starts writing the codes of symbols. */
cudaError_t
lcs_gpu_encode(const LcsPattern *pattern, const LcsSlot *slots, const uint32_t *symbols,
			   size_t count, void *codes, int code_bytes, cudaStream_t stream)
{
	unsigned blocks = count / BLOCK < MOST_BLOCKS ? (unsigned) (count / BLOCK) + 1 : MOST_BLOCKS;

	if (code_bytes == 2)
		encode<uint16_t><<<blocks, BLOCK, 0, stream>>>(slots, pattern->mask, pattern->shift,
													   symbols, count, (uint16_t *) codes);
	else
		encode<int32_t><<<blocks, BLOCK, 0, stream>>>(slots, pattern->mask, pattern->shift, symbols,
													  count, (int32_t *) codes);
	return cudaGetLastError();
}
