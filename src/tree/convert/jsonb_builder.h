/*
 * jsonb_builder.h
 *	  Makes a jsonb value of its parts, with the memory counted before it is taken.
 */
#ifndef TED_JSONB_BUILDER_H
#define TED_JSONB_BUILDER_H

#include "postgres.h"

#include "utils/jsonb.h"

#include "../../common/labels.h"
#include "../../compat.h"

/* A jsonb value being made. */
typedef struct JsonbBuilder
{
	JsonbInState state;
	MemoryContext context; /* the current one; it counts towards ted.max_memory */
	const char *what;      /* names the computation in errors about memory */
	int64 items;           /* number of parts so far */
	Size bytes;            /* upper bound on the bytes of the jsonb value */
} JsonbBuilder;

/* Begins a value in the current memory context. */
extern void JsonbBuilderInit(JsonbBuilder *builder, const char *what);

/* Begin and end an array (jbvArray) or an object (jbvObject), which has about `count` parts. */
extern void JsonbBuilderOpen(JsonbBuilder *builder, enum jbvType type, int count);
extern void JsonbBuilderClose(JsonbBuilder *builder, enum jbvType type);

/*
 * Adds a scalar, or a packed container (jbvBinary).  `token` says whether it is an element, a key
 * or the value of a member.
 */
extern void JsonbBuilderAdd(JsonbBuilder *builder, JsonbIteratorToken token, JsonbValue *value);

/* Adds a string. */
extern void JsonbBuilderAddText(JsonbBuilder *builder, JsonbIteratorToken token, Label text);

/* Returns the value, which is a container. */
extern Jsonb *JsonbBuilderFinish(JsonbBuilder *builder);

/* Returns a jsonb value as a JsonbValue, packed if it is a container. */
extern JsonbValue JsonbRoot(Jsonb *jsonb);

#endif /* TED_JSONB_BUILDER_H */
