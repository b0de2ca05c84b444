/*
 * overlap.h
 *	  Lower bound on the distance by the labels that two trees have in common.
 *
 * Two nodes are equal if they have the same label; each node has at most one equal node in the
 * other tree.
 */
#ifndef TED_OVERLAP_H
#define TED_OVERLAP_H

#include "../ted.h"

/* The labels of a tree, to compare with other trees. */
typedef struct TedOverlap
{
	int32_t *mark; /* by label: the first node that has it plus 1, or 0 */
	int32_t labels;
	const TedTree *tree; /* the current tree, or NULL */
	int32_t *left;       /* by first node of a label: nodes with that label that have no equal node
						  * yet */
	int64_t steps;
} TedOverlap;

/* Allocates the marks of labels.  Only labels below `labels` of the trees entered count. */
extern size_t ted_overlap_memory(int32_t labels);
extern TedStatus ted_overlap(int32_t labels, TedArena *arena, TedOverlap *overlap);

/* Enters a tree, which must stay in memory until ted_overlap_end() removes it. */
extern size_t ted_overlap_begin_memory(int32_t size);
extern TedStatus ted_overlap_begin(TedOverlap *overlap, const TedTree *tree, TedArena *arena,
								   const TedInterrupt *interrupt);
extern void ted_overlap_end(TedOverlap *overlap);

/*
 * Computes a lower bound on the distance between this tree and another one, all labels of which
 * must be below `labels`: the nodes of the larger tree that have no equal node; TED_BEYOND where it
 * is above k.
 */
extern TedStatus ted_overlap_bound(TedOverlap *overlap, const TedTree *other, int32_t k,
								   const TedInterrupt *interrupt, int32_t *bound);

#endif /* TED_OVERLAP_H */
