/*
 * keys.h
 *	  A tree's labels as numbers, for indexes and statistics.
 *
 * The key of a node is a hash of its label and of the number of earlier nodes with that
 * label.  So trees share as many keys as nodes with equal labels.  Trees whose hashes
 * collide seem to share more, never fewer.
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

/* Returns the distinct labels of a tree in document order, and their number. */
extern LabelCount *TreeLabelCounts(const Tree *tree, int32 *labels);

/* Returns the key of a node whose label occurs `before` times earlier in the tree. */
extern int32 NodeKey(uint32 hash, int32 before);

/*
 * Returns the keys of a tree, one for each node, and their number; the labels are in document
 * order.
 */
extern int32 *TreeKeys(const Tree *tree, int32 *size);

/* Sorts keys in ascending order. */
extern void SortKeys(int32 *keys, size_t count);

#endif /* TED_KEYS_H */
