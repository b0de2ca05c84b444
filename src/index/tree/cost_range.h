/*
 * cost_range.h
 *	  Necessary conditions for the trees in a range by a cost model.
 *
 * An index knows all nodes of a tree, but not which of them a cost model grades or ignores.
 * So the conditions count on the side of the range's own tree.  Each of its plain nodes,
 * those that are neither graded nor ignored, costs something unless the other tree has its
 * label.  Its graded nodes can match as many nodes of the other tree, whatever their labels.
 * If the model ignores nodes, the other tree may have any number of further nodes.  Where
 * the two directions of the distance differ, the lesser cost is used.
 */
#ifndef TED_COST_RANGE_H
#define TED_COST_RANGE_H

#include "postgres.h"

#include "model_keys.h"
#include "range.h"
#include "summary.h"

typedef struct CostRange
{
	int32 limit;      /* the greatest distance in units, or TED_NO_LIMIT */
	bool ignores;     /* the model ignores nodes */
	int32 indel_cost; /* the least cost of an insertion or a deletion */
	int32 node_cost;  /* the least cost of an operation on a node that is not graded */
	ModelLabels labels;
} CostRange;

/* Reads a range by a cost model in the current memory context. */
extern CostRange *ReadCostRange(const TreeRange *range);

/*
 * Returns the number of nodes of the range's tree that are neither graded nor ignored, and the
 * most of these that another tree may lack.
 */
extern int32 MostMissing(const CostRange *range);

/* Returns the least and the greatest number of nodes of a tree in the range. */
extern int32 LeastNodes(const CostRange *range);
extern int32 MostNodes(const CostRange *range);

/*
 * Sorts the labels of a range by their hashes, and tests whether a tree with labels in that
 * order may be in the range.
 */
extern void SortCostRange(CostRange *range);
extern bool MayBeInCostRange(const CostRange *range, const LabelCount *counts, int32 labels);

/* The plain nodes of a range's tree by buckets of labels, for the test of a summary of trees. */
typedef struct CostSummary
{
	uint8 plain[SUMMARY_BUCKETS]; /* number of plain nodes, up to 255 */
	int32 cost[SUMMARY_BUCKETS];  /* PG_INT32_MAX where there is no plain node */
} CostSummary;

extern void SummarizeCostRange(const CostRange *range, CostSummary *summary);
extern bool SummaryMayBeInCostRange(const TreeSummary *set, const CostRange *range,
									const CostSummary *summary);

#endif /* TED_COST_RANGE_H */
