/*
 * xml_document.c
 *	  XML and HTML documents as libxml2's trees.
 *
 * The set-up is that of PostgreSQL's own XML functions: errors are collected, and external
 * entities are never loaded.
 *
 * libxml2 does not allocate in memory contexts.  Its parsers, readers and documents belong to an
 * XmlWork, which CallWithXml() frees.  No other object of libxml2 lives while an error may be
 * raised: strings are read from the nodes by XmlContent(), not by functions of libxml2 that
 * allocate them, and the output is written to memory of PostgreSQL.  Handlers of the parser count
 * the memory of each node before it is taken.
 *
 * The parser replaces no entities.  It would do so without counting, would leave out references in
 * attributes to entities that it does not know, and would look for the namespaces of an entity's
 * elements in the entity alone.
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
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../common/messages.h"
#include "../../compat.h"
#include "xml_document.h"
#include "xml_places.h"
#include "xml_tags.h"

/* The type of an error that libxml2 passes to a function. */
#if LIBXML_VERSION >= 21200
#define XML_ERROR const xmlError
#else
#define XML_ERROR xmlError
#endif

/* The most bytes that a parser gets at once; interrupts are checked in between. */
#define PIECE 1024

/* The most attributes of an HTML element; libxml2 takes quadratic time for them. */
#define MOST_ATTRIBUTES 5000

/* The most bytes that libxml2 takes for a byte of a document type declaration. */
#define DOCTYPE_BYTES 16

/* A text that a parser reads in pieces. */
typedef struct XmlInput
{
	const char *start;
	const char *p;
	const char *end;
	XmlWork *work;
	xmlParserCtxtPtr parser;
	bool is_html;
	bool parameters; /* the document type refers to parameter entities */
	bool stopped;    /* the tree would take too much memory, or the statement is being cancelled */
	bool too_many;   /* an element has too many attributes */
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

/* PostgreSQL's function that collects errors and sends warnings, which have parts of documents. */
static xmlStructuredErrorFunc collect_error;

/* Collects an error, and drops a warning. */
static void
CollectError(void *errors, XML_ERROR *error)
{
	if (error->level >= XML_ERR_ERROR)
		collect_error(errors, error);
}

Datum
CallWithXml(XmlFunction function, void *arg)
{
	XmlWork *work = palloc0_object(XmlWork);
	Datum result;

	work->errors = pg_xml_init(PG_XML_STRICTNESS_WELLFORMED);
	collect_error = xmlStructuredError;
	xmlSetStructuredErrorFunc(work->errors, CollectError);
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
	pg_xml_done(work->errors, work->is_partly_read);
	return result;
}

void *
CheckXmlPointer(void *pointer)
{
	if (pointer == NULL)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory"),
						errdetail("libxml2 could not allocate memory."),
						errhint("Use smaller documents.")));
	return pointer;
}

/* Whether libxml2's last error is that elements are nested too deep. */
static bool
IsTooDeep(void)
{
	const xmlError *last = xmlGetLastError();

	return last != NULL && last->message != NULL &&
		   strstr(last->message, "Excessive depth") != NULL;
}

void
ReportXmlError(XmlWork *work, int code, const char *message)
{
	MemoryContext caller = CurrentMemoryContext;

	if (IsTooDeep())
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("%s", message),
						errdetail("Its elements are nested deeper than libxml2 reads."),
						errhint("Take the document apart, and use its parts.")));
	PG_TRY();
	{
		xml_ereport(work->errors, ERROR, code, message);
	}
	PG_CATCH();
	{
		ReportWithoutValues(
			caller, NULL, message, "libxml2 cannot read it.",
			"Find such documents with tree_convertible(), or correct the document.");
	}
	PG_END_TRY();
	pg_unreachable();
}

/* Appends the parts of a list of texts and references to `to`, if that is not NULL. */
static Size
CopyContent(const xmlNode *list, char mark, char *to)
{
	Size length = 0;

	for (const xmlNode *part = list; part != NULL; part = part->next)
	{
		bool is_reference = part->type == XML_ENTITY_REF_NODE;
		const char *text = (const char *) (is_reference ? part->name : part->content);
		Size bytes = text == NULL ? 0 : strlen(text);

		CHECK_FOR_INTERRUPTS();
		if (to != NULL)
		{
			if (is_reference)
				to[length] = mark;
			memcpy(to + length + is_reference, text == NULL ? "" : text, bytes);
			if (is_reference)
				to[length + 1 + bytes] = ';';
		}
		length += bytes + 2 * (Size) is_reference;
	}
	return length;
}

