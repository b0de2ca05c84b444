/*
 * node_kinds.c
 *	  The kinds of nodes of trees made by the default conversions from XML and JSON.
 */
#include "postgres.h"

#include <math.h>

#include "common/jsonapi.h"

#include "../../compat.h"
#include "../convert/json_labels.h"
#include "node_kinds.h"

LabelForm
FormOfLabel(Label label)
{
	if (IsJsonObject(label))
		return FORM_OBJECT;
	if (IsJsonArray(label))
		return FORM_ARRAY;
	if (IsJsonMember(label))
		return FORM_KEY;
	if (label.length >= 2 && label.bytes[0] == '"' && label.bytes[label.length - 1] == '"')
		return FORM_STRING;
	if (label.length >= 2 && label.bytes[0] == '@')
		return FORM_ATTRIBUTE;
	if (IsValidJsonNumber(label.bytes, label.length))
		return FORM_NUMBER;
	if (LabelIs(label, "true") || LabelIs(label, "false"))
		return FORM_BOOLEAN;
	return LabelIs(label, "null") ? FORM_NULL : FORM_PLAIN;
}

/* Returns the kind of a JSON value; TREE_KINDS if the node is not one. */
static TreeKind
KindOfValue(LabelForm form, bool is_leaf)
{
	switch (form)
	{
		case FORM_OBJECT:
			return KIND_OBJECT;
		case FORM_ARRAY:
			return KIND_ARRAY;
		case FORM_STRING:
			return is_leaf ? KIND_STRING : TREE_KINDS;
		case FORM_NUMBER:
			return is_leaf ? KIND_NUMBER : TREE_KINDS;
		case FORM_BOOLEAN:
			return is_leaf ? KIND_BOOLEAN : TREE_KINDS;
		case FORM_NULL:
			return is_leaf ? KIND_NULL : TREE_KINDS;
		default:
			return TREE_KINDS;
	}
}

TreeKind
KindOfForm(LabelForm form, TreeKind above, bool is_leaf)
{
	if (above == KIND_ATTRIBUTE)
		return KIND_VALUE;
	if (above == NO_KIND || above == KIND_ARRAY || above == KIND_KEY)
	{
		TreeKind kind = KindOfValue(form, is_leaf);

		if (kind != TREE_KINDS)
			return kind;
	}
	if (form == FORM_KEY && (above == NO_KIND || above == KIND_OBJECT))
		return KIND_KEY;
	if (form == FORM_ATTRIBUTE)
		return KIND_ATTRIBUTE;
	return is_leaf ? KIND_TEXT : KIND_ELEMENT;
}

bool
ReadNumberLabel(Label label, float8 *number)
{
	char *text;

	if (!IsValidJsonNumber(label.bytes, label.length))
		return false;
	text = pnstrdup(label.bytes, label.length);
	*number = strtod(text, NULL);
	pfree(text);
	return !isinf(*number);
}
