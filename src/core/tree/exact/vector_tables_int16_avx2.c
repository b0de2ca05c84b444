/*
 * vector_tables_int16_avx2.c
 *	  Tables of key roots by AVX2, 16 numbers of 16 bits a vector.
 */
#include "../../common/simd.h"

#ifdef __x86_64__

#define NUMBER_BITS 16
#define LANES 16
#define FILL_TABLES ted_int16_tables_avx2
#define TARGET __attribute__((target("avx2")))

#include "vector_tables_template.h"

/* Returns `same` in lanes whose label equals `label`, else `other`. */
TARGET static inline Vec
v_rename(const int32_t *labels, int32_t label, Vec same, Vec other)
{
	__m256i wanted = _mm256_set1_epi32(label);
	__m256i low = _mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i_u *) labels), wanted);
	__m256i high =
		_mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i_u *) (labels + LANES / 2)), wanted);

	return v_choose(other, same,
					(Vec) _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xd8));
}

/* Loads positions of lanes in two consecutive vectors. */
TARGET static inline Vec
v_near(const int16_t *near)
{
	return v_load(near);
}

/* Returns the bytes of eight numbers at some byte indices; 0 where an index is out of range. */
TARGET static inline __m256i
pick(__m128i numbers, __m256i index, int first)
{
	__m256i relative = _mm256_sub_epi8(index, _mm256_set1_epi8((char) first));
	__m256i outside_high = _mm256_adds_epu8(relative, _mm256_set1_epi8(0x70));

	return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(numbers), outside_high);
}

/* Selects the numbers at these positions from two consecutive vectors. */
TARGET static inline Vec
v_pick(Vec before, Vec own, Vec near)
{
	__m256i even = _mm256_slli_epi16((__m256i) near, 1);
	__m256i index = _mm256_add_epi8(_mm256_or_si256(even, _mm256_slli_epi16(even, 8)),
									_mm256_set1_epi16(0x0100));
	__m256i low = _mm256_or_si256(pick(_mm256_castsi256_si128((__m256i) before), index, 0),
								  pick(_mm256_extracti128_si256((__m256i) before, 1), index, 16));
	__m256i high = _mm256_or_si256(pick(_mm256_castsi256_si128((__m256i) own), index, 32),
								   pick(_mm256_extracti128_si256((__m256i) own, 1), index, 48));

	return (Vec) _mm256_or_si256(low, high);
}

#endif
