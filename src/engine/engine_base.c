/*
 * engine_base.c
 *	  The common part of the engines: their host, and the list of trees.
 */
#include "engine_base.h"

#include <string.h>

/* Allocates an engine. */
TedEngine *
ted_engine_new(const TedEngineHost *host, size_t bytes)
{
	TedEngine *engine = host->allocate(host->arg, bytes);

	if (engine != NULL)
	{
		memset(engine, 0, bytes);
		((TedEngineBase *) engine)->host = *host;
	}
	return engine;
}

/* Enlarges the list for `more` trees; returns false if there is no memory. */
static bool
reserve_tree_list(TedEngineBase *base, int32_t more)
{
	const TedEngineHost *host = &base->host;
	int32_t larger = 2 * base->count + more;
	const TedTree **grown;

	if (more <= base->capacity - base->count)
		return true;
	grown = host->allocate(host->arg, sizeof(TedTree *) * (size_t) larger);
	if (grown == NULL)
		return false;
	if (base->trees != NULL)
	{
		memcpy(grown, base->trees, sizeof(TedTree *) * (size_t) base->count);
		host->release(host->arg, base->trees);
	}
	base->trees = grown;
	base->capacity = larger;
	return true;
}

/* Adds trees with the next numbers. */
TedEngineStatus
ted_engine_upload(TedEngine *engine, const TedTree *trees, int32_t count)
{
	TedEngineBase *base = (TedEngineBase *) engine;

	if (!reserve_tree_list(base, count))
		return TED_ENGINE_OUT_OF_MEMORY;
	for (int32_t i = 0; i < count; i++)
		base->trees[base->count++] = &trees[i];
	return TED_ENGINE_DONE;
}

/* Frees an engine and its list of trees. */
void
ted_engine_free(TedEngine *engine)
{
	TedEngineBase *base = (TedEngineBase *) engine;
	TedEngineHost host = base->host;

	if (base->trees != NULL)
		host.release(host.arg, base->trees);
	host.release(host.arg, engine);
}
