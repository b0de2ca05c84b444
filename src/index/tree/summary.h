/*
 * summary.h
 *	  Summaries of sets of trees: the keys of GiST indexes.
 *
 * Labels are hashed to buckets.  A summary holds the least and the greatest size of the
 * trees of a set, and for each bucket the least and the greatest number of nodes with its
 * labels, up to 255.  An operation changes a size by at most 1, and moves at most one node
 * from bucket to bucket.
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

/* Computes the summary of one tree. */
extern void SummarizeTree(const Tree *tree, TreeSummary *summary);

/* Extends `summary` by the trees of another one. */
extern void SummaryAdd(TreeSummary *summary, const TreeSummary *other);

/* Returns by how much the ranges of a summary grow when another one is added. */
extern int64 SummaryGrowth(const TreeSummary *summary, const TreeSummary *other);

/* Returns a lower bound on the distance between a tree and any tree of a set. */
extern int32 SummaryBound(const TreeSummary *set, const TreeSummary *tree);

/* Whether SummaryBound() allows a tree of a set to be within a distance of a tree. */
extern bool SummaryMayBeWithin(const TreeSummary *set, const TreeSummary *tree, int32 max_distance);

/*
 * Returns the size at which a tree of a set can be nearest to a tree by a measure that divides
 * by sizes, and a lower bound on the distance of a tree with this size.
 */
extern int32 SummaryNearestSize(const TreeSummary *set, const TreeSummary *tree, int32 *distance);

/*
 * Converts a summary to its stored form, a bytea, and back.  One tree takes about half of the
 * bytes of a set.
 */
extern Datum SummaryStore(const TreeSummary *summary);
extern void SummaryLoad(Datum stored, TreeSummary *summary);

#endif /* TED_SUMMARY_H */
