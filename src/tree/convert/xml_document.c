/*
 * xml_document.c
 *	  XML and HTML documents as libxml2's trees, for functions that change or compare
 *	  them.
 *
 * The set-up is that of PostgreSQL's own XML functions: errors are collected, and external
 * entities are never loaded.  libxml2 does not allocate in memory contexts, so an estimate
 * of its memory counts instead.
 */
#include "postgres.h"

#ifdef USE_LIBXML

#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/xmlsave.h>

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "xml_document.h"
#include "xml_places.h"
#include "xml_tags.h"

/* The most bytes that a parser gets at once; interrupts are checked in between. */
#define PIECE 1024

/* The most attributes of an HTML element; libxml2 takes quadratic time for them. */
#define MOST_ATTRIBUTES 5000

/* A text that a parser reads in pieces. */
typedef struct XmlInput
{
	const char *start;
	const char *p;
	const char *end;
	Size bytes;             /* of its tree so far, and a lower bound for the rest */
	htmlParserCtxtPtr html; /* the parser of HTML; NULL for XML */
	bool too_many;          /* an element has too many attributes */
} XmlInput;

/* Frees the objects of libxml2. */
static void
FreeWork(XmlWork *work)
{
	if (work->reader != NULL)
		xmlFreeTextReader(work->reader);
	if (work->parser != NULL)
		xmlFreeParserCtxt(work->parser);
	for (int i = 0; i < (int) lengthof(work->documents); i++)
		if (work->documents[i] != NULL)
			xmlFreeDoc(work->documents[i]);
}

/* Calls a function that uses libxml2, and frees the objects in its `work`, also after an error. */
Datum
CallWithXml(XmlFunction function, void *arg)
{
	XmlWork *work = palloc0_object(XmlWork);
	Datum result;

	work->errors = pg_xml_init(PG_XML_STRICTNESS_WELLFORMED);
	PG_TRY();
	{
		result = function(arg, work);
	}
	PG_CATCH();
	{
		FreeWork(work);
		pg_xml_done(work->errors, true);
		PG_RE_THROW();
	}
	PG_END_TRY();
	FreeWork(work);
	pg_xml_done(work->errors, false);
	return result;
}

/* Returns a pointer of libxml2, or raises an out-of-memory error if it is NULL. */
void *
CheckXmlPointer(void *pointer)
{
	if (pointer == NULL)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory"),
						errdetail("libxml2 could not allocate memory."),
						errhint("Use smaller documents.")));
	return pointer;
}

/* Raises an error with libxml2's messages under `message`. */
void
ReportXmlError(XmlWork *work, int code, const char *message)
{
	const xmlError *last = xmlGetLastError();

	if (last != NULL && last->message != NULL && strstr(last->message, "Excessive depth") != NULL)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("%s", message),
						errdetail("Its elements are nested deeper than libxml2 reads."),
						errhint("Take the document apart, and use its parts.")));
	xml_ereport(work->errors, ERROR, code, message);
}

/* Returns a copy of a string of libxml2, and frees the string. */
char *
TakeXmlString(xmlChar *string)
{
	char *copy = MemoryContextAllocExtended(
		CurrentMemoryContext, string == NULL ? 1 : strlen((char *) string) + 1, MCXT_ALLOC_NO_OOM);

	if (copy != NULL)
		strcpy(copy, string == NULL ? "" : (char *) string);
	if (string != NULL)
		xmlFree(string);
	if (copy == NULL)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
	return copy;
}

/*
 * Copies the next piece to the parser's buffer.  Returns -1 if the statement is being cancelled, or
 * if an element of HTML has too many attributes.
 */
static int
ReadInput(void *context, char *buffer, int length)
{
	XmlInput *input = context;
	int count = (int) Min((Size) Min(length, PIECE), (Size) (input->end - input->p));

	if (QueryCancelPending || ProcDiePending)
		return -1;
	/* the parser doubles its array, of two entries for an attribute, while it reads the element */
	if (input->html != NULL && input->html->maxatts > 4 * MOST_ATTRIBUTES)
		input->too_many = true;
	if (input->too_many)
		return -1;
	memcpy(buffer, input->p, (size_t) count);
	input->p += count;
	return count;
}

/*
 * Raises an error if the documents so far and this one would take too much memory.  A tag,
 * an attribute or a reference counts as two nodes.
 */
