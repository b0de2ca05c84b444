/*
 * lcs_search_avx2.c
 *	  The search of a block of strings with AVX2.
 */
#include "lcs_block.h"

#ifdef __x86_64__

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))
#define SEARCH lcs_search_avx2

typedef uint64_t Vec __attribute__((vector_size(32)));

#define v_empty(v) _mm256_testz_si256((__m256i) (v), (__m256i) (v))

#include "lcs_search_template.h"

#endif
