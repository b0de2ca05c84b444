/*
 * lcs_step.cuh
 *	  One column of the table of lengths, for a thread's words of V.
 *
 * V and the match vectors M are those of src/core/lcs_stripe.h, with all 32
 * bits of a word for rows: the next column is (V + (V & M)) | (V & ~M), a sum
 * over all words of a column with carry (Hyyro, 2004).
 */
#ifndef LCS_STEP_CUH
#define LCS_STEP_CUH

#include <cstdint>

constexpr int LCS_LANES = 32;
constexpr int LCS_WORD = 32;
constexpr unsigned LCS_ALL_LANES = 0xffffffffu;

/* Some consecutive words, loaded at once. */
template <int WORDS> struct alignas(4 * WORDS) Words
{
	uint32_t word[WORDS];
};

/*
 * Takes V through a column.  The carry into it is the highest bit of `in`,
 * which moves up; the carry out of it becomes the lowest bit of `out`, which
 * moves up, too.
 */
template <int WORDS>
static __device__ __forceinline__ void
lcs_step(uint32_t (&v)[WORDS], const Words<WORDS> &match, uint32_t &in, uint32_t &out)
{
	const uint32_t *m = match.word;

	if constexpr (WORDS == 1)
		asm("{\n\t"
			".reg .b32 u, s;\n\t"
			"and.b32 u, %0, %3;\n\t"
			"add.cc.u32 %1, %1, %1;\n\t"
			"addc.cc.u32 s, %0, u;\n\t"
			"addc.u32 %2, %2, %2;\n\t"
			"lop3.b32 %0, s, %0, %3, 0xf4;\n\t"
			"}"
			: "+r"(v[0]), "+r"(in), "+r"(out)
			: "r"(m[0]));
	else if constexpr (WORDS == 2)
		asm("{\n\t"
			".reg .b32 u0, u1, s0, s1;\n\t"
			"and.b32 u0, %0, %4;\n\t"
			"and.b32 u1, %1, %5;\n\t"
			"add.cc.u32 %2, %2, %2;\n\t"
			"addc.cc.u32 s0, %0, u0;\n\t"
			"addc.cc.u32 s1, %1, u1;\n\t"
			"addc.u32 %3, %3, %3;\n\t"
			"lop3.b32 %0, s0, %0, %4, 0xf4;\n\t"
			"lop3.b32 %1, s1, %1, %5, 0xf4;\n\t"
			"}"
			: "+r"(v[0]), "+r"(v[1]), "+r"(in), "+r"(out)
			: "r"(m[0]), "r"(m[1]));
	else
		asm("{\n\t"
			".reg .b32 u0, u1, u2, u3, s0, s1, s2, s3;\n\t"
			"and.b32 u0, %0, %6;\n\t"
			"and.b32 u1, %1, %7;\n\t"
			"and.b32 u2, %2, %8;\n\t"
			"and.b32 u3, %3, %9;\n\t"
			"add.cc.u32 %4, %4, %4;\n\t"
			"addc.cc.u32 s0, %0, u0;\n\t"
			"addc.cc.u32 s1, %1, u1;\n\t"
			"addc.cc.u32 s2, %2, u2;\n\t"
			"addc.cc.u32 s3, %3, u3;\n\t"
			"addc.u32 %5, %5, %5;\n\t"
			"lop3.b32 %0, s0, %0, %6, 0xf4;\n\t"
			"lop3.b32 %1, s1, %1, %7, 0xf4;\n\t"
			"lop3.b32 %2, s2, %2, %8, 0xf4;\n\t"
			"lop3.b32 %3, s3, %3, %9, 0xf4;\n\t"
			"}"
			: "+r"(v[0]), "+r"(v[1]), "+r"(v[2]), "+r"(v[3]), "+r"(in), "+r"(out)
			: "r"(m[0]), "r"(m[1]), "r"(m[2]), "r"(m[3]));
}

/* The same without words below or above: no carry goes in or out. */
template <int WORDS>
static __device__ __forceinline__ void
lcs_step_alone(uint32_t (&v)[WORDS], const Words<WORDS> &match)
{
	const uint32_t *m = match.word;

	if constexpr (WORDS == 1)
		v[0] = (v[0] + (v[0] & m[0])) | (v[0] & ~m[0]);
	else if constexpr (WORDS == 2)
		asm("{\n\t"
			".reg .b32 u0, u1, s0, s1;\n\t"
			"and.b32 u0, %0, %2;\n\t"
			"and.b32 u1, %1, %3;\n\t"
			"add.cc.u32 s0, %0, u0;\n\t"
			"addc.u32 s1, %1, u1;\n\t"
			"lop3.b32 %0, s0, %0, %2, 0xf4;\n\t"
			"lop3.b32 %1, s1, %1, %3, 0xf4;\n\t"
			"}"
			: "+r"(v[0]), "+r"(v[1])
			: "r"(m[0]), "r"(m[1]));
	else
		asm("{\n\t"
			".reg .b32 u0, u1, u2, u3, s0, s1, s2, s3;\n\t"
			"and.b32 u0, %0, %4;\n\t"
			"and.b32 u1, %1, %5;\n\t"
			"and.b32 u2, %2, %6;\n\t"
			"and.b32 u3, %3, %7;\n\t"
			"add.cc.u32 s0, %0, u0;\n\t"
			"addc.cc.u32 s1, %1, u1;\n\t"
			"addc.cc.u32 s2, %2, u2;\n\t"
			"addc.u32 s3, %3, u3;\n\t"
			"lop3.b32 %0, s0, %0, %4, 0xf4;\n\t"
			"lop3.b32 %1, s1, %1, %5, 0xf4;\n\t"
			"lop3.b32 %2, s2, %2, %6, 0xf4;\n\t"
			"lop3.b32 %3, s3, %3, %7, 0xf4;\n\t"
			"}"
			: "+r"(v[0]), "+r"(v[1]), "+r"(v[2]), "+r"(v[3])
			: "r"(m[0]), "r"(m[1]), "r"(m[2]), "r"(m[3]));
}

/* True where the host asks to stop; `cancel` is in device memory, or NULL. */
static __device__ __forceinline__ bool
lcs_cancelled(const volatile int *cancel)
{
	return cancel != nullptr && *cancel != 0;
}

#endif /* LCS_STEP_CUH */
