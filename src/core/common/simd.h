/*
 * simd.h
 *	  Vector instructions of the processor that the code runs on.
 */
#ifndef TED_CORE_COMMON_SIMD_H
#define TED_CORE_COMMON_SIMD_H

/* What a processor can do. */
typedef enum TedSimd
{
	TED_SIMD_NONE,
	TED_SIMD_AVX2,
	TED_SIMD_AVX512
} TedSimd;

/* What this processor can do, but no more than ted_simd_limit, which tests lower. */
extern TedSimd ted_simd_limit;
extern TedSimd ted_simd(void);

#endif /* TED_CORE_COMMON_SIMD_H */
