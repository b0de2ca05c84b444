/*
 * label_marks.h
 *	  Labels without the marks of xml_marks.h.
 */
#ifndef TED_LABEL_MARKS_H
#define TED_LABEL_MARKS_H

#include "postgres.h"

#include "../convert/xml_marks.h"
#include "node_kinds.h"

/* The purpose for which the labels of trees are marked. */
typedef enum LabelMarks
{
	NO_MARKS,
	MARKS_OF_DIFFERENCES,
	MARKS_OF_PATCHES
} LabelMarks;

/* The label of a node of a kind as the default conversions write it. */
extern Label PlainLabel(Label label, LabelMarks marks, TreeKind kind);

/* The form of such a label; that of a text if it is marked as one. */
extern LabelForm FormOfMarked(Label label, LabelMarks marks);

#endif /* TED_LABEL_MARKS_H */
