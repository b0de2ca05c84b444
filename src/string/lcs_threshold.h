/*
 * lcs_threshold.h
 *	  Thresholds on the distance or similarity of two strings.
 *
 * With `total` symbols in both strings, of which a longest common subsequence
 * has `common`, their distance is total - 2 common, the insertions and
 * deletions that make one of the other, and their similarity 2 common / total.
 */
#ifndef TED_LCS_THRESHOLD_H
#define TED_LCS_THRESHOLD_H

#include "postgres.h"

#include "../tree/distance/threshold.h"

/* 1 for equal strings, two empty ones among them, 0 for those without a common symbol. */
static inline float8
LcsSimilarity(int64 common, int64 total)
{
	return total == 0 ? 1 : 2.0 * (float8) common / (float8) total;
}

/* The least common symbols for a least similarity; more than `total` where no strings have it. */
extern int64 LeastCommonSimilar(float8 min_similarity, int64 total);

/* The least common symbols with which strings are within a distance; more than `total` below 0. */
extern int64 LeastCommonWithin(int32 max_distance, int64 total);

/* The least common symbols with which strings match; more than `total` where none do. */
extern int64 LeastCommon(const DocumentThreshold *threshold, int64 total);

#endif /* TED_LCS_THRESHOLD_H */