char *
XmlContent(const xmlNode *node, char mark)
{
	Size length;
	char *content;

	if (node->type == XML_TEXT_NODE)
		return pstrdup(node->content == NULL ? "" : (const char *) node->content);
	length = CopyContent(node->children, mark, NULL);
	if (length >= MaxAllocSize)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("value of an XML attribute is too long"),
						errdetail("With its entities replaced, a value can have less than 1 GB."),
						errhint("Use smaller documents.")));
	content = palloc(length + 1);
	CopyContent(node->children, mark, content);
	content[length] = '\0';
	return content;
}

/*
 * Copies the next piece to the parser's buffer.  Returns -1 if the statement is being cancelled, if
 * the tree would take too much memory, or if an element of HTML has too many attributes.
 */
static int
ReadInput(void *context, char *buffer, int length)
{
	XmlInput *input = context;
	int count = (int) Min((Size) Min(length, PIECE), (Size) (input->end - input->p));

	if (QueryCancelPending || ProcDiePending)
		input->stopped = true;
	/* the parser doubles its array, of two entries for an attribute, while it reads the element */
	if (input->is_html && input->parser->maxatts > 4 * MOST_ATTRIBUTES)
		input->too_many = true;
	if (input->too_many || input->stopped)
		return -1;
	memcpy(buffer, input->p, (size_t) count);
	input->p += count;
	return count;
}

/*
 * Counts memory for a handler, and returns whether it may be taken.  Otherwise stops the parser,
 * which may be one that libxml2 has made for an entity.
 */
static bool
MayTake(xmlParserCtxtPtr parser, Size bytes)
{
	XmlInput *input = parser->_private;

	input->work->bytes += bytes;
	if (input->stopped || QueryCancelPending || ProcDiePending ||
		input->work->bytes / 1024 >= (Size) ted_max_memory)
	{
		input->stopped = true;
		xmlStopParser(parser);
	}
	return !input->stopped;
}

/* Raises an error if the parser was stopped. */
static void
CheckStopped(const XmlInput *input, const char *what)
{
	CHECK_FOR_INTERRUPTS();
	CheckMemoryLimit(input->work->bytes, what);
	CheckStatus(input->stopped ? TED_CANCELLED : TED_OK);
}

void
CountXmlMemory(XmlWork *work, Size bytes, const char *what)
{
	CHECK_FOR_INTERRUPTS();
	work->bytes += bytes;
	CheckMemoryLimit(work->bytes, what);
}

/* Whether the namespace of a prefix is declared where an element begins, or by the element. */
static bool
IsDeclared(xmlParserCtxtPtr parser, const xmlChar *prefix, const xmlChar **spaces, int count)
{
	for (int i = 0; i < count; i++)
		if (xmlStrEqual(spaces[2 * i], prefix))
			return true;
	return xmlSearchNs(parser->myDoc, parser->node, prefix) != NULL ||
		   xmlStrEqual(prefix, (const xmlChar *) "xml");
}

/*
 * Handles the start of an XML element.  The prefix of a name in an entity that is declared where
 * the entity is referred to remains a part of the name, see SettleName().
 */
static void
TakeXmlElement(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
			   int space_count, const xmlChar **spaces, int attribute_count, int default_count,
			   const xmlChar **attributes)
{
	xmlParserCtxtPtr parser = context;
	bool in_doctype = parser->myDoc != NULL && parser->myDoc->intSubset != NULL;
	Size bytes = XML_NODE_BYTES + (Size) xmlStrlen(name) + (Size) xmlStrlen(prefix);

	for (int i = 0; i < space_count; i++)
		bytes +=
			XML_NODE_BYTES + (Size) xmlStrlen(spaces[2 * i]) + (Size) xmlStrlen(spaces[2 * i + 1]);
	for (int i = 0; i < attribute_count; i++)
	{
		const xmlChar **attribute = attributes + 5 * i;

		bytes += 2 * XML_NODE_BYTES + (Size) xmlStrlen(attribute[0]) +
				 (Size) xmlStrlen(attribute[1]) + 2 * (Size) (attribute[4] - attribute[3]);
		for (const xmlChar *p = attribute[3]; p < attribute[4]; p++)
			if (*p == '&')
				bytes += 2 * XML_NODE_BYTES;
	}
	if (!MayTake(parser, bytes))
		return;
	if (in_doctype)
	{
		if (!IsDeclared(parser, prefix, spaces, space_count))
			uri = NULL;
		for (int i = 0; i < attribute_count; i++)
			if (attributes[5 * i + 1] != NULL &&
				!IsDeclared(parser, attributes[5 * i + 1], spaces, space_count))
				attributes[5 * i + 2] = NULL;
	}
	xmlSAX2StartElementNs(context, name, prefix, uri, space_count, spaces, attribute_count,
						  default_count, attributes);
}

