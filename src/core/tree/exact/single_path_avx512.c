/*
 * single_path_avx512.c
 *	  Blocks of lanes by vectors of 16 numbers.
 */
#include "single_path.h"

#ifdef __x86_64__

#define METHODS ted_single_path_avx512
#define TARGET __attribute__((target("avx512f,avx2")))
#define LANES 16

#include "single_path_template.h"

/* Transposes as with AVX2, which moves as many numbers at a time. */
TARGET static void
flip(const int32_t *from, int32_t *to, ptrdiff_t stride)
{
	ted_single_path_avx2.flip(from, to, stride);
}

#endif
