/*
 * json_writer.h
 *	  Makes a JSON value of the nodes of a tree, as the default conversion from JSON labels them.
 */
#ifndef TED_JSON_WRITER_H
#define TED_JSON_WRITER_H

#include "utils/jsonb.h"

#include "../../compat.h"
#include "../value/tree.h"

/* Labels of objects and arrays. */
#define OBJECT_LABEL "{}"
#define ARRAY_LABEL "[]"

/* The kind of a node by its label. */
typedef enum JsonKind
{
	JSON_OBJECT,
	JSON_ARRAY,
	JSON_MEMBER,
	JSON_LITERAL
} JsonKind;

/* A node begun and not yet ended. */
typedef struct JsonOpenNode
{
	JsonKind kind;
	int32 children;
	Label last_key; /* of an object's members so far */
} JsonOpenNode;

typedef struct JsonWriter
{
	StringInfo text;    /* what json is appended to; NULL where jsonb is made */
	JsonbInState state; /* has the value as jsonb, once the root has ended */
	JsonbValue literal; /* the root, where it is a literal */
	JsonOpenNode *open;
	int32 depth;
	int32 capacity;
} JsonWriter;

/* Starts without a node; `text` is what to append to, or NULL for jsonb. */
extern void JsonWriterInit(JsonWriter *writer, StringInfo text);

/*
 * Begins and ends a node; returns NULL, or a sentence that says why a JSON value
 * cannot have the node.  The label must stay as long as the writer is in use.
 */
extern const char *JsonWriterOpen(JsonWriter *writer, Label label);
extern const char *JsonWriterClose(JsonWriter *writer);

/* The kind of a label, whatever stands around it. */
extern bool IsJsonMember(Label label);
extern bool IsJsonObject(Label label);
extern bool IsJsonArray(Label label);

/* The key of a member, or the characters of a string; false if the label is neither. */
extern bool JsonKeyOfLabel(Label label, Label *key);

#endif /* TED_JSON_WRITER_H */
