/*
 * vector_tables_int16_avx512.c
 *	  Tables of key roots by AVX-512, 32 numbers of 16 bits a vector.
 */
#include "../../common/simd.h"

#ifdef __x86_64__

#define NUMBER_BITS 16
#define LANES 32
#define FILL_TABLES ted_int16_tables_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl")))

#include "vector_tables_template.h"

/* Returns `same` in lanes whose label equals `label`, else `other`. */
TARGET static inline Vec
v_rename(const int32_t *labels, int32_t label, Vec same, Vec other)
{
	__m512i wanted = _mm512_set1_epi32(label);
	uint32_t low = _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(labels), wanted);
	uint32_t high = _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(labels + LANES / 2), wanted);

	return v_mix(other, same, low | high << LANES / 2);
}

/* Loads positions of lanes in two consecutive vectors. */
TARGET static inline Vec
v_near(const int16_t *near)
{
	return v_load(near);
}

/* Selects the numbers at these positions from two consecutive vectors. */
TARGET static inline Vec
v_pick(Vec before, Vec own, Vec near)
{
	return (Vec) _mm512_permutex2var_epi16((__m512i) before, (__m512i) near, (__m512i) own);
}

#endif
