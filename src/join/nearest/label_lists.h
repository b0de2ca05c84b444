/*
 * label_lists.h
 *	  Lists of trees by hashes of their labels.
 */
#ifndef TED_LABEL_LISTS_H
#define TED_LABEL_LISTS_H

#include "postgres.h"

#include "../../index/tree/keys.h"

#define LABEL_LISTS 8192

/* Greatest count of nodes in a list; it stands for this number or more. */
#define MANY_NODES PG_UINT8_MAX

/* Trees with consecutive numbers: from `first` to before `end`. */
typedef struct TreeRange
{
	int32 first;
	int32 end;
} TreeRange;

/* Lists of trees; a list has all trees with labels of one hash. */
typedef struct LabelLists
{
	int64 postings;
	int64 *begin; /* start of each list, and end of the last one, once the lists are made */
	int32 *tree;  /* tree of each entry; NULL until the lists are made */
	uint8 *nodes; /* number of the tree's nodes with labels of the list */
} LabelLists;

/* Init makes empty lists in the current memory context; Count counts the labels of a tree. */
extern void LabelListsInit(LabelLists *lists);
extern void LabelListsCount(LabelLists *lists, const LabelCount *counts, int32 labels);

/* Returns the bytes that the lists of the counted labels take. */
extern Size LabelListsBytes(const LabelLists *lists);

/*
 * Make allocates the lists; Enter enters a tree.  All counted trees are entered, in the order of
 * numbers.
 */
extern void LabelListsMake(LabelLists *lists);
extern void LabelListsEnter(LabelLists *lists, int32 number, const LabelCount *counts,
							int32 labels);

/*
 * Returns the first entry of a list whose tree has at least this number; the entries of a list are
 * in the order of numbers.
 */
extern int64 LabelListFrom(const LabelLists *lists, uint32 list, int32 number);

/*
 * Returns an upper bound on the nodes of an entry's tree that can share a label with `count` nodes.
 */
static inline int32
SharedNodes(const LabelLists *lists, int64 place, int32 count)
{
	int32 nodes = lists->nodes[place];

	return nodes == MANY_NODES ? count : Min(nodes, count);
}

#endif /* TED_LABEL_LISTS_H */
