/*
 * html_tree.c
 *	  Marks the texts in the tree of an HTML page, see xml_marks.h.
 *
 * In a tree of tree_from_html(), a leaf is a text or an empty element, and no two texts are
 * adjacent siblings.  So a leaf is taken for an element if its label is an element's name
 * and, in addition, either the name is unlikely as a text or an adjacent sibling may be a
 * text.
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

/* More than the bytes of the longest element name. */
#define NAME_BYTES 16

/* What the label of a leaf can be. */
typedef enum LeafName
{
	NAME_OF_TEXT,
	NAME_OF_EITHER,
	NAME_OF_ELEMENT
} LeafName;

/* An open node. */
typedef struct HtmlLevel
{
	int32 label;
	int32 children;
	bool is_attribute;
	bool has_content;
	int32 leaf; /* the last child, if it is a leaf that may be a text, or -1 */
	LeafName leaf_name;
} HtmlLevel;

/* A tree whose texts are being found. */
typedef struct HtmlTree
{
	TreeReader reader;
	HtmlLevel *levels; /* by depth */
	int32 capacity;
	bool *is_text; /* by preorder number */
} HtmlTree;

/* Returns what the label of a leaf can be. */
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

/* Opens a node; false if tree_from_html() cannot have made the tree. */
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

/*
 * Closes a node, and decides whether a leaf is a text; false if tree_from_html() cannot
 * have made the tree.
 */
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

/* Finds the texts; false if tree_from_html() cannot have made the tree. */
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

/*
 * Marks the texts in the tree of an HTML page; NULL if tree_from_html() cannot have made
 * the tree.
 */
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

/* Returns NULL, since tree_from_html() makes no trees without libxml2. */
Tree *
MarkedHtmlTree(const Tree *tree)
{
	(void) tree;
	return NULL;
}

#endif
