/*
 * label_costs.h
 *	  A cache of rename costs, for costs by label.
 *
 * The cache has a fixed number of entries.  Each pair of labels hashes to one of them and replaces
 * the pair there.  The owner of the costs allocates the memory once, and all pairs of trees that
 * are compared by these costs share the cache.
 */
#ifndef TED_LABEL_COSTS_H
#define TED_LABEL_COSTS_H

#include "ted.h"

/* Creates an empty cache for at least this number of pairs of labels, which must be at least 1. */
extern size_t ted_rename_cache_memory(int32_t pairs);
extern TedStatus ted_rename_cache(int32_t pairs, TedArena *arena, TedRenameCache **cache);

/* Removes all costs from the cache, for example when labels get new meanings. */
extern void ted_rename_cache_forget(TedRenameCache *cache);

#endif /* TED_LABEL_COSTS_H */
