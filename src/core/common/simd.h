/*
 * simd.h
 *	  Vector instructions of the processor that the code runs on.
 */
#ifndef TED_SIMD_H
#define TED_SIMD_H

#include "processor_tuning.h"

/* Vectors of this processor, but none above the limit of processor_tuning.h, which tests lower. */
extern TedSimd ted_simd(void);

#endif /* TED_SIMD_H */
