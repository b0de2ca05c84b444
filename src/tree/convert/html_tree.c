/*
 * html_tree.c
 *	  The tree of a page of HTML with its texts marked, see xml_marks.h.
 *
 * In a tree of tree_from_html(), a leaf is a text or an empty element, and no two texts are next
 * to each other.  So a leaf is an element where its label is the name of one, and either is
 * hardly a text, or the leaf is next to another leaf that may be a text.
 */
#include "postgres.h"

#include "miscadmin.h"

#ifdef USE_LIBXML
#include <libxml/HTMLparser.h>
#endif

#include "../../common/host.h"
#include "../../compat.h"
#include "convert.h"
#include "xml_marks.h"

#ifdef USE_LIBXML

/* More bytes than the longest name of an element has. */
#define NAME_BYTES 16

/* The kinds of leaves by their labels. */
typedef enum LeafName
{
	NAME_OF_TEXT,
	NAME_OF_EITHER,
	NAME_OF_ELEMENT
} LeafName;

/* A node that is open. */
typedef struct HtmlLevel
{
	int32 label;
	int32 children;
	bool is_attribute;
	bool has_content;
	int32 leaf; /* the last child where it is a leaf that may be a text, or -1 */
	LeafName leaf_name;
} HtmlLevel;

/* A tree whose texts are searched. */
typedef struct HtmlTree
{
	TreeReader reader;
	HtmlLevel *levels; /* by depth */
	int32 capacity;
	bool *is_text; /* by preorder number */
} HtmlTree;

/* Finds the kind of a leaf. */
static LeafName
NameOfLabel(Label label)
{
	static const char *const elements[] = {"br",  "hr",   "wbr",   "col",   "td",   "th", "tr",
										   "li",  "ul",   "ol",    "dl",    "dt",   "dd", "div",
										   "img", "span", "tbody", "thead", "tfoot"};
	char name[NAME_BYTES];
	const htmlElemDesc *element;

	for (int i = 0; i < (int) lengthof(elements); i++)
		if (LabelIs(label, elements[i]))
			return NAME_OF_ELEMENT;
	if (label.length >= NAME_BYTES)
		return NAME_OF_TEXT;
	memcpy(name, label.bytes, (Size) label.length);
	name[label.length] = '\0';
	element = htmlTagLookup((const xmlChar *) name);
	return element != NULL && strcmp(element->name, name) == 0 ? NAME_OF_EITHER : NAME_OF_TEXT;
}

/* Opens a node; returns false where the tree is not as tree_from_html() makes it. */
static bool
OpenHtmlNode(HtmlTree *html)
{
	int32 depth = html->reader.depth - 1;
	HtmlLevel *parent;

	if (depth >= html->capacity)
	{
		html->capacity *= 2;
		CheckMemoryLimit(sizeof(HtmlLevel) * (Size) html->capacity, BUILDING_A_TREE);
		html->levels = repalloc_huge(html->levels, sizeof(HtmlLevel) * (Size) html->capacity);
	}
	html->levels[depth] = (HtmlLevel){.label = html->reader.label, .leaf = -1};
	if (depth == 0)
		return LabelIs(html->reader.labels[html->reader.label], "html");
	parent = &html->levels[depth - 1];
	if (parent->children++ == 0)
	{
		Label label = html->reader.labels[parent->label];

		parent->is_attribute = label.length > 0 && label.bytes[0] == '@';
		if (label.length == 0 || label.bytes[0] == MARK_TEXT ||
			(parent->is_attribute && depth > 1 && html->levels[depth - 2].has_content))
			return false;
	}
	return !parent->is_attribute || parent->children == 1;
}

/* Closes a node; decides whether a leaf is a text.  Returns false as OpenHtmlNode() does. */
static bool
CloseHtmlNode(HtmlTree *html)
{
	int32 depth = html->reader.depth;
	const HtmlLevel *level = &html->levels[depth];
	HtmlLevel *parent;

	if (depth == 0)
		return true;
	parent = &html->levels[depth - 1];
	if (parent->is_attribute)
		return level->children == 0;
	if (level->is_attribute)
		return true;
	parent->has_content = true;
	if (level->children == 0)
	{
		int32 before = parent->leaf;
		LeafName name_before = parent->leaf_name;

		parent->leaf_name = NameOfLabel(html->reader.labels[level->label]);
		parent->leaf = parent->leaf_name == NAME_OF_ELEMENT ? -1 : html->reader.node;
		html->is_text[html->reader.node] = parent->leaf_name == NAME_OF_TEXT ||
										   (parent->leaf_name == NAME_OF_EITHER && before < 0);
		if (before >= 0 && parent->leaf >= 0 && name_before == NAME_OF_EITHER)
			html->is_text[before] = false;
	}
	else
		parent->leaf = -1;
	return true;
}

/* Finds the texts; returns false as OpenHtmlNode() does. */
static bool
FindHtmlTexts(HtmlTree *html)
{
	TreeEvent event;

	while ((event = TreeReaderNext(&html->reader)) != TREE_END)
	{
		CHECK_FOR_INTERRUPTS();
		if (!(event == TREE_OPEN ? OpenHtmlNode(html) : CloseHtmlNode(html)))
			return false;
	}
	return true;
}

/* The tree of a page with its texts marked, or NULL where tree_from_html() makes no such tree. */
Tree *
MarkedHtmlTree(const Tree *tree)
{
	Size nodes = (Size) TreeSize(PointerGetDatum(tree));
	HtmlTree html = {.capacity = 64};
	TreeBuilder builder;
	TreeReader reader;
	TreeEvent event;
	Tree *marked = NULL;

	CheckMemoryLimit(nodes * sizeof(bool), BUILDING_A_TREE);
	TreeReaderInit(&html.reader, tree);
	html.levels = palloc_array(HtmlLevel, html.capacity);
	html.is_text = MemoryContextAllocExtended(CurrentMemoryContext, nodes * sizeof(bool),
											  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	if (FindHtmlTexts(&html))
	{
		StringInfoData label;

		initStringInfo(&label);
		TreeBuilderInit(&builder);
		TreeReaderInit(&reader, tree);
		while ((event = TreeReaderNext(&reader)) != TREE_END)
		{
			CHECK_FOR_INTERRUPTS();
			if (event == TREE_CLOSE || !html.is_text[reader.node])
			{
				TreeBuilderRepeat(&builder, &reader, event);
				continue;
			}
			resetStringInfo(&label);
			appendStringInfoChar(&label, MARK_TEXT);
			appendBinaryStringInfo(&label, reader.labels[reader.label].bytes,
								   reader.labels[reader.label].length);
			TreeBuilderOpen(&builder, label.data, label.len);
		}
		marked = TreeBuilderFinish(&builder);
		pfree(label.data);
	}
	pfree(html.levels);
	pfree(html.is_text);
	return marked;
}

#else

/* The tree of a page with its texts marked: NULL, as there are no such trees without libxml2. */
Tree *
MarkedHtmlTree(const Tree *tree)
{
	(void) tree;
	return NULL;
}

#endif
