/*
 * path_filter.h
 *	  Selects nodes of a document by the patterns in the options of a conversion.
 */
#ifndef TED_PATH_FILTER_H
#define TED_PATH_FILTER_H

#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"
#include "utils/array.h"

#include "path_pattern.h"

/* The patterns of one option. */
typedef struct PathPatterns
{
	PathPattern *patterns;
	int count;
	bool is_shown; /* messages may have them, see messages.h */
} PathPatterns;

/* The patterns of all options that have patterns. */
typedef struct PathOptions
{
	PathPatterns excluded;
	PathPatterns included;
	PathPatterns unordered;
	PathPatterns array_keys;
} PathOptions;

/* Reads the patterns of an option, which is an argument of a function. */
extern void ParsePaths(FunctionCallInfo fcinfo, int argument, const char *option,
					   PathPatterns *parsed);

/*
 * Warns, once for a call in a statement, of patterns that look like another language and select
 * no node of the first document, and of keys that are equal only with the option fold_case.
 */
extern void WarnOfConversion(FunctionCallInfo fcinfo, const PathOptions *options, bool equal_keys);

/* The path from the root to the current node, and whether it is included. */
typedef struct PathFilter
{
	const PathOptions *options;
	bool left_out;    /* a node has been excluded */
	bool has_foreign; /* some pattern looks like another language, see path_pattern.h */
	StringInfoData labels;
	PathNode *path; /* NULL if no option has a pattern */
	int depth;
	int capacity;
	int included; /* depth of the topmost node on the path that an included path selects, or 0 */
} PathFilter;

/* Initializes a filter with the empty path. */
extern void PathFilterInit(PathFilter *filter, const PathOptions *options);

/*
 * Moves down to a node, whose label may be empty.  If the node is excluded, stays and
 * returns false.
 */
extern bool PathFilterEnter(PathFilter *filter, Label label, TreeKind kind, bool is_step);

/* Whether the current node or an ancestor is included. */
extern bool PathIsIncluded(const PathFilter *filter);

/* Whether the children of the node at a depth of the path have no order. */
extern bool PathIsUnordered(const PathFilter *filter, int depth);

/* Returns the first pattern for keys of array elements that selects the current node, or NULL. */
extern const PathPattern *PathArrayKey(const PathFilter *filter);

/* Returns a copy of the label of the node at a depth of the path. */
extern char *PathFilterName(const PathFilter *filter, int depth);

/* Moves up to the parent. */
extern void PathFilterLeave(PathFilter *filter);

#endif /* TED_PATH_FILTER_H */
