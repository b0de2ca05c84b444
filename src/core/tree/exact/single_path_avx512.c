/*
 * single_path_avx512.c
 *	  Blocks of lanes by vectors of 16 numbers.
 */
#include "single_path.h"

#ifdef __x86_64__

#define METHODS ted_single_path_avx512
#define TARGET __attribute__((target("avx512f,avx2")))

#include "int32_avx512.h"

TARGET static inline Vec
v_count(int32_t number)
{
	return _mm512_add_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
							v_set(number));
}

TARGET static inline Vec
v_from(Vec a, Vec b, Vec lanes, int32_t number)
{
	return _mm512_mask_mov_epi32(a, _mm512_cmpge_epi32_mask(lanes, v_set(number)), b);
}

/* Flips as with AVX2, which moves as much at a time. */
TARGET static void
flip(const int32_t *from, int32_t *to, ptrdiff_t stride)
{
	ted_single_path_avx2.flip(from, to, stride);
}

#include "single_path_template.h"

#endif
