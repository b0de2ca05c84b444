/*
 * label_marks.c
 *	  Labels without the marks of xml_marks.h.
 */
#include "postgres.h"

#include "label_marks.h"

/* Returns the label of a node in a tree for a patch as the default conversions write it. */
static Label
WithoutPatchMark(Label label)
{
	bool is_attribute = label.bytes[0] == ATTRIBUTE_MARK; /* the conversions have the same mark */
	const char *space = NULL;

	if (is_attribute || label.bytes[0] == ELEMENT_MARK)
		space = memchr(label.bytes, NAMESPACE_MARK, label.length);
	if (space != NULL)
		label.length = (int) (space - label.bytes);
	return is_attribute ? label : (Label){label.bytes + 1, label.length - 1};
}

Label
PlainLabel(Label label, LabelMarks marks, TreeKind kind)
{
	if (marks == MARKS_OF_PATCHES)
		return WithoutPatchMark(label);
	if (marks == MARKS_OF_DIFFERENCES && kind == KIND_TEXT && label.length > 0 &&
		label.bytes[0] == MARK_TEXT)
		return (Label){label.bytes + 1, label.length - 1};
	return label;
}

LabelForm
FormOfMarked(Label label, LabelMarks marks)
{
	if (marks == MARKS_OF_PATCHES)
		return label.bytes[0] == ATTRIBUTE_MARK ? FORM_ATTRIBUTE : FORM_PLAIN;
	return FormOfLabel(PlainLabel(label, marks, KIND_TEXT));
}
