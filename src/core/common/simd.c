/*
 * simd.c
 *	  Vector instructions of the processor that the code runs on.
 */
#include "simd.h"

TedSimd ted_simd_limit = TED_SIMD_AVX512;

/* Vectors of this processor, but none above ted_simd_limit. */
TedSimd
ted_simd(void)
{
	TedSimd simd = TED_SIMD_NONE;

#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2"))
		simd = TED_SIMD_AVX2;
	if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
		simd = TED_SIMD_AVX512;
#endif
	return simd < ted_simd_limit ? simd : ted_simd_limit;
}
