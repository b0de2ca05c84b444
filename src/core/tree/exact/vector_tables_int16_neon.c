/*
 * vector_tables_int16_neon.c
 *	  Tables of key roots by NEON, 8 numbers of 16 bits a vector.
 */
#include "../../common/simd.h"

#ifdef TED_NEON

#define NUMBER_BITS 16
#define LANES 8
#define FILL_TABLES ted_int16_tables_neon
#define TARGET

#include "vector_tables_template.h"

/* Returns `same` in lanes whose label equals `label`, else `other`. */
TARGET static inline Vec
v_rename(const int32_t *labels, int32_t label, Vec same, Vec other)
{
	int32x4_t wanted = vdupq_n_s32(label);
	uint16x8_t low = vreinterpretq_u16_u32(vceqq_s32(vld1q_s32(labels), wanted));
	uint16x8_t high = vreinterpretq_u16_u32(vceqq_s32(vld1q_s32(labels + LANES / 2), wanted));

	return v_choose(other, same, (Vec) vuzp1q_u16(low, high));
}

/* Loads positions of lanes in two consecutive vectors. */
TARGET static inline Vec
v_near(const int16_t *near)
{
	return v_load(near);
}

/* Selects the numbers at these positions from two consecutive vectors. */
TARGET static inline Vec
v_pick(Vec before, Vec own, Vec near)
{
	uint8x16x2_t both = {{(uint8x16_t) before, (uint8x16_t) own}};

	/* both bytes of a number */
	return (Vec) vqtbl2q_u8(both, (uint8x16_t) (near * 0x0202 + 0x0100));
}

#endif
