/*
 * single_path_avx2.c
 *	  Blocks of lanes with two vectors of 8 numbers.
 */
#include "single_path.h"

#ifdef __x86_64__

#define METHODS ted_single_path_avx2
#define TARGET __attribute__((target("avx2")))
#define LANES 8

#include "single_path_template.h"

/* Transposes a square of 8 rows and lanes, both in reverse order. */
TARGET static inline void
flip_quarter(const int32_t *from, int32_t *to, ptrdiff_t stride)
{
	__m256i row[8];
	__m256i pair[8];

	for (int i = 0; i < 8; i++)
		row[i] = _mm256_loadu_si256((const __m256i *) (from + (7 - i) * stride));
	for (int i = 0; i < 8; i += 2)
	{
		pair[i] = _mm256_unpacklo_epi32(row[i], row[i + 1]);
		pair[i + 1] = _mm256_unpackhi_epi32(row[i], row[i + 1]);
	}
	for (int i = 0; i < 8; i += 4)
	{
		row[i] = _mm256_unpacklo_epi64(pair[i], pair[i + 2]);
		row[i + 1] = _mm256_unpackhi_epi64(pair[i], pair[i + 2]);
		row[i + 2] = _mm256_unpacklo_epi64(pair[i + 1], pair[i + 3]);
		row[i + 3] = _mm256_unpackhi_epi64(pair[i + 1], pair[i + 3]);
	}
	for (int i = 0; i < 4; i++)
	{
		_mm256_storeu_si256((__m256i *) (to + (7 - i) * stride),
							_mm256_permute2x128_si256(row[i], row[i + 4], 0x20));
		_mm256_storeu_si256((__m256i *) (to + (3 - i) * stride),
							_mm256_permute2x128_si256(row[i], row[i + 4], 0x31));
	}
}

/* Transposes a block by its four quarters. */
TARGET static void
flip(const int32_t *from, int32_t *to, ptrdiff_t stride)
{
	const ptrdiff_t half = 8 * stride;

	flip_quarter(from, to + half + 8, stride);
	flip_quarter(from + 8, to + 8, stride);
	flip_quarter(from + half, to + half, stride);
	flip_quarter(from + half + 8, to, stride);
}

#endif