/* Handles text. */
static void
TakeText(void *context, const xmlChar *text, int length)
{
	if (MayTake(context, XML_NODE_BYTES + 2 * (Size) length))
		xmlSAX2Characters(context, text, length);
}

/* Handles a CDATA section that stays one. */
static void
TakeSection(void *context, const xmlChar *text, int length)
{
	if (MayTake(context, XML_NODE_BYTES + (Size) length))
		xmlSAX2CDataBlock(context, text, length);
}

/* Handles a comment. */
static void
TakeComment(void *context, const xmlChar *text)
{
	if (MayTake(context, XML_NODE_BYTES + (Size) xmlStrlen(text)))
		xmlSAX2Comment(context, text);
}

/* Handles a processing instruction. */
static void
TakeInstruction(void *context, const xmlChar *target, const xmlChar *text)
{
	if (MayTake(context, XML_NODE_BYTES + (Size) xmlStrlen(target) + (Size) xmlStrlen(text)))
		xmlSAX2ProcessingInstruction(context, target, text);
}

/* Handles a reference to an entity in content. */
static void
TakeReference(void *context, const xmlChar *name)
{
	if (MayTake(context, XML_NODE_BYTES + (Size) xmlStrlen(name)))
		xmlSAX2Reference(context, name);
}

/* The mark of an entity that the document refers to without declaring it, as `_private`. */
static char undeclared;

/*
 * Returns an entity.  If an external part of the document type may declare it, which is not read,
 * it is added to the document, so that the parser keeps references to it.
 */
static xmlEntityPtr
FindEntity(void *context, const xmlChar *name)
{
	xmlParserCtxtPtr parser = context;
	const XmlInput *input = parser->_private;
	const xmlDtd *type = parser->myDoc == NULL ? NULL : parser->myDoc->intSubset;
	xmlEntityPtr entity = xmlSAX2GetEntity(context, name);

	/* libxml2 expands the entities of an attribute to check their size */
	if (!MayTake(parser, entity == NULL ? XML_NODE_BYTES : (Size) xmlStrlen(entity->content)))
		return NULL;
	if (entity == NULL && type != NULL && parser->myDoc->standalone != 1 &&
		(type->SystemID != NULL || type->ExternalID != NULL || input->parameters))
	{
		entity = xmlAddDocEntity(parser->myDoc, name, XML_INTERNAL_GENERAL_ENTITY, NULL, NULL,
								 (const xmlChar *) "");
		if (entity != NULL)
			entity->_private = &undeclared;
	}
	return entity;
}

