/*
 * label_lists.h
 *	  Lists of trees by their labels, which are hashed to them.
 */
#ifndef TED_LABEL_LISTS_H
#define TED_LABEL_LISTS_H

#include "postgres.h"

#include "../../index/tree/keys.h"

#define LABEL_LISTS 8192

/* The greatest count of nodes with a label; it stands for this number or more. */
#define MANY_NODES PG_UINT8_MAX

typedef struct LabelLists
{
	int64 postings;
	int64 *begin; /* of a list, and the end of the last one, as soon as there are lists */
	int32 *tree;  /* NULL where there are none */
	uint8 *nodes; /* of the tree, with labels of the list */
} LabelLists;

/* Starts to count the labels of trees, in the current memory context. */
extern void LabelListsInit(LabelLists *lists);
extern void LabelListsCount(LabelLists *lists, const LabelCount *counts, int32 labels);

/* Memory that lists of all labels that have been counted take. */
extern Size LabelListsBytes(const LabelLists *lists);

/* Makes these lists, and enters each of the trees again, in the order of their numbers. */
extern void LabelListsMake(LabelLists *lists);
extern void LabelListsEnter(LabelLists *lists, int32 number, const LabelCount *counts,
							int32 labels);

/* An upper bound on the nodes of a tree in a list that share a label with `count` nodes. */
static inline int32
SharedNodes(const LabelLists *lists, int64 place, int32 count)
{
	int32 nodes = lists->nodes[place];

	return nodes == MANY_NODES ? count : Min(nodes, count);
}

#endif /* TED_LABEL_LISTS_H */
