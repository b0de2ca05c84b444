/*
 * class_counts.c
 *	  How many symbols of each of 32 classes strings have, which bounds what they have in common.
 */
#include "class_counts.h"

#include <stdbool.h>

#include "../common/simd.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* A count of 4 bits shares its byte with the count of the class HALF classes later. */
#define HALF (TED_CLASSES / 2)

/* The greatest count that fits. */
static uint32_t
greatest_count(const TedPacking *packing)
{
	return (UINT32_C(1) << packing->bits) - 1;
}

/* A count as it is kept. */
static uint8_t
packed_count(const TedPacking *packing, uint32_t count)
{
	uint32_t shifted = count >> packing->shift;
	uint32_t greatest = greatest_count(packing);

	return (uint8_t) (shifted < greatest ? shifted : greatest);
}

/* Packs the counts of a string. */
void
ted_pack_counts(const TedPacking *packing, const uint32_t *counts, uint8_t *packed)
{
	for (int32_t i = 0; i < ted_packed_bytes(packing); i++)
	{
		packed[i] = packed_count(packing, counts[i]);
		if (packing->bits == 4)
			packed[i] |= (uint8_t) (packed_count(packing, counts[i + HALF]) << 4);
	}
}

/*
 * Makes a query of counts.  A packed count n of shift s stands for less than
 * (n + 1) 2^s symbols.
 */
TedCountsQuery
ted_counts_query(const TedPacking *packing, const uint32_t *counts)
{
	TedCountsQuery query = {.packing = *packing};
	uint32_t greatest = greatest_count(packing);

	for (int32_t i = 0; i < TED_CLASSES; i++)
	{
		uint32_t whole = (uint32_t) (((uint64_t) counts[i] + 1) >> packing->shift);

		whole -= whole > 0;
		query.counts[i] = (uint8_t) (whole < greatest ? whole : greatest);
	}
	return query;
}

/* The symbols of one class that a string misses. */
static inline int32_t
missing_of_class(uint8_t query, uint8_t count)
{
	return query > count ? query - count : 0;
}

/* The symbols that strings with counts of 4 bits miss. */
static void
missing_of_4_bits(const uint8_t *query, const uint8_t *packed, int32_t strings, int32_t *missing)
{
	for (int32_t i = 0; i < strings; i++, packed += HALF)
	{
		missing[i] = 0;
		for (int32_t c = 0; c < HALF; c++)
			missing[i] += missing_of_class(query[c], packed[c] & 0x0f) +
						  missing_of_class(query[c + HALF], packed[c] >> 4);
	}
}

/* The symbols that strings with counts of 8 bits miss. */
static void
missing_of_8_bits(const uint8_t *query, const uint8_t *packed, int32_t strings, int32_t *missing)
{
	for (int32_t i = 0; i < strings; i++, packed += TED_CLASSES)
	{
		missing[i] = 0;
		for (int32_t c = 0; c < TED_CLASSES; c++)
			missing[i] += missing_of_class(query[c], packed[c]);
	}
}

#ifdef __SSE2__

/* The sum of 16 bytes whose halves have been added up. */
static inline int32_t
sum_of_halves(__m128i halves)
{
	return _mm_cvtsi128_si32(halves) + _mm_cvtsi128_si32(_mm_srli_si128(halves, 8));
}

/* The symbols that strings with counts of 4 bits miss, by SSE2. */
static void
sse2_missing_of_4_bits(const uint8_t *query, const uint8_t *packed, int32_t strings,
					   int32_t *missing)
{
	const __m128i low_bits = _mm_set1_epi8(0x0f);
	const __m128i low_query = _mm_loadu_si128((const __m128i *) query);
	const __m128i high_query = _mm_loadu_si128((const __m128i *) (query + HALF));

	for (int32_t i = 0; i < strings; i++)
	{
		__m128i counts = _mm_loadu_si128((const __m128i *) packed + i);
		__m128i low = _mm_subs_epu8(low_query, _mm_and_si128(counts, low_bits));
		__m128i high =
			_mm_subs_epu8(high_query, _mm_and_si128(_mm_srli_epi16(counts, 4), low_bits));

		missing[i] = sum_of_halves(_mm_sad_epu8(_mm_add_epi8(low, high), _mm_setzero_si128()));
	}
}

/* The symbols that strings with counts of 8 bits miss, by SSE2. */
static void
sse2_missing_of_8_bits(const uint8_t *query, const uint8_t *packed, int32_t strings,
					   int32_t *missing)
{
	const __m128i low_query = _mm_loadu_si128((const __m128i *) query);
	const __m128i high_query = _mm_loadu_si128((const __m128i *) (query + HALF));
	const __m128i zero = _mm_setzero_si128();

	for (int32_t i = 0; i < strings; i++)
	{
		__m128i low =
			_mm_subs_epu8(low_query, _mm_loadu_si128((const __m128i *) packed + 2 * (int64_t) i));
		__m128i high = _mm_subs_epu8(
			high_query, _mm_loadu_si128((const __m128i *) packed + 2 * (int64_t) i + 1));

		missing[i] =
			sum_of_halves(_mm_add_epi32(_mm_sad_epu8(low, zero), _mm_sad_epu8(high, zero)));
	}
}

#endif

/* Lower bounds on what the string of a query misses in each of many strings with packed counts. */
void
ted_missing_symbols(const TedCountsQuery *query, const uint8_t *packed, int32_t strings,
					int32_t *missing)
{
	bool narrow = query->packing.bits == 4;

#ifdef __SSE2__
	if (ted_simd() != TED_SIMD_NONE)
		(narrow ? sse2_missing_of_4_bits : sse2_missing_of_8_bits)(query->counts, packed, strings,
																   missing);
	else
#endif
		(narrow ? missing_of_4_bits : missing_of_8_bits)(query->counts, packed, strings, missing);
	if (query->packing.shift > 0)
		for (int32_t i = 0; i < strings; i++)
		{
			int64_t shifted = (int64_t) missing[i] << query->packing.shift;

			missing[i] = shifted < INT32_MAX ? (int32_t) shifted : INT32_MAX;
		}
}
