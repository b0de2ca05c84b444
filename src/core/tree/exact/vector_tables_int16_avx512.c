/*
 * vector_tables_avx512.c
 *	  Tables of key roots by vectors of 32 numbers.
 */
#include <string.h>

#include "vector_tables.h"

#ifdef __x86_64__

#include <immintrin.h>

#define NUMBER int16_t
#define NUMBER_MAX INT16_MAX
#define LANES 32
#define FILL_TABLES ted_int16_tables_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl")))

typedef __m512i Vec;

TARGET static inline Vec
v_load(const int16_t *p)
{
	return _mm512_loadu_si512(p);
}

TARGET static inline void
v_store(int16_t *p, Vec v)
{
	_mm512_storeu_si512(p, v);
}

TARGET static inline Vec
v_set(int16_t number)
{
	return _mm512_set1_epi16(number);
}

TARGET static inline Vec
v_add(Vec a, Vec b)
{
	return _mm512_add_epi16(a, b);
}

TARGET static inline Vec
v_min(Vec a, Vec b)
{
	return _mm512_min_epi16(a, b);
}

TARGET static inline Vec
v_mix(Vec a, Vec b, uint32_t mask)
{
	return _mm512_mask_mov_epi16(a, mask, b);
}

/* The lane 2^step to the left of every lane, which stays in place where there is none. */
#define LEFT_OF(step, lane) ((lane) >= 1 << (step) ? (lane) - (1 << (step)) : (lane))
#define LEFT_OF_4(step, lane)                                                                      \
	LEFT_OF(step, lane), LEFT_OF(step, (lane) + 1), LEFT_OF(step, (lane) + 2),                     \
		LEFT_OF(step, (lane) + 3)
#define LEFT_OF_ALL(step)                                                                          \
	{                                                                                              \
		LEFT_OF_4(step, 0), LEFT_OF_4(step, 4), LEFT_OF_4(step, 8), LEFT_OF_4(step, 12),           \
			LEFT_OF_4(step, 16), LEFT_OF_4(step, 20), LEFT_OF_4(step, 24), LEFT_OF_4(step, 28)     \
	}

static const int16_t left_of[TED_SCAN_STEPS][LANES] = {
	LEFT_OF_ALL(0), LEFT_OF_ALL(1), LEFT_OF_ALL(2), LEFT_OF_ALL(3), LEFT_OF_ALL(4)};

TARGET static inline Vec
move_up(Vec v, int step)
{
	return _mm512_permutexvar_epi16(v_load(left_of[step]), v);
}

TARGET static inline Vec
v_scan(Vec v)
{
	v = v_min(v, move_up(v, 0));
	v = v_min(v, move_up(v, 1));
	v = v_min(v, move_up(v, 2));
	v = v_min(v, move_up(v, 3));
	return v_min(v, move_up(v, 4));
}

TARGET static inline Vec
v_scan_within(Vec v, const uint32_t *reach)
{
	v = _mm512_mask_min_epi16(v, reach[0], v, move_up(v, 0));
	v = _mm512_mask_min_epi16(v, reach[1], v, move_up(v, 1));
	v = _mm512_mask_min_epi16(v, reach[2], v, move_up(v, 2));
	v = _mm512_mask_min_epi16(v, reach[3], v, move_up(v, 3));
	return _mm512_mask_min_epi16(v, reach[4], v, move_up(v, 4));
}

TARGET static inline Vec
v_last(Vec v)
{
	return _mm512_permutexvar_epi16(v_set(LANES - 1), v);
}

TARGET static inline Vec
v_rename(const int32_t *labels, int32_t label, Vec same, Vec other)
{
	__m512i wanted = _mm512_set1_epi32(label);
	uint32_t low = _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(labels), wanted);
	uint32_t high = _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(labels + LANES / 2), wanted);

	return v_mix(other, same, low | high << LANES / 2);
}

TARGET static inline void
v_store_path(int16_t *p, uint32_t path, Vec v)
{
	_mm512_mask_storeu_epi16(p, path, v);
}

TARGET static inline void
copy_short(int16_t *to, const int16_t *from)
{
	_mm_storeu_si128((__m128i *) to, _mm_loadu_si128((const __m128i *) from));
}

TARGET static inline void
store_path_short(int16_t *to, uint32_t path, const int16_t *from)
{
	_mm_mask_storeu_epi16(to, (__mmask8) path, _mm_loadu_si128((const __m128i *) from));
}

TARGET static inline Vec
v_near(const int16_t *near)
{
	return v_load(near);
}

TARGET static inline Vec
v_pick(Vec before, Vec own, Vec near)
{
	return _mm512_permutex2var_epi16(before, near, own);
}

#include "vector_tables_template.h"

#endif
