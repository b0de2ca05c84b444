/*
 * keys.h
 *	  A tree's labels as numbers, for indexes and statistics.
 *
 * Trees share as many nodes' labels as they share keys, where the second node
 * with a label has another key than the first.  Labels are hashed, so that trees
 * may seem to share more than they do, never less.
 */
#ifndef TED_KEYS_H
#define TED_KEYS_H

#include "postgres.h"

#include "../../tree/value/tree.h"

/* A label and the number of nodes that have it. */
typedef struct LabelCount
{
	uint32 hash;
	int32 count;
} LabelCount;

/* The distinct labels of a tree in document order. */
extern LabelCount *TreeLabelCounts(const Tree *tree, int32 *labels);

/* The key of a node with a label that `before` earlier nodes of the tree have. */
extern int32 NodeKey(uint32 hash, int32 before);

/* The keys of a tree, one for each node, labels in document order. */
extern int32 *TreeKeys(const Tree *tree, int32 *size);

/* Sorts keys in ascending order. */
extern void SortKeys(int32 *keys, size_t count);

#endif /* TED_KEYS_H */
