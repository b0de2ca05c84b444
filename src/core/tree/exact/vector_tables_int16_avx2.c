/*
 * vector_tables_avx2.c
 *	  Tables of key roots by vectors of 16 numbers.
 */
#include <string.h>

#include "vector_tables.h"

#ifdef __x86_64__

#include <immintrin.h>

#define NUMBER int16_t
#define NUMBER_MAX INT16_MAX
#define LANES 16
#define FILL_TABLES ted_int16_tables_avx2
#define TARGET __attribute__((target("avx2")))

typedef __m256i Vec;

TARGET static inline Vec
v_load(const int16_t *p)
{
	return _mm256_loadu_si256((const __m256i *) p);
}

TARGET static inline void
v_store(int16_t *p, Vec v)
{
	_mm256_storeu_si256((__m256i *) p, v);
}

TARGET static inline Vec
v_set(int16_t number)
{
	return _mm256_set1_epi16(number);
}

TARGET static inline Vec
v_add(Vec a, Vec b)
{
	return _mm256_add_epi16(a, b);
}

TARGET static inline Vec
v_min(Vec a, Vec b)
{
	return _mm256_min_epi16(a, b);
}

TARGET static inline Vec
v_mix(Vec a, Vec b, uint32_t mask)
{
	Vec bits = _mm256_setr_epi16(1, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 8,
								 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, INT16_MIN);
	Vec set = _mm256_cmpeq_epi16(_mm256_and_si256(v_set((int16_t) mask), bits), bits);

	return _mm256_blendv_epi8(a, b, set);
}

/* Moves all lanes up by 1, 2, 4 or 8; those that nothing moves to become large. */
TARGET static inline Vec
move_up(Vec v, int step)
{
	Vec lower = _mm256_permute2x128_si256(v_set(INT16_MAX), v, 0x20);

	switch (step)
	{
		case 0:
			return _mm256_alignr_epi8(v, lower, 14);
		case 1:
			return _mm256_alignr_epi8(v, lower, 12);
		case 2:
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
	v = v_min(v, move_up(v, 2));
	return v_min(v, move_up(v, 3));
}

TARGET static inline Vec
v_scan_within(Vec v, const uint32_t *reach)
{
	v = v_mix(v, v_min(v, move_up(v, 0)), reach[0]);
	v = v_mix(v, v_min(v, move_up(v, 1)), reach[1]);
	v = v_mix(v, v_min(v, move_up(v, 2)), reach[2]);
	return v_mix(v, v_min(v, move_up(v, 3)), reach[3]);
}

TARGET static inline Vec
v_last(Vec v)
{
	return _mm256_shuffle_epi8(_mm256_permute4x64_epi64(v, 0xff), v_set(0x0706));
}

TARGET static inline Vec
v_rename(const int32_t *labels, int32_t label, Vec same, Vec other)
{
	__m256i wanted = _mm256_set1_epi32(label);
	__m256i low = _mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *) labels), wanted);
	__m256i high =
		_mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *) (labels + LANES / 2)), wanted);
	Vec equal = _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xd8);

	return _mm256_blendv_epi8(other, same, equal);
}

TARGET static inline void
v_store_path(int16_t *p, uint32_t path, Vec v)
{
	v_store(p, v_mix(v_load(p), v, path));
}

TARGET static inline void
copy_short(int16_t *to, const int16_t *from)
{
	_mm_storeu_si128((__m128i *) to, _mm_loadu_si128((const __m128i *) from));
}

/* Number by number: loading what was just stored in part would wait for it. */
TARGET static inline void
store_path_short(int16_t *to, uint32_t path, const int16_t *from)
{
	for (; path != 0; path &= path - 1)
	{
		int lane = __builtin_ctz(path);

		to[lane] = from[lane];
	}
}

/* Bytes of eight numbers at the byte indices that are in their range, else 0. */
TARGET static inline __m256i
pick(__m128i numbers, __m256i index, int first)
{
	__m256i relative = _mm256_sub_epi8(index, _mm256_set1_epi8((char) first));
	__m256i outside_high = _mm256_adds_epu8(relative, _mm256_set1_epi8(0x70));

	return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(numbers), outside_high);
}

TARGET static inline Vec
v_near(const int16_t *near)
{
	return v_load(near);
}

TARGET static inline Vec
v_pick(Vec before, Vec own, Vec near)
{
	__m256i even = _mm256_slli_epi16(near, 1);
	__m256i index =
		_mm256_add_epi8(_mm256_or_si256(even, _mm256_slli_epi16(even, 8)), v_set(0x0100));
	__m256i low = _mm256_or_si256(pick(_mm256_castsi256_si128(before), index, 0),
								  pick(_mm256_extracti128_si256(before, 1), index, 16));
	__m256i high = _mm256_or_si256(pick(_mm256_castsi256_si128(own), index, 32),
								   pick(_mm256_extracti128_si256(own, 1), index, 48));

	return _mm256_or_si256(low, high);
}

#include "vector_tables_template.h"

#endif
