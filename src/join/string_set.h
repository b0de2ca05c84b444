/*
 * string_set.h
 *	  The distinct strings of one side of a join, with what the filters need of them.
 */
#ifndef TED_JOIN_STRING_SET_H
#define TED_JOIN_STRING_SET_H

#include "postgres.h"

#include "../common/labels.h"

/* Counters of a histogram. */
#define STRING_BUCKETS 64

/* How often the characters of a string occur, by bucket; the counters stop at their maximum. */
typedef struct StringHistogram
{
	uint8 count[STRING_BUCKETS];
} StringHistogram;

/* Distinct strings, numbered in the order in which they first came. */
typedef struct StringSet
{
	LabelTable *texts;
	uint32 *symbol; /* characters of all strings, one after the other */
	Size symbol_capacity;
	Size *start; /* of its characters, by number; behind the last one, their end */
	int32 count;
	int32 capacity;

	/* filled by StringSetSort(), by rank in the order of lengths */
	int32 *number;
	int32 *length;
	StringHistogram *histogram;
} StringSet;

/* What is refused where memory is not enough. */
#define STRING_JOIN "similarity join of strings"

/* Makes an empty set in the current memory context, which is that of all calls. */
extern StringSet *StringSetCreate(void);

/* Adds a text; returns its number, which equal texts share. */
extern int32 StringSetAdd(StringSet *set, Datum value);

/* Memory that StringSetSort() takes. */
extern Size StringSetSortMemory(const StringSet *set);

/* Orders the strings by length and counts their characters; nothing is added any more. */
extern void StringSetSort(StringSet *set);

/* Characters of a string. */
static inline int32
StringLength(const StringSet *set, int32 number)
{
	return (int32) (set->start[number + 1] - set->start[number]);
}

/* The characters of the string with a rank. */
static inline uint32 *
StringSymbols(const StringSet *set, int32 rank)
{
	return set->symbol + set->start[set->number[rank]];
}

/*
 * Sum of the differences of all counters.  Every character that is outside a
 * common subsequence of two strings changes it by one at most, whatever
 * characters share a bucket and wherever counters stop.
 */
static inline int32
HistogramDistance(const StringHistogram *a, const StringHistogram *b)
{
	int32 distance = 0;

	for (int i = 0; i < STRING_BUCKETS; i++)
		distance += abs(a->count[i] - b->count[i]);
	return distance;
}

#endif /* TED_JOIN_STRING_SET_H */
