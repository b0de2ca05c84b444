/*
 * convert.h
 *	  Conversions from XML and JSON: what they share, and those that SQL does not see.
 */
#ifndef TED_CONVERT_H
#define TED_CONVERT_H

#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"

#include "path_filter.h"
#include "../value/tree.h"

/* The tree of an xml value by the default options, but with texts marked, see xml_marks.h. */
extern Tree *MarkedXmlTree(Datum doc);

/* The same for the tree of a page of HTML, or NULL where a tree is not as tree_from_html() makes
 * it. */
extern Tree *MarkedHtmlTree(const Tree *tree);

/* Position of an option's value in a NULL-terminated list of names, or an error that lists them. */
extern int ParseOption(const char *option, const text *value, const char *const *names);

/* A lower-cased copy of bytes in the server encoding, NUL-terminated. */
extern char *FoldCase(const char *bytes, int length);

/* Appends the line and the column of a place in a text, in the server encoding. */
extern void AppendLineAndColumn(StringInfo place, const char *text, const char *at);

/* Adds to an error where in which document, a text, it has come up; `place` may be empty. */
extern void DocumentContext(const char *kind, const char *text, int length, const char *place);

/* Makes a tree of the document in its argument. */
typedef Tree *(*Converter)(void *arg);

/* Returns the tree of a document; by option `on_error`, NULL for a document without one. */
extern Datum ReturnConverted(FunctionCallInfo fcinfo, const text *on_error, Converter convert,
							 void *arg);

/* The casts to tree, with the default options. */
extern PGDLLEXPORT Datum xml_tree(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum json_tree(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum jsonb_tree(PG_FUNCTION_ARGS);

/* Reports that this server cannot parse XML; for what is built without libxml2. */
extern Datum NoXmlSupport(void);

#endif /* TED_CONVERT_H */
