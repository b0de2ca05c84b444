/*
 * grade_bound.h
 *	  Lower bound on the distance by the characters of labels, for graded costs.
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

/* The nodes of a tree whose labels are graded. */
typedef struct TedGradedNodes
{
	int32_t size; /* nodes of the tree */
	int32_t count;
	int32_t rare;                 /* number of nodes with rare labels */
	const TedGradedNode *graded;  /* all graded nodes, in postorder */
	const TedGradedNode *by_rank; /* those with rare labels in postorder, then the others */
} TedGradedNodes;

/*
 * Computes whether the distance is certain to exceed a limit: by the least costs of the graded
 * nodes of the smaller tree, rare labels first, and by the difference of sizes.  A node is deleted
 * or inserted, or renamed to a node of the other tree whose postorder number differs by no more
 * than the limit allows (Touzet, CPM 2005).  Requires ted_costs_fit() and limit >= 0.
 */
extern TedStatus ted_grades_exceed(const TedGradedNodes *a, const TedGradedNodes *b,
								   const TedCosts *costs, const TedLabelProfile *profiles,
								   int32_t limit, const TedInterrupt *interrupt, int64_t *steps,
								   bool *exceed);

#endif /* TED_GRADE_BOUND_H */
