/*
 * lcs_wave.c
 *	  The skewed wavefront for any processor, with the compiler's vectors of two words, which are
 *	  those of SSE2 or NEON.
 */
#include <string.h>

#include "lcs_stripe.h"

#define TARGET
#define TARGET_INLINE __attribute__((always_inline)) static inline
#define LANES 2

typedef uint64_t Vec __attribute__((vector_size(LANES * sizeof(uint64_t))));

/* Selects two lanes of two vectors, whose lanes are numbered from 0 to 3. */
#ifdef __clang__
#define pick(a, b, first, second) __builtin_shufflevector(a, b, first, second)
#else
#define pick(a, b, first, second) __builtin_shuffle(a, b, (Vec){first, second})
#endif

#define v_store(p, v) memcpy(p, &(v), sizeof(Vec))
#define v_set(x) ((Vec){x, x})
#define v_twice(v) ((v) + (v))
#define v_push(to, from) (v_twice(to) | (from) >> 63)

/* Two words, and the match row of the preceding step, which their diagonal needs. */
typedef struct Lanes
{
	Vec v;
	Vec row;
} Lanes;

/* Loads two words. */
TARGET_INLINE Vec
v_load(const uint64_t *p)
{
	Vec v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Returns words at column 0, with blank rows before it. */
TARGET_INLINE Lanes
lanes_begin(Vec v, Vec clear, Vec blank)
{
	return (Lanes){v & clear, blank};
}

/* Advances two words by one column; the last lane of `below` has the carry for the first lane. */
TARGET_INLINE void
lanes_step(Lanes *lanes, Vec below, const uint64_t *match, int phase)
{
	Vec row = v_load(match);
	Vec kept = lanes->v & ~pick(row, lanes->row, 0, 3);
	Vec carry = pick(below, lanes->v, 1, 2) >> 63;

	(void) phase;
	lanes->row = row;
	lanes->v = (v_twice(lanes->v) - kept + carry) | kept;
}

#include "lcs_wave_template.h"

/* Returns the kernels for any processor. */
const LcsStripe *
lcs_stripes_any(void)
{
	static const LcsStripe stripes[LCS_WAVES] = {
		{LANES, 2000, wave_scan_1},
		{2 * LANES, 2350, wave_scan_2},
		{3 * LANES, 2750, wave_scan_3},
		{4 * LANES, 3250, wave_scan_4},
	};

	return stripes;
}
