/*
 * lcs_search_avx512.c
 *	  The search of a block of strings with AVX-512, which has bit operations on three operands.
 */
#include "lcs_block.h"

#ifdef __x86_64__

#include <immintrin.h>

#define TARGET __attribute__((target("avx512vl,avx512bw")))
#define SEARCH lcs_search_avx512

typedef uint64_t Vec __attribute__((vector_size(32)));

#define v_empty(v) _mm256_testz_si256((__m256i) (v), (__m256i) (v))

#include "lcs_search_template.h"

#endif
