/*
 * label_costs.h
 *	  A cache of costs of renaming, for costs by label.
 *
 * The cache has a fixed number of places, and a pair of labels has one of them;
 * it replaces the pair that is there.  The owner of the costs takes the memory
 * once, and all pairs of trees that are compared with the costs share the cache.
 */
#ifndef TED_LABEL_COSTS_H
#define TED_LABEL_COSTS_H

#include "ted.h"

/* Makes an empty cache for about this number of pairs of labels, at least 1. */
extern size_t ted_rename_cache_memory(int32_t pairs);
extern TedStatus ted_rename_cache(int32_t pairs, TedArena *arena, TedRenameCache **cache);

/* Forgets all costs, as where labels get other meanings. */
extern void ted_rename_cache_forget(TedRenameCache *cache);

#endif /* TED_LABEL_COSTS_H */
