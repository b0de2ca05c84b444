/*
 * lcs_step.cuh
 *	  One column of the table of lengths, for a thread's words of V.
 *
 * V and the match vectors M are those of src/core/string/lcs_column.h, but all 32 bits of a
 * word are rows.  The next column is (V + (V & M)) | (V & ~M), where the sum carries through
 * all words of a column (Hyyro, 2004).
 */
#ifndef TED_LCS_STEP_CUH
#define TED_LCS_STEP_CUH

#include <cstdint>

#include "../common/warp.cuh"

constexpr int LCS_WORD = 32;

/* Some consecutive words, loaded at once. */
template <int WORDS> struct alignas(4 * WORDS) Words
{
	uint32_t word[WORDS];
};

/*
 * Computes V after a column.  `matched` are the match vectors within V, V & M, so that V & ~M
 * is V ^ matched.  The carry into the column is the highest bit of `in`, which is shifted left;
 * the carry out of it becomes the lowest bit of `out`, which is shifted left before.
 */
template <int WORDS>
static __device__ __forceinline__ void
lcs_step(uint32_t (&v)[WORDS], const Words<WORDS> &matched, uint32_t &in, uint32_t &out)
{
	const uint32_t *u = matched.word;
	uint32_t sum[WORDS];

	if constexpr (WORDS == 1)
		asm("add.cc.u32 %1, %1, %1;\n\t"
			"addc.cc.u32 %0, %3, %4;\n\t"
			"addc.u32 %2, %2, %2;\n\t"
			: "=&r"(sum[0]), "+r"(in), "+r"(out)
			: "r"(v[0]), "r"(u[0]));
	else if constexpr (WORDS == 2)
		asm("add.cc.u32 %2, %2, %2;\n\t"
			"addc.cc.u32 %0, %4, %6;\n\t"
			"addc.cc.u32 %1, %5, %7;\n\t"
			"addc.u32 %3, %3, %3;\n\t"
			: "=&r"(sum[0]), "=&r"(sum[1]), "+r"(in), "+r"(out)
			: "r"(v[0]), "r"(v[1]), "r"(u[0]), "r"(u[1]));
	else
		asm("add.cc.u32 %4, %4, %4;\n\t"
			"addc.cc.u32 %0, %6, %10;\n\t"
			"addc.cc.u32 %1, %7, %11;\n\t"
			"addc.cc.u32 %2, %8, %12;\n\t"
			"addc.cc.u32 %3, %9, %13;\n\t"
			"addc.u32 %5, %5, %5;\n\t"
			: "=&r"(sum[0]), "=&r"(sum[1]), "=&r"(sum[2]), "=&r"(sum[3]), "+r"(in), "+r"(out)
			: "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]), "r"(u[0]), "r"(u[1]), "r"(u[2]),
			  "r"(u[3]));
#pragma unroll
	for (int w = 0; w < WORDS; w++)
		v[w] = sum[w] | (v[w] ^ u[w]);
}

/* Computes V after a column whose words are all in this thread, so that no carry goes in or out. */
template <int WORDS>
static __device__ __forceinline__ void
lcs_step_alone(uint32_t (&v)[WORDS], const Words<WORDS> &matched)
{
	const uint32_t *u = matched.word;
	uint32_t sum[WORDS];

	if constexpr (WORDS == 1)
		sum[0] = v[0] + u[0];
	else if constexpr (WORDS == 2)
		asm("add.cc.u32 %0, %2, %4;\n\t"
			"addc.u32 %1, %3, %5;\n\t"
			: "=&r"(sum[0]), "=&r"(sum[1])
			: "r"(v[0]), "r"(v[1]), "r"(u[0]), "r"(u[1]));
	else
		asm("add.cc.u32 %0, %4, %8;\n\t"
			"addc.cc.u32 %1, %5, %9;\n\t"
			"addc.cc.u32 %2, %6, %10;\n\t"
			"addc.u32 %3, %7, %11;\n\t"
			: "=&r"(sum[0]), "=&r"(sum[1]), "=&r"(sum[2]), "=&r"(sum[3])
			: "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]), "r"(u[0]), "r"(u[1]), "r"(u[2]),
			  "r"(u[3]));
#pragma unroll
	for (int w = 0; w < WORDS; w++)
		v[w] = sum[w] | (v[w] ^ u[w]);
}

/* Returns the bits of V that are also in the match vectors. */
template <int WORDS>
static __device__ __forceinline__ Words<WORDS>
lcs_matched(const uint32_t (&v)[WORDS], const Words<WORDS> &match)
{
	Words<WORDS> matched;

#pragma unroll
	for (int w = 0; w < WORDS; w++)
		matched.word[w] = v[w] & match.word[w];
	return matched;
}

/* Whether the host has cancelled; `cancel` is in device memory, or NULL. */
static __device__ __forceinline__ bool
lcs_cancelled(const volatile int *cancel)
{
	return cancel != nullptr && *cancel != 0;
}

#endif /* TED_LCS_STEP_CUH */
