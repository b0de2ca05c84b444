/*
 * threshold.h
 *	  Thresholds on the distance or similarity of two documents, and what they mean for trees.
 *
 * The similarity of trees is 1 - distance / larger size, so the operations that it allows
 * follow from the larger size.  A normalized distance is 2 distance / (sum of sizes
 * + distance); it allows most between trees of the same size, the larger one's.
 * From one size to the next, what is allowed grows by 0 or 1.
 *
 * By a model of costs, similarities compare the distance with what it costs to delete and
 * to insert the trees, so sizes allow what they do where all nodes cost as much as any.
 */
#ifndef TED_THRESHOLD_H
#define TED_THRESHOLD_H

#include "postgres.h"

#include "fmgr.h"

#include "../costs/cost_model.h"
#include "../value/tree.h"

/* How a clause compares a measure with a value. */
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

/* No pair of trees has a distance above the first, no pair of documents one above the second. */
#define LARGEST_DISTANCE (2 * TREE_MAX_NODES)
#define ANY_DISTANCE PG_INT32_MAX

/* Documents match that are within both distances and have at least this similarity. */
typedef struct DocumentThreshold
{
	int32 max_distance;
	float8 min_similarity;
	float8 max_normalized;
	bool by_model;    /* distances and similarities are by a model of costs; in its units: */
	int32 max_cost;   /* the greatest; allows at most max_distance operations */
	int32 least_cost; /* of an operation, or 0 */
	int32 most_cost;  /* of inserting or deleting a node */
	bool ignores;     /* it leaves out nodes, so that stored sizes bound nothing */
} DocumentThreshold;

/* 1 for equal trees, 0 where the distance is at least the larger size. */
static inline float8
TreeSimilarity(int32 distance, int32 larger_size)
{
	return Max(1.0 - (float8) distance / larger_size, 0.0);
}

/* 1 - similarity, which is exact: different similarities stay different. */
static inline float8
TreeDissimilarity(int32 distance, int32 larger_size)
{
	return 1.0 - TreeSimilarity(distance, larger_size);
}

/* From 0, for equal trees, to 1; `sizes` is the sum of the sizes of both trees. */
static inline float8
TreeNormalizedDistance(int32 distance, int64 sizes)
{
	return 2.0 * distance / (float8) (sizes + distance);
}

/* Refuses a least similarity that is not between 0 and 1. */
extern void CheckMinSimilarity(float8 min_similarity);

/* The least similarity in an argument. */
extern float8 MinSimilarityArgument(FunctionCallInfo fcinfo, int argument);

/* A maximum distance, a minimum similarity, and a maximum normalized distance. */
extern DocumentThreshold DistanceThreshold(float8 max_distance);
extern DocumentThreshold SimilarityThreshold(float8 min_similarity);
extern DocumentThreshold NormalizedThreshold(float8 max_distance);

/* The threshold of a clause, from a limit of any type of numbers. */
extern DocumentThreshold ClauseThreshold(ThresholdKind kind, Datum limit, Oid type);

/*
 * The threshold of a clause on a measure by a model, from a limit with a fraction.
 * The operations that filters count are those that the model does not grade.
 */
extern DocumentThreshold ModelThreshold(ThresholdKind kind, const CostModel *model, Datum limit,
										Oid type);

/* Widens a threshold, so that it also matches all that another one of the same kind matches. */
extern void WidenThreshold(DocumentThreshold *threshold, const DocumentThreshold *other);

/* Whether no trees match, not even equal ones. */
extern bool MatchesNothing(const DocumentThreshold *threshold);

/* The greatest distance of trees that match, the larger one of this number of nodes; else -1. */
extern int32 DistanceAllowed(const DocumentThreshold *threshold, int32 larger_size);

/* The greatest distance between a tree of this size and any other that matches it; else -1. */
extern int32 DistanceAllowedAround(const DocumentThreshold *threshold, int32 size);

/*
 * By a model: the greatest cost between trees that match, or TED_NO_LIMIT, by what it costs
 * to delete the one or to insert the other, whichever is more, and by the sum of both.
 */
extern int32 CostAllowed(const DocumentThreshold *threshold, int64 larger_cost, int64 both_costs);

#endif /* TED_THRESHOLD_H */
