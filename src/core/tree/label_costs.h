/*
 * label_costs.h
 *	  A memory of costs of renaming, for costs by label.
 *
 * The memory has a fixed number of places, and a pair of labels has one of them;
 * what is there is replaced.  Who owns the costs takes it once, and all pairs of
 * trees that are compared with them share it.
 */
#ifndef TED_CORE_TREE_LABEL_COSTS_H
#define TED_CORE_TREE_LABEL_COSTS_H

#include "ted.h"

/* Makes an empty memory for about this number of pairs of labels, at least 1. */
extern size_t ted_rename_cache_memory(int32_t pairs);
extern TedStatus ted_rename_cache(int32_t pairs, TedArena *arena, TedRenameCache **cache);

/* Forgets all costs, as where labels get other meanings. */
extern void ted_rename_cache_forget(TedRenameCache *cache);

#endif /* TED_CORE_TREE_LABEL_COSTS_H */
