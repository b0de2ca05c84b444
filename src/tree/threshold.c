/*
 * threshold.c
 *	  Thresholds on the distance or similarity of two trees.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"

#include "tree.h"
#include "threshold.h"

/* No pair of trees has a larger distance. */
#define LARGEST_DISTANCE (2 * TREE_MAX_NODES)

/* A maximum distance; below 0, nothing matches. */
TreeThreshold
DistanceThreshold(int64 max_distance)
{
	return (TreeThreshold){.max_distance = (int32) Max(Min(max_distance, LARGEST_DISTANCE), -1),
						   .min_similarity = 0};
}

/* A minimum similarity, which may be any number. */
TreeThreshold
SimilarityThreshold(float8 min_similarity)
{
	return (TreeThreshold){.max_distance = LARGEST_DISTANCE, .min_similarity = min_similarity};
}

/* Reads an integer of any type. */
static int64
IntegerValue(Datum value, Oid type)
{
	return type == INT2OID   ? DatumGetInt16(value)
		   : type == INT4OID ? DatumGetInt32(value)
							 : DatumGetInt64(value);
}

/* Reads a floating-point number of either type. */
static float8
FloatValue(Datum value, Oid type)
{
	return type == FLOAT4OID ? DatumGetFloat4(value) : DatumGetFloat8(value);
}

/* The threshold of a clause. */
TreeThreshold
ClauseThreshold(ThresholdKind kind, Datum value, Oid type)
{
	switch (kind)
	{
		case THRESHOLD_LESS:
			/* below 0 there is nothing, not even to subtract from */
			return DistanceThreshold(Max(IntegerValue(value, type), 0) - 1);
		case THRESHOLD_SIMILAR:
		case THRESHOLD_GREATER_EQUAL:
			return SimilarityThreshold(FloatValue(value, type));
		case THRESHOLD_GREATER:
			return SimilarityThreshold(nextafter(FloatValue(value, type), INFINITY));
		default:
			return DistanceThreshold(IntegerValue(value, type));
	}
}

/* Whether no trees match.  To PostgreSQL, NaN is greater than any similarity. */
bool
MatchesNothing(const TreeThreshold *threshold)
{
	return threshold->max_distance < 0 || isnan(threshold->min_similarity) ||
		   threshold->min_similarity > 1;
}

/* Has a threshold match all that another one matches, too. */
void
WidenThreshold(TreeThreshold *threshold, const TreeThreshold *other)
{
	if (MatchesNothing(threshold))
		*threshold = *other;
	threshold->max_distance = Max(threshold->max_distance, other->max_distance);
	threshold->min_similarity = Min(threshold->min_similarity, other->min_similarity);
}

/*
 * The greatest distance of trees that match.  The rounding of TreeSimilarity()
 * decides, that of the first guess does not.
 */
int32
DistanceAllowed(const TreeThreshold *threshold, int32 larger_size)
{
	int32 distance;

	if (MatchesNothing(threshold))
		return -1;
	if (threshold->min_similarity <= 0)
		return threshold->max_distance;
	distance = (int32) ((1 - threshold->min_similarity) * larger_size);
	while (TreeSimilarity(distance, larger_size) < threshold->min_similarity)
		distance--;
	while (TreeSimilarity(distance + 1, larger_size) >= threshold->min_similarity)
		distance++;
	return Min(distance, threshold->max_distance);
}

/* The greatest distance between a tree and any other that matches it: that of the largest one. */
int32
DistanceAllowedAround(const TreeThreshold *threshold, int32 size)
{
	int32 low = size;
	int32 high = TREE_MAX_NODES;

	while (low < high)
	{
		int32 middle = low + (high - low + 1) / 2;

		if (middle - DistanceAllowed(threshold, middle) <= size)
			low = middle;
		else
			high = middle - 1;
	}
	return DistanceAllowed(threshold, low);
}
