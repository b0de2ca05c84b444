/*
 * int32_avx512.h
 *	  Vectors of 16 numbers of 32 bits, for kernels that have defined TARGET.
 */
#ifndef TED_INT32_AVX512_H
#define TED_INT32_AVX512_H

#include <immintrin.h>
#include <stdint.h>

typedef __m512i Vec;

TARGET static inline Vec
v_load(const int32_t *p)
{
	return _mm512_loadu_si512(p);
}

TARGET static inline void
v_store(int32_t *p, Vec v)
{
	_mm512_storeu_si512(p, v);
}

TARGET static inline Vec
v_set(int32_t number)
{
	return _mm512_set1_epi32(number);
}

TARGET static inline Vec
v_add(Vec a, Vec b)
{
	return _mm512_add_epi32(a, b);
}

TARGET static inline Vec
v_min(Vec a, Vec b)
{
	return _mm512_min_epi32(a, b);
}

#endif /* TED_INT32_AVX512_H */
