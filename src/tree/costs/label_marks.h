/*
 * label_marks.h
 *	  Labels without the marks of xml_marks.h.
 */
#ifndef TED_LABEL_MARKS_H
#define TED_LABEL_MARKS_H

#include "postgres.h"

#include "../convert/xml_marks.h"
#include "node_kinds.h"

/* What the labels of trees are marked for. */
typedef enum LabelMarks
{
	NO_MARKS,
	MARKS_OF_DIFFERENCES,
	MARKS_OF_PATCHES
} LabelMarks;

/* The label of a node of a kind as the default conversions write it. */
extern Label PlainLabel(Label label, LabelMarks marks, TreeKind kind);

/* What such a label looks like, of a text if it is marked as one. */
extern LabelForm FormOfMarked(Label label, LabelMarks marks);

#endif /* TED_LABEL_MARKS_H */
