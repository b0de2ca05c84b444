/*
 * lcs_avx512.c
 *	  The stripe of lcs.c with AVX-512: a skewed wavefront over 24 words.
 *
 * A word needs the carry of the word below for the same column.  So the words
 * of a stripe, lanes of three registers, work on different columns: in step t
 * word w is at column t - w and finds the carry of word w - 1 from step t - 1.
 *
 * A word has 63 rows; bit 63 receives the carry.  As V + (V & M) is
 * 2 V - (V & ~M), a carry comes in where 2 V is shifted: the bit that enters is
 * bit 63 of the lane below.  Bit 63 of a match word is always set, which
 * clears the last carry.
 *
 * The match vectors of a column are rows in memory, but a register needs those
 * of eight columns, one lane each.  Blends with the rows one, two and four
 * columns ago make such a diagonal: 8 operations for 504 cells in all.
 */
#include "lcs_stripe.h"
#include "sweep.h"

#ifdef __x86_64__

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2")))
#define TARGET_INLINE TARGET __attribute__((always_inline)) static inline

#define LANES 8
#define WORDS (3 * LANES)
#define WORD_ROWS 63
#define SKEW (WORDS - 1) /* steps from a column's first word to its last */
#define GROUP 64         /* steps whose carries share a word */
#define CARRY_BIT (UINT64_C(1) << WORD_ROWS)

/* Lanes whose column is further behind by 1, 2 and 4. */
#define BEHIND_1 0xAA
#define BEHIND_2 0xCC
#define BEHIND_4 0xF0

/* Eight words, and what their diagonals need of the steps before. */
typedef struct Lanes
{
	__m512i v;
	__m512i row;     /* of the last step */
	__m512i pair[2]; /* diagonals over two columns, of the last two steps */
	__m512i quad[4]; /* diagonals over four columns, of the last four steps */
} Lanes;

/* Loads words from column 0, with blank rows before it. */
TARGET_INLINE Lanes
lanes_begin(const uint64_t *v, __m512i blank)
{
	return (Lanes){
		_mm512_andnot_si512(_mm512_set1_epi64((int64_t) CARRY_BIT), _mm512_loadu_si512(v)),
		blank,
		{blank, blank},
		{blank, blank, blank, blank}};
}

/* Match words of this step, each from its own column; `phase` is the step modulo 4. */
TARGET_INLINE __m512i
diagonal(Lanes *lanes, const uint64_t *match, int phase)
{
	__m512i row = _mm512_loadu_si512(match);
	__m512i pair = _mm512_mask_blend_epi64(BEHIND_1, row, lanes->row);
	__m512i quad = _mm512_mask_blend_epi64(BEHIND_2, pair, lanes->pair[phase % 2]);
	__m512i whole = _mm512_mask_blend_epi64(BEHIND_4, quad, lanes->quad[phase]);

	lanes->row = row;
	lanes->pair[phase % 2] = pair;
	lanes->quad[phase] = quad;
	return whole;
}

/* Takes eight words one column on; the last lane of `below` brings the carry for the first. */
TARGET_INLINE void
lanes_step(Lanes *lanes, __m512i below, const uint64_t *match, int phase)
{
	__m512i kept = _mm512_andnot_si512(diagonal(lanes, match, phase), lanes->v);
	__m512i carry = _mm512_alignr_epi64(lanes->v, below, LANES - 1);
	__m512i twice = _mm512_shldi_epi64(lanes->v, carry, 1);

	lanes->v = _mm512_or_si512(_mm512_sub_epi64(twice, kept), kept);
}

/* Three registers of lanes, and the carries of a group of steps, the first in the highest bit. */
typedef struct Wave
{
	Lanes low;
	Lanes middle;
	Lanes high;
	__m512i carry_in;
	__m512i carry_out;
} Wave;

/* One step; match[0] is the row of the column that the highest register is at. */
TARGET_INLINE void
wave_step(Wave *wave, const uint64_t *const *match, int phase)
{
	lanes_step(&wave->high, wave->middle.v, match[0] + 2 * LANES, phase);
	lanes_step(&wave->middle, wave->low.v, match[LANES] + LANES, phase);
	lanes_step(&wave->low, wave->carry_in, match[2 * LANES], phase);
	wave->carry_in = _mm512_slli_epi64(wave->carry_in, 1);
	wave->carry_out = _mm512_shldi_epi64(wave->carry_out, wave->high.v, 1);
}

/*
 * Takes a stripe through a block.  Carries are kept by step of the last word,
 * and so come SKEW bits late.
 */
TARGET static void
stripe_scan(uint64_t *v, const LcsBlock *block)
{
	uint64_t *carry = (uint64_t *) (void *) block->carry;
	int32_t groups = (block->columns + SKEW + GROUP - 1) / GROUP;
	const uint64_t *match[2 * LANES + GROUP];
	__m512i blank = _mm512_set1_epi64((int64_t) CARRY_BIT);
	Wave wave;

	wave.low = lanes_begin(v, blank);
	wave.middle = lanes_begin(v + LANES, blank);
	wave.high = lanes_begin(v + 2 * LANES, blank);
	wave.carry_out = _mm512_setzero_si512();
	for (int i = 0; i < 2 * LANES; i++)
		match[GROUP + i] = block->match;

	for (int32_t group = 0; group < groups; group++)
	{
		const int32_t *code = block->code + (ptrdiff_t) group * GROUP;
		uint64_t lane[LANES];

		for (int i = 0; i < 2 * LANES; i++)
			match[i] = match[GROUP + i];
		for (int i = 0; i < GROUP; i++)
			match[2 * LANES + i] = block->match + (size_t) block->row[code[i]] * WORDS;
		wave.carry_in = _mm512_set1_epi64(
			(int64_t) (carry[group] << SKEW | carry[group + 1] >> (GROUP - SKEW)));
		for (int i = 0; i < GROUP; i += 4)
		{
			wave_step(&wave, &match[i], 0);
			wave_step(&wave, &match[i + 1], 1);
			wave_step(&wave, &match[i + 2], 2);
			wave_step(&wave, &match[i + 3], 3);
		}
		_mm512_storeu_si512(lane, wave.carry_out);
		carry[group] = lane[LANES - 1];
	}

	_mm512_storeu_si512(v, wave.low.v);
	_mm512_storeu_si512(v + LANES, wave.middle.v);
	_mm512_storeu_si512(v + 2 * LANES, wave.high.v);
}

/* The AVX-512 kernel, where there is one. */
const LcsStripe *
lcs_stripe_avx512(void)
{
	static const LcsStripe stripe = {WORDS, WORD_ROWS, CARRY_BIT, 16384, stripe_scan};

	return ted_simd() == TED_SIMD_AVX512 && __builtin_cpu_supports("avx512vbmi2") ? &stripe : NULL;
}

#else

/* Other processors have no such vectors. */
const LcsStripe *
lcs_stripe_avx512(void)
{
	return NULL;
}

#endif