static void
CheckDocument(XmlWork *work, const char *text, const char *what)
{
	Size marks = 0;
	const char *p = text;

	for (; *p != '\0'; p++)
		marks += *p == '<' || *p == '=' || *p == '&';
	work->bytes += marks * 2 * sizeof(xmlNode) + 3 * (Size) (p - text);
	CheckMemoryLimit(work->bytes, what);
}

/* Returns the next node in document order in the subtree of a root, without attributes, or NULL. */
xmlNodePtr
NextXmlNode(xmlNodePtr node, xmlNodePtr root)
{
	if (node->children != NULL && (node->type == XML_ELEMENT_NODE || node == root))
		return node->children;
	while (node != root && node->next == NULL)
		node = node->parent;
	return node == root ? NULL : node->next;
}

/* Merges adjacent texts, and removes empty ones. */
static void
MergeText(xmlDocPtr document)
{
	xmlNodePtr root = (xmlNodePtr) document;
	xmlNodePtr node = root;

	while (node != NULL)
	{
		xmlNodePtr next = NextXmlNode(node, root);

		CHECK_FOR_INTERRUPTS();
		if (node->type == XML_TEXT_NODE && node->next != NULL && node->next->type == XML_TEXT_NODE)
		{
			next = node;
			xmlTextMerge(node, node->next);
		}
		else if (node->type == XML_TEXT_NODE && (node->content == NULL || node->content[0] == '\0'))
		{
			xmlUnlinkNode(node);
			xmlFreeNode(node);
		}
		node = next;
	}
}

/* Returns the document type declaration as written, for a document that has one. */
static char *
DocumentType(const XmlInput *input)
{
	XmlText found = FindXmlDoctype((XmlText){input->start, input->end});

	return pnstrdup(found.start, (Size) (found.end - found.start));
}

/* Parses a document. */
xmlDocPtr
ParseXmlDocument(XmlWork *work, int number, Datum value, const char *what)
{
	char *source = text_to_cstring(DatumGetTextPP(value));
	char *utf8 = pg_server_to_any(source, (int) strlen(source), PG_UTF8);
	XmlInput input = {.start = utf8, .p = SkipXmlDeclaration(utf8)};

	input.end = input.p + strlen(input.p);
	CheckDocument(work, input.p, what);
	work->parser = CheckXmlPointer(xmlNewParserCtxt());
	work->documents[number] =
		xmlCtxtReadIO(work->parser, ReadInput, NULL, &input, NULL, "UTF-8",
					  XML_PARSE_NOENT | XML_PARSE_NOCDATA | XML_PARSE_NODICT | XML_PARSE_NONET);
	CHECK_FOR_INTERRUPTS();
	if (work->documents[number] == NULL || pg_xml_error_occurred(work->errors))
		ReportXmlError(work, ERRCODE_INVALID_XML_DOCUMENT,
					   "could not read XML value as a document");
	xmlFreeParserCtxt(work->parser);
	work->parser = NULL;
	if (work->documents[number]->intSubset != NULL)
		work->documents[number]->_private = DocumentType(&input);
	if (utf8 != source)
		pfree(utf8);
	pfree(source);
	MergeText(work->documents[number]);
	return work->documents[number];
}

/*
 * Handles the start of an HTML element.  Stops the parser if the tree would take too much memory,
 * or if the statement is being cancelled: libxml2 takes quadratic time for the attributes.
 */
static void
TakeElement(void *context, const xmlChar *name, const xmlChar **attributes)
{
	htmlParserCtxtPtr parser = context;
	XmlInput *input = parser->_private;
	int parts = 0;

	while (attributes != NULL && attributes[parts] != NULL)
		parts += 2;
	input->bytes += (Size) (2 + parts) * sizeof(xmlNode); /* one for the text next to it */
	input->too_many = input->too_many || parts / 2 > MOST_ATTRIBUTES;
	if (input->too_many || QueryCancelPending || ProcDiePending ||
		input->bytes / 1024 >= (Size) ted_max_memory)
		xmlStopParser(parser);
	else
		xmlSAX2StartElement(context, name, attributes);
}

/* Makes an HTML parser that estimates the memory of elements. */
static htmlParserCtxtPtr
NewHtmlParser(XmlInput *input)
{
	htmlParserCtxtPtr parser = CheckXmlPointer(htmlNewParserCtxt());

	parser->_private = input;
	input->html = parser;
	parser->sax->startElement = TakeElement;
	for (const char *p = input->p; p < input->end; p++)
		if (*p == '<') /* at least a comment, or the text after an end tag */
			input->bytes += sizeof(xmlNode);
	input->bytes += 3 * (Size) (input->end - input->p);
	return parser;
}

