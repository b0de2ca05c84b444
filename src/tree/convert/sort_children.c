/*
 * sort_children.c
 *	  Sorts children whose order has no meaning, so that equal sets of children are in
 *	  the same order.
 *
 * Children are in the order of their subtrees as trees (order.c), after the children in
 * these have been sorted.  So nodes are sorted bottom-up, as linked lists of siblings.  Two
 * subtrees are compared in a parallel walk, which takes no longer than the size of the
 * smaller one.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "sort_children.h"

void
NoteUnordered(TreeBuilder *builder, StringInfo array, int32 node, int32 kept)
{
	UnorderedNode unordered = {node, kept};

	TreeBuilderReserve(builder, (Size) array->maxlen);
	appendBinaryStringInfo(array, (const char *) &unordered, sizeof(unordered));
}

/* A node of a tree with links, by preorder number; -1 stands for no node. */
typedef struct LinkedNode
{
	int32 label; /* rank among the labels in the order of their bytes */
	int32 parent;
	int32 first_child;
	int32 next;
} LinkedNode;

/* A tree as linked nodes. */
typedef struct LinkedTree
{
	LinkedNode *nodes;
	int32 size;
	Label *labels;    /* by rank */
	int32 *children;  /* the children of the node being sorted */
	const int32 *key; /* key of each node, or -1; NULL without keys */
} LinkedTree;

/* A label, for sorting. */
typedef struct SortedLabel
{
	Label label;
	int32 id;
} SortedLabel;

/* Orders labels by their bytes. */
static int
CompareSortedLabels(const void *a, const void *b)
{
	CHECK_FOR_INTERRUPTS();
	return CompareLabels(((const SortedLabel *) a)->label, ((const SortedLabel *) b)->label);
}

/* Sorts the labels of a reader.  Returns the rank of each label. */
static int32 *
SortLabels(const TreeReader *reader, LinkedTree *linked)
{
	int32 count = reader->label_count;
	SortedLabel *sorted = palloc_extended(sizeof(SortedLabel) * (Size) count, MCXT_ALLOC_HUGE);
	int32 *place = palloc_extended(sizeof(int32) * (Size) count, MCXT_ALLOC_HUGE);

	for (int32 id = 0; id < count; id++)
		sorted[id] = (SortedLabel){reader->labels[id], id};
	qsort(sorted, (size_t) count, sizeof(SortedLabel), CompareSortedLabels);
	linked->labels = palloc_extended(sizeof(Label) * (Size) count, MCXT_ALLOC_HUGE);
	for (int32 i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		linked->labels[i] = sorted[i].label;
		place[sorted[i].id] = i;
	}
	pfree(sorted);
	return place;
}

/* Reads a tree into linked nodes. */
static void
LinkNodes(LinkedTree *linked, const Tree *tree)
{
	TreeReader reader;
	TreeEvent event;
	int32 *place;
	int32 open = -1;
	int32 before = -1; /* sibling that ended last, or -1 after the beginning of a node */

	TreeReaderInit(&reader, tree);
	CheckMemoryLimit((sizeof(LinkedNode) + sizeof(int32)) * (Size) reader.size +
						 (sizeof(SortedLabel) + sizeof(int32) + 2 * sizeof(Label)) *
							 (Size) reader.label_count,
					 "sorting a tree");
	linked->size = reader.size;
	linked->key = NULL;
	linked->nodes = palloc_extended(sizeof(LinkedNode) * (Size) reader.size, MCXT_ALLOC_HUGE);
	linked->children = palloc_extended(sizeof(int32) * (Size) reader.size, MCXT_ALLOC_HUGE);
	place = SortLabels(&reader, linked);
	while ((event = TreeReaderNext(&reader)) != TREE_END)
	{
		CHECK_FOR_INTERRUPTS();
		if (event == TREE_CLOSE)
		{
			before = open;
			open = linked->nodes[open].parent;
			continue;
		}
		linked->nodes[reader.node] = (LinkedNode){
			.label = place[reader.label], .parent = open, .first_child = -1, .next = -1};
		if (before >= 0)
			linked->nodes[before].next = reader.node;
		else if (open >= 0)
			linked->nodes[open].first_child = reader.node;
		before = -1;
		open = reader.node;
	}
	pfree(place);
	pfree(reader.labels);
}

