/*
 * threshold.c
 *	  Thresholds on the distance or similarity of two documents, and the distances that
 *	  they allow.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/float.h"

#include "../../compat.h"
#include "../costs/model_costs.h"
#include "threshold.h"

/* From this normalized distance on, trees without a common label can match. */
#define FAR_NORMALIZED (2.0 / 3)

/* An upper bound on the rounding error of a number of operations by a cost model. */
#define OPERATIONS_ROUNDING 1e-6

/*
 * Returns the threshold with a maximum distance; below 0, nothing matches.  As in
 * PostgreSQL, NaN is greater than any other number.
 */
DocumentThreshold
DistanceThreshold(float8 max_distance)
{
	float8 largest = isnan(max_distance) ? ANY_DISTANCE : floor(max_distance);

	return (DocumentThreshold){.max_distance = (int32) Max(Min(largest, ANY_DISTANCE), -1),
							   .min_similarity = 0,
							   .max_normalized = 1};
}

void
CheckMinSimilarity(float8 min_similarity)
{
	if (!(min_similarity >= 0 && min_similarity <= 1))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("minimum similarity is out of range"),
						errdetail("It is less than 0, more than 1, or not a number."),
						errhint("Similarities are between 0 and 1; for 90 percent, use 0.9.")));
}

float8
MinSimilarityArgument(FunctionCallInfo fcinfo, int argument)
{
	float8 min_similarity = PG_GETARG_FLOAT8(argument);

	CheckMinSimilarity(min_similarity);
	return min_similarity;
}

void
CheckMaxDistance(float8 max_distance)
{
	if (!isnan(max_distance) && max_distance != floor(max_distance))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("maximum distance has a fraction"),
				 errdetail("It is a number of operations."),
				 errhint("For a similarity, use a function such as tree_similar() or "
						 "lcs_similar(); with a model of costs, distances have fractions.")));
}

int32
MaxDistanceArgument(FunctionCallInfo fcinfo, int argument)
{
	float8 max_distance = PG_GETARG_FLOAT8(argument);

	CheckMaxDistance(max_distance);
	return DistanceThreshold(max_distance).max_distance;
}

/* Returns the threshold with a minimum similarity, which may be any number. */
DocumentThreshold
SimilarityThreshold(float8 min_similarity)
{
	return (DocumentThreshold){
		.max_distance = ANY_DISTANCE, .min_similarity = min_similarity, .max_normalized = 1};
}

/* Returns the threshold with a maximum normalized distance, which may be any number. */
DocumentThreshold
NormalizedThreshold(float8 max_distance)
{
	return (DocumentThreshold){.max_distance = ANY_DISTANCE,
							   .min_similarity = 0,
							   .max_normalized = isnan(max_distance) ? 1 : max_distance};
}

/*
 * Returns a number as float8.  A numeric is first rounded to an integer by `rounded`, since
 * it may be more exact than any float8.
 */
static float8
NumberValue(Datum value, Oid type, PGFunction rounded)
{
	switch (type)
	{
		case INT2OID:
			return DatumGetInt16(value);
		case INT4OID:
			return DatumGetInt32(value);
		case INT8OID:
			return (float8) DatumGetInt64(value);
		case FLOAT4OID:
			return DatumGetFloat4(value);
		case FLOAT8OID:
			return DatumGetFloat8(value);
		default:
			return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow,
													  DirectFunctionCall1(rounded, value)));
	}
}

/* Whether 1 - similarity is within a limit, in PostgreSQL's order of numbers. */
static bool
IsDissimilarWithin(float8 similarity, float8 limit, bool less)
{
	float8 dissimilarity = 1.0 - similarity;

	return isnan(limit) || (less ? dissimilarity < limit : dissimilarity <= limit);
}

/*
 * Returns the threshold with the least similarity for which 1 - similarity, with its
 * rounding, is within a limit.  The search is binary: floats from 0 to 1 have the order of
 * their bits.
 */
