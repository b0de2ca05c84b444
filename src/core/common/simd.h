/*
 * simd.h
 *	  Vector instructions of the processor that the code runs on.
 */
#ifndef TED_CORE_COMMON_SIMD_H
#define TED_CORE_COMMON_SIMD_H

#include "tuning.h"

/* Vectors of this processor, but none above the limit of tuning.h, which tests lower. */
extern TedSimd ted_simd(void);

#endif /* TED_CORE_COMMON_SIMD_H */
