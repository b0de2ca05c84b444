/*
 * simd.h
 *	  Finds the vector instructions that the processor has.
 */
#ifndef TED_SIMD_H
#define TED_SIMD_H

#include "processor_tuning.h"

/* All processors of 64-bit Arm have NEON. */
#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define TED_NEON
#endif

/* Returns the widest vectors of this processor, up to ted_tuning.simd_limit, which tests lower. */
extern TedSimd ted_simd(void);

#endif /* TED_SIMD_H */