static DocumentThreshold
DissimilarityThreshold(float8 limit, bool less)
{
	union
	{
		uint64 bits;
		float8 similarity;
	} low = {.similarity = 0}, high = {.similarity = 1}, middle;

	if (!IsDissimilarWithin(1, limit, less))
		return DistanceThreshold(-1);
	while (low.bits < high.bits)
	{
		middle.bits = low.bits + (high.bits - low.bits) / 2;
		if (IsDissimilarWithin(middle.similarity, limit, less))
			high = middle;
		else
			low.bits = middle.bits + 1;
	}
	return SimilarityThreshold(low.similarity);
}

DocumentThreshold
ClauseThreshold(ThresholdKind kind, Datum limit, Oid type)
{
	float8 number = NumberValue(limit, type, kind == THRESHOLD_LESS ? numeric_ceil : numeric_floor);

	switch (kind)
	{
		case THRESHOLD_LESS:
			return DistanceThreshold(ceil(number) - 1);
		case THRESHOLD_SIMILAR:
		case THRESHOLD_GREATER_EQUAL:
			return SimilarityThreshold(number);
		case THRESHOLD_GREATER:
			return SimilarityThreshold(nextafter(number, INFINITY));
		case THRESHOLD_NORMALIZED_LESS_EQUAL:
			return NormalizedThreshold(number);
		case THRESHOLD_NORMALIZED_LESS:
			return NormalizedThreshold(nextafter(number, -INFINITY));
		case THRESHOLD_DISSIMILAR_LESS_EQUAL:
		case THRESHOLD_DISSIMILAR_LESS:
			return DissimilarityThreshold(number, kind == THRESHOLD_DISSIMILAR_LESS);
		default:
			return DistanceThreshold(number);
	}
}

/*
 * Returns the threshold of a measure by a cost model.  As in PostgreSQL, NaN is greater
 * than any limit.
 */
static DocumentThreshold
MeasureByModel(ThresholdKind kind, const CostModel *model, float8 number)
{
	DocumentThreshold any = DistanceThreshold(ANY_DISTANCE);

	any.max_cost = TED_NO_LIMIT;
	switch (kind)
	{
		case THRESHOLD_SIMILAR:
		case THRESHOLD_GREATER_EQUAL:
			any.min_similarity = number;
			return any;
		case THRESHOLD_GREATER:
			any.min_similarity = nextafter(number, INFINITY);
			return any;
		case THRESHOLD_NORMALIZED_LESS_EQUAL:
			any.max_normalized = isnan(number) ? 1 : number;
			return any;
		case THRESHOLD_NORMALIZED_LESS:
			any.max_normalized = isnan(number) ? 1 : nextafter(number, -INFINITY);
			return any;
		case THRESHOLD_LESS:
			number = nextafter(number, -INFINITY);
			break;
		default:
			break;
	}
	if (number < 0)
		return DistanceThreshold(-1);
	any.max_cost = CostModelLimit(model, number);
	return any;
}

float8
CostLimitValue(Datum limit, Oid type)
{
	return type == FLOAT4OID ? DatumGetFloat4(limit) : DatumGetFloat8(limit);
}

DocumentThreshold
ModelThreshold(ThresholdKind kind, const CostModel *model, Datum limit, Oid type)
{
	DocumentThreshold threshold = MeasureByModel(kind, model, CostLimitValue(limit, type));
	NodeCosts least;
	NodeCosts most;

	CostModelBounds(model, &least, &most);
	threshold.by_model = true;
	threshold.least_cost = CostModelLeastCost(model);
	threshold.most_cost = Max(most.insert, most.delete_);
	threshold.ignores = CostModelIgnores(model);
	if (threshold.least_cost > 0 && threshold.max_cost != TED_NO_LIMIT &&
		!MatchesNothing(&threshold))
		threshold.max_distance = threshold.max_cost / threshold.least_cost;
	return threshold;
}