/* Compares two subtrees whose children are sorted. */
static int
CompareSubtrees(const LinkedNode *nodes, int32 root, int32 b)
{
	int32 a = root;

	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		if (nodes[a].label != nodes[b].label)
			return nodes[a].label < nodes[b].label ? -1 : 1;
		if (nodes[a].first_child >= 0 && nodes[b].first_child >= 0)
		{
			a = nodes[a].first_child;
			b = nodes[b].first_child;
			continue;
		}
		if (nodes[a].first_child >= 0 || nodes[b].first_child >= 0)
			return nodes[a].first_child < 0 ? -1 : 1;
		while (a != root && nodes[a].next < 0 && nodes[b].next < 0)
		{
			CHECK_FOR_INTERRUPTS();
			a = nodes[a].parent;
			b = nodes[b].parent;
		}
		if (a == root)
			return 0;
		if (nodes[a].next < 0 || nodes[b].next < 0)
			return nodes[a].next < 0 ? -1 : 1;
		a = nodes[a].next;
		b = nodes[b].next;
	}
}

/* Compares two children by their keys, then by their subtrees. */
static int
CompareChildren(const void *x, const void *y, void *arg)
{
	const LinkedTree *linked = arg;
	int32 a = *(const int32 *) x;
	int32 b = *(const int32 *) y;
	int order = 0;

	if (linked->key != NULL && linked->key[a] >= 0 && linked->key[b] >= 0)
		order = CompareSubtrees(linked->nodes, linked->key[a], linked->key[b]);
	else if (linked->key != NULL)
		order = (linked->key[a] < 0) - (linked->key[b] < 0);
	return order != 0 ? order : CompareSubtrees(linked->nodes, a, b);
}

/* Sorts the children of a node after the first `kept` ones. */
static void
SortNode(LinkedTree *linked, int32 node, int32 kept)
{
	LinkedNode *nodes = linked->nodes;
	int32 *link = &nodes[node].first_child;
	int32 count = 0;

	CHECK_FOR_INTERRUPTS();
	for (; *link >= 0 && kept > 0; kept--)
		link = &nodes[*link].next;
	for (int32 child = *link; child >= 0; child = nodes[child].next)
	{
		CHECK_FOR_INTERRUPTS();
		linked->children[count++] = child;
	}
	qsort_arg(linked->children, (size_t) count, sizeof(int32), CompareChildren, linked);
	for (int32 i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		*link = linked->children[i];
		link = &nodes[*link].next;
	}
	*link = -1;
}

/* Makes a tree of linked nodes, and frees the nodes. */
static Tree *
FinishLinked(LinkedTree *linked)
{
	TreeBuilder builder;
	int32 node = 0;
	Tree *tree;

	TreeBuilderInit(&builder);
	while (node >= 0)
	{
		const LinkedNode *opened = &linked->nodes[node];
		Label label = linked->labels[opened->label];

		CHECK_FOR_INTERRUPTS();
		TreeBuilderOpen(&builder, label.bytes, label.length);
		if (opened->first_child >= 0)
		{
			node = opened->first_child;
			continue;
		}
		TreeBuilderClose(&builder);
		while (node >= 0 && linked->nodes[node].next < 0)
		{
			CHECK_FOR_INTERRUPTS();
			node = linked->nodes[node].parent;
			if (node >= 0)
				TreeBuilderClose(&builder);
		}
		if (node >= 0)
			node = linked->nodes[node].next;
	}
	tree = TreeBuilderFinish(&builder);
	pfree(linked->nodes);
	pfree(linked->children);
	pfree(linked->labels);
	return tree;
}

Tree *
SortChildren(const Tree *tree, const UnorderedNode *unordered, int32 count, const int32 *key)
{
	LinkedTree linked;

	LinkNodes(&linked, tree);
	linked.key = key;
	for (int32 i = count - 1; i >= 0; i--)
		SortNode(&linked, unordered[i].node, unordered[i].kept);
	return FinishLinked(&linked);
}

PG_FUNCTION_INFO_V1(tree_sort);

/* Returns a tree with the children of all nodes sorted. */
Datum
tree_sort(PG_FUNCTION_ARGS)
{
	LinkedTree linked;

	LinkNodes(&linked, PG_GETARG_TREE(0));
	for (int32 node = linked.size - 1; node >= 0; node--)
		SortNode(&linked, node, 0);
	PG_RETURN_TREE(FinishLinked(&linked));
}
