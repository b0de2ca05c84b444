/*
 * lcs_avx512.c
 *	  The skewed wavefront with AVX-512, which takes 8 operations for 504 cells.
 */
#include "lcs_stripe.h"
#include "../common/simd.h"

#ifdef __x86_64__

#include "lcs_lanes_avx512.h"

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2")))
#define TARGET_INLINE TARGET __attribute__((always_inline)) static inline
#define Vec __m512i

#define v_load(p) _mm512_loadu_si512(p)
#define v_store(p, v) _mm512_storeu_si512(p, v)
#define v_set(x) _mm512_set1_epi64((int64_t) (x))
#define v_twice(v) _mm512_slli_epi64(v, 1)
#define v_push(to, from) _mm512_shldi_epi64(to, from, 1)

/* Returns words at column 0, with blank rows before it. */
TARGET_INLINE Lanes
lanes_begin(Vec v, Vec clear, Vec blank)
{
	return (Lanes){_mm512_and_si512(v, clear), blank, {blank, blank}, {blank, blank, blank, blank}};
}

/* Advances eight words by one column; the last lane of `below` has the carry for the first lane. */
TARGET_INLINE void
lanes_step(Lanes *lanes, Vec below, const uint64_t *match, int phase)
{
	lanes_advance(lanes, _mm512_alignr_epi64(lanes->v, below, LANES - 1), v_load(match), phase,
				  LANES);
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
