/*
 * vector_tables_int32_avx2.c
 *	  Tables of key roots by AVX2, 8 numbers of 32 bits a vector.
 */
#include "../../common/simd.h"

#ifdef __x86_64__

#define NUMBER_BITS 32
#define LANES 8
#define FILL_TABLES ted_int32_tables_avx2
#define TARGET __attribute__((target("avx2")))

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
	return (Vec) _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i_u *) near));
}

/* Selects the numbers at these positions from two consecutive vectors. */
TARGET static inline Vec
v_pick(Vec before, Vec own, Vec near)
{
	/* the last bits of a number select a lane */
	return v_choose((Vec) _mm256_permutevar8x32_epi32((__m256i) before, (__m256i) near),
					(Vec) _mm256_permutevar8x32_epi32((__m256i) own, (__m256i) near),
					near > v_set(LANES - 1));
}

#endif
