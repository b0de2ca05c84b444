/*
 * simd.c
 *	  Vector instructions of the processor that the code runs on.
 */
#include "simd.h"

/* Vectors of this processor, but none above the limit of processor_tuning.h. */
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
	return simd < ted_tuning.simd_limit ? simd : ted_tuning.simd_limit;
}
