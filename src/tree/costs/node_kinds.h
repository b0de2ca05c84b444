/*
 * node_kinds.h
 *	  What the nodes of a tree are, as the default conversions from XML and JSON make them.
 *
 * A tree has nothing but labels, so the kind of a node follows from its label, from the
 * kind of the node above it, and from whether there are nodes below it.
 */
#ifndef TED_NODE_KINDS_H
#define TED_NODE_KINDS_H

#include "../convert/path_pattern.h"

/* The kind of the node above the root. */
#define NO_KIND TREE_KINDS

/* The form of a label. */
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

extern LabelForm FormOfLabel(Label label);

/* The kind of a node. */
extern TreeKind KindOfForm(LabelForm form, TreeKind above, bool is_leaf);

/* Whether a label is a number as JSON writes it, that float8 can hold, and which. */
extern bool ReadNumberLabel(Label label, float8 *number);

#endif /* TED_NODE_KINDS_H */
