/*
 * cost_range.h
 *	  What a range by a model of costs asks of the trees in it.
 *
 * Indexes know all nodes of a tree, whatever a model says of them.  So what is counted
 * is on the side of the range's own tree: its nodes that are neither graded nor ignored
 * cost something unless the other tree has their labels, and its graded nodes can match
 * as many nodes of the other tree, whichever these are.  Where the model ignores nodes,
 * the other tree may have any number more.  All costs are the lesser ones of either
 * direction.
 */
#ifndef TED_COST_RANGE_H
#define TED_COST_RANGE_H

#include "postgres.h"

#include "model_keys.h"
#include "range.h"
#include "summary.h"

typedef struct CostRange
{
	int32 limit;      /* in units, or TED_NO_LIMIT */
	bool ignores;     /* the model ignores nodes */
	int32 indel_cost; /* the least cost of an insertion or a deletion */
	int32 node_cost;  /* the same of any operation on a node that is not graded */
	ModelLabels labels;
} CostRange;

/* Reads what a range asks for, in the current memory context. */
extern CostRange *ReadCostRange(const TreeRange *range);

/* Nodes of the tree that are not graded, and how many of them another tree may lack. */
extern int32 PlainNodes(const CostRange *range);
extern int32 MostMissing(const CostRange *range);

/* The least and the greatest number of nodes that another tree may have. */
extern int32 LeastNodes(const CostRange *range);
extern int32 MostNodes(const CostRange *range);

/* Whether sizes and labels allow a tree with these labels to be in a range; both sorted by hash. */
extern void SortCostRange(CostRange *range);
extern bool MayBeInCostRange(const CostRange *range, const LabelCount *counts, int32 labels);

/* The same of a tree of a set, by its summary, and that of the range. */
typedef struct CostSummary
{
	uint8 plain[SUMMARY_BUCKETS]; /* nodes that are neither graded nor ignored */
	int32 cost[SUMMARY_BUCKETS];  /* the least cost of one of these */
} CostSummary;

extern void SummarizeCostRange(const CostRange *range, CostSummary *summary);
extern bool SummaryMayBeInCostRange(const TreeSummary *set, const CostRange *range,
									const CostSummary *summary);

#endif /* TED_COST_RANGE_H */