/* Whether no trees match.  As in PostgreSQL, NaN is greater than any similarity. */
bool
MatchesNothing(const DocumentThreshold *threshold)
{
	return threshold->max_distance < 0 || isnan(threshold->min_similarity) ||
		   threshold->min_similarity > 1 || threshold->max_normalized < 0;
}

void
WidenThreshold(DocumentThreshold *threshold, const DocumentThreshold *other)
{
	if (MatchesNothing(other))
		return;
	if (MatchesNothing(threshold))
		*threshold = *other;
	threshold->max_distance = Max(threshold->max_distance, other->max_distance);
	threshold->min_similarity = Min(threshold->min_similarity, other->min_similarity);
	threshold->max_normalized = Max(threshold->max_normalized, other->max_normalized);
	threshold->max_cost = Max(threshold->max_cost, other->max_cost);
}

/*
 * Returns the greatest distance at which trees have at least this similarity.  The result
 * agrees with the rounding of TreeSimilarity(), whatever that of the first guess.
 */
static int32
DistanceBySimilarity(float8 min_similarity, int32 larger_size)
{
	int32 distance = (int32) ((1 - min_similarity) * larger_size);

	while (TreeSimilarity(distance, larger_size) < min_similarity)
		distance--;
	while (TreeSimilarity(distance + 1, larger_size) >= min_similarity)
		distance++;
	return distance;
}

/*
 * Returns the greatest distance at which trees can be within a normalized distance, with
 * its rounding.  Trees of equal size allow the largest distance.
 */
static int32
DistanceByNormalized(float8 max_normalized, int32 larger_size)
{
	int64 sizes = 2 * (int64) larger_size;
	int32 distance = (int32) (max_normalized * (float8) sizes / (2 - max_normalized));

	while (TreeNormalizedDistance(distance, sizes) > max_normalized)
		distance--;
	while (TreeNormalizedDistance(distance + 1, sizes) <= max_normalized)
		distance++;
	return distance;
}

/*
 * Returns the greatest number of operations between matching trees by a cost model, an
 * upper bound as if all nodes had the largest cost.
 */
static int32
ModelOperationsAllowed(const DocumentThreshold *threshold, int32 larger_size)
{
	float8 normalized = threshold->max_normalized;
	float8 share = 1 - threshold->min_similarity;
	float8 per_node;

	if (normalized < FAR_NORMALIZED)
		share = Min(share, 2 * normalized / (2 - normalized));
	per_node = share * threshold->most_cost / threshold->least_cost;
	/* otherwise the result would grow by more than 1, and trees could have nothing in common */
	if (threshold->least_cost == 0 || per_node > 1 - OPERATIONS_ROUNDING)
		return LARGEST_DISTANCE;
	return (int32) (per_node * larger_size + OPERATIONS_ROUNDING);
}

int32
DistanceAllowed(const DocumentThreshold *threshold, int32 larger_size)
{
	int32 distance = Min(threshold->max_distance, LARGEST_DISTANCE);

	if (MatchesNothing(threshold))
		return -1;
	if (threshold->by_model)
		return Min(distance, ModelOperationsAllowed(threshold, larger_size));
	if (threshold->min_similarity > 0)
		distance = Min(distance, DistanceBySimilarity(threshold->min_similarity, larger_size));
	if (threshold->max_normalized < FAR_NORMALIZED)
		distance = Min(distance, DistanceByNormalized(threshold->max_normalized, larger_size));
	return distance;
}

int32
DistanceAllowedAround(const DocumentThreshold *threshold, int32 size)
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

int32
CostAllowed(const DocumentThreshold *threshold, int64 larger_cost, int64 both_costs)
{
	int64 cost = threshold->max_cost;

	if (threshold->min_similarity > 0)
		cost = Min(cost, CostBySimilarity(threshold->min_similarity, larger_cost));
	if (threshold->max_normalized < 1)
		cost = Min(cost, CostByNormalized(threshold->max_normalized, both_costs));
	return cost >= TED_MAX_DISTANCE ? TED_NO_LIMIT : (int32) cost;
}
