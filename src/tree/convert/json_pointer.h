/*
 * json_pointer.h
 *	  JSON Pointer (RFC 6901): the path from the root of a document to a value.
 */
#ifndef TED_JSON_POINTER_H
#define TED_JSON_POINTER_H

#include "postgres.h"

#include "lib/stringinfo.h"

#include "../../common/labels.h"

/* A pointer: its text, and its steps without escapes, which are keys or indexes. */
typedef struct JsonPointer
{
	Label text;
	Label *steps;
	int count;
} JsonPointer;

/*
 * Reads a pointer into a memory context; false if the text is not a pointer.  The context
 * counts towards ted.max_memory, and `what` names the computation in the error.
 */
extern bool ParseJsonPointer(Label text, MemoryContext context, const char *what,
							 JsonPointer *pointer);

/* Append a step to a pointer: a key, with its escapes, or an index. */
extern void AppendPointerKey(StringInfo pointer, Label key);
extern void AppendPointerIndex(StringInfo pointer, int32 index);

/* Returns a NUL-terminated copy of a text, shortened to fit into a message. */
extern char *ClipForMessage(Label text);

#endif /* TED_JSON_POINTER_H */
