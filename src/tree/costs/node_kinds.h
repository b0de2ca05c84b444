/*
 * node_kinds.h
 *	  The kinds of nodes of trees made by the default conversions from XML and JSON.
 *
 * A tree has only labels, so the kind of a node follows from its label, from the kind of
 * its parent, and from whether it is a leaf.
 */
#ifndef TED_NODE_KINDS_H
#define TED_NODE_KINDS_H

#include "../convert/path_pattern.h"

/* The kind of the parent of the root. */
#define NO_KIND TREE_KINDS

/* The form of a label: what it looks like, regardless of its place. */
typedef enum LabelForm
{
	FORM_PLAIN,
	FORM_ATTRIBUTE,
	FORM_OBJECT,
	FORM_ARRAY,
	FORM_KEY,
	FORM_STRING,
	FORM_NUMBER,
	FORM_BOOLEAN,
	FORM_NULL
} LabelForm;

/* Returns the form of a label. */
extern LabelForm FormOfLabel(Label label);

/* Returns the kind of a node, from the form of its label and the kind of its parent. */
extern TreeKind KindOfForm(LabelForm form, TreeKind above, bool is_leaf);

/* Reads a label as a number in JSON's syntax; false if it is none, or too large for float8. */
extern bool ReadNumberLabel(Label label, float8 *number);

#endif /* TED_NODE_KINDS_H */
