/*
 * vectors.h
 *	  Kinds of vectors in stand-alone tests.
 */
#ifndef TED_TEST_CORE_VECTORS_H
#define TED_TEST_CORE_VECTORS_H

#include <stdbool.h>

#include "../../src/core/common/simd.h"

static const char *const simd_names[] = {"no vectors", "NEON", "AVX2", "AVX-512"};

/* Selects a kind of vectors; returns false if this processor lacks them. */
static inline bool
select_vectors(TedSimd simd)
{
	ted_tuning.simd_limit = simd;
	return ted_simd() == simd;
}

/* Whether some processors of this architecture have a kind of vectors. */
static inline bool
architecture_has_vectors(TedSimd simd)
{
#ifdef TED_NEON
	return simd == TED_SIMD_NEON;
#else
	return simd == TED_SIMD_AVX2 || simd == TED_SIMD_AVX512;
#endif
}

#endif /* TED_TEST_CORE_VECTORS_H */
