/*
 * simd.c
 *	  What the processor can do, and the sweep that makes the most of it.
 */
#include "sweep.h"

TedSimd ted_simd_limit = TED_SIMD_AVX512;

#ifdef __x86_64__

/* What this processor can do, but no more than ted_simd_limit. */
TedSimd
ted_simd(void)
{
	TedSimd simd = TED_SIMD_NONE;

	if (__builtin_cpu_supports("avx2"))
		simd = TED_SIMD_AVX2;
	if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
		simd = TED_SIMD_AVX512;
	return simd < ted_simd_limit ? simd : ted_simd_limit;
}

/* Fills the distances of all subtrees with vectors of so many lanes. */
TedStatus
ted_sweep(TedSweep *sweep, const TedInterrupt *interrupt)
{
	return sweep->columns->lanes == TED_AVX512_LANES ? ted_sweep_avx512(sweep, interrupt)
													 : ted_sweep_avx2(sweep, interrupt);
}

#else

/* Other processors compute cell by cell. */
TedSimd
ted_simd(void)
{
	return TED_SIMD_NONE;
}

/* Is never asked where there are no vectors. */
TedStatus
ted_sweep(TedSweep *sweep, const TedInterrupt *interrupt)
{
	(void) sweep;
	(void) interrupt;
	return TED_CANCELLED;
}

#endif
