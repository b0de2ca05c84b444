/*
 * lcs_avx2.c
 *	  The skewed wavefront with AVX2, which takes 10 operations for 252 cells.
 *
 * It uses intrinsics because these 10 operations include blends of 32-bit halves by a constant, and
 * a permutation across the register.
 */
#include "lcs_stripe.h"
#include "../common/simd.h"

#ifdef __x86_64__

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))
#define TARGET_INLINE TARGET __attribute__((always_inline)) static inline
#define LANES 4
#define Vec __m256i

#define v_load(p) _mm256_loadu_si256((const Vec *) (const void *) (p))
#define v_store(p, v) _mm256_storeu_si256((Vec *) (void *) (p), v)
#define v_set(x) _mm256_set1_epi64x((int64_t) (x))
#define v_twice(v) _mm256_add_epi64(v, v)
#define v_push(to, from) _mm256_or_si256(v_twice(to), _mm256_srli_epi64(from, 63))

/* 32-bit halves of the lanes that lag by 1 and 2 columns, as bits of their distances. */
#define BEHIND_1 0xCC
#define BEHIND_2 0xF0

/* Permutation to lanes 3, 0, 1, 2. */
#define UP_BY_1 0x93

/* Four words, and the match rows of earlier steps that their diagonals need. */
typedef struct Lanes
{
	Vec v;
	Vec row;     /* of the preceding step */
	Vec pair[2]; /* diagonals over two columns, of the last two steps */
} Lanes;

/* Returns words at column 0, with blank rows before it. */
TARGET_INLINE Lanes
lanes_begin(Vec v, Vec clear, Vec blank)
{
	return (Lanes){_mm256_and_si256(v, clear), blank, {blank, blank}};
}

/* Returns the match words of this step, each from its own column; `phase` is the step modulo 4. */
TARGET_INLINE Vec
diagonal(Lanes *lanes, const uint64_t *match, int phase)
{
	Vec row = v_load(match);
	Vec pair = _mm256_blend_epi32(row, lanes->row, BEHIND_1);
	Vec whole = _mm256_blend_epi32(pair, lanes->pair[phase % 2], BEHIND_2);

	lanes->row = row;
	lanes->pair[phase % 2] = pair;
	return whole;
}

/* Advances four words by one column; the last lane of `below` has the carry for the first lane. */
TARGET_INLINE void
lanes_step(Lanes *lanes, Vec below, const uint64_t *match, int phase)
{
	Vec kept = _mm256_andnot_si256(diagonal(lanes, match, phase), lanes->v);
	Vec sum = _mm256_sub_epi64(_mm256_add_epi64(lanes->v, lanes->v), kept);
	Vec from = _mm256_permute4x64_epi64(_mm256_blend_epi32(lanes->v, below, 0xC0), UP_BY_1);
	Vec carry = _mm256_srli_epi64(from, 63);

	lanes->v = _mm256_or_si256(_mm256_add_epi64(sum, carry), kept);
}

#include "lcs_wave_template.h"

/* Returns the AVX2 kernels, or NULL if the processor lacks the instructions. */
const LcsStripe *
lcs_stripes_avx2(void)
{
	static const LcsStripe stripes[LCS_WAVES] = {
		{LANES, 2900, wave_scan_1},
		{2 * LANES, 3400, wave_scan_2},
		{3 * LANES, 3900, wave_scan_3},
		{4 * LANES, 4300, wave_scan_4},
	};

	return ted_simd() >= TED_SIMD_AVX2 ? stripes : NULL;
}

#else

/* Returns NULL on other processors. */
const LcsStripe *
lcs_stripes_avx2(void)
{
	return NULL;
}

#endif