xmlNodePtr
NextXmlNode(xmlNodePtr node, xmlNodePtr root)
{
	/* the child of a reference is the declaration of its entity */
	if (node->children != NULL && node->type != XML_ENTITY_REF_NODE &&
		(node->type == XML_ELEMENT_NODE || node == root))
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

/* Returns a parameter entity, and notes that the document type refers to one. */
static xmlEntityPtr
FindParameterEntity(void *context, const xmlChar *name)
{
	XmlInput *input = ((xmlParserCtxtPtr) context)->_private;

	input->parameters = true;
	return xmlSAX2GetParameterEntity(context, name);
}

/* Returns the namespace declared for a prefix at an element, or NULL. */
static xmlNsPtr
NamespaceOfPrefix(xmlNodePtr element, const char *prefix)
{
	xmlNsPtr space = xmlSearchNs(element->doc, element, (const xmlChar *) prefix);

	return space == NULL || space->href == NULL || space->href[0] == '\0' ? NULL : space;
}

/*
 * Returns the namespace of a name that has none yet, of an element or one of its attributes, and
 * removes the prefix from the name.  Returns NULL if there is no such namespace.
 */
static xmlNsPtr
SettleName(xmlNodePtr element, xmlNodePtr named)
{
	const char *colon = strchr((const char *) named->name, ':');
	char *local = colon == NULL ? NULL : pstrdup(colon + 1);
	xmlNsPtr space = NULL;

	if (colon != NULL)
	{
		char *prefix = pnstrdup((const char *) named->name, (Size) (colon - (char *) named->name));

		space = NamespaceOfPrefix(element, prefix);
		pfree(prefix);
		if (space != NULL)
			xmlNodeSetName(named, (const xmlChar *) local);
		pfree(local);
	}
	else if (named == element)
		space = NamespaceOfPrefix(element, NULL);
	return space;
}

/* Returns an upper bound on the memory of a copy of a node. */
static Size
CopyBytes(xmlNodePtr root)
{
	Size bytes = 0;

	for (xmlNodePtr node = root; node != NULL; node = NextXmlNode(node, root))
	{
		CHECK_FOR_INTERRUPTS();
		bytes += XML_NODE_BYTES + (Size) xmlStrlen(node->name);
		if (node->type != XML_ELEMENT_NODE)
		{
			if (node->type != XML_ENTITY_REF_NODE)
				bytes += (Size) xmlStrlen(node->content);
			continue;
		}
		for (const xmlNs *space = node->nsDef; space != NULL; space = space->next)
			bytes +=
				XML_NODE_BYTES + (Size) xmlStrlen(space->prefix) + (Size) xmlStrlen(space->href);
		for (const xmlAttr *x = node->properties; x != NULL; x = x->next)
		{
			bytes += 2 * XML_NODE_BYTES + (Size) xmlStrlen(x->name);
			for (xmlNodePtr part = x->children; part != NULL; part = part->next)
				bytes += CopyBytes(part);
		}
	}
	return bytes;
}

/* Returns the nodes that an entity stands for in the value of an attribute. */
static xmlNodePtr
ValueOfEntity(XmlWork *work, const xmlEntity *entity, const char *what)
{
	Size length = (Size) xmlStrlen(entity->content);
	Size bytes = 2 * length + XML_NODE_BYTES;
	char *value;
	xmlNodePtr list;

	for (const xmlChar *p = entity->content; p != NULL && *p != '\0'; p++)
		if (*p == '&')
			bytes += 2 * XML_NODE_BYTES;
	CountXmlMemory(work, bytes, what);
	value = palloc_extended(length + 1, MCXT_ALLOC_HUGE);
	for (Size i = 0; i < length; i++)
		value[i] = strchr("\t\n\r", entity->content[i]) ? ' ' : (char) entity->content[i];
	value[length] = '\0';
	list = xmlStringGetNodeList(entity->doc, (const xmlChar *) value);
	pfree(value);
	return length == 0 ? NULL : CheckXmlPointer(list);
}

/* Links a node that is not linked; not by libxml2, which merges adjacent texts and frees nodes in
 * use. */
static void
LinkNode(xmlNodePtr node, xmlNodePtr parent, xmlNodePtr before, xmlNodePtr after)
{
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
}

/*
 * Replaces a reference by what its entity stands for.  Returns the first node of that, or NULL if
 * there is none.  A reference to an entity that is not known stays.
 */
static xmlNodePtr
ReplaceReference(XmlWork *work, xmlNodePtr reference, const char *what)
{
	xmlEntityPtr entity = xmlGetDocEntity(reference->doc, reference->name);
	xmlNodePtr parent = reference->parent;
	xmlNodePtr before = reference->prev;
	xmlNodePtr first;

	if (entity == NULL || entity->_private == &undeclared ||
		entity->etype != XML_INTERNAL_GENERAL_ENTITY)
	{
		work->has_references = true;
		return NULL;
	}
	if (parent->type == XML_ATTRIBUTE_NODE)
		for (xmlNodePtr node = ValueOfEntity(work, entity, what), next; node != NULL; node = next)
		{
			next = node->next;
			LinkNode(node, parent, reference->prev, reference);
		}
	else
		for (xmlNodePtr child = entity->children; child != NULL; child = child->next)
		{
			xmlNodePtr node;

			CountXmlMemory(work, CopyBytes(child), what);
			node = CheckXmlPointer(xmlDocCopyNode(child, reference->doc, 1));
			LinkNode(node, parent, reference->prev, reference);
			for (xmlNodePtr inner = node; inner != NULL; inner = NextXmlNode(inner, node))
			{
				CHECK_FOR_INTERRUPTS();
				if (inner->type != XML_ELEMENT_NODE)
					continue;
				if (inner->ns == NULL)
					inner->ns = SettleName(inner, inner);
				for (xmlAttrPtr x = inner->properties; x != NULL; x = x->next)
					if (x->ns == NULL)
						x->ns = SettleName(inner, (xmlNodePtr) x);
			}
		}
	first = before == NULL ? parent->children : before->next;
	first = first == reference ? NULL : first;
	xmlUnlinkNode(reference);
	xmlFreeNode(reference);
	return first;
}

/* Returns a name with its prefix. */
static const char *
QualifiedName(const xmlNs *space, const xmlChar *name)
{
	return space == NULL || space->prefix == NULL
			   ? (const char *) name
			   : psprintf("%s:%s", (const char *) space->prefix, (const char *) name);
}

/*
 * Leaves one space between the tokens of an attribute whose declared type consists of tokens (XML
 * 1.0, section 3.3.3).  The parser has done so with the text around references.
 */
static void
NormalizeTokens(xmlAttrPtr attribute)
{
	xmlNodePtr element = attribute->parent;
	const xmlAttribute *declared = xmlGetDtdAttrDesc(
		element->doc->intSubset, (const xmlChar *) QualifiedName(element->ns, element->name),
		(const xmlChar *) QualifiedName(attribute->ns, attribute->name));
	char *value;
	Size length = 0;

	if (declared == NULL || declared->atype == XML_ATTRIBUTE_CDATA)
		return;
	for (const xmlNode *part = attribute->children; part != NULL; part = part->next)
		if (part->type != XML_TEXT_NODE)
			return;
	value = XmlContent((const xmlNode *) attribute, '&');
	for (const char *p = value; *p != '\0'; p++)
		if (*p != ' ' || (length > 0 && value[length - 1] != ' '))
			value[length++] = *p;
	if (length > 0 && value[length - 1] == ' ')
		length--;
	value[length] = '\0';
	xmlFreeNodeList(attribute->children);
	attribute->children = attribute->last = NULL;
	if (length > 0)
		LinkNode(CheckXmlPointer(xmlNewDocText(element->doc, (const xmlChar *) value)),
				 (xmlNodePtr) attribute, NULL, NULL);
	pfree(value);
}

/* Replaces references in the value of an attribute, also those in what others stand for. */
static void
ReplaceInAttribute(XmlWork *work, xmlAttrPtr attribute, const char *what)
{
	bool replaced = false;

	for (xmlNodePtr part = attribute->children, next; part != NULL; part = next)
	{
		xmlNodePtr first = NULL;

		CHECK_FOR_INTERRUPTS();
		next = part->next;
		if (part->type == XML_ENTITY_REF_NODE)
		{
			first = ReplaceReference(work, part, what);
			replaced = true;
		}
		next = first == NULL ? next : first;
	}
	if (replaced)
		NormalizeTokens(attribute);
}

/* Whether the parser leaves "&#38;" in the name of a namespace, as libxml2 2.9 does. */
static bool
LeavesReferencesInNamespaces(void)
{
	static const char text[] = "<a xmlns='&amp;'/>";
	xmlDocPtr document =
		CheckXmlPointer(xmlReadMemory(text, (int) strlen(text), NULL, NULL, XML_PARSE_NONET));
	bool leaves = xmlStrlen(xmlDocGetRootElement(document)->nsDef->href) > 1;

	xmlFreeDoc(document);
	return leaves;
}

/* Replaces references in the name of a namespace. */
static void
ReplaceInNamespace(XmlWork *work, xmlNodePtr element, xmlNsPtr space, const char *what)
{
	xmlAttrPtr attribute;
	char *name;

	if (space->href == NULL || strchr((const char *) space->href, '&') == NULL ||
		!LeavesReferencesInNamespaces())
		return;
	CountXmlMemory(work, (2 + (Size) xmlStrlen(space->href)) * XML_NODE_BYTES, what);
	attribute = CheckXmlPointer(xmlNewProp(element, (const xmlChar *) "xmlns", NULL));
	attribute->children = xmlStringGetNodeList(element->doc, space->href);
	for (xmlNodePtr part = attribute->children; part != NULL; part = part->next)
	{
		part->parent = (xmlNodePtr) attribute;
		attribute->last = part;
	}
	ReplaceInAttribute(work, attribute, what);
	name = XmlContent((const xmlNode *) attribute, '&');
	xmlRemoveProp(attribute);
	xmlFree(unconstify(xmlChar *, space->href));
	space->href = xmlStrdup((const xmlChar *) name);
	CheckXmlPointer(unconstify(xmlChar *, space->href));
	pfree(name);
}

/* Replaces references, also those in what others stand for. */
static void
ReplaceReferences(XmlWork *work, xmlDocPtr document, const char *what)
{
	xmlNodePtr root = (xmlNodePtr) document;

	for (xmlNodePtr node = root, next; node != NULL; node = next)
	{
		CHECK_FOR_INTERRUPTS();
		next = NextXmlNode(node, root);
		if (node->type == XML_ENTITY_REF_NODE)
		{
			xmlNodePtr first = ReplaceReference(work, node, what);

			next = first == NULL ? next : first;
		}
		else if (node->type == XML_ELEMENT_NODE)
		{
			for (xmlNsPtr space = node->nsDef; space != NULL; space = space->next)
				ReplaceInNamespace(work, node, space, what);
			for (xmlAttrPtr x = node->properties; x != NULL; x = x->next)
				ReplaceInAttribute(work, x, what);
		}
	}
}

void
RefuseByteOrderMark(const char *text)
{
	if (strncmp(text, "\xEF\xBB\xBF", 3) == 0)
		ereport(ERROR, (errcode(ERRCODE_NOT_AN_XML_DOCUMENT),
						errmsg("XML value begins with a byte order mark"),
						errdetail("The character U+FEFF before the root is text."),
						errhint("Remove the character before the cast to xml: "
								"ltrim(text, U&'\\FEFF').")));
}

xmlDocPtr
ParseXmlDocument(XmlWork *work, int number, Datum value, XmlUse use, const char *what)
{
	static const int options[] = {[XML_TO_CHANGE] =
									  XML_PARSE_NOCDATA | XML_PARSE_NODICT | XML_PARSE_NONET,
								  [XML_TO_CONVERT] = XML_PARSE_DTDATTR | XML_PARSE_NONET};
	char *source = text_to_cstring(DatumGetTextPP(value));
	char *utf8 = ValueFromServer(source, (int) strlen(source), PG_UTF8);
	XmlInput input = {.start = utf8, .p = SkipXmlDeclaration(utf8), .work = work};
	char *doctype = NULL;
	XmlText found;
	xmlDocPtr document;
	xmlParserCtxtPtr parser;

	if (use == XML_TO_CHANGE)
		RefuseByteOrderMark(utf8);
	input.end = input.p + strlen(input.p);
	found = FindXmlDoctype((XmlText){input.start, input.end});
	if (found.start < found.end)
		doctype = pnstrdup(found.start, (Size) (found.end - found.start));
	CountXmlMemory(work,
				   3 * (Size) (input.end - input.p) +
					   (doctype == NULL ? 0 : DOCTYPE_BYTES * strlen(doctype)),
				   what);
	work->has_references = false;
	parser = CheckXmlPointer(xmlNewParserCtxt());
	parser->_private = &input;
	input.parser = parser;
	parser->sax->startElementNs = TakeXmlElement;
	parser->sax->characters = TakeText;
	parser->sax->ignorableWhitespace = TakeText;
	parser->sax->cdataBlock = TakeSection;
	parser->sax->comment = TakeComment;
	parser->sax->processingInstruction = TakeInstruction;
	parser->sax->reference = TakeReference;
	parser->sax->getEntity = FindEntity;
	parser->sax->getParameterEntity = FindParameterEntity;
	work->parser = parser;
	document = work->documents[number] =
		xmlCtxtReadIO(work->parser, ReadInput, NULL, &input, NULL, "UTF-8", options[use]);
	CheckStopped(&input, what);
	if (document == NULL || pg_xml_error_occurred(work->errors))
		ReportXmlError(
			work, use == XML_TO_CHANGE ? ERRCODE_INVALID_XML_DOCUMENT : ERRCODE_INVALID_XML_CONTENT,
			use == XML_TO_CHANGE ? "could not read XML value as a document"
								 : "could not read XML value as a tree");
	xmlFreeParserCtxt(work->parser);
	work->parser = NULL;
	document->_private = doctype;
	if (utf8 != source)
		pfree(utf8);
	pfree(source);
	ReplaceReferences(work, document, what);
	if (use == XML_TO_CHANGE)
		MergeText(document);
	return document;
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
	input->too_many = input->too_many || parts / 2 > MOST_ATTRIBUTES;
	if (input->too_many)
		xmlStopParser(parser);
	else if (MayTake(parser,
					 (Size) (2 + parts) * sizeof(xmlNode))) /* one for the text next to it */
		xmlSAX2StartElement(context, name, attributes);
}

/*
 * Returns a copy of a page in UTF-8.  In a database without an encoding, a byte that is not part of
 * a character of UTF-8 is read as ISO 8859-1.
 */
static char *
PageInUtf8(char *source)
{
	int length = (int) strlen(source);
	StringInfoData utf8;

	/* white space in HTML, which libxml2 leaves out */
	for (char *p = source; (p = strchr(p, '\f')) != NULL; p++)
		*p = ' ';
	if (GetDatabaseEncoding() != PG_SQL_ASCII)
		return ValueFromServer(source, length, PG_UTF8);
	initStringInfo(&utf8);
	for (const char *p = source, *end = source + length; p < end;)
	{
		int bytes = pg_encoding_verifymbchar(PG_UTF8, p, (int) (end - p));
		const char latin[2] = {(char) (0xC0 | (unsigned char) *p >> 6),
							   (char) (0x80 | (*p & 0x3F))};

		CHECK_FOR_INTERRUPTS();
		appendBinaryStringInfo(&utf8, bytes > 0 ? p : latin, bytes > 0 ? bytes : 2);
		p += bytes > 0 ? bytes : 1;
	}
	return utf8.data;
}

/* Parses a page of HTML.  Its own declaration of an encoding is ignored. */
xmlDocPtr
ParseHtmlDocument(XmlWork *work, int number, Datum value, bool partly, const char *what)
{
	char *source = text_to_cstring(DatumGetTextPP(value));
	char *utf8 = PageInUtf8(source);
	XmlInput input = {.p = utf8, .end = utf8 + strlen(utf8), .work = work, .is_html = true};
	htmlParserCtxtPtr parser;

	for (const char *p = input.p; p < input.end; p++)
		if (*p == '<') /* at least a comment, or the text after an end tag */
			work->bytes += sizeof(xmlNode);
	CountXmlMemory(work, 3 * (Size) (input.end - input.p), what);
	parser = CheckXmlPointer(htmlNewParserCtxt());
	parser->_private = &input;
	input.parser = parser;
	parser->sax->startElement = TakeElement;
	work->parser = parser;
	work->documents[number] = htmlCtxtReadIO(work->parser, ReadInput, NULL, &input, NULL, "UTF-8",
											 HTML_PARSE_NODEFDTD | HTML_PARSE_NONET |
												 HTML_PARSE_IGNORE_ENC | HTML_PARSE_RECOVER);
	if (!input.too_many)
		CheckStopped(&input, what);
	else if (!partly)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("HTML element has too many attributes"),
						errdetail("An element can have at most %d attributes.", MOST_ATTRIBUTES),
						errhint("Correct the HTML: a quotation mark may be missing.")));
	work->is_partly_read = partly && (input.too_many || IsTooDeep());
	if (pg_xml_error_occurred(work->errors) && !work->is_partly_read)
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
	CountXmlMemory(work, XML_NODE_BYTES + (space == NULL ? 0 : 3 * (Size) xmlStrlen(space->href)),
				   what);
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

