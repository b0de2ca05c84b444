/*
 * label_marks.h
 *	  Labels without the marks of xml_marks.h.
 */
#ifndef TED_LABEL_MARKS_H
#define TED_LABEL_MARKS_H

#include "postgres.h"

#include "../convert/xml_marks.h"
#include "node_kinds.h"

/* Which labels of a tree have marks. */
typedef enum LabelMarks
{
	NO_MARKS,
	MARKS_OF_DIFFERENCES,
	MARKS_OF_PATCHES
} LabelMarks;

/* Returns the label of a node of a kind as the default conversions write it. */
extern Label PlainLabel(Label label, LabelMarks marks, TreeKind kind);

/* Returns the form of a label without its mark.  A text with a mark has the form of its text. */
extern LabelForm FormOfMarked(Label label, LabelMarks marks);

#endif /* TED_LABEL_MARKS_H */
