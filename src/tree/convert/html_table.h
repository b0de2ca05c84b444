/*
 * html_table.h
 *	  A table of an HTML page as the tree that TEDS compares.
 *
 * Only for servers that are built with libxml2.
 */
#ifndef TED_HTML_TABLE_H
#define TED_HTML_TABLE_H

#include "postgres.h"

#include "../../core/tree/ted.h"
#include "../../common/labels.h"
#include "xml_document.h"

/* Name of the computation in errors about memory. */
#define COMPARING_TABLES "comparing tables"

/* A node: the table, an element in it that is in no cell, or a cell of the element td. */
typedef struct TableNode
{
	int32 kind;   /* equal for equal names and, of cells, equal spans */
	int32 length; /* tokens in a cell */
	Size first;   /* of them, in `tokens` */
} TableNode;

/* The first table of a page; all memory is in the context that was current at first. */
typedef struct HtmlTable
{
	MemoryContext context;
	TedTree tree; /* its labels are to be set */
	int32 *subtree_size;
	TableNode *nodes; /* by postorder number */
	int32 capacity;   /* of both */
	int32 elements;   /* below the table, in cells or not */
	uint32 *tokens;
	Size token_count;
	Size token_capacity;
} HtmlTable;

/*
 * Reads the first table of a page: the first one directly in the body, or else the first
 * one at all; false if there is none.  Kinds, and names in cells, are numbered in `names`.
 * Without contents, cells have no tokens.
 */
extern bool ReadHtmlTable(xmlDocPtr page, LabelTable *names, bool contents, HtmlTable *table);

#endif /* TED_HTML_TABLE_H */
