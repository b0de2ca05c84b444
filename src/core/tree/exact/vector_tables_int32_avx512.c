/*
 * vector_tables_int32_avx512.c
 *	  Tables of key roots by AVX-512, 16 numbers of 32 bits a vector.
 */
#include "../../common/simd.h"

#ifdef __x86_64__

#define NUMBER_BITS 32
#define LANES 16
#define FILL_TABLES ted_int32_tables_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl")))

#include "vector_tables_template.h"

/* Returns `same` in lanes whose label equals `label`, else `other`. */
TARGET static inline Vec
v_rename(const int32_t *labels, int32_t label, Vec same, Vec other)
{
	return v_choose(other, same, v_load(labels) == v_set(label));
}

/* Loads positions of lanes in two consecutive vectors. */
TARGET static inline Vec
v_near(const int16_t *near)
{
	return (Vec) _mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i_u *) near));
}

/* Selects the numbers at these positions from two consecutive vectors. */
TARGET static inline Vec
v_pick(Vec before, Vec own, Vec near)
{
	return (Vec) _mm512_permutex2var_epi32((__m512i) before, (__m512i) near, (__m512i) own);
}

#endif
