/*
 * json_pointer.h
 *	  JSON Pointer (RFC 6901): the way from the root of a document to a value.
 */
#ifndef TED_JSON_POINTER_H
#define TED_JSON_POINTER_H

#include "postgres.h"

#include "lib/stringinfo.h"

#include "../../common/labels.h"

/* A pointer: what it says, and its steps, keys or indexes, without escapes. */
typedef struct JsonPointer
{
	Label text;
	Label *steps;
	int count;
} JsonPointer;

/*
 * Reads a pointer into a memory context, all of whose memory counts for `what`; false if the
 * text is not a pointer.
 */
extern bool ParseJsonPointer(Label text, MemoryContext context, const char *what,
							 JsonPointer *pointer);

/* Appends a step to a pointer: a key, with its escapes, or an index. */
extern void AppendPointerKey(StringInfo pointer, Label key);
extern void AppendPointerIndex(StringInfo pointer, int32 index);

/* A text that may be long for a message: as it is, or without its end; NUL-terminated. */
extern char *ClipForMessage(Label text);

#endif /* TED_JSON_POINTER_H */
