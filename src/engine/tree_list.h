/*
 * tree_list.h
 *	  The trees of an engine.
 */
#ifndef TED_ENGINE_TREE_LIST_H
#define TED_ENGINE_TREE_LIST_H

#include <string.h>

#include "engine.h"

/* Trees by number. */
typedef struct TedTreeList
{
	TedTree *tree;
	int32_t count;
	int32_t capacity;
} TedTreeList;

/* Makes room in a list for more trees; false where there is no memory. */
static inline bool
ted_tree_list_reserve(TedTreeList *list, const TedEngineHost *host, int32_t more)
{
	int32_t larger = 2 * list->count + more;
	TedTree *grown;

	if (more <= list->capacity - list->count)
		return true;
	grown = host->allocate(host->arg, sizeof(TedTree) * (size_t) larger);
	if (grown == NULL)
		return false;
	if (list->tree != NULL)
	{
		memcpy(grown, list->tree, sizeof(TedTree) * (size_t) list->count);
		host->release(host->arg, list->tree);
	}
	list->tree = grown;
	list->capacity = larger;
	return true;
}

/* Adds trees to a list, whose arrays are referred to; false where there is no memory. */
static inline bool
ted_tree_list_add(TedTreeList *list, const TedEngineHost *host, const TedTree *trees, int32_t count)
{
	if (!ted_tree_list_reserve(list, host, count))
		return false;
	memcpy(list->tree + list->count, trees, sizeof(TedTree) * (size_t) count);
	list->count += count;
	return true;
}

/* Frees a list. */
static inline void
ted_tree_list_free(TedTreeList *list, const TedEngineHost *host)
{
	if (list->tree != NULL)
		host->release(host->arg, list->tree);
}

#endif /* TED_ENGINE_TREE_LIST_H */
