/*
 * grade_bound.h
 *	  A lower bound of the distance by the characters of labels, for graded costs.
 */
#ifndef TED_GRADE_BOUND_H
#define TED_GRADE_BOUND_H

#include "label_profile.h"

/* A node and its label. */
typedef struct TedGradedNode
{
	int32_t node;
	int32_t label;
} TedGradedNode;

/* The nodes of a tree that are graded. */
typedef struct TedGradedNodes
{
	int32_t size; /* of the tree */
	int32_t count;
	int32_t rare;                 /* how many have a label that few nodes have */
	const TedGradedNode *graded;  /* in their order */
	const TedGradedNode *by_rank; /* those with rare labels in their order, then the others */
} TedGradedNodes;

/*
 * Whether the distance is certainly above a limit, by what the graded nodes of the smaller
 * tree cost at least, rare ones first: to be deleted or inserted, or renamed to one of the
 * nodes of the other tree whose postorder number differs by no more than the limit pays for
 * (Touzet, CPM 2005); and by the difference of sizes.  Requires ted_costs_fit() and limit
 * >= 0.
 */
extern TedStatus ted_grades_exceed(const TedGradedNodes *a, const TedGradedNodes *b,
								   const TedCosts *costs, const TedLabelProfile *profiles,
								   int32_t limit, const TedInterrupt *interrupt, int64_t *steps,
								   bool *exceed);

#endif /* TED_GRADE_BOUND_H */
