/*
 * convert.h
 *	  Conversions from XML and JSON: what they share, and those that SQL does not see.
 */
#ifndef TED_TREE_CONVERT_H
#define TED_TREE_CONVERT_H

#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"
#include "utils/array.h"

#include "tree.h"

/* The tree of an xml value by the default options, but with texts marked, see label_marks.h. */
extern Tree *MarkedXmlTree(Datum doc);

/* Position of an option's value in a NULL-terminated list of names, or an error that lists them. */
extern int ParseOption(const char *option, const text *value, const char *const *names);

/* A lower-cased copy of bytes in the server encoding, NUL-terminated. */
extern char *FoldCase(const char *bytes, int length);

/* Adds to an error where in which document, a text, it has come up; `place` may be empty. */
extern void DocumentContext(const char *kind, const char *text, int length, const char *place);

/* Makes a tree of what its argument tells of. */
typedef Tree *(*Converter)(void *arg);

/* Returns what a conversion makes: by option `on_error`, NULL for documents that make no tree. */
extern Datum ReturnConverted(FunctionCallInfo fcinfo, const text *on_error, Converter convert,
							 void *arg);

/* The casts to tree, with the default options. */
extern PGDLLEXPORT Datum xml_tree(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum json_tree(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum jsonb_tree(PG_FUNCTION_ARGS);

/* Where the text of an XML value begins behind its declaration, if any. */
extern const char *SkipXmlDeclaration(const char *text);

/* Reports that this server cannot parse XML; for what is built without libxml2. */
extern Datum NoXmlSupport(void);

/* A name among the steps from the root to the current node. */
typedef struct PathName
{
	int start;  /* in the filter's `names` */
	int length; /* -1: an array element, which has no name */
} PathName;

/* Patterns of paths, the value of an option. */
typedef struct PathPatterns
{
	struct PathPattern *patterns;
	int count;
} PathPatterns;

/* The patterns of two options, and the path from the root to the current node. */
typedef struct PathFilter
{
	PathPatterns excluded;
	PathPatterns unordered;
	bool left_out;   /* a node has been */
	bool attributes; /* names that start with @ are attributes, which `*` does not match */
	StringInfoData names;
	PathName *path;
	int depth;
	int capacity;
} PathFilter;

/* Parses the patterns, either of which may be NULL; the path is empty. */
extern void PathFilterInit(PathFilter *filter, ArrayType *exclude_paths, ArrayType *unordered,
						   bool attributes);

/* Goes down to a node, an array element if `name` is NULL; false, and stays, if it is excluded. */
extern bool PathFilterEnter(PathFilter *filter, const char *name, int length);

/* Whether the children of the current node have no order. */
extern bool PathIsUnordered(const PathFilter *filter);

/* Goes back up to the parent. */
extern void PathFilterLeave(PathFilter *filter);

#endif /* TED_TREE_CONVERT_H */
