/*
 * html_table.c
 *	  Reads the table of an HTML page.
 *
 * The tree of a table and the tokens of its cells are those of X. Zhong, E. ShafieiBavani
 * and A. Jimeno Yepes, Image-based table recognition: data, model, and evaluation, ECCV
 * 2020, and of the script published with it.
 */
#include "postgres.h"

#ifdef USE_LIBXML

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "html_table.h"
#include "../value/tree.h"

/* Tokens from here on are tags: of each element name, the start tag and then the end tag. */
#define FIRST_TAG_TOKEN 0x110000

/* The state of reading a table. */
typedef struct TableReader
{
	HtmlTable *table;
	LabelTable *names;
	bool contents;
} TableReader;

/* Whether a node is an element with a name. */
static bool
IsElement(const xmlNode *node, const char *name)
{
	return node->type == XML_ELEMENT_NODE && strcmp((const char *) node->name, name) == 0;
}

/* Whether a node is a table cell, whose content is compared. */
static bool
IsCell(const xmlNode *node)
{
	return IsElement(node, "td");
}

/* Returns the number of a name. */
static int32
NumberOf(TableReader *reader, const char *name)
{
	return LabelTableIntern(reader->names, name, (int) strlen(name));
}

/* Makes room for `count` more tokens. */
static void
ReserveTokens(HtmlTable *table, Size count)
{
	Size needed = table->token_count + count;

	if (needed <= table->token_capacity)
		return;
	needed = Max(needed, 2 * table->token_capacity);
	CheckMemoryGrowth(table->context, sizeof(uint32) * needed, COMPARING_TABLES);
	table->tokens = repalloc_huge(table->tokens, sizeof(uint32) * needed);
	table->token_capacity = needed;
}

/* Adds the start tag or the end tag of an element as a token. */
static void
AddTag(TableReader *reader, const xmlNode *element, bool ends)
{
	uint32 number = (uint32) NumberOf(reader, (const char *) element->name);

	ReserveTokens(reader->table, 1);
	reader->table->tokens[reader->table->token_count++] = FIRST_TAG_TOKEN + 2 * number + ends;
}

/* Adds the tokens in an element.  Text that directly follows a nested cell does not count. */
static void
AddTokens(TableReader *reader, const xmlNode *parent)
{
	bool counts = true;

	check_stack_depth();
	for (const xmlNode *node = parent->children; node != NULL; node = node->next)
	{
		CHECK_FOR_INTERRUPTS();
		if (node->type == XML_ELEMENT_NODE)
		{
			reader->table->elements++;
			if (reader->contents)
				AddTag(reader, node, false);
			AddTokens(reader, node);
			if (reader->contents && !IsElement(node, "unk"))
				AddTag(reader, node, true);
			counts = !IsCell(node);
		}
		else if (reader->contents && counts && node->content != NULL &&
				 (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE))
		{
			const xmlChar *text = node->content;

			ReserveTokens(reader->table, strlen((const char *) text));
			for (; *text != '\0'; text += pg_utf_mblen(text))
			{
				CHECK_FOR_INTERRUPTS();
				reader->table->tokens[reader->table->token_count++] = utf8_to_unicode(text);
			}
		}
	}
}

/*
 * Appends a span of a table cell without redundant characters.  It is read by HTML's rules for
 * non-negative integers; what they do not accept counts as 1.
 */
static void
AppendSpan(StringInfo kind, const xmlNode *cell, const char *name)
{
	const xmlAttr *given = xmlHasProp(unconstify(xmlNode *, cell), (const xmlChar *) name);
	const char *value = given == NULL ? "" : XmlContent((const xmlNode *) given, '&');
	const char *p = value + strspn(value, " \t\r\n\f");
	Size digits;

	p += *p == '+';
	digits = strspn(p, "0123456789");
	if (digits == 0)
	{
		p = "1";
		digits = 1;
	}
	for (; digits > 1 && *p == '0'; digits--)
		p++;
	appendStringInfo(kind, " %.*s", (int) digits, p);
}

