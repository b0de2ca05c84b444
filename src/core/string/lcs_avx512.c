/*
 * lcs_avx512.c
 *	  The skewed wavefront with AVX-512, which takes 8 operations for 504 cells.
 *
 * It uses intrinsics because C has no expression for the shift of two words into each other, which
 * replaces three operations.
 */
#include "lcs_stripe.h"
#include "../common/simd.h"

#ifdef __x86_64__

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2")))
#define TARGET_INLINE TARGET __attribute__((always_inline)) static inline
#define LANES 8
#define Vec __m512i

#define v_load(p) _mm512_loadu_si512(p)
#define v_store(p, v) _mm512_storeu_si512(p, v)
#define v_set(x) _mm512_set1_epi64((int64_t) (x))
#define v_twice(v) _mm512_slli_epi64(v, 1)
#define v_push(to, from) _mm512_shldi_epi64(to, from, 1)

/* Lanes that lag by 1, 2 and 4 columns, as bits of their distances. */
#define BEHIND_1 0xAA
#define BEHIND_2 0xCC
#define BEHIND_4 0xF0

/* Eight words, and the match rows of earlier steps that their diagonals need. */
typedef struct Lanes
{
	Vec v;
	Vec row;     /* of the preceding step */
	Vec pair[2]; /* diagonals over two columns, of the last two steps */
	Vec quad[4]; /* diagonals over four columns, of the last four steps */
} Lanes;

/* Returns words at column 0, with blank rows before it. */
TARGET_INLINE Lanes
lanes_begin(Vec v, Vec clear, Vec blank)
{
	return (Lanes){_mm512_and_si512(v, clear), blank, {blank, blank}, {blank, blank, blank, blank}};
}

/* Returns the match words of this step, each from its own column; `phase` is the step modulo 4. */
TARGET_INLINE Vec
diagonal(Lanes *lanes, const uint64_t *match, int phase)
{
	Vec row = v_load(match);
	Vec pair = _mm512_mask_blend_epi64(BEHIND_1, row, lanes->row);
	Vec quad = _mm512_mask_blend_epi64(BEHIND_2, pair, lanes->pair[phase % 2]);
	Vec whole = _mm512_mask_blend_epi64(BEHIND_4, quad, lanes->quad[phase]);

	lanes->row = row;
	lanes->pair[phase % 2] = pair;
	lanes->quad[phase] = quad;
	return whole;
}

/* Advances eight words by one column; the last lane of `below` has the carry for the first lane. */
TARGET_INLINE void
lanes_step(Lanes *lanes, Vec below, const uint64_t *match, int phase)
{
	Vec kept = _mm512_andnot_si512(diagonal(lanes, match, phase), lanes->v);
	Vec carry = _mm512_alignr_epi64(lanes->v, below, LANES - 1);
	Vec twice = _mm512_shldi_epi64(lanes->v, carry, 1);

	lanes->v = _mm512_or_si512(_mm512_sub_epi64(twice, kept), kept);
}

#include "lcs_wave_template.h"

/* Returns the AVX-512 kernels, or NULL if the processor lacks the instructions. */
const LcsStripe *
lcs_stripes_avx512(void)
{
	static const LcsStripe stripes[LCS_WAVES] = {
		{LANES, 2900, wave_scan_1},
		{2 * LANES, 3950, wave_scan_2},
		{3 * LANES, 4800, wave_scan_3},
		{4 * LANES, 5700, wave_scan_4},
	};

	return ted_simd() >= TED_SIMD_AVX512 && __builtin_cpu_supports("avx512vbmi2") ? stripes : NULL;
}

#else

/* Returns NULL on other processors. */
const LcsStripe *
lcs_stripes_avx512(void)
{
	return NULL;
}

#endif
