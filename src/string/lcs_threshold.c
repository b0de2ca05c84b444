/*
 * lcs_threshold.c
 *	  Thresholds on the distance or similarity of two strings.
 */
#include "postgres.h"

#include <math.h>

#include "../compat.h"
#include "lcs_threshold.h"

/*
 * Returns the least number of common symbols with which strings have at least this
 * similarity.  The result agrees with the rounding of LcsSimilarity(), whatever that of the
 * first guess.  As in PostgreSQL, NaN is greater than any similarity.
 */
int64
LeastCommonSimilar(float8 min_similarity, int64 total)
{
	int64 least;

	if (isnan(min_similarity) || min_similarity > 1)
		return total + 1;
	if (min_similarity <= 0)
		return 0;
	least = (int64) ceil(min_similarity * (float8) total / 2);
	while (least > 0 && LcsSimilarity(least - 1, total) >= min_similarity)
		least--;
	while (LcsSimilarity(least, total) < min_similarity)
		least++;
	return least;
}

/* Returns the least number of common symbols with which strings are within a distance. */
int64
LeastCommonWithin(int32 max_distance, int64 total)
{
	if (max_distance < 0)
		return total + 1;
	return total <= max_distance ? 0 : (total - max_distance + 1) / 2;
}

/* Returns the least number of common symbols with which strings are within a threshold. */
int64
LeastCommon(const DocumentThreshold *threshold, int64 total)
{
	return Max(LeastCommonSimilar(threshold->min_similarity, total),
			   LeastCommonWithin(threshold->max_distance, total));
}