/* Parses a page of HTML.  Its own declaration of an encoding is ignored. */
xmlDocPtr
ParseHtmlDocument(XmlWork *work, int number, Datum value, const char *what)
{
	char *source = text_to_cstring(DatumGetTextPP(value));
	char *utf8 = pg_server_to_any(source, (int) strlen(source), PG_UTF8);
	XmlInput input = {.p = utf8, .end = utf8 + strlen(utf8)};

	work->parser = NewHtmlParser(&input);
	CheckMemoryLimit(input.bytes, what);
	work->documents[number] =
		htmlCtxtReadIO(work->parser, ReadInput, NULL, &input, NULL, "UTF-8",
					   HTML_PARSE_NODEFDTD | HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC);
	CHECK_FOR_INTERRUPTS();
	CheckMemoryLimit(input.bytes, what);
	if (input.too_many)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("HTML element has too many attributes"),
						errdetail("An element can have at most %d attributes.", MOST_ATTRIBUTES),
						errhint("Correct the HTML: a quotation mark may be missing.")));
	if (pg_xml_error_occurred(work->errors))
		ReportXmlError(work, ERRCODE_INVALID_XML_DOCUMENT, "could not read HTML text");
	CheckXmlPointer(work->documents[number]);
	xmlFreeParserCtxt(work->parser);
	work->parser = NULL;
	if (utf8 != source)
		pfree(utf8);
	pfree(source);
	return work->documents[number];
}

/* Whether two namespaces are the same.  NULL and an empty name both stand for no namespace. */
static bool
SameNamespace(const xmlNs *a, const xmlNs *b)
{
	const xmlChar *uri_a = a == NULL || a->href == NULL ? (const xmlChar *) "" : a->href;
	const xmlChar *uri_b = b == NULL || b->href == NULL ? (const xmlChar *) "" : b->href;

	return xmlStrEqual(uri_a, uri_b);
}

/* Returns the declaration in scope of a prefix for a namespace; adds one if there is none. */
static xmlNsPtr
DeclaredNamespace(XmlWork *work, xmlNodePtr element, const xmlNs *space, const char *what)
{
	const xmlChar *prefix = space == NULL ? NULL : space->prefix;
	xmlNsPtr found = xmlSearchNs(element->doc, element, prefix);

	if (found == space || SameNamespace(found, space))
		return space == NULL ? NULL : found;
	work->declarations += sizeof(xmlNs) + (space == NULL ? 0 : 3 * (Size) xmlStrlen(space->href));
	CheckMemoryLimit(work->declarations, what);
	found = CheckXmlPointer(
		xmlNewNs(element, space == NULL ? (const xmlChar *) "" : space->href, prefix));
	return space == NULL ? NULL : found;
}

/* Drops the declarations of an element that are already in scope at its parent. */
static void
DropDeclarations(xmlNodePtr element)
{
	xmlNsPtr *link = &element->nsDef;

	while (*link != NULL)
	{
		xmlNsPtr space = *link;

		CHECK_FOR_INTERRUPTS();
		if (SameNamespace(xmlSearchNs(element->doc, element->parent, space->prefix), space))
		{
			/*
			 * names refer to the declaration, so it is moved to the document's list, after
			 * that of "xml"
			 */
			xmlNsPtr first =
				CheckXmlPointer(xmlSearchNs(element->doc, element, (const xmlChar *) "xml"));

			*link = space->next;
			space->next = first->next;
			first->next = space;
		}
		else
			link = &space->next;
	}
}

/* Raises an error if an element is nested too deeply. */
void
CheckXmlLevel(int level)
{
	if (level > XML_MAX_LEVELS - 2)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("elements of an XML document are nested too deeply"),
						errdetail("Elements can be nested %d levels deep, also those in a patch.",
								  XML_MAX_LEVELS - 2),
						errhint("Take the document apart, and use its parts.")));
}

/*
 * Adds the namespace declarations that an element at `level` and its descendants need, and
 * drops superfluous ones.
 */
