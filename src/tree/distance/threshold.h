/*
 * threshold.h
 *	  Thresholds on the distance or similarity of two documents, and the distances that
 *	  they allow.
 *
 * The similarity of trees is 1 - distance / larger size, so the allowed distance follows
 * from the larger size.  The normalized distance is 2 distance / (sum of sizes + distance);
 * for a given larger size, it allows the largest distance between trees of equal size.  The
 * allowed distance grows by 0 or 1 from one size to the next.
 *
 * By a cost model, similarities divide the distance by the costs of deleting and inserting
 * the trees.  Sizes then give upper bounds, as if all nodes had the largest cost.
 */
#ifndef TED_THRESHOLD_H
#define TED_THRESHOLD_H

#include "postgres.h"

#include "fmgr.h"

#include "../costs/cost_model.h"
#include "../value/tree.h"

/* How a clause compares a measure with a limit. */
typedef enum ThresholdKind
{
	THRESHOLD_WITHIN,                /* tree_within() */
	THRESHOLD_LESS_EQUAL,            /* tree_edit_distance() <= distance */
	THRESHOLD_LESS,                  /* tree_edit_distance() < distance */
	THRESHOLD_SIMILAR,               /* tree_similar() */
	THRESHOLD_GREATER_EQUAL,         /* tree_similarity() >= similarity */
	THRESHOLD_GREATER,               /* tree_similarity() > similarity */
	THRESHOLD_NORMALIZED_LESS_EQUAL, /* tree_normalized_distance() <= distance */
	THRESHOLD_NORMALIZED_LESS,       /* tree_normalized_distance() < distance */
	THRESHOLD_DISSIMILAR_LESS_EQUAL, /* 1 - similarity <= distance */
	THRESHOLD_DISSIMILAR_LESS        /* 1 - similarity < distance */
} ThresholdKind;

/* The largest distance of two trees, and of two documents of any type. */
#define LARGEST_DISTANCE (2 * TREE_MAX_NODES)
#define ANY_DISTANCE PG_INT32_MAX

/* A threshold: documents match if they are within both distances and have the least similarity. */
typedef struct DocumentThreshold
{
	int32 max_distance;
	float8 min_similarity;
	float8 max_normalized;
	bool by_model;    /* distances and similarities are by a cost model, in its units */
	int32 max_cost;   /* greatest cost; allows at most max_distance operations */
	int32 least_cost; /* least cost of an operation, or 0 */
	int32 most_cost;  /* greatest cost of inserting or deleting a node */
	bool ignores;     /* the cost model ignores nodes, so stored sizes bound nothing */
} DocumentThreshold;

/* Returns the similarity: 1 for equal trees, 0 if the distance is at least the larger size. */
static inline float8
TreeSimilarity(int32 distance, int32 larger_size)
{
	return Max(1.0 - (float8) distance / larger_size, 0.0);
}

/* Returns 1 - similarity.  The difference is exact: different similarities stay different. */
static inline float8
TreeDissimilarity(int32 distance, int32 larger_size)
{
	return 1.0 - TreeSimilarity(distance, larger_size);
}

/*
 * Returns the normalized distance, from 0 for equal trees to 1; `sizes` is the sum of both
 * sizes.
 */
static inline float8
TreeNormalizedDistance(int32 distance, int64 sizes)
{
	return 2.0 * distance / (float8) (sizes + distance);
}

/* Raises an error for a least similarity that is not between 0 and 1. */
extern void CheckMinSimilarity(float8 min_similarity);

/* Returns the least similarity in an argument, or raises an error if it is not between 0 and 1. */
extern float8 MinSimilarityArgument(FunctionCallInfo fcinfo, int argument);

/*
 * Raises an error for a maximum distance by unit costs that has a fraction: no distance has one, so
 * a similarity may be meant.
 */
extern void CheckMaxDistance(float8 max_distance);

/* Returns the greatest distance in an argument, or raises an error if it has a fraction. */
extern int32 MaxDistanceArgument(FunctionCallInfo fcinfo, int argument);

/*
 * Return the threshold with a maximum distance, a minimum similarity, or a maximum
 * normalized distance.
 */
extern DocumentThreshold DistanceThreshold(float8 max_distance);
extern DocumentThreshold SimilarityThreshold(float8 min_similarity);
extern DocumentThreshold NormalizedThreshold(float8 max_distance);

/* Returns the threshold of a clause, from a limit of any numeric type. */
extern DocumentThreshold ClauseThreshold(ThresholdKind kind, Datum limit, Oid type);

/* Returns a limit of costs, a float4 or a float8. */
extern float8 CostLimitValue(Datum limit, Oid type);

/*
 * Returns the threshold of a clause on a measure by a cost model, from a limit of type
 * float4 or float8.  Its `max_distance` counts only operations that the cost model does not
 * grade.
 */
extern DocumentThreshold ModelThreshold(ThresholdKind kind, const CostModel *model, Datum limit,
										Oid type);

/* Widens a threshold so that it also matches whatever another one of the same kind matches. */
extern void WidenThreshold(DocumentThreshold *threshold, const DocumentThreshold *other);

/* Whether no trees match, not even equal ones. */
extern bool MatchesNothing(const DocumentThreshold *threshold);

/* Returns the greatest distance of matching trees, of which the larger one has this size, or -1. */
extern int32 DistanceAllowed(const DocumentThreshold *threshold, int32 larger_size);

/* Returns the greatest distance between a tree of a size and any matching tree, or -1. */
extern int32 DistanceAllowedAround(const DocumentThreshold *threshold, int32 size);

/*
 * Returns the greatest cost between matching trees by a cost model, or TED_NO_LIMIT.
 * `larger_cost` is the larger one of the costs of deleting the first tree and of inserting
 * the second one, and `both_costs` is their sum.
 */
extern int32 CostAllowed(const DocumentThreshold *threshold, int64 larger_cost, int64 both_costs);

#endif /* TED_THRESHOLD_H */
