/*
 * path_filter.h
 *	  Which nodes of a document the patterns in options of a conversion select.
 */
#ifndef TED_PATH_FILTER_H
#define TED_PATH_FILTER_H

#include "postgres.h"

#include "lib/stringinfo.h"
#include "utils/array.h"

#include "path_pattern.h"

/* Patterns, the value of an option. */
typedef struct PathPatterns
{
	PathPattern *patterns;
	int count;
} PathPatterns;

/* The patterns of all options that have some. */
typedef struct PathOptions
{
	PathPatterns excluded;
	PathPatterns included;
	PathPatterns unordered;
	PathPatterns array_keys;
} PathOptions;

/* Reads the patterns of an option. */
extern void ParsePaths(const char *option, ArrayType *array, PathPatterns *parsed);

/* The nodes from the root to the current one, and what the options say of it. */
typedef struct PathFilter
{
	const PathOptions *options;
	bool left_out; /* a node has been */
	StringInfoData labels;
	PathNode *path; /* NULL where no option has a pattern */
	int depth;
	int capacity;
	int included; /* depth of the topmost node that an included path selects, or 0 */
} PathFilter;

/* Starts with the empty path. */
extern void PathFilterInit(PathFilter *filter, const PathOptions *options);

/* Goes down to a node, which may have no label; false, and stays, if it is excluded. */
extern bool PathFilterEnter(PathFilter *filter, Label label, TreeKind kind, bool is_step);

/* Whether the current node is included, by itself or with a node above it. */
extern bool PathIsIncluded(const PathFilter *filter);

/* Whether the children of the node this deep on the current path have no order. */
extern bool PathIsUnordered(const PathFilter *filter, int depth);

/*
 * The pattern for keys of array elements that selects the current node, or NULL; the
 * earliest one of several.
 */
extern const PathPattern *PathArrayKey(const PathFilter *filter);

/* A copy of the label of the node this deep on the current path. */
extern char *PathFilterName(const PathFilter *filter, int depth);

/* Goes back up to the parent. */
extern void PathFilterLeave(PathFilter *filter);

#endif /* TED_PATH_FILTER_H */
