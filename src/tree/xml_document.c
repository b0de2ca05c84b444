/*
 * xml_document.c
 *	  XML and HTML documents as libxml2's trees, for functions that change or compare them.
 *
 * The set-up is that of PostgreSQL's own XML functions: errors are collected,
 * and no external entity is ever loaded.  What libxml2 allocates is out of
 * PostgreSQL's sight, so that an estimate of it counts instead.
 */
#include "postgres.h"

#ifdef USE_LIBXML

#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "../common/host.h"
#include "../compat.h"
#include "convert.h"
#include "xml_document.h"

/* Bytes that a parser gets at once: before the next ones, it can be cancelled. */
#define PIECE 1024

/* Attributes that an element of a page may have: libxml2 takes quadratic time for them. */
#define MOST_ATTRIBUTES 10000

/* A text that a parser reads piece by piece. */
typedef struct XmlInput
{
	const char *p;
	const char *end;
	Size bytes;    /* that its tree takes so far, and the rest of it at least */
	bool too_many; /* attributes of an element */
} XmlInput;

/* Frees what libxml2 has allocated. */
static void
FreeWork(XmlWork *work)
{
	if (work->found != NULL)
		xmlXPathFreeObject(work->found);
	if (work->xpath != NULL)
		xmlXPathFreeContext(work->xpath);
	if (work->detached != NULL)
		xmlFreeNode(work->detached);
	if (work->reader != NULL)
		xmlFreeTextReader(work->reader);
	if (work->parser != NULL)
		xmlFreeParserCtxt(work->parser);
	for (int i = 0; i < (int) lengthof(work->documents); i++)
		if (work->documents[i] != NULL)
			xmlFreeDoc(work->documents[i]);
}

/* Calls a function that may use libxml2. */
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

/* Reports that libxml2 could not allocate memory. */
void *
CheckXmlPointer(void *pointer)
{
	if (pointer == NULL)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory"),
						errdetail("libxml2 could not allocate memory."),
						errhint("Use smaller documents.")));
	return pointer;
}

/* A copy of a string of libxml2's; the string is freed. */
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

/* Hands the parser the next piece, or an error where the statement is to end. */
static int
ReadInput(void *context, char *buffer, int length)
{
	XmlInput *input = context;
	int count = (int) Min((Size) Min(length, PIECE), (Size) (input->end - input->p));

	if (QueryCancelPending || ProcDiePending)
		return -1;
	memcpy(buffer, input->p, (size_t) count);
	input->p += count;
	return count;
}

/* Refuses a document whose tree would take too much memory: a tag, an attribute is a node or two.
 */
static void
CheckDocument(const char *text, const char *what)
{
	Size marks = 0;
	const char *p = text;

	for (; *p != '\0'; p++)
		marks += *p == '<' || *p == '=' || *p == '&';
	CheckMemoryLimit(marks * 2 * sizeof(xmlNode) + 3 * (Size) (p - text), what);
}

/* Makes one node of each run of text, and none of an empty one. */
static void
MergeText(xmlDocPtr document)
{
	xmlNodePtr node = (xmlNodePtr) document;

	while (node != NULL)
	{
		xmlNodePtr next = node->children;

		CHECK_FOR_INTERRUPTS();
		if (node->type != XML_ELEMENT_NODE && node->type != XML_DOCUMENT_NODE)
			next = NULL;
		if (next == NULL)
		{
			xmlNodePtr above = node;

			while (above != NULL && above->next == NULL)
				above = above->parent;
			next = above == NULL ? NULL : above->next;
		}
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

/* Parses a document. */
xmlDocPtr
ParseXmlDocument(XmlWork *work, int number, Datum value, const char *what)
{
	char *source = text_to_cstring(DatumGetTextPP(value));
	char *utf8 = pg_server_to_any(source, (int) strlen(source), PG_UTF8);
	XmlInput input = {.p = SkipXmlDeclaration(utf8)};

	input.end = input.p + strlen(input.p);
	CheckDocument(input.p, what);
	work->parser = CheckXmlPointer(xmlNewParserCtxt());
	work->documents[number] = xmlCtxtReadIO(work->parser, ReadInput, NULL, &input, NULL, "UTF-8",
											XML_PARSE_NOENT | XML_PARSE_NOCDATA | XML_PARSE_NONET);
	CHECK_FOR_INTERRUPTS();
	if (work->documents[number] == NULL || pg_xml_error_occurred(work->errors))
		xml_ereport(work->errors, ERROR, ERRCODE_INVALID_XML_DOCUMENT,
					"could not read XML value as a document");
	xmlFreeParserCtxt(work->parser);
	work->parser = NULL;
	if (utf8 != source)
		pfree(utf8);
	pfree(source);
	MergeText(work->documents[number]);
	return work->documents[number];
}

/* Takes an element of a page, unless its tree would take too much memory. */
static void
TakeElement(void *context, const xmlChar *name, const xmlChar **attributes)
{
	htmlParserCtxtPtr parser = context;
	XmlInput *input = parser->_private;
	int parts = 0;

	while (attributes != NULL && attributes[parts] != NULL)
		parts += 2;
	input->bytes += (Size) (2 + parts) * sizeof(xmlNode); /* with text next to it */
	input->too_many = input->too_many || parts / 2 > MOST_ATTRIBUTES;
	if (input->too_many || input->bytes / 1024 >= (Size) ted_max_memory)
		xmlStopParser(parser);
	else
		xmlSAX2StartElement(context, name, attributes);
}

/* Makes a parser that counts what the elements of a page take. */
static htmlParserCtxtPtr
NewHtmlParser(XmlInput *input)
{
	htmlParserCtxtPtr parser = CheckXmlPointer(htmlNewParserCtxt());

	parser->_private = input;
	parser->sax->startElement = TakeElement;
	for (const char *p = input->p; p < input->end; p++)
		if (*p == '<') /* or a comment, or the end of an element and text behind it */
			input->bytes += sizeof(xmlNode);
	input->bytes += 3 * (Size) (input->end - input->p);
	return parser;
}

/* Parses a page of HTML, whatever encoding it says it is in. */
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
		xml_ereport(work->errors, ERROR, ERRCODE_INVALID_XML_DOCUMENT, "could not read HTML text");
	CheckXmlPointer(work->documents[number]);
	xmlFreeParserCtxt(work->parser);
	work->parser = NULL;
	if (utf8 != source)
		pfree(utf8);
	pfree(source);
	return work->documents[number];
}

/* Writes a document. */
Datum
WriteXmlDocument(xmlDocPtr document)
{
	xmlBufferPtr buffer = CheckXmlPointer(xmlBufferCreate());
	char *utf8;
	char *text;

	if (document->encoding == NULL) /* or else characters become references */
		document->encoding = xmlStrdup((const xmlChar *) "UTF-8");
	for (xmlNodePtr node = document->children; node != NULL; node = node->next)
		xmlNodeDump(buffer, document, node, 0, 0);
	utf8 = TakeXmlString(xmlBufferDetach(buffer));
	xmlBufferFree(buffer);
	text = pg_any_to_server(utf8, (int) strlen(utf8), PG_UTF8);
	return PointerGetDatum(cstring_to_text(text));
}

#endif /* USE_LIBXML */
