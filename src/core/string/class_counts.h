/*
 * class_counts.h
 *	  Counts of the symbols of a string in 32 classes, for upper bounds on common subsequences.
 *
 * If a string has q symbols of a class and another one has n, at least max(q - n, 0) symbols of the
 * former are outside every common subsequence.  The sum of these numbers over all classes is the
 * number of symbols of the string that are missing in the other one.
 *
 * Counts are packed in 4 or 8 bits each.  Those of long strings are shifted to the right, and all
 * are capped at the greatest number that fits, so that missing symbols are never overestimated.
 */
#ifndef TED_CLASS_COUNTS_H
#define TED_CLASS_COUNTS_H

#include <stdint.h>

#define TED_CLASSES 32

/* Returns the class of a symbol; neighbours in an alphabet have different classes. */
static inline uint32_t
ted_class(uint32_t symbol)
{
	return (symbol + 17 * (symbol >> 5)) % TED_CLASSES;
}

/* The format of packed counts. */
typedef struct TedPacking
{
	int32_t bits; /* 4 or 8 */
	int32_t shift;
} TedPacking;

/* Returns the bytes of a string's packed counts. */
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

/* Makes a query from counts. */
extern TedCountsQuery ted_counts_query(const TedPacking *packing, const uint32_t *counts);

/*
 * Computes lower bounds on the symbols of the query's string that are missing in each of many
 * strings with packed counts.
 */
extern void ted_missing_symbols(const TedCountsQuery *query, const uint8_t *packed, int32_t strings,
								int32_t *missing);

#endif /* TED_CLASS_COUNTS_H */
