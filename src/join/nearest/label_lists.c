/*
 * label_lists.c
 *	  Lists of trees by hashes of their labels.
 */
#include "postgres.h"

#include "../../compat.h"
#include "label_lists.h"

/* Makes empty lists, to which labels are counted first. */
void
LabelListsInit(LabelLists *lists)
{
	*lists = (LabelLists){.begin = palloc0_array(int64, LABEL_LISTS + 2)};
}

/* Counts the labels of a tree: begin[l + 2] becomes the length of list l. */
void
LabelListsCount(LabelLists *lists, const LabelCount *counts, int32 labels)
{
	for (int32 i = 0; i < labels; i++)
		lists->begin[counts[i].hash % LABEL_LISTS + 2]++;
	lists->postings += labels;
}

Size
LabelListsBytes(const LabelLists *lists)
{
	return (sizeof(int32) + sizeof(uint8)) * (Size) lists->postings;
}

void
LabelListsMake(LabelLists *lists)
{
	for (int list = 0; list < LABEL_LISTS; list++)
		lists->begin[list + 2] += lists->begin[list + 1];
	lists->tree = palloc_extended(sizeof(int32) * (Size) lists->postings, MCXT_ALLOC_HUGE);
	lists->nodes = palloc_extended((Size) lists->postings, MCXT_ALLOC_HUGE);
}

/* Enters a tree in the lists of its labels; begin[l + 1] is the next free place of list l. */
void
LabelListsEnter(LabelLists *lists, int32 number, const LabelCount *counts, int32 labels)
{
	for (int32 i = 0; i < labels; i++)
	{
		int64 place = lists->begin[counts[i].hash % LABEL_LISTS + 1]++;

		lists->tree[place] = number;
		lists->nodes[place] = (uint8) Min(counts[i].count, MANY_NODES);
	}
}

int64
LabelListFrom(const LabelLists *lists, uint32 list, int32 number)
{
	int64 low = lists->begin[list];
	int64 high = lists->begin[list + 1];

	while (low < high)
	{
		int64 middle = low + (high - low) / 2;

		if (lists->tree[middle] < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
