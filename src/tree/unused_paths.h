/*
 * unused_paths.h
 *	  Tells paths in options of conversions that stand for nothing in any document.
 */
#ifndef TED_TREE_UNUSED_PATHS_H
#define TED_TREE_UNUSED_PATHS_H

#include "postgres.h"

#include "fmgr.h"

#include "path_filter.h"

/* Defines the setting that asks for it. */
extern void UnusedPathsInit(void);

/* Notes which paths have stood for a node of one more document, if that is asked for. */
extern void NotePaths(FunctionCallInfo fcinfo, const PathOptions *options);

#endif /* TED_TREE_UNUSED_PATHS_H */
