/*
 * engine_base.h
 *	  The common part of the engines: their host, and the list of trees.
 */
#ifndef TED_ENGINE_BASE_H
#define TED_ENGINE_BASE_H

#include "engine.h"

/* First member of the struct TedEngine of each engine. */
typedef struct TedEngineBase
{
	TedEngineHost host;
	const TedTree **trees; /* by tree number */
	int32_t count;
	int32_t capacity;
} TedEngineBase;

/*
 * Allocates an engine of `bytes` bytes, all 0 except the host; returns NULL if there is no memory.
 */
extern TedEngine *ted_engine_new(const TedEngineHost *host, size_t bytes);

/* Adds trees by reference; this is the function `upload` of all engines. */
extern TedEngineStatus ted_engine_upload(TedEngine *engine, const TedTree *trees, int32_t count);

/* Frees an engine and its list of trees. */
extern void ted_engine_free(TedEngine *engine);

#endif /* TED_ENGINE_BASE_H */
