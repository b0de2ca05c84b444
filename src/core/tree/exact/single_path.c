/*
 * single_path.c
 *	  Chooses the vectors for blocks of lanes.
 */
#include "single_path.h"

#include "../../common/simd.h"

/* Returns the operations for the vectors of this processor. */
const TedLaneMethods *
ted_lane_methods(void)
{
#ifdef __x86_64__
	TedSimd simd = ted_simd();

	if (simd >= TED_SIMD_AVX2)
		return simd >= TED_SIMD_AVX512 ? &ted_single_path_avx512 : &ted_single_path_avx2;
#endif
	return &ted_single_path_plain;
}
