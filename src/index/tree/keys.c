/*
 * keys.c
 *	  A tree's labels as numbers, for indexes and statistics.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "keys.h"

#define ST_SORT SortKeys
#define ST_ELEMENT_TYPE int32
#define ST_COMPARE(a, b) ((*(a) > *(b)) - (*(a) < *(b)))
#define ST_SCOPE
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DEFINE
#include "lib/sort_template.h"

LabelCount *
TreeLabelCounts(const Tree *tree, int32 *labels)
{
	TreeReader reader;
	TreeEvent event;
	LabelCount *counts;

	TreeReaderInit(&reader, tree);
	CheckMemoryLimit((sizeof(Label) + sizeof(LabelCount)) * (Size) reader.label_count +
						 sizeof(int32) * (Size) reader.size,
					 "reading the labels of a tree");
	counts = palloc_array(LabelCount, reader.label_count);
	for (int32 id = 0; id < reader.label_count; id++)
	{
		Label label = reader.labels[id];

		CHECK_FOR_INTERRUPTS();
		counts[id].hash = hash_bytes((const unsigned char *) label.bytes, label.length);
		counts[id].count = 0;
	}
	while ((event = TreeReaderNext(&reader)) != TREE_END)
	{
		CHECK_FOR_INTERRUPTS();
		if (event == TREE_OPEN)
			counts[reader.label].count++;
	}
	*labels = reader.label_count;
	pfree(reader.labels);
	return counts;
}

/* Returns the key of a node from the hash of its label. */
int32
NodeKey(uint32 hash, int32 before)
{
	return (int32) murmurhash32(hash_combine(hash, (uint32) before));
}

int32 *
TreeKeys(const Tree *tree, int32 *size)
{
	int32 labels;
	LabelCount *counts = TreeLabelCounts(tree, &labels);
	int32 total = 0;
	int32 *keys;
	int32 *key;

	for (int32 id = 0; id < labels; id++)
		total += counts[id].count;
	keys = key = palloc_array(int32, total);
	for (int32 id = 0; id < labels; id++)
		for (int32 i = 0; i < counts[id].count; i++)
		{
			CHECK_FOR_INTERRUPTS();
			*key++ = NodeKey(counts[id].hash, i);
		}
	pfree(counts);
	*size = total;
	return keys;
}
