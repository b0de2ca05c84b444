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

#include "../mapping/mapped_trees.h"

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
extern void FindDiffLines(const MappedTrees *trees, DiffLines *a, DiffLines *b);

/* Finds the lines into which a LINE_WHOLE is divided if whole subtrees are not one line. */
extern void FindLinesOfLine(const MappedTrees *trees, const MappedTree *side, const DiffLine *line,
							DiffLines *lines);

/*
 * Returns the number of nodes of a line that begins with a node.  They are consecutive in
 * preorder: the whole subtree, or the nodes before the first one with lines of its own.
 */
extern int32 NodesOfLine(const MappedTree *side, int32 node, LineForm form);

#endif /* TED_DIFF_LINES_H */
