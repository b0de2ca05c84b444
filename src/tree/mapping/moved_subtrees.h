/*
 * moved_subtrees.h
 *	  Finds subtrees that are deleted in one place and inserted in another.
 */
#ifndef TED_MOVED_SUBTREES_H
#define TED_MOVED_SUBTREES_H

#include "mapped_trees.h"

/*
 * Pairs maximal subtrees of the first tree without partners with equal subtrees of the
 * second tree; both need at least two nodes.  Sets, by postorder number of the root, the
 * number of the pair, from 1 in preorder of the first tree, or 0.  Returns the number of
 * pairs.  `what` names the computation in errors about memory.
 */
extern int32 FindMovedSubtrees(const MappedTrees *trees, int32 *moved_a, int32 *moved_b,
							   const char *what);

#endif /* TED_MOVED_SUBTREES_H */
