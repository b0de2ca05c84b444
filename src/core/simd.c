/*
 * simd.c
 *	  What the processor can do.
 */
#include "sweep.h"

TedSimd ted_simd_limit = TED_SIMD_AVX512;

#ifdef __x86_64__

/* The best kind of vectors that this processor has. */
static TedSimd
detect(void)
{
	if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
		return TED_SIMD_AVX512;
	return __builtin_cpu_supports("avx2") ? TED_SIMD_AVX2 : TED_SIMD_NONE;
}

#else

/* Other processors compute cell by cell. */
static TedSimd
detect(void)
{
	return TED_SIMD_NONE;
}

#endif

/* What this processor can do, but no more than ted_simd_limit. */
TedSimd
ted_simd(void)
{
	TedSimd simd = detect();

	return simd < ted_simd_limit ? simd : ted_simd_limit;
}
