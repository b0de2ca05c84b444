/*
 * lcs_search_plain.c
 *	  The search of a block of strings by vectors of 16 bytes, which every processor with vectors
 *	  supports.
 */
#include "../common/simd.h"

#ifdef TED_NEON
#include <arm_neon.h>
#endif

#define TARGET
#define SEARCH lcs_search_plain

typedef uint64_t Vec __attribute__((vector_size(16)));

#ifdef TED_NEON
#define v_empty(v) (vmaxvq_u32((uint32x4_t) (v)) == 0)
#else
#define v_empty(v) (((v)[0] | (v)[1]) == 0)
#endif

#include "lcs_search_template.h"