/*
 * Returns the number of the name and spans that two nodes need in common if renaming is to
 * cost less than 1.
 */
static int32
KindOfElement(TableReader *reader, const xmlNode *element)
{
	StringInfoData kind;
	int32 number;

	if (!IsCell(element))
		return NumberOf(reader, (const char *) element->name);
	initStringInfo(&kind);
	appendStringInfoString(&kind, (const char *) element->name);
	AppendSpan(&kind, element, "colspan");
	AppendSpan(&kind, element, "rowspan");
	number = NumberOf(reader, kind.data);
	pfree(kind.data);
	return number;
}

/* Adds an element and its descendants. */
static void
AddElement(TableReader *reader, const xmlNode *element)
{
	HtmlTable *table = reader->table;
	TableNode node = {.kind = KindOfElement(reader, element), .first = table->token_count};
	int32 before = table->tree.size;

	check_stack_depth();
	if (IsCell(element))
		AddTokens(reader, element);
	else
		for (const xmlNode *child = element->children; child != NULL; child = child->next)
		{
			CHECK_FOR_INTERRUPTS();
			if (child->type != XML_ELEMENT_NODE)
				continue;
			table->elements++;
			AddElement(reader, child);
		}
	if (IsCell(element))
		node.length = (int32) (table->token_count - node.first);
	if (table->tree.size == TREE_MAX_NODES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("table has too many elements"),
				 errdetail("A table can have at most %d elements.", TREE_MAX_NODES),
				 errhint("Compare parts of the table.")));
	if (table->tree.size >= table->capacity)
	{
		CheckMemoryGrowth(table->context,
						  2 * (Size) table->capacity * (sizeof(TableNode) + sizeof(int32)),
						  COMPARING_TABLES);
		table->capacity *= 2;
		table->nodes = repalloc_huge(table->nodes, sizeof(TableNode) * (Size) table->capacity);
		table->subtree_size =
			repalloc_huge(table->subtree_size, sizeof(int32) * (Size) table->capacity);
	}
	table->nodes[table->tree.size] = node;
	table->subtree_size[table->tree.size] = table->tree.size - before + 1;
	table->tree.size++;
}

/* Returns the element after a node in document order, or NULL. */
static const xmlNode *
NextElement(const xmlNode *node)
{
	const xmlNode *next = node->children;

	for (;;)
	{
		for (; next != NULL; next = next->next)
			if (next->type == XML_ELEMENT_NODE)
				return next;
		if (node->parent == NULL)
			return NULL;
		next = node->next;
		node = node->parent;
	}
}

/* Returns the first table of a page, or NULL. */
static const xmlNode *
FindTable(xmlDocPtr page)
{
	const xmlNode *root = xmlDocGetRootElement(page);
	const xmlNode *first = NULL;

	for (const xmlNode *node = root; node != NULL; node = NextElement(node))
	{
		CHECK_FOR_INTERRUPTS();
		if (!IsElement(node, "table"))
			continue;
		if (node->parent->parent == root && IsElement(node->parent, "body"))
			return node;
		if (first == NULL)
			first = node;
	}
	return first;
}

bool
ReadHtmlTable(xmlDocPtr page, LabelTable *names, bool contents, HtmlTable *table)
{
	const xmlNode *element = FindTable(page);
	TableReader reader = {.table = table, .names = names, .contents = contents};

	if (element == NULL)
		return false;
	*table = (HtmlTable){.context = CurrentMemoryContext, .capacity = 64, .token_capacity = 256};
	table->nodes = palloc_array(TableNode, table->capacity);
	table->subtree_size = palloc_array(int32, table->capacity);
	table->tokens = palloc_array(uint32, table->token_capacity);
	AddElement(&reader, element);
	table->tree.subtree_size = table->subtree_size;
	return true;
}

#endif /* USE_LIBXML */
