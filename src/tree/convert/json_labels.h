/*
 * json_labels.h
 *	  The labels of trees that the default conversion from JSON makes.
 */
#ifndef TED_JSON_LABELS_H
#define TED_JSON_LABELS_H

#include "../../core/tree/json/jedi.h"
#include "../value/tree.h"

/* Labels of objects and arrays. */
#define OBJECT_LABEL "{}"
#define ARRAY_LABEL "[]"

/* An open node of a tree that is read. */
typedef struct JsonOpenNode
{
	TedJsonKind kind;
	int32 children;
	Label last_key; /* key of an object's last member so far */
} JsonOpenNode;

/*
 * Returns a sentence that says why a node cannot be the next child of `parent`, or NULL; the value
 * of a literal is not looked at.  Sets the parent's last key to a new copy.
 */
extern const char *JsonChildProblem(JsonOpenNode *parent, Label label);

/* Whether a tree is an object or an array of JSON, with keys in order. */
extern bool IsJsonTree(const Tree *tree);

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

#endif /* TED_JSON_LABELS_H */
