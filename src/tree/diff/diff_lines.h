/*
 * diff_lines.h
 *	  The lines of two documents, and the pairs of lines that correspond to each other.
 *
 * The lines of a document depend on the syntax in which its tree is written:
 *
 * - a plain tree has a line for each node,
 * - JSON has a line for each member or item, or two if it is an object or array,
 * - a text has a line for each child of the root,
 * - XML has a line for each element with its attributes, or two if the element has content
 *   other than one text, and a line for each other text.  An element whose text stays while
 *   tags in it come or go is one line.
 *
 * A whole subtree is one line if no node in it has a partner, or if it is unchanged.
 */
#ifndef TED_DIFF_LINES_H
#define TED_DIFF_LINES_H

#include "../convert/json_writer.h"
#include "../mapping/mapped_trees.h"

/* The syntax in which a tree is written. */
typedef enum TreeSyntax
{
	SYNTAX_PLAIN,
	SYNTAX_JSON,
	SYNTAX_XML, /* with texts marked */
	SYNTAX_TEXT /* lines of text, below a root that has no line */
} TreeSyntax;

/* The nodes that a line shows, of the subtree of its first node. */
typedef enum LineForm
{
	LINE_WHOLE, /* the whole subtree */
	LINE_OPEN,  /* the nodes before the first one with lines of its own */
	LINE_CLOSE  /* the ends of the nodes of LINE_OPEN; not in a plain tree */
} LineForm;

/* A line of a document. */
typedef struct DiffLine
{
	int32 node;  /* first node, by postorder number */
	int32 depth; /* number of lines open around it */
	LineForm form;
	bool is_plain;   /* LINE_WHOLE, and would also be one line if subtrees were not */
	bool is_renamed; /* labels of partners differ */
	bool is_free;    /* the differences from the partners' line cost nothing */
	int32 partner;   /* line of the other document with the partners of all its nodes, or -1 */
} DiffLine;

/* The lines of a document. */
typedef struct DiffLines
{
	const MappedTree *side;
	DiffLine *line;
	int32 count;
} DiffLines;

/* Returns the memory of the lines of both trees in bytes. */
extern Size DiffLinesMemory(const MappedTrees *trees);

/* Finds the lines of both trees, and pairs them. */
extern void FindDiffLines(const MappedTrees *trees, TreeSyntax syntax, DiffLines *a, DiffLines *b);

/* Finds the lines into which a LINE_WHOLE is divided if whole subtrees are not one line. */
extern void FindLinesOfLine(const MappedTrees *trees, TreeSyntax syntax, const MappedTree *side,
							const DiffLine *line, DiffLines *lines);

/* The kind of a node in its syntax. */
typedef enum NodeKind
{
	NODE_LITERAL = TED_JSON_LITERAL,
	NODE_OBJECT = TED_JSON_OBJECT,
	NODE_ARRAY = TED_JSON_ARRAY,
	NODE_MEMBER = TED_JSON_MEMBER,
	NODE_PLAIN,
	NODE_ELEMENT,
	NODE_ATTRIBUTE,
	NODE_VALUE, /* value of an attribute */
	NODE_TEXT
} NodeKind;

/* Returns the kind of a node, from its label and the kind of the previous node in preorder. */
extern NodeKind KindOfNode(TreeSyntax syntax, Label label, NodeKind before);

/*
 * Returns the number of nodes of a line that begins with a node.  They are consecutive in
 * preorder: the whole subtree, or the nodes before the first one with lines of its own.
 */
extern int32 NodesOfLine(const MappedTrees *trees, const MappedTree *side, TreeSyntax syntax,
						 int32 node, LineForm form);

#endif /* TED_DIFF_LINES_H */