static void
SettleElement(XmlWork *work, xmlNodePtr element, int level, const char *what)
{
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	CheckXmlLevel(level);
	DropDeclarations(element);
	element->ns = DeclaredNamespace(work, element, element->ns, what);
	for (xmlAttrPtr x = element->properties; x != NULL; x = x->next)
		if (x->ns != NULL)
			x->ns = DeclaredNamespace(work, element, x->ns, what);
	for (xmlNodePtr node = element->children; node != NULL; node = node->next)
		if (node->type == XML_ELEMENT_NODE)
			SettleElement(work, node, level + 1, what);
}

/* Adds the namespace declarations that an element needs in its new place. */
static void
SettleNamespaces(XmlWork *work, xmlNodePtr element, const char *what)
{
	int level = 0;

	for (xmlNodePtr node = element; node->type == XML_ELEMENT_NODE; node = node->parent)
		level++;
	SettleElement(work, element, level, what);
}

/* Moves a subtree to a place between two children of another node. */
void
MoveXmlNode(XmlWork *work, xmlNodePtr node, xmlNodePtr parent, xmlNodePtr before, xmlNodePtr after,
			const char *what)
{
	/* not by libxml2, which merges adjacent texts and frees nodes that are still in use */
	xmlUnlinkNode(node);
	xmlSetTreeDoc(node, parent->doc);
	node->parent = parent;
	node->prev = before;
	node->next = after;
	if (before != NULL)
		before->next = node;
	else
		parent->children = node;
	if (after != NULL)
		after->prev = node;
	else
		parent->last = node;
	if (node->type == XML_ELEMENT_NODE)
		SettleNamespaces(work, node, what);
}

/*
 * Turns namespace declarations with special characters into attributes, since some versions
 * of libxml2 write namespaces unescaped.
 */
static void
EscapeDeclarations(xmlDocPtr document)
{
	xmlNodePtr root = (xmlNodePtr) document;

	for (xmlNodePtr node = root; node != NULL; node = NextXmlNode(node, root))
	{
		CHECK_FOR_INTERRUPTS();
		if (node->type != XML_ELEMENT_NODE)
			continue;
		for (xmlNsPtr space = node->nsDef; space != NULL; space = space->next)
		{
			const char *prefix = (const char *) space->prefix;
			char *name;

			if (space->href == NULL || strpbrk((const char *) space->href, "&<>\t\r\n") == NULL)
				continue;
			name = prefix == NULL ? pstrdup("xmlns") : psprintf("xmlns:%s", prefix);
			CheckXmlPointer(xmlNewProp(node, (const xmlChar *) name, space->href));
			xmlFree(unconstify(xmlChar *, space->href));
			space->href = NULL;
			pfree(name);
		}
	}
}

/* Collects libxml2's output.  Returns -1 if the statement is being cancelled. */
static int
TakeOutput(void *context, const char *bytes, int length)
{
	if (QueryCancelPending || ProcDiePending)
		return -1;
	return xmlBufferAdd(context, (const xmlChar *) bytes, length) == 0 ? length : -1;
}

/* Writes a document without an XML declaration.  The document must not be used afterwards. */
Datum
WriteXmlDocument(xmlDocPtr document)
{
	xmlBufferPtr buffer;
	xmlSaveCtxtPtr save;
	bool complete;
	char *utf8;
	char *text;

	if (document->encoding == NULL) /* else characters are written as references */
		document->encoding = xmlStrdup((const xmlChar *) "UTF-8");
	EscapeDeclarations(document);
	buffer = CheckXmlPointer(xmlBufferCreate());
	/* other functions for output change XHTML documents */
	save = xmlSaveToIO(TakeOutput, NULL, buffer, "UTF-8", 0);
	for (xmlNodePtr node = document->children; save != NULL && node != NULL; node = node->next)
		if (node->type != XML_DTD_NODE)
			xmlSaveTree(save, node);
		else if (xmlSaveFlush(save) >= 0)
			xmlBufferCat(buffer, document->_private);
	complete = save != NULL && xmlSaveClose(save) >= 0;
	utf8 = TakeXmlString(xmlBufferDetach(buffer));
	xmlBufferFree(buffer);
	CHECK_FOR_INTERRUPTS();
	if (!complete)
		CheckXmlPointer(NULL);
	text = pg_any_to_server(utf8, (int) strlen(utf8), PG_UTF8);
	return PointerGetDatum(cstring_to_text(text));
}

#endif /* USE_LIBXML */
