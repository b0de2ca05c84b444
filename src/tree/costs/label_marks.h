/*
 * label_marks.h
 *	  Marks at the beginning of labels, which say what a node is.
 *
 * A tree of XML that is for a difference marks texts, see MarkedXmlTree(); one that is for a
 * patch marks all nodes, and has the namespaces of elements and attributes after their
 * names: "@lang{http://www.w3.org/XML/1998/namespace}".
 */
#ifndef TED_LABEL_MARKS_H
#define TED_LABEL_MARKS_H

#include "postgres.h"

#include "../../common/labels.h"
#include "node_kinds.h"

/* What the labels of trees are marked for. */
typedef enum LabelMarks
{
	NO_MARKS,
	MARKS_OF_DIFFERENCES,
	MARKS_OF_PATCHES
} LabelMarks;

/* The first byte of a text's label in a tree for a difference. */
#define MARK_TEXT '"'

/* What a node is in a tree for a patch, by the first byte of its label. */
#define DOCUMENT_MARK 'd'
#define ELEMENT_MARK 'e'
#define ATTRIBUTE_MARK '@'
#define VALUE_MARK 'v'
#define TEXT_MARK 't'
#define COMMENT_MARK 'c'
#define INSTRUCTION_MARK 'p'

/* What is between the name of an element or an attribute and its namespace. */
#define NAMESPACE_MARK '{'

/* The label of a node of a kind as the default conversions write it. */
extern Label PlainLabel(Label label, LabelMarks marks, CostKind kind);

/* What such a label looks like, of a text if it is marked as one. */
extern LabelForm FormOfMarked(Label label, LabelMarks marks);

#endif /* TED_LABEL_MARKS_H */