void
MoveXmlNode(XmlWork *work, xmlNodePtr node, xmlNodePtr parent, xmlNodePtr before, xmlNodePtr after,
			const char *what)
{
	xmlUnlinkNode(node);
	xmlSetTreeDoc(node, parent->doc);
	LinkNode(node, parent, before, after);
	if (node->type == XML_ELEMENT_NODE)
	{
		int level = 0;

		for (xmlNodePtr above = node; above->type == XML_ELEMENT_NODE; above = above->parent)
			level++;
		SettleElement(work, node, level, what);
	}
}

/*
 * Turns namespace declarations with special characters into attributes, since some versions
 * of libxml2 write namespaces unescaped.
 */
static void
EscapeDeclarations(XmlWork *work, xmlDocPtr document, const char *what)
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
			CountXmlMemory(work, 2 * XML_NODE_BYTES + (Size) xmlStrlen(space->href), what);
			name = prefix == NULL ? pstrdup("xmlns") : psprintf("xmlns:%s", prefix);
			CheckXmlPointer(xmlNewProp(node, (const xmlChar *) name, space->href));
			xmlFree(unconstify(xmlChar *, space->href));
			space->href = NULL;
			pfree(name);
		}
	}
}

/* Returns the bytes of a text in markup, for any kind of node. */
static Size
MarkupBytes(const xmlChar *text)
{
	Size bytes = 0;

	for (; text != NULL && *text != '\0'; text++)
		bytes += strchr("&<>\"\t\n\r", *text) == NULL ? 1 : strlen("&quot;");
	return bytes;
}

