/*
 * vector_tables_int32_avx2.c
 *	  Tables of key roots by vectors of 8 numbers of 32 bits.
 */
#include <string.h>

#include "vector_tables.h"

#ifdef __x86_64__

#include <immintrin.h>

#define NUMBER int32_t
#define NUMBER_MAX INT32_MAX
#define LANES 8
#define FILL_TABLES ted_int32_tables_avx2
#define TARGET __attribute__((target("avx2")))

typedef __m256i Vec;

TARGET static inline Vec
v_load(const int32_t *p)
{
	return _mm256_loadu_si256((const __m256i *) p);
}

TARGET static inline void
v_store(int32_t *p, Vec v)
{
	_mm256_storeu_si256((__m256i *) p, v);
}

TARGET static inline Vec
v_set(int32_t number)
{
	return _mm256_set1_epi32(number);
}

TARGET static inline Vec
v_add(Vec a, Vec b)
{
	return _mm256_add_epi32(a, b);
}

TARGET static inline Vec
v_min(Vec a, Vec b)
{
	return _mm256_min_epi32(a, b);
}

TARGET static inline Vec
v_mix(Vec a, Vec b, uint32_t mask)
{
	Vec bits = _mm256_setr_epi32(1, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7);
	Vec set = _mm256_cmpeq_epi32(_mm256_and_si256(v_set((int32_t) mask), bits), bits);

	return _mm256_blendv_epi8(a, b, set);
}

/* Moves all lanes up by 1, 2 or 4; those that nothing moves to become large. */
TARGET static inline Vec
move_up(Vec v, int step)
{
	Vec lower = _mm256_permute2x128_si256(v_set(INT32_MAX), v, 0x20);

	switch (step)
	{
		case 0:
			return _mm256_alignr_epi8(v, lower, 12);
		case 1:
			return _mm256_alignr_epi8(v, lower, 8);
		default:
			return lower;
	}
}

TARGET static inline Vec
v_scan(Vec v)
{
	v = v_min(v, move_up(v, 0));
	v = v_min(v, move_up(v, 1));
	return v_min(v, move_up(v, 2));
}

TARGET static inline Vec
v_scan_within(Vec v, const uint32_t *reach)
{
	v = v_mix(v, v_min(v, move_up(v, 0)), reach[0]);
	v = v_mix(v, v_min(v, move_up(v, 1)), reach[1]);
	return v_mix(v, v_min(v, move_up(v, 2)), reach[2]);
}

TARGET static inline Vec
v_last(Vec v)
{
	return _mm256_permutevar8x32_epi32(v, v_set(LANES - 1));
}

TARGET static inline Vec
v_rename(const int32_t *labels, int32_t label, Vec same, Vec other)
{
	return _mm256_blendv_epi8(other, same, _mm256_cmpeq_epi32(v_load(labels), v_set(label)));
}

TARGET static inline void
v_store_path(int32_t *p, uint32_t path, Vec v)
{
	v_store(p, v_mix(v_load(p), v, path));
}

TARGET static inline void
copy_short(int32_t *to, const int32_t *from)
{
	v_store(to, v_load(from));
}

/* Number by number: loading what was just stored in part would wait for it. */
TARGET static inline void
store_path_short(int32_t *to, uint32_t path, const int32_t *from)
{
	for (; path != 0; path &= path - 1)
	{
		int lane = __builtin_ctz(path);

		to[lane] = from[lane];
	}
}

TARGET static inline Vec
v_near(const int16_t *near)
{
	return _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *) near));
}

TARGET static inline Vec
v_pick(Vec before, Vec own, Vec near)
{
	Vec is_own = _mm256_cmpgt_epi32(near, v_set(LANES - 1));

	/* the last bits of a number select a lane */
	return _mm256_blendv_epi8(_mm256_permutevar8x32_epi32(before, near),
							  _mm256_permutevar8x32_epi32(own, near), is_own);
}

#include "vector_tables_template.h"

#endif
