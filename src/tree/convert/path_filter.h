/*
 * path_filter.h
 *	  Paths in options of conversions, and which nodes of a document they stand for.
 */
#ifndef TED_PATH_FILTER_H
#define TED_PATH_FILTER_H

#include "postgres.h"

#include "lib/stringinfo.h"
#include "utils/array.h"

typedef struct PathPattern PathPattern;

/* Patterns of paths, the value of an option. */
typedef struct PathPatterns
{
	const char *option;
	PathPattern *patterns;
	int count;
} PathPatterns;

/* The patterns of all options that have some. */
typedef struct PathOptions
{
	PathPatterns excluded;
	PathPatterns included;
	PathPatterns unordered;
} PathOptions;

/* Parses the patterns of an option. */
extern void ParsePaths(const char *option, ArrayType *array, PathPatterns *parsed);

/* A name among the steps from the root to the current node. */
typedef struct PathName
{
	int start;  /* in the filter's `names` */
	int length; /* -1: an array element, which has no name */
} PathName;

/* The path from the root to the current node, and what the options say of it. */
typedef struct PathFilter
{
	const PathOptions *options;
	bool left_out;   /* a node has been */
	bool attributes; /* names that start with @ are attributes, which `*` does not match */
	StringInfoData names;
	PathName *path; /* NULL where no option has a pattern */
	int depth;
	int capacity;
	int included; /* depth of the topmost node that an included path stands for, or 0 */
} PathFilter;

/* Starts with the empty path. */
extern void PathFilterInit(PathFilter *filter, const PathOptions *options, bool attributes);

/* Goes down to a node, an array element if `name` is NULL; false, and stays, if it is excluded. */
extern bool PathFilterEnter(PathFilter *filter, const char *name, int length);

/* Whether the current node is included, by itself or with a node above it. */
extern bool PathIsIncluded(const PathFilter *filter);

/* Whether the children of the node this deep on the current path have no order. */
extern bool PathIsUnordered(const PathFilter *filter, int depth);

/* A copy of the name of the node this deep on the current path, which is no array element. */
extern char *PathFilterName(const PathFilter *filter, int depth);

/* Goes back up to the parent. */
extern void PathFilterLeave(PathFilter *filter);

#endif /* TED_PATH_FILTER_H */
