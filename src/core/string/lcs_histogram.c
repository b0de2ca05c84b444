/*
 * lcs_histogram.c
 *	  Histograms of the symbols of long strings.
 */
#include "lcs_histogram.h"

#include <stdlib.h>
#include <string.h>

#include "../common/simd.h"

/* Counts the symbols of a string. */
void
lcs_count_symbols(const LcsString *string, LcsHistogram *histogram)
{
	uint32_t room[LCS_MOST_FEATURES];
	const uint32_t *symbols = lcs_wide_symbols(string, room);

	memset(histogram, 0, sizeof(*histogram));
	for (int32_t i = 0; i < string->length; i++)
	{
		uint8_t *count = &histogram->count[symbols[i] % LCS_BUCKETS];

		*count = (uint8_t) (*count + (*count < UINT8_MAX));
	}
}

/* Finds the histograms whose distances from that of a probe are within their limits. */
static int
search_plain(const LcsHistogram *histograms, const int64_t *limits, int first, int end,
			 const LcsHistogram *probe, uint16_t *found)
{
	int count = 0;

	for (int i = first; i < end; i++)
	{
		int32_t distance = 0;

		for (int b = 0; b < LCS_BUCKETS; b++)
			distance += abs(histograms[i].count[b] - probe->count[b]);
		found[count] = (uint16_t) i;
		count += distance <= limits[i];
	}
	return count;
}

#ifdef __x86_64__

#include <immintrin.h>

/* Finds the histograms with AVX2. */
__attribute__((target("avx2"))) static int
search_avx2(const LcsHistogram *histograms, const int64_t *limits, int first, int end,
			const LcsHistogram *probe, uint16_t *found)
{
	const __m256i *wanted = (const __m256i *) (const void *) probe;
	__m256i low = _mm256_loadu_si256(wanted);
	__m256i high = _mm256_loadu_si256(wanted + 1);
	int count = 0;

	for (int i = first; i < end; i++)
	{
		const __m256i *other = (const __m256i *) (const void *) &histograms[i];
		__m256i sums = _mm256_add_epi64(_mm256_sad_epu8(low, _mm256_loadu_si256(other)),
										_mm256_sad_epu8(high, _mm256_loadu_si256(other + 1)));
		__m128i half =
			_mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));

		found[count] = (uint16_t) i;
		count += _mm_cvtsi128_si64(half) + _mm_extract_epi64(half, 1) <= limits[i];
	}
	return count;
}

#elif defined(TED_NEON)

#include <arm_neon.h>

/* Finds the histograms with NEON. */
static int
search_neon(const LcsHistogram *histograms, const int64_t *limits, int first, int end,
			const LcsHistogram *probe, uint16_t *found)
{
	uint8x16x4_t wanted = vld1q_u8_x4(probe->count);
	int count = 0;

	for (int i = first; i < end; i++)
	{
		uint8x16x4_t other = vld1q_u8_x4(histograms[i].count);
		uint16x8_t sums = vpaddlq_u8(vabdq_u8(wanted.val[0], other.val[0]));

		sums = vpadalq_u8(sums, vabdq_u8(wanted.val[1], other.val[1]));
		sums = vpadalq_u8(sums, vabdq_u8(wanted.val[2], other.val[2]));
		sums = vpadalq_u8(sums, vabdq_u8(wanted.val[3], other.val[3]));
		found[count] = (uint16_t) i;
		count += vaddvq_u16(sums) <= limits[i];
	}
	return count;
}

#endif

/* Returns the function for this processor. */
LcsHistogramSearch *
lcs_histogram_search(void)
{
#ifdef __x86_64__
	if (ted_simd() >= TED_SIMD_AVX2)
		return search_avx2;
#elif defined(TED_NEON)
	if (ted_simd() != TED_SIMD_NONE)
		return search_neon;
#endif
	return search_plain;
}
