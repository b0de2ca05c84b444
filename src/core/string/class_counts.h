/*
 * class_counts.h
 *	  How many symbols of each of 32 classes strings have, which bounds what they have in common.
 *
 * A string that has q symbols of a class, of which another one has n, keeps at
 * least max(q - n, 0) of them out of every common subsequence.  These numbers, added
 * up over all classes, are what the string misses in the other one.
 *
 * Counts are kept in 4 or 8 bits each.  Those of long strings are shifted to the
 * right, and all are cut off at the greatest number that fits, so that what is
 * missing is never overestimated.
 */
#ifndef TED_CLASS_COUNTS_H
#define TED_CLASS_COUNTS_H

#include <stdint.h>

#define TED_CLASSES 32

/* The class of a symbol: neighbours in an alphabet have different ones. */
static inline uint32_t
ted_class(uint32_t symbol)
{
	return (symbol + 17 * (symbol >> 5)) % TED_CLASSES;
}

/* How counts are kept. */
typedef struct TedPacking
{
	int32_t bits; /* 4 or 8 */
	int32_t shift;
} TedPacking;

/* Bytes that the counts of a string take. */
static inline int32_t
ted_packed_bytes(const TedPacking *packing)
{
	return TED_CLASSES * packing->bits / 8;
}

/* Packs the counts of a string. */
extern void ted_pack_counts(const TedPacking *packing, const uint32_t *counts, uint8_t *packed);

/* The counts of a string that is compared with packed ones. */
typedef struct TedCountsQuery
{
	TedPacking packing;
	uint8_t counts[TED_CLASSES];
} TedCountsQuery;

/* Makes a query of counts. */
extern TedCountsQuery ted_counts_query(const TedPacking *packing, const uint32_t *counts);

/* Lower bounds on what the string of a query misses in each of many strings with packed counts. */
extern void ted_missing_symbols(const TedCountsQuery *query, const uint8_t *packed, int32_t strings,
								int32_t *missing);

#endif /* TED_CLASS_COUNTS_H */
