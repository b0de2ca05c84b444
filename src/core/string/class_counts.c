/*
 * class_counts.c
 *	  Counts of the symbols of a string in 32 classes, for upper bounds on common subsequences.
 */
#include "class_counts.h"

#include <stdbool.h>
#include <string.h>

#include "../common/simd.h"

#ifdef __SSE2__
#include <emmintrin.h>
#elif defined(TED_NEON)
#include <arm_neon.h>
#endif

/* A count of 4 bits shares its byte with the count of the class HALF classes later. */
#define HALF (TED_CLASSES / 2)

/* Returns the greatest count that fits. */
static uint32_t
greatest_count(const TedPacking *packing)
{
	return (UINT32_C(1) << packing->bits) - 1;
}

/* Returns a packed count. */
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
 * Makes a query from counts.  A packed count n with shift s means less than (n + 1) 2^s symbols,
 * unless it is capped.
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

/* Returns the missing symbols of one class. */
static inline int32_t
missing_of_class(uint8_t query, uint8_t count)
{
	return query > count ? query - count : 0;
}

/* Computes the missing symbols of strings with counts of 4 bits. */
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

/* Computes the missing symbols of strings with counts of 8 bits. */
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

#if defined(__SSE2__) || defined(TED_NEON)
#define COUNTS_BY_VECTORS

/* Vectors of 16 counts, and of partial sums. */
typedef uint8_t Counts __attribute__((vector_size(HALF)));
typedef uint16_t Sums __attribute__((vector_size(HALF)));

/* Loads counts. */
static inline Counts
load_counts(const uint8_t *counts)
{
	Counts loaded;

	memcpy(&loaded, counts, sizeof(loaded));
	return loaded;
}

#ifdef __SSE2__

/* Returns the missing symbols of each class. */
static inline Counts
missing_of_classes(Counts query, Counts counts)
{
	return (Counts) _mm_subs_epu8((__m128i) query, (__m128i) counts);
}

/* Returns the sum of each half, in its first lane. */
static inline Sums
partial_sums(Counts counts)
{
	return (Sums) _mm_sad_epu8((__m128i) counts, _mm_setzero_si128());
}

/* Returns the sum of both halves. */
static inline int32_t
whole_sum(Sums sums)
{
	return _mm_cvtsi128_si32((__m128i) sums) + _mm_cvtsi128_si32(_mm_srli_si128((__m128i) sums, 8));
}

#else

/* Returns the missing symbols of each class. */
static inline Counts
missing_of_classes(Counts query, Counts counts)
{
	return vqsubq_u8(query, counts);
}

/* Returns the sums of pairs of lanes. */
static inline Sums
partial_sums(Counts counts)
{
	return vpaddlq_u8(counts);
}

/* Returns the sum of all lanes. */
static inline int32_t
whole_sum(Sums sums)
{
	return vaddvq_u16(sums);
}

#endif

/* Computes the missing symbols of strings with counts of 4 bits, by vectors. */
static void
vectors_missing_of_4_bits(const uint8_t *query, const uint8_t *packed, int32_t strings,
						  int32_t *missing)
{
	const Counts low_query = load_counts(query);
	const Counts high_query = load_counts(query + HALF);

	for (int32_t i = 0; i < strings; i++)
	{
		Counts counts = load_counts(packed + HALF * (size_t) i);
		Counts low = missing_of_classes(low_query, counts & 0x0f);
		Counts high = missing_of_classes(high_query, counts >> 4);

		missing[i] = whole_sum(partial_sums(low + high));
	}
}

/* Computes the missing symbols of strings with counts of 8 bits, by vectors. */
static void
vectors_missing_of_8_bits(const uint8_t *query, const uint8_t *packed, int32_t strings,
						  int32_t *missing)
{
	const Counts low_query = load_counts(query);
	const Counts high_query = load_counts(query + HALF);

	for (int32_t i = 0; i < strings; i++)
	{
		const uint8_t *counts = packed + TED_CLASSES * (size_t) i;
		Counts low = missing_of_classes(low_query, load_counts(counts));
		Counts high = missing_of_classes(high_query, load_counts(counts + HALF));

		missing[i] = whole_sum(partial_sums(low) + partial_sums(high));
	}
}

#endif

/* Computes lower bounds on the missing symbols of many strings. */
void
ted_missing_symbols(const TedCountsQuery *query, const uint8_t *packed, int32_t strings,
					int32_t *missing)
{
	bool narrow = query->packing.bits == 4;

#ifdef COUNTS_BY_VECTORS
	if (ted_simd() != TED_SIMD_NONE)
		(narrow ? vectors_missing_of_4_bits : vectors_missing_of_8_bits)(query->counts, packed,
																		 strings, missing);
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
