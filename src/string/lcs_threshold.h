/*
 * lcs_threshold.h
 *	  Thresholds on the distance or similarity of two strings.
 *
 * If two strings have `total` symbols together and their longest common subsequence has
 * `common`, their distance, in insertions and deletions, is total - 2 common, and their
 * similarity is 2 common / total.
 */
#ifndef TED_LCS_THRESHOLD_H
#define TED_LCS_THRESHOLD_H

#include "postgres.h"

#include "../tree/distance/threshold.h"

/*
 * Returns the similarity: 1 for equal strings, also for two empty ones, 0 without a common
 * symbol.
 */
static inline float8
LcsSimilarity(int64 common, int64 total)
{
	return total == 0 ? 1 : 2.0 * (float8) common / (float8) total;
}

/*
 * Returns the least number of common symbols for a similarity; more than `total` if none
 * suffices.
 */
extern int64 LeastCommonSimilar(float8 min_similarity, int64 total);

/*
 * Returns the least number of common symbols for a distance; more than `total` for a
 * negative one.
 */
extern int64 LeastCommonWithin(int32 max_distance, int64 total);

/*
 * Returns the least number of common symbols for a threshold; more than `total` if none
 * suffices.
 */
extern int64 LeastCommon(const DocumentThreshold *threshold, int64 total);

#endif /* TED_LCS_THRESHOLD_H */
