/*
 * sort_children.h
 *	  Brings children whose order has no meaning into one that depends on them alone.
 */
#ifndef TED_SORT_CHILDREN_H
#define TED_SORT_CHILDREN_H

#include "../value/tree.h"

/* A node whose children have no order, but for the first ones, which stay where they are. */
typedef struct UnorderedNode
{
	int32 node; /* preorder number from 0 */
	int32 kept; /* children */
} UnorderedNode;

/*
 * The tree with the children of these nodes sorted, which are given in preorder.  `key`, if it
 * is not NULL, says of each node by its preorder number which node below it is its key, or is
 * -1: children are sorted by their keys first, and those without a key come last.
 */
extern Tree *SortChildren(const Tree *tree, const UnorderedNode *unordered, int32 count,
						  const int32 *key);

#endif /* TED_SORT_CHILDREN_H */
