/*
 * html_tree.c
 *	  Marks the texts in the tree of an HTML page, see xml_marks.h.
 *
 * In a tree of tree_from_html(), a leaf is a text or an empty element, and no two texts are
 * adjacent siblings, unless each word is a leaf.  So a leaf is taken for an element if its
 * label is an element's name and, in addition, the name is unlikely as a text there, or an
 * adjacent sibling may be a text and not each word is a leaf.
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

/* What a node is. */
typedef enum HtmlLeaf
{
	LEAF_NO_TEXT,
	LEAF_TEXT,
	LEAF_WORD /* a text if each word is a leaf */
} HtmlLeaf;

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
	uint8 *leaf;     /* HtmlLeaf by preorder number */
	bool has_spaces; /* some texts consist of several words */
	bool has_words;  /* some texts are adjacent */
} HtmlTree;

/* Elements that have no texts, so that a leaf in them is an element. */
static const char *const without_texts[] = {"html",  "head", "table",    "thead",    "tbody",
											"tfoot", "tr",   "colgroup", "ul",       "ol",
											"dl",    "menu", "select",   "optgroup", "frameset"};

/* Elements with texts of a page about something, or with texts only. */
static const char *const codes[] = {"code", "kbd",   "samp",     "tt",
									"var",  "title", "textarea", "option"};

/* Elements in which there are no blocks. */
static const char *const phrases[] = {"a",    "abbr",   "b",      "big", "button", "cite", "dfn",
									  "em",   "font",   "h1",     "h2",  "h3",     "h4",   "h5",
									  "h6",   "i",      "label",  "p",   "q",      "s",    "small",
									  "span", "strike", "strong", "sub", "sup",    "u"};

/* Elements that are often empty and whose names are unlikely as texts. */
static const char *const empty_phrases[] = {"br", "wbr", "img", "span"};
static const char *const empty_blocks[] = {"hr", "col", "td", "th",  "tr",    "li",    "ul",   "ol",
										   "dl", "dt",  "dd", "div", "tbody", "thead", "tfoot"};

/* Elements of HTML 5, which libxml2 does not know, and whose names are likely as texts. */
static const char *const new_elements[] = {
	"article",  "aside",  "audio",   "canvas",  "data",     "details", "dialog", "figure",
	"footer",   "header", "main",    "mark",    "meter",    "nav",     "output", "picture",
	"progress", "ruby",   "section", "summary", "template", "time",    "video",  "figcaption"};

/* Whether a label is one of several names. */
static bool
IsOneOf(Label label, const char *const *names, int count)
{
	for (int i = 0; i < count; i++)
		if (LabelIs(label, names[i]))
			return true;
	return false;
}

#define IS_ONE_OF(label, names) IsOneOf(label, names, (int) lengthof(names))

/* Whether a label is the name of an element. */
static bool
IsElementName(Label label)
{
	char name[NAME_BYTES];
	const htmlElemDesc *element;

	if (label.length >= NAME_BYTES)
		return false;
	memcpy(name, label.bytes, (Size) label.length);
	name[label.length] = '\0';
	element = htmlTagLookup((const xmlChar *) name);
	return (element != NULL && strcmp(element->name, name) == 0) || IS_ONE_OF(label, new_elements);
}

/* Returns what the label of a leaf can be, below an element. */
static LeafName
NameOfLabel(Label label, Label parent)
{
	bool is_phrase;

	if (!IsElementName(label))
		return NAME_OF_TEXT;
	if (IS_ONE_OF(parent, without_texts))
		return NAME_OF_ELEMENT;
	if (IS_ONE_OF(parent, codes))
		return NAME_OF_EITHER;
	is_phrase = IS_ONE_OF(parent, phrases);
	return IS_ONE_OF(label, empty_phrases) || (!is_phrase && IS_ONE_OF(label, empty_blocks))
			   ? NAME_OF_ELEMENT
			   : NAME_OF_EITHER;
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

		Label label = html->reader.labels[level->label];
		LeafName name = NameOfLabel(label, html->reader.labels[parent->label]);

		parent->leaf_name = name;
		parent->leaf = name == NAME_OF_ELEMENT ? -1 : html->reader.node;
		html->leaf[html->reader.node] = name == NAME_OF_ELEMENT                 ? LEAF_NO_TEXT
										: name == NAME_OF_EITHER && before >= 0 ? LEAF_WORD
																				: LEAF_TEXT;
		if (before >= 0 && parent->leaf >= 0 && name_before == NAME_OF_EITHER)
			html->leaf[before] = LEAF_WORD;
		if (name == NAME_OF_TEXT)
		{
			html->has_spaces |= memchr(label.bytes, ' ', (Size) label.length) != NULL;
			html->has_words |= before >= 0 && name_before == NAME_OF_TEXT;
		}
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

Tree *
MarkedHtmlTree(const Tree *tree)
{
	Size nodes = (Size) TreeSize(PointerGetDatum(tree));
	HtmlTree html = {.capacity = 64};
	TreeBuilder builder;
	TreeReader reader;
	TreeEvent event;
	Tree *marked = NULL;

	CheckMemoryLimit(nodes, BUILDING_A_TREE);
	TreeReaderInit(&html.reader, tree);
	html.levels = palloc_array(HtmlLevel, html.capacity);
	html.leaf =
		MemoryContextAllocExtended(CurrentMemoryContext, nodes, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	if (FindHtmlTexts(&html))
	{
		StringInfoData label;

		bool each_word = html.has_words && !html.has_spaces;

		initStringInfo(&label);
		TreeBuilderInit(&builder);
		TreeReaderInit(&reader, tree);
		while ((event = TreeReaderNext(&reader)) != TREE_END)
		{
			CHECK_FOR_INTERRUPTS();
			if (event == TREE_CLOSE || html.leaf[reader.node] == LEAF_NO_TEXT ||
				(html.leaf[reader.node] == LEAF_WORD && !each_word))
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
	pfree(html.leaf);
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