/* Returns an upper bound on the bytes of a document that is written, without its type. */
static Size
DocumentBytes(xmlDocPtr document)
{
	xmlNodePtr root = (xmlNodePtr) document;
	Size bytes = 0;

	for (xmlNodePtr node = root; node != NULL; node = NextXmlNode(node, root))
	{
		CHECK_FOR_INTERRUPTS();
		/* "<?", "?>", a space and a line end; "<!--", "-->" and a line end */
		if (node->type != XML_ELEMENT_NODE)
		{
			if (node->type != XML_DTD_NODE && node != root)
				bytes += 10 + (Size) xmlStrlen(node->name) + MarkupBytes(node->content);
			continue;
		}
		/* "<p:n></p:n>" and a line end */
		bytes += 10 + 2 * ((Size) xmlStrlen(node->name) +
						   (node->ns == NULL ? 0 : (Size) xmlStrlen(node->ns->prefix)));
		for (const xmlNs *space = node->nsDef; space != NULL; space = space->next)
			bytes += 10 + (Size) xmlStrlen(space->prefix) + MarkupBytes(space->href);
		for (const xmlAttr *x = node->properties; x != NULL; x = x->next)
		{
			bytes += 5 + (Size) xmlStrlen(x->name) +
					 (x->ns == NULL ? 0 : (Size) xmlStrlen(x->ns->prefix));
			for (const xmlNode *part = x->children; part != NULL; part = part->next)
				bytes += part->type == XML_ENTITY_REF_NODE ? 2 + (Size) xmlStrlen(part->name)
														   : MarkupBytes(part->content);
		}
	}
	return bytes;
}

