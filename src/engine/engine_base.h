/*
 * engine_base.h
 *	  What the engines have in common: their host, and the trees handed over.
 */
#ifndef TED_ENGINE_BASE_H
#define TED_ENGINE_BASE_H

#include "engine.h"

/* Begins the struct TedEngine of each engine. */
typedef struct TedEngineBase
{
	TedEngineHost host;
	const TedTree **trees; /* by number */
	int32_t count;
	int32_t capacity;
} TedEngineBase;

/* Makes an engine of this number of bytes, all 0 but for its host; NULL where there is no memory.
 */
extern TedEngine *ted_engine_new(const TedEngineHost *host, size_t bytes);

/* Adds trees, which are referred to: the function `upload` of all engines. */
extern TedEngineStatus ted_engine_upload(TedEngine *engine, const TedTree *trees, int32_t count);

/* Frees an engine and its list of trees. */
extern void ted_engine_free(TedEngine *engine);

#endif /* TED_ENGINE_BASE_H */
