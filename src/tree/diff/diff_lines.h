/*
 * diff_lines.h
 *	  The lines of two documents, and which line of one is which line of the other.
 *
 * What a line is depends on the syntax in which a tree is written:
 *
 * - a plain tree has a line for each node,
 * - JSON has one for each member or item, or two where that is an object or array,
 * - a text has a line for each child of the root,
 * - XML has one for each element, with its attributes, or two where that has more
 *   than one text for content, and one for each other text.
 *
 * Whole subtrees are one line where no node has a partner, or all is unchanged.
 */
#ifndef TED_DIFF_LINES_H
#define TED_DIFF_LINES_H

#include "../convert/convert.h"
#include "mapped_trees.h"

typedef enum TreeSyntax
{
	SYNTAX_PLAIN,
	SYNTAX_JSON,
	SYNTAX_XML, /* with texts marked */
	SYNTAX_TEXT /* lines of text, below a root that has no line */
} TreeSyntax;

/* The parts of its first node, and of the nodes below, that a line shows. */
typedef enum LineForm
{
	LINE_WHOLE, /* all */
	LINE_OPEN,  /* the nodes before the first one that has lines of its own */
	LINE_CLOSE  /* the end of these; not in a plain tree */
} LineForm;

typedef struct DiffLine
{
	int32 node;  /* the first one, by postorder number */
	int32 depth; /* lines open around it */
	LineForm form;
	bool is_plain;   /* of a LINE_WHOLE: it would be one line anyway */
	bool is_renamed; /* a partner's labels differ */
	bool is_free;    /* what differs from the line with the partners costs nothing */
	int32 partner;   /* line of the other document with the partners of all of its nodes, or -1 */
} DiffLine;

/* A document's lines. */
typedef struct DiffLines
{
	const MappedTree *side;
	DiffLine *line;
	int32 count;
} DiffLines;

/* Memory that the lines of both trees take. */
extern Size DiffLinesMemory(const MappedTrees *trees);

/* Finds the lines of both trees. */
extern void FindDiffLines(const MappedTrees *trees, TreeSyntax syntax, DiffLines *a, DiffLines *b);

/* Finds all lines that a LINE_WHOLE would be if whole subtrees were not one line. */
extern void FindLinesOfLine(const MappedTrees *trees, TreeSyntax syntax, const MappedTree *side,
							const DiffLine *line, DiffLines *lines);

/* The kind of a node in its syntax. */
typedef enum NodeKind
{
	NODE_PLAIN,
	NODE_MEMBER,
	NODE_OBJECT,
	NODE_ARRAY,
	NODE_LITERAL,
	NODE_ELEMENT,
	NODE_ATTRIBUTE,
	NODE_VALUE, /* of an attribute */
	NODE_TEXT
} NodeKind;

/* The kind of a node, by its label and the kind of the node before it in preorder. */
extern NodeKind KindOfNode(TreeSyntax syntax, Label label, NodeKind before);

/*
 * Nodes of a line of this form that starts with a node, which follow each other in
 * preorder: all of its subtree, or those before the first one that has lines of its own.
 */
extern int32 NodesOfLine(const MappedTrees *trees, const MappedTree *side, TreeSyntax syntax,
						 int32 node, LineForm form);

#endif /* TED_DIFF_LINES_H */
