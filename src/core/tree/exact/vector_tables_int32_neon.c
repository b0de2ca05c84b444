/*
 * vector_tables_int32_neon.c
 *	  Tables of key roots by NEON, 4 numbers of 32 bits a vector.
 */
#include "../../common/simd.h"

#ifdef TED_NEON

#define NUMBER_BITS 32
#define LANES 4
#define FILL_TABLES ted_int32_tables_neon
#define TARGET

#include "vector_tables_template.h"

/* Returns `same` in lanes whose label equals `label`, else `other`. */
TARGET static inline Vec
v_rename(const int32_t *labels, int32_t label, Vec same, Vec other)
{
	return v_choose(other, same, v_load(labels) == v_set(label));
}

/* Loads positions of lanes in two consecutive vectors. */
TARGET static inline Vec
v_near(const int16_t *near)
{
	return (Vec) vmovl_s16(vld1_s16(near));
}

/* Selects the numbers at these positions from two consecutive vectors. */
TARGET static inline Vec
v_pick(Vec before, Vec own, Vec near)
{
	uint8x16x2_t both = {{(uint8x16_t) before, (uint8x16_t) own}};

	/* all bytes of a number */
	return (Vec) vqtbl2q_u8(both, (uint8x16_t) (near * 0x04040404 + 0x03020100));
}

#endif