/* Output of libxml2, after the header of a text. */
typedef struct XmlOutput
{
	text *text;
	Size length;
	Size capacity;
} XmlOutput;

/* Takes libxml2's output.  Returns -1 if the statement is being cancelled. */
static int
TakeOutput(void *context, const char *bytes, int length)
{
	XmlOutput *output = context;

	if (QueryCancelPending || ProcDiePending || output->capacity - output->length < (Size) length)
		return -1;
	memcpy(VARDATA(output->text) + output->length, bytes, (Size) length);
	output->length += (Size) length;
	return length;
}

Datum
WriteXmlDocument(XmlWork *work, xmlDocPtr document, const char *what)
{
	XmlOutput output = {0};
	bool complete;
	char *utf8;
	char *converted;
	const char *doctype;
	xmlSaveCtxtPtr save;

	output.capacity =
		DocumentBytes(document) + (document->_private == NULL ? 0 : strlen(document->_private) + 1);
	if (output.capacity >= MaxAllocSize - VARHDRSZ)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("XML document would be larger than 1 GB"),
						errdetail("Its special characters are written as references."),
						errhint("Use smaller documents.")));
	CountXmlMemory(work, 2 * output.capacity, what);
	output.text = palloc(VARHDRSZ + output.capacity + 1);
	if (document->encoding == NULL) /* else characters are written as references */
		document->encoding = xmlStrdup((const xmlChar *) "UTF-8");
	EscapeDeclarations(work, document, what);

	/* other functions for output change XHTML documents */
	doctype = document->_private;
	save = xmlSaveToIO(TakeOutput, NULL, &output, "UTF-8", 0);
	complete = save != NULL;
	for (xmlNodePtr node = document->children; complete && node != NULL; node = node->next)
		if (node->type != XML_DTD_NODE)
			xmlSaveTree(save, node);
		else
			complete =
				xmlSaveFlush(save) >= 0 && TakeOutput(&output, doctype, (int) strlen(doctype)) >= 0;
	complete = save != NULL && xmlSaveClose(save) >= 0 && complete;
	CHECK_FOR_INTERRUPTS();
	if (!complete)
		CheckXmlPointer(NULL);
	SET_VARSIZE(output.text, VARHDRSZ + output.length);
	utf8 = VARDATA(output.text);
	utf8[output.length] = '\0';
	converted = ValueToServer(utf8, (int) output.length, PG_UTF8);
	return PointerGetDatum(converted == utf8 ? output.text : cstring_to_text(converted));
}

#endif /* USE_LIBXML */
