/*
 * summary.h
 *	  Summaries of sets of trees: the keys of GiST indexes.
 *
 * Labels are hashed to buckets; a set of trees is described by the least and the
 * greatest size, and by the least and the greatest number of nodes in each
 * bucket, counted up to 255.  An operation changes a size by at most 1, and
 * moves at most one node from bucket to bucket.
 */
#ifndef TED_SUMMARY_H
#define TED_SUMMARY_H

#include "postgres.h"

#include "../../tree/value/tree.h"

#define SUMMARY_BUCKETS 64

typedef struct TreeSummary
{
	int32 least_size;
	int32 greatest_size;
	uint8 least[SUMMARY_BUCKETS];
	uint8 greatest[SUMMARY_BUCKETS];
} TreeSummary;

/* Summary of one tree. */
extern void SummarizeTree(const Tree *tree, TreeSummary *summary);

/* Extends `summary` to the trees of another one. */
extern void SummaryAdd(TreeSummary *summary, const TreeSummary *other);

/* By how much the ranges of a summary are wider when another one is added. */
extern int64 SummaryGrowth(const TreeSummary *summary, const TreeSummary *other);

/* Lower bound on the distance between a tree and any tree of a set. */
extern int32 SummaryBound(const TreeSummary *set, const TreeSummary *tree);

/* Whether a tree of a set can be within a distance of a tree, by that bound. */
extern bool SummaryMayBeWithin(const TreeSummary *set, const TreeSummary *tree, int32 max_distance);

/*
 * The size at which a tree of a set can be nearest to a tree by a measure that
 * divides by sizes, and a lower bound on its distance then.
 */
extern int32 SummaryNearestSize(const TreeSummary *set, const TreeSummary *tree, int32 *distance);

/* The stored form, a bytea; one tree takes about half of what a set takes. */
extern Datum SummaryStore(const TreeSummary *summary);
extern void SummaryLoad(Datum stored, TreeSummary *summary);

#endif /* TED_SUMMARY_H */
