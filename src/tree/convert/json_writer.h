/*
 * json_writer.h
 *	  Makes a JSON value of the nodes of a tree labelled as by the default conversion
 *	  from JSON.
 */
#ifndef TED_JSON_WRITER_H
#define TED_JSON_WRITER_H

#include "utils/jsonb.h"

#include "../../compat.h"
#include "../../core/tree/json/jedi.h"
#include "../value/tree.h"

/* Labels of objects and arrays. */
#define OBJECT_LABEL "{}"
#define ARRAY_LABEL "[]"

/* An open node. */
typedef struct JsonOpenNode
{
	TedJsonKind kind;
	int32 children;
	Label last_key; /* key of an object's last member so far */
} JsonOpenNode;

/* The state of writing a JSON value. */
typedef struct JsonWriter
{
	StringInfo text;    /* output for json; NULL for jsonb */
	JsonbInState state; /* has the value as jsonb, once the root has ended */
	JsonbValue literal; /* the root, if it is a literal */
	JsonOpenNode *open;
	int32 depth;
	int32 capacity;
	bool is_trusted; /* set for jsonb: keys in any order, and numbers with zeros at the end */
} JsonWriter;

/* Initializes a writer.  `text` is the output for json, or NULL for jsonb. */
extern void JsonWriterInit(JsonWriter *writer, StringInfo text);

/*
 * Begin and end a node.  They return NULL, or a sentence that says why the node cannot be
 * part of a JSON value.  The label must stay valid as long as the writer is in use.
 */
extern const char *JsonWriterOpen(JsonWriter *writer, Label label);
extern const char *JsonWriterClose(JsonWriter *writer);

/*
 * Returns a sentence that says why a node cannot be the next child of `parent`, or NULL; the value
 * of a literal is not looked at.  Sets the parent's last key to a new copy.
 */
extern const char *JsonChildProblem(JsonOpenNode *parent, Label label);

/*
 * Returns the kind of a node by its label, regardless of its place.  Labels that the conversions do
 * not make are literals.
 */
extern TedJsonKind JsonKindOfLabel(Label label);
extern bool IsJsonMember(Label label);
extern bool IsJsonObject(Label label);
extern bool IsJsonArray(Label label);

/* Sets the key of a member, or the characters of a string; false if the label is neither. */
extern bool JsonKeyOfLabel(Label label, Label *key);

/* Compares the labels of two siblings in the order that members and attributes have in trees. */
extern int CompareSiblings(Label a, Label b);

#endif /* TED_JSON_WRITER_H */
