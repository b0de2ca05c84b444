/*
 * vector_tables_int32_avx512.c
 *	  Tables of key roots by vectors of 16 numbers of 32 bits.
 */
#include <string.h>

#include "vector_tables.h"

#ifdef __x86_64__

#define NUMBER int32_t
#define NUMBER_MAX INT32_MAX
#define LANES 16
#define FILL_TABLES ted_int32_tables_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl")))

#include "int32_avx512.h"

TARGET static inline Vec
v_mix(Vec a, Vec b, uint32_t mask)
{
	return _mm512_mask_mov_epi32(a, (__mmask16) mask, b);
}

/* Moves all lanes up by 1, 2, 4 or 8; those that nothing moves to become large. */
TARGET static inline Vec
move_up(Vec v, int step)
{
	Vec none = v_set(INT32_MAX);

	switch (step)
	{
		case 0:
			return _mm512_alignr_epi32(v, none, 15);
		case 1:
			return _mm512_alignr_epi32(v, none, 14);
		case 2:
			return _mm512_alignr_epi32(v, none, 12);
		default:
			return _mm512_alignr_epi32(v, none, 8);
	}
}

TARGET static inline Vec
v_scan(Vec v)
{
	v = v_min(v, move_up(v, 0));
	v = v_min(v, move_up(v, 1));
	v = v_min(v, move_up(v, 2));
	return v_min(v, move_up(v, 3));
}

TARGET static inline Vec
v_scan_within(Vec v, const uint32_t *reach)
{
	v = _mm512_mask_min_epi32(v, (__mmask16) reach[0], v, move_up(v, 0));
	v = _mm512_mask_min_epi32(v, (__mmask16) reach[1], v, move_up(v, 1));
	v = _mm512_mask_min_epi32(v, (__mmask16) reach[2], v, move_up(v, 2));
	return _mm512_mask_min_epi32(v, (__mmask16) reach[3], v, move_up(v, 3));
}

TARGET static inline Vec
v_last(Vec v)
{
	return _mm512_permutexvar_epi32(v_set(LANES - 1), v);
}

TARGET static inline Vec
v_rename(const int32_t *labels, int32_t label, Vec same, Vec other)
{
	return _mm512_mask_mov_epi32(other, _mm512_cmpeq_epi32_mask(v_load(labels), v_set(label)),
								 same);
}

TARGET static inline void
v_store_path(int32_t *p, uint32_t path, Vec v)
{
	_mm512_mask_storeu_epi32(p, (__mmask16) path, v);
}

TARGET static inline void
copy_short(int32_t *to, const int32_t *from)
{
	_mm256_storeu_si256((__m256i *) to, _mm256_loadu_si256((const __m256i *) from));
}

TARGET static inline void
store_path_short(int32_t *to, uint32_t path, const int32_t *from)
{
	_mm256_mask_storeu_epi32(to, (__mmask8) path, _mm256_loadu_si256((const __m256i *) from));
}

TARGET static inline Vec
v_near(const int16_t *near)
{
	return _mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *) near));
}

TARGET static inline Vec
v_pick(Vec before, Vec own, Vec near)
{
	return _mm512_permutex2var_epi32(before, near, own);
}

#include "vector_tables_template.h"

#endif
