/*
 * position_list.c
 *	  A list of entries of one size, in which an entry is found, inserted and removed by its
 *	  position in logarithmic time.
 *
 * The list is a B-tree whose inner nodes have the numbers of entries below.  A node that becomes
 * empty is removed; nodes are not merged otherwise, so the tree has at most the nodes that it had
 * when the list was longest.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "position_list.h"

/* The most entries of a leaf, and the most children of an inner node. */
#define MOST_PARTS 64

/* An inner node. */
typedef struct InnerNode
{
	int32 totals[MOST_PARTS]; /* number of entries below each child */
	PositionNode *children[MOST_PARTS];
} InnerNode;

/*
 * The header of a node, which an InnerNode or the entries of a leaf follow.  Only a leaf that is
 * the root has a capacity of less than MOST_PARTS.
 */
struct PositionNode
{
	int32 count; /* number of entries or children */
	int32 capacity;
};

/* Returns the children of an inner node. */
static InnerNode *
InnerOf(PositionNode *node)
{
	return (InnerNode *) ((char *) node + MAXALIGN(sizeof(PositionNode)));
}

/* Allocates an empty node: a leaf for `capacity` entries, or an inner node. */
static PositionNode *
NewNode(const PositionList *list, int32 capacity, int32 height)
{
	Size bytes = MAXALIGN(sizeof(PositionNode)) +
				 (height > 0 ? sizeof(InnerNode) : (Size) capacity * (Size) list->entry_size);
	PositionNode *node;

	CheckMemoryGrowth(list->context, bytes, list->what);
	node = MemoryContextAlloc(list->context, bytes);
	node->count = 0;
	node->capacity = capacity;
	return node;
}

PositionList *
PositionListCreate(MemoryContext context, Size entry_size, int32 capacity, const char *what)
{
	PositionList *list = MemoryContextAlloc(context, sizeof(PositionList));

	*list = (PositionList){.entry_size = (int32) entry_size, .context = context, .what = what};
	list->root = NewNode(list, Max(1, Min(capacity, MOST_PARTS)), 0);
	return list;
}

/* Returns the address of an entry of a leaf. */
static char *
EntryOf(const PositionList *list, PositionNode *leaf, int32 i)
{
	return (char *) leaf + MAXALIGN(sizeof(PositionNode)) + (Size) i * (Size) list->entry_size;
}

/* Returns the child with the entry at a position, and makes this a position below the child. */
static int32
ChildAt(PositionNode *node, int32 *position)
{
	const int32 *totals = InnerOf(node)->totals;
	int32 i = 0;

	while (i < node->count - 1 && *position >= totals[i])
		*position -= totals[i++];
	return i;
}

/* Returns the entry at a position, and the number of entries from there to the end of its leaf. */
void *
PositionListRun(const PositionList *list, int32 position, int32 *length)
{
	PositionNode *node = list->root;

	Assert(position >= 0 && position < list->count);
	for (int32 height = list->height; height > 0; height--)
		node = InnerOf(node)->children[ChildAt(node, &position)];
	*length = node->count - position;
	return EntryOf(list, node, position);
}

void *
PositionListGet(const PositionList *list, int32 position)
{
	int32 length;

	return PositionListRun(list, position, &length);
}

/* Makes room for a part of an inner node. */
static void
OpenChild(PositionNode *node, int32 i, PositionNode *child, int32 total)
{
	InnerNode *inner = InnerOf(node);
	Size after = (Size) (node->count - i);

	memmove(inner->totals + i + 1, inner->totals + i, sizeof(int32) * after);
	memmove(inner->children + i + 1, inner->children + i, sizeof(PositionNode *) * after);
	inner->totals[i] = total;
	inner->children[i] = child;
	node->count++;
}

/* Returns the number of entries in a node. */
static int32
EntriesBelow(PositionNode *node, int32 height)
{
	int32 total = 0;

	if (height == 0)
		return node->count;
	for (int32 i = 0; i < node->count; i++)
		total += InnerOf(node)->totals[i];
	return total;
}

