/*
 * trees.h
 *	  Trees for the benchmark: read from files, random, and edited.
 *
 * Trees are made of events in document order: the label of a node where it
 * begins, TREE_END where it ends.  They are never freed.
 */
#ifndef TED_BENCH_TREES_H
#define TED_BENCH_TREES_H

#include "../src/core/tree/ted.h"

#define TREE_END (-1)

/* Events of a tree, two a node. */
typedef struct TreeEvents
{
	int32_t *event;
	int32_t count;
} TreeEvents;

/* The tree that events make. */
extern TedTree tree_of_events(const TreeEvents *events);

/* Reads a tree in bracket notation. */
extern TedTree read_tree(const char *text);

/* Makes a random tree of `size` nodes with 50 labels. */
extern TreeEvents random_tree(int32_t size);

/* Makes a root with random trees of up to `most` nodes below. */
extern TreeEvents records_tree(int32_t size, int32_t most);

/* Makes a path whose nodes have a leaf each, on the left and on the right in turn. */
extern TreeEvents zigzag_tree(int32_t size);

/* A copy with this number of edits, each inserting, deleting or renaming a node below the root. */
extern TreeEvents edited_tree(const TreeEvents *original, int32_t edits);

#endif /* TED_BENCH_TREES_H */
