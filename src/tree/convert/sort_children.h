/*
 * sort_children.h
 *	  Sorts children whose order has no meaning, so that equal sets of children are in
 *	  the same order.
 */
#ifndef TED_SORT_CHILDREN_H
#define TED_SORT_CHILDREN_H

#include "../value/tree.h"

/* A node whose children have no order, except the first ones, which keep their places. */
typedef struct UnorderedNode
{
	int32 node; /* preorder number from 0 */
	int32 kept; /* number of first children that keep their places */
} UnorderedNode;

/* Appends an UnorderedNode to an array of them, whose memory counts as the builder's. */
extern void NoteUnordered(TreeBuilder *builder, StringInfo array, int32 node, int32 kept);

/*
 * Returns a tree with the children of some nodes sorted.  `unordered` is in preorder.
 * `key`, unless NULL, has for each node the node below it that is its key, or -1, both as
 * preorder numbers: children are sorted by their keys first, and children without a key
 * come last.
 */
extern Tree *SortChildren(const Tree *tree, const UnorderedNode *unordered, int32 count,
						  const int32 *key);

#endif /* TED_SORT_CHILDREN_H */