/*
 * Moves the second half of a full node to a new node, or as little as possible if the list is going
 * to grow at its end.  Returns the new node.
 */
static PositionNode *
SplitNode(const PositionList *list, PositionNode *node, int32 height, bool at_end)
{
	PositionNode *right = NewNode(list, MOST_PARTS, height);
	int32 stay = at_end ? node->count - (height > 0) : node->count / 2;

	right->count = node->count - stay;
	if (height == 0)
		memcpy(EntryOf(list, right, 0), EntryOf(list, node, stay),
			   (Size) right->count * (Size) list->entry_size);
	else
	{
		memcpy(InnerOf(right)->totals, InnerOf(node)->totals + stay,
			   sizeof(int32) * (Size) right->count);
		memcpy(InnerOf(right)->children, InnerOf(node)->children + stay,
			   sizeof(PositionNode *) * (Size) right->count);
	}
	node->count = stay;
	return right;
}

/* Inserts an entry below the root, which is not full.  Full nodes on the way down are split. */
static void *
InsertBelow(PositionList *list, int32 position, bool at_end)
{
	PositionNode *node = list->root;
	char *entry;

	for (int32 height = list->height; height > 0; height--)
	{
		InnerNode *inner = InnerOf(node);
		int32 i = ChildAt(node, &position);

		if (inner->children[i]->count == MOST_PARTS)
		{
			PositionNode *right = SplitNode(list, inner->children[i], height - 1, at_end);
			int32 total = EntriesBelow(right, height - 1);

			inner->totals[i] -= total;
			OpenChild(node, i + 1, right, total);
			if (position > inner->totals[i] || at_end)
				position -= inner->totals[i++];
		}
		inner->totals[i]++;
		node = inner->children[i];
	}
	entry = EntryOf(list, node, position);
	memmove(entry + list->entry_size, entry,
			(Size) (node->count - position) * (Size) list->entry_size);
	node->count++;
	return entry;
}

void *
PositionListInsert(PositionList *list, int32 position)
{
	PositionNode *root = list->root;
	bool at_end = position == list->count;

	Assert(position >= 0 && position <= list->count);
	if (root->count == MOST_PARTS)
	{
		list->root = NewNode(list, MOST_PARTS, list->height + 1);
		OpenChild(list->root, 0, root, list->count);
		list->height++;
	}
	else if (root->count == root->capacity)
	{
		list->root = NewNode(list, Min(2 * root->capacity, MOST_PARTS), 0);
		memcpy(EntryOf(list, list->root, 0), EntryOf(list, root, 0),
			   (Size) root->count * (Size) list->entry_size);
		list->root->count = root->count;
		pfree(root);
	}
	list->count++;
	return InsertBelow(list, position, at_end);
}

/* Removes the entry at a position below a node. */
static void
RemoveBelow(PositionList *list, PositionNode *node, int32 height, int32 position)
{
	if (height > 0)
	{
		InnerNode *inner = InnerOf(node);
		int32 i = ChildAt(node, &position);
		Size after = (Size) (node->count - i - 1);

		RemoveBelow(list, inner->children[i], height - 1, position);
		if (--inner->totals[i] > 0)
			return;
		pfree(inner->children[i]);
		memmove(inner->totals + i, inner->totals + i + 1, sizeof(int32) * after);
		memmove(inner->children + i, inner->children + i + 1, sizeof(PositionNode *) * after);
	}
	else
		memmove(EntryOf(list, node, position), EntryOf(list, node, position + 1),
				(Size) (node->count - position - 1) * (Size) list->entry_size);
	node->count--;
}

void
PositionListRemove(PositionList *list, int32 position)
{
	Assert(position >= 0 && position < list->count);
	RemoveBelow(list, list->root, list->height, position);
	list->count--;
	while (list->height > 0 && list->root->count == 1)
	{
		PositionNode *root = list->root;

		list->root = InnerOf(root)->children[0];
		list->height--;
		pfree(root);
	}
}
