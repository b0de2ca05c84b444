/*
 * moved_subtrees.h
 *	  Subtrees that are deleted in one place and inserted in another.
 */
#ifndef TED_MOVED_SUBTREES_H
#define TED_MOVED_SUBTREES_H

#include "mapped_trees.h"

/*
 * Pairs the largest subtrees of the first tree in which no node has a partner with equal ones of
 * the second tree, of at least two nodes each.  Sets, by postorder number of the root, the number
 * of the pair from 1 on, in preorder of the first tree, or 0; returns the number of pairs.
 * `what` names the computation in errors about memory.
 */
extern int32 FindMovedSubtrees(const MappedTrees *trees, int32 *moved_a, int32 *moved_b,
							   const char *what);

#endif /* TED_MOVED_SUBTREES_H */
