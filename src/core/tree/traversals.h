/*
 * traversals.h
 *	  Lower bound of the distances between one tree and many, by their traversals.
 *
 * The string edit distances of the postorder and the preorder labels are at most
 * the tree edit distance with unit costs.  The one tree is turned into bits once; then each
 * bound takes few steps, however far apart the trees are.
 */
#ifndef TED_CORE_TREE_TRAVERSALS_H
#define TED_CORE_TREE_TRAVERSALS_H

#include "ted.h"

/* One tree as bits. */
typedef struct TedTraversals TedTraversals;

/* Makes the bits of a tree whose labels are below a bound; they stay in the arena. */
extern size_t ted_traversals_memory(int32_t size, int32_t labels);
extern TedStatus ted_traversals(const TedTree *tree, int32_t labels, TedArena *arena,
								const TedInterrupt *interrupt, TedTraversals **made);

/* The bound between that tree and another one, whose other labels are not below it. */
extern size_t ted_traversals_bound_memory(int32_t size, int32_t other_size);
extern TedStatus ted_traversals_bound(const TedTraversals *tree, const TedTree *other,
									  TedArena *arena, const TedInterrupt *interrupt,
									  int32_t *bound);

#endif /* TED_CORE_TREE_TRAVERSALS_H */
