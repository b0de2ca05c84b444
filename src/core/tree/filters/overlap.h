/*
 * overlap.h
 *	  An upper bound on the nodes of a tree that have an equal one in another tree.
 *
 * A node of one tree counts where the other tree has a node with its label; of nodes with the
 * same label, no more count than the other tree has.
 */
#ifndef TED_OVERLAP_H
#define TED_OVERLAP_H

#include "../ted.h"

/* A tree, and its nodes by their labels. */
typedef struct TedOverlap
{
	int32_t *mark; /* by label: 1 more than the first node that has it, or 0 */
	int32_t labels;
	const TedTree *tree; /* NULL for none */
	int32_t *left;       /* by the first node of a label: nodes with it that are not taken yet */
	int64_t steps;
} TedOverlap;

/* Makes room for trees with labels of which those below `labels` count. */
extern size_t ted_overlap_memory(int32_t labels);
extern TedStatus ted_overlap(int32_t labels, TedArena *arena, TedOverlap *overlap);

/* Enters a tree, whose memory must stay, and takes it out again. */
extern size_t ted_overlap_begin_memory(int32_t size);
extern TedStatus ted_overlap_begin(TedOverlap *overlap, const TedTree *tree, TedArena *arena,
								   const TedInterrupt *interrupt);
extern void ted_overlap_end(TedOverlap *overlap);

/*
 * Lower bound of the distance between this tree and another one, all labels of
 * which are below `labels`: the nodes of the larger one that have no equal node;
 * TED_BEYOND where it is above k.
 */
extern TedStatus ted_overlap_bound(TedOverlap *overlap, const TedTree *other, int32_t k,
								   const TedInterrupt *interrupt, int32_t *bound);

#endif /* TED_OVERLAP_H */
