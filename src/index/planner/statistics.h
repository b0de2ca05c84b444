/*
 * statistics.h
 *	  Statistics of a column of trees, and estimates from them.
 */
#ifndef TED_STATISTICS_H
#define TED_STATISTICS_H

#include "postgres.h"

#include "access/htup.h"

#include "../../tree/value/tree.h"
#include "../../tree/distance/threshold.h"

/* Share of pairs within a small distance where nothing is known. */
#define DEFAULT_WITHIN_SELECTIVITY 0.005

/* Nodes in a tree where nothing is known. */
#define DEFAULT_TREE_SIZE 50

/* The distance where it is not known when planning. */
#define DEFAULT_MAX_DISTANCE 3

/* The similarity where it is not known when planning. */
#define DEFAULT_MIN_SIMILARITY 0.9

/* Share of pairs that are within a threshold where nothing is known. */
extern double DefaultShareWithin(const DocumentThreshold *threshold);

/* Estimates from a row of pg_statistic, -1 where it has nothing about trees. */

/* Nodes in a tree, on average. */
extern double EstimateTreeSize(HeapTuple statistics);

/* Share of pairs of trees whose sizes allow a threshold; and where nothing is known. */
#define DEFAULT_SIMILAR_SIZES 0.25
extern double EstimateSimilarSizes(HeapTuple statistics, const DocumentThreshold *threshold);

/* Share of trees that are within a threshold of one like them. */
extern double EstimateWithinAny(HeapTuple statistics, const DocumentThreshold *threshold);

/* Share of trees that are within a distance of a tree. */
extern double EstimateWithinTree(HeapTuple statistics, const Tree *tree, int32 max_distance);

#endif /* TED_STATISTICS_H */
