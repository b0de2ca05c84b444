/*
 * html_table.h
 *	  The table of an HTML page as the tree that TEDS compares.
 *
 * Only in builds with libxml2.
 */
#ifndef TED_HTML_TABLE_H
#define TED_HTML_TABLE_H

#include "postgres.h"

#include "../../core/tree/ted.h"
#include "../../common/labels.h"
#include "xml_document.h"

/* The name of the computation in errors about memory. */
#define COMPARING_TABLES "comparing tables"

/* A node: the table, an element outside of cells, or a table cell (td). */
typedef struct TableNode
{
	int32 kind;   /* equal for equal names and, of table cells, equal spans */
	int32 length; /* number of tokens in the table cell */
	Size first;   /* its first token, an index of `tokens` */
} TableNode;

/* The first table of a page.  Its arrays are in `context`, the context current when it was read. */
typedef struct HtmlTable
{
	MemoryContext context;
	TedTree tree; /* its labels are set by the caller */
	int32 *subtree_size;
	TableNode *nodes; /* by postorder number */
	int32 capacity;   /* capacity of `nodes` and `subtree_size` */
	int32 elements;   /* elements below the table, in table cells or not */
	uint32 *tokens;
	Size token_count;
	Size token_capacity;
} HtmlTable;

/*
 * Reads the first table of a page: the first one that is a child of the body, or else the
 * first of all; false if there is none.  `names` numbers kinds and element names.  Without
 * `contents`, table cells have no tokens.
 */
extern bool ReadHtmlTable(xmlDocPtr page, LabelTable *names, bool contents, HtmlTable *table);

#endif /* TED_HTML_TABLE_H */
