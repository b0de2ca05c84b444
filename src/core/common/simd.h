/*
 * simd.h
 *	  Vector instructions of the processor that the code runs on.
 */
#ifndef TED_SIMD_H
#define TED_SIMD_H

#include "processor_tuning.h"

/* All processors of 64-bit Arm have NEON. */
#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define TED_NEON
#endif

/* Vectors of this processor, but none above the limit of processor_tuning.h, which tests lower. */
extern TedSimd ted_simd(void);

#endif /* TED_SIMD_H */
