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

/* Share of pairs within a small distance, without statistics. */
#define DEFAULT_WITHIN_SELECTIVITY 0.005

/* Number of nodes of a tree, without statistics. */
#define DEFAULT_TREE_SIZE 50

/* The distance of a threshold that is not known when planning. */
#define DEFAULT_MAX_DISTANCE 3

/* The similarity of a threshold that is not known when planning. */
#define DEFAULT_MIN_SIMILARITY 0.9

/* Returns the share of pairs within a threshold, without statistics. */
extern double DefaultShareWithin(const DocumentThreshold *threshold);

/*
 * The following functions estimate from a row of pg_statistic, and return -1 if it has no
 * statistics of trees.
 */

/* Returns the average number of nodes of a tree. */
extern double EstimateTreeSize(HeapTuple statistics);

/*
 * Returns the share of pairs of trees whose sizes allow a threshold; the default is for columns
 * without statistics.
 */
#define DEFAULT_SIMILAR_SIZES 0.25
extern double EstimateSimilarSizes(HeapTuple statistics, const DocumentThreshold *threshold);

/* Returns the share of the column's pairs of trees that are within a threshold. */
extern double EstimateWithinAny(HeapTuple statistics, const DocumentThreshold *threshold);

/* Returns the share of trees that are within a distance of a tree. */
extern double EstimateWithinTree(HeapTuple statistics, const Tree *tree, int32 max_distance);

#endif /* TED_STATISTICS_H */
