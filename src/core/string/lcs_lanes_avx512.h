/*
 * lcs_lanes_avx512.h
 *	  A register of the skewed wavefront (lcs_wave_template.h) with AVX-512.
 *
 * It uses intrinsics because C has no expression for the shift of two words into each other, which
 * replaces three operations.
 */
#ifndef TED_LCS_LANES_AVX512_H
#define TED_LCS_LANES_AVX512_H

#include <immintrin.h>
#include <stdint.h>

#define LANES_INLINE                                                                               \
	__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2"), always_inline)) static inline
#define LANES 8

/* Lanes that lag by 1, 2 and 4 columns, as bits of their distances. */
#define BEHIND_1 0xAA
#define BEHIND_2 0xCC
#define BEHIND_4 0xF0

/* Eight words, and the match rows of earlier steps that their diagonals need. */
typedef struct Lanes
{
	__m512i v;
	__m512i row;     /* of the preceding step */
	__m512i pair[2]; /* diagonals over two columns, of the last two steps */
	__m512i quad[4]; /* diagonals over four columns, of the last four steps */
} Lanes;

/*
 * Returns the match words of this step, each from its own column, for texts of this number of
 * words, 8 or more for a single text; `phase` is the step modulo 4.
 */
LANES_INLINE __m512i
diagonal(Lanes *lanes, __m512i row, int phase, int words)
{
	__m512i pair = _mm512_mask_blend_epi64(BEHIND_1, row, lanes->row);
	__m512i quad, whole;

	lanes->row = row;
	if (words == 2)
		return pair;
	quad = _mm512_mask_blend_epi64(BEHIND_2, pair, lanes->pair[phase % 2]);
	lanes->pair[phase % 2] = pair;
	if (words == 4)
		return quad;
	whole = _mm512_mask_blend_epi64(BEHIND_4, quad, lanes->quad[phase]);
	lanes->quad[phase] = quad;
	return whole;
}

/* Advances eight words by one column; bit 63 of each lane of `carry` is the carry. */
LANES_INLINE void
lanes_advance(Lanes *lanes, __m512i carry, __m512i row, int phase, int words)
{
	__m512i kept = _mm512_andnot_si512(diagonal(lanes, row, phase, words), lanes->v);
	__m512i twice = _mm512_shldi_epi64(lanes->v, carry, 1);

	lanes->v = _mm512_or_si512(_mm512_sub_epi64(twice, kept), kept);
}

#endif /* TED_LCS_LANES_AVX512_H */
