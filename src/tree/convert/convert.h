/*
 * convert.h
 *	  Common parts of the conversions from XML and JSON, and conversions that are not
 *	  SQL functions.
 */
#ifndef TED_CONVERT_H
#define TED_CONVERT_H

#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"
#include "utils/jsonb.h"

#include "../value/tree.h"

/* Converts an xml value with the default options; texts are marked, see xml_marks.h. */
extern Tree *MarkedXmlTree(Datum doc);

/*
 * Converts a jsonb value with the default options, but with all digits of numbers.  Sets, by
 * preorder number, the part of the value that each node was read from: of a member, its key; an
 * array or an object stays packed.
 */
extern Tree *ExactJsonbTree(Datum jsonb, JsonbValue **sources);

/*
 * Marks the texts in the tree of an HTML page; NULL if tree_from_html() cannot have made
 * the tree.
 */
extern Tree *MarkedHtmlTree(const Tree *tree);

/*
 * Returns the position of an option's value in a NULL-terminated list of names.  Raises an
 * error with all names if it is not there.
 */
extern int ParseOption(const char *option, const text *value, const char *const *names);

/* Returns a lower-cased copy of bytes in the server encoding, NUL-terminated. */
extern char *FoldCase(const char *bytes, int length);

/* Appends the line and the column of position `at` in a text in the server encoding. */
extern void AppendLineAndColumn(StringInfo place, const char *text, const char *at);

/* Adds the document and the place in it to the context of an error.  `place` may be empty. */
extern void DocumentContext(const char *kind, const char *text, int length, const char *place);

/* Converts the document in its argument to a tree. */
typedef Tree *(*Converter)(void *arg);

/*
 * Converts a document that is an argument of a function.  Messages show the document if the client
 * has written all arguments, see messages.h.
 */
extern Tree *ConvertArguments(FunctionCallInfo fcinfo, Converter convert, void *arg);

/*
 * Returns the tree of a document.  With `on_error` = 'null', returns NULL if the conversion
 * fails.
 */
extern Datum ReturnConverted(FunctionCallInfo fcinfo, const text *on_error, Converter convert,
							 void *arg);

/* The casts to tree, with the default options. */
extern PGDLLEXPORT Datum xml_tree(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum json_tree(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum jsonb_tree(PG_FUNCTION_ARGS);

/* Raises the error that this server cannot parse XML, in builds without libxml2. */
extern Datum NoXmlSupport(void);

/* Defines an SQL function that raises this error. */
#define NO_XML_FUNCTION(name)                                                                      \
	Datum name(PG_FUNCTION_ARGS)                                                                   \
	{                                                                                              \
		(void) fcinfo;                                                                             \
		return NoXmlSupport();                                                                     \
	}                                                                                              \
	extern Datum NoXmlSupport(void)

#endif /* TED_CONVERT_H */
