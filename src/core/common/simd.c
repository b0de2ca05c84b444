/*
 * simd.c
 *	  Finds the vector instructions that the processor has.
 */
#include "simd.h"

/* Returns the widest vectors of this processor, up to the limit that tests set. */
TedSimd
ted_simd(void)
{
	TedSimd limit = ted_tuning.simd_limit;

#ifdef __x86_64__
	if (limit >= TED_SIMD_AVX512 && __builtin_cpu_supports("avx512bw") &&
		__builtin_cpu_supports("avx512vl"))
		return TED_SIMD_AVX512;
	if (limit >= TED_SIMD_AVX2 && __builtin_cpu_supports("avx2"))
		return TED_SIMD_AVX2;
#elif defined(TED_NEON)
	if (limit >= TED_SIMD_NEON)
		return TED_SIMD_NEON;
#endif
	(void) limit;
	return TED_SIMD_NONE;
}
