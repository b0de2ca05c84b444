/*
 * label_costs.c
 *	  A cache of rename costs, for costs by label.
 */
#include "label_costs.h"

#include <string.h>

#include "../common/hash.h"

/* The cost of renaming one label to another; both labels are 0 in an empty entry. */
typedef struct Known
{
	int32_t from;
	int32_t to;
	int32_t cost;
} Known;

struct TedRenameCache
{
	Known *known;
	size_t count; /* a power of two */
};

/* Allocates a cache and its entries; NULL where there is no room. */
static TedRenameCache *
take_cache(TedArena *arena, int32_t pairs)
{
	TedRenameCache *cache = ted_arena_alloc(arena, sizeof(TedRenameCache));
	size_t count = ted_hash_slots((pairs + 1) / 2); /* at least `pairs` entries, less than twice as
													 * many */
	Known *known = ted_arena_alloc(arena, sizeof(Known) * count);

	if (ted_arena_exceeded(arena))
		return NULL;
	*cache = (TedRenameCache){.known = known, .count = count};
	return cache;
}

/* Bytes that ted_rename_cache() takes. */
size_t
ted_rename_cache_memory(int32_t pairs)
{
	TedArena counted = {0};

	take_cache(&counted, pairs);
	return counted.used;
}

/* Creates an empty cache. */
TedStatus
ted_rename_cache(int32_t pairs, TedArena *arena, TedRenameCache **cache)
{
	*cache = take_cache(arena, pairs);
	if (*cache == NULL)
		return TED_OUT_OF_ARENA;
	ted_rename_cache_forget(*cache);
	return TED_OK;
}

/* Removes all costs from the cache. */
void
ted_rename_cache_forget(TedRenameCache *cache)
{
	memset(cache->known, 0, sizeof(Known) * cache->count);
}

/* Returns the cost of renaming, from the cache or by the rename function. */
int32_t
ted_label_rename_cost(const TedLabelCosts *labels, int32_t from, int32_t to)
{
	Known *known;

	if (from == TED_ROOT_LABEL || to == TED_ROOT_LABEL)
		return labels->most.rename;
	if (labels->cache == NULL)
		return labels->rename(labels->context, from, to);
	/* consecutive labels, as those of one tree mostly are, have neighbouring entries */
	known = &labels->cache->known[(((uint64_t) from * TED_HASH_STEP >> 32) + (uint64_t) to) &
								  (labels->cache->count - 1)];
	if (known->from != from || known->to != to)
	{
		int32_t cost = labels->rename(labels->context, from, to);

		*known = (Known){.from = from, .to = to, .cost = cost};
	}
	return known->cost;
}
