/*
 * from_xml.c
 *	  Converts an XML document or fragment, or an HTML page, to a tree.
 *
 * libxml2's streaming reader parses XML, with the same set-up as PostgreSQL's own XML
 * functions: errors are collected, and external entities are never loaded.  A value without
 * a document type declaration may be a fragment, so it is parsed inside a wrapper element.
 * HTML, and XML with a document type declaration, which may declare entities, is parsed as a
 * whole by xml_document.c, and the reader walks through the resulting document.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/xml.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../common/messages.h"
#include "convert.h"
#include "path_filter.h"
#include "sort_children.h"
#include "../value/tree.h"
#include "xml_places.h"
#include "xml_tags.h"

#ifdef USE_LIBXML
#include "xml_document.h"
#include "xml_marks.h"
#endif

PG_FUNCTION_INFO_V1(tree_from_xml);
PG_FUNCTION_INFO_V1(tree_from_html);
PG_FUNCTION_INFO_V1(xml_tree);

#ifdef USE_LIBXML

/* The values of the option attributes. */
typedef enum AttributeMode
{
	ATTRIBUTES_CHILD,
	ATTRIBUTES_NODE,
	ATTRIBUTES_IGNORE
} AttributeMode;

/* The values of the option text_nodes. */
typedef enum TextMode
{
	TEXT_COLLAPSE,
	TEXT_PRESERVE,
	TEXT_WORDS,
	TEXT_IGNORE
} TextMode;

/* The values of the option comments. */
typedef enum CommentMode
{
	COMMENTS_DROP,
	COMMENTS_KEEP
} CommentMode;

/* The values of the option namespaces. */
typedef enum NamespaceMode
{
	NAMESPACES_LOCAL,
	NAMESPACES_URI,
	NAMESPACES_PREFIX
} NamespaceMode;

/* The values of the option content. */
typedef enum ContentMode
{
	CONTENT_FULL,
	CONTENT_STRUCTURE
} ContentMode;

static const char *const attribute_modes[] = {"child", "node", "ignore", NULL};
static const char *const text_modes[] = {"collapse", "preserve", "words", "ignore", NULL};
static const char *const comment_modes[] = {"drop", "keep", NULL};
static const char *const namespace_modes[] = {"local", "uri", "prefix", NULL};
static const char *const content_modes[] = {"full", "structure", NULL};

/* The options of a conversion. */
typedef struct XmlOptions
{
	AttributeMode attributes;
	TextMode text_nodes;
	CommentMode comments;
	NamespaceMode namespaces;
	ContentMode content;
	bool fold_case;
	bool mark_texts; /* prefix texts with MARK_TEXT */
	PathOptions paths;
	const text *root; /* label of the synthetic root, or NULL */
} XmlOptions;

static const XmlOptions default_options = {0};

/* An attribute: the label of its node, and the label of its value if that is a separate node. */
typedef struct XmlAttribute
{
	char *label;
	char *value;
	const char *name; /* as written, in UTF-8 */
	bool has_value;   /* the value becomes part of the tree */
} XmlAttribute;

/* The state of a conversion. */
typedef struct XmlConverter
{
	const XmlOptions *options;
	Datum value; /* an xml value, or the text of an HTML page */
	bool html;
	const XmlWork *work; /* NULL before and after parsing */
	bool not_read;       /* libxml2 has reported an error */
	xmlTextReaderPtr reader;
	MemoryContext scratch; /* reset after each event */
	TreeBuilder builder;
	PathFilter filter;
	StringInfoData text;      /* the current run of text, in UTF-8 */
	int64 tags;               /* tags read so far, including comments and processing instructions */
	int64 text_tags;          /* value of `tags` at the beginning of the run of text */
	bool at_text;             /* the error concerns the run of text */
	XmlPlaces *places;        /* origins of the nodes; NULL if not needed */
	int depth;                /* open elements in the parsed text */
	int top;                  /* value of `depth` at the top level: 1 inside the wrapper, else 0 */
	int excluded;             /* value of `depth` inside the excluded element being read, or 0 */
	int opened;               /* elements on the filter's path that have nodes in the tree */
	StringInfoData unordered; /* UnorderedNodes, whose children have no order */
} XmlConverter;

/* The wrapper element of a fragment. */
#define WRAPPER_START "<_>"
#define WRAPPER_END "</_>"

/* Returns the bytes of the value. */
static XmlText
ValueText(const XmlConverter *converter)
{
	const text *doc = (const text *) DatumGetPointer(converter->value);
	const char *start = VARDATA_ANY(doc);

	return (XmlText){start, start + VARSIZE_ANY_EXHDR(doc)};
}

/*
 * Returns the position in the value of libxml2's error, which has a line and a column of
 * the text that libxml2 parsed.
 */
static const char *
PlaceNotRead(const XmlConverter *converter, const xmlError *error)
{
	XmlText doc = ValueText(converter);
	const char *p = BehindXmlDeclaration(doc);
	int column = error->int2;

	if (error->line <= 1 && converter->top == 1)
		column -= (int) strlen(WRAPPER_START);
	for (int line = error->line; line > 1 && p < doc.end; line--)
	{
		const char *end = memchr(p, '\n', (Size) (doc.end - p));

		p = end != NULL ? end + 1 : doc.end;
	}
	while (column-- > 1 && p < doc.end)
		p += Min(pg_mblen(p), doc.end - p);
	return p;
}

/* Appends the position of an error, if it is known. */
static void
AppendPlace(StringInfo place, const XmlConverter *converter)
{
	XmlText doc = ValueText(converter);
	xmlParserCtxtPtr parser = converter->work != NULL ? converter->work->parser : NULL;

	if (parser != NULL)
	{
		if (parser->input != NULL)
			appendStringInfo(place, ", in line %d, column %d", xmlSAX2GetLineNumber(parser),
							 xmlSAX2GetColumnNumber(parser));
	}
	else if (converter->not_read)
		AppendLineAndColumn(place, doc.start, PlaceNotRead(converter, xmlGetLastError()));
	else if (converter->reader == NULL)
		return;
	else if (converter->top == 1) /* the first tag is that of the wrapper */
		AppendLineAndColumn(place, doc.start,
							converter->at_text ? BehindXmlTag(doc, converter->text_tags - 1)
											   : FindXmlTag(doc, converter->tags - 1));
	else if (xmlTextReaderCurrentNode(converter->reader) != NULL)
		appendStringInfo(place, ", in line %ld",
						 xmlGetLineNo(xmlTextReaderCurrentNode(converter->reader)));
}

/* Adds the document and the place in it to the context of an error. */
static void
XmlContext(void *arg)
{
	const XmlConverter *converter = arg;
	XmlText doc = ValueText(converter);
	StringInfoData place;

	initStringInfo(&place);
	AppendPlace(&place, converter);
	DocumentContext(converter->html ? "HTML" : "XML", doc.start, (int) (doc.end - doc.start),
					place.data);
}

/* Raises the error that the paths leave nothing of the document. */
static _Noreturn void
NothingLeftOfXml(const XmlConverter *converter)
{
	bool included = converter->options->paths.included.count > 0;

	ereport(ERROR,
			(errcode(ERRCODE_NOT_AN_XML_DOCUMENT),
			 errmsg("option \"%s\" leaves nothing of the document",
					included ? "include_paths" : "exclude_paths"),
			 included ? errdetail("No path matches a node of the document that is not left out.")
					  : errdetail("A path matches the root of the document."),
			 included ? errhint("Check the paths, or set the option \"on_error\" to \"null\" where "
								"documents may lack them.")
					  : errhint("Leave out what is below the root, as in \"/a/*\", or put another "
								"root over what remains with the option \"fragment_root\".")));
}

/* Raises the error that a value does not have exactly one root. */
static _Noreturn void
NoSingleRoot(const XmlConverter *converter, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_NOT_AN_XML_DOCUMENT),
			 errmsg("%s does not have a single root", converter->html ? "HTML text" : "XML value"),
			 errdetail_internal("%s", detail),
			 errhint("Put a root over the nodes at the top level with the option "
					 "\"fragment_root\".")));
}

/* Records the origin of the next node. */
static XmlPlace *
NotePlace(XmlConverter *converter, XmlPlaceKind kind)
{
	XmlPlaces *places = converter->places;
	int32 node = converter->builder.size;

	RESERVE_COUNTED(converter->builder.counted, places->by_node, places->capacity, node + 1,
					BUILDING_A_TREE);
	places->by_node[node] = (XmlPlace){.kind = kind};
	return &places->by_node[node];
}

/* Records that the next node is an attribute or its value. */
static void
NoteAttribute(XmlConverter *converter, const char *name)
{
	if (converter->places != NULL)
		NotePlace(converter, PLACE_ATTRIBUTE)->name =
			MemoryContextStrdup(converter->places->context, name);
}

/* Opens a node with a label in the server encoding. */
static void
OpenXmlNode(XmlConverter *converter, const char *label)
{
	if (converter->options->fold_case)
	{
		char *folded = FoldCase(label, strlen(label));

		TreeBuilderOpen(&converter->builder, folded, strlen(folded));
		pfree(folded);
	}
	else
		TreeBuilderOpen(&converter->builder, label, strlen(label));
}

/* Adds a leaf with a label in UTF-8. */
static void
AddLeaf(XmlConverter *converter, const char *utf8, int length)
{
	char *result = ValueToServer(utf8, length, PG_UTF8);
	char *label = result == utf8 ? pnstrdup(utf8, length) : result;

	OpenXmlNode(converter, label);
	TreeBuilderClose(&converter->builder);
	pfree(label);
}

/* Trims white space, and replaces each run of it by one space.  Returns the new length. */
static int
CollapseSpace(char *s, int length)
{
	int kept = 0;
	bool space = false;

	for (int i = 0; i < length; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (s[i] == ' ' || s[i] == '\t' || s[i] == '\r' || s[i] == '\n')
			space = kept > 0;
		else
		{
			if (space)
				s[kept++] = ' ';
			space = false;
			s[kept++] = s[i];
		}
	}
	s[kept] = '\0';
	return kept;
}

/* Makes nodes of the current run of text. */
static void
FlushText(XmlConverter *converter)
{
	const XmlOptions *options = converter->options;
	StringInfo text = &converter->text;
	bool at_top = converter->depth == converter->top;

	if (text->len == 0)
		return;
	if (options->text_nodes != TEXT_PRESERVE)
		text->len = CollapseSpace(text->data, text->len);
	else if (at_top && strspn(text->data, " \t\r\n") == (size_t) text->len)
		text->len = 0;

	if (text->len > 0)
	{
		if (at_top && options->root == NULL)
		{
			converter->at_text = true;
			if (!converter->html)
				RefuseByteOrderMark(text->data);
			NoSingleRoot(converter, "There is text at the top level.");
		}
		if (options->text_nodes == TEXT_WORDS)
		{
			const char *word = converter->text.data;
			const char *end = word + converter->text.len;

			/* a leaf for each word of the run of text, which is collapsed */
			while (word < end)
			{
				const char *space = memchr(word, ' ', end - word);
				const char *word_end = space != NULL ? space : end;

				CHECK_FOR_INTERRUPTS();
				AddLeaf(converter, word, word_end - word);
				word = word_end + 1;
			}
		}
		else if (options->mark_texts)
			AddLeaf(converter, psprintf("%c%s", MARK_TEXT, text->data), text->len + 1);
		else
		{
			XmlPlaces *places = converter->places;

			if (places != NULL)
			{
				XmlPlace *place = NotePlace(converter, PLACE_TEXT);

				place->last = places->texts[converter->depth];
				place->first = place->last - places->run + 1;
			}
			AddLeaf(converter, text->data, text->len);
		}
	}
	resetStringInfo(text);
}

/* Ends the run of text before a node.  Raises an error for a second node at the top level. */
static void
BeginXmlNode(XmlConverter *converter)
{
	FlushText(converter);
	if (converter->builder.size > 0 && converter->builder.depth == 0)
		NoSingleRoot(converter, "There is more than one node at the top level.");
}

/* Returns the name of the current element or attribute as a label, in the server encoding. */
static char *
NodeName(XmlConverter *converter)
{
	xmlTextReaderPtr reader = converter->reader;
	const char *name = (const char *) xmlTextReaderConstName(reader);
	const char *uri = (const char *) xmlTextReaderConstNamespaceUri(reader);
	const char *colon = strchr(name, ':');
	const char *local = colon != NULL ? colon + 1 : name;
	char *label = NULL;

	switch (converter->options->namespaces)
	{
		case NAMESPACES_LOCAL:
			label = pstrdup(strncmp(name, "xml:", 4) == 0 ? name : local);
			break;
		case NAMESPACES_URI:
			label = uri != NULL ? psprintf("{%s}%s", uri, local) : pstrdup(name);
			break;
		case NAMESPACES_PREFIX:
			label = pstrdup(name);
			break;
	}
	return ValueToServer(label, strlen(label), PG_UTF8);
}

/* Returns the value of the current node, in UTF-8. */
static const char *
NodeValue(XmlConverter *converter)
{
	const xmlChar *value = xmlTextReaderConstValue(converter->reader);

	return value != NULL ? (const char *) value : "";
}

/* Returns the first character of a reference to an entity that is not known. */
static char
ReferenceMark(const XmlConverter *converter)
{
	return converter->options->mark_texts ? MARK_REFERENCE : '&';
}

/* Orders attributes by label, then by value, as bytes. */
static int
CompareAttributesByLabel(const void *a, const void *b)
{
	const XmlAttribute *x = a;
	const XmlAttribute *y = b;
	int order = strcmp(x->label, y->label);

	CHECK_FOR_INTERRUPTS();
	return order != 0 ? order : strcmp(x->value, y->value);
}

/* Returns a string as a label. */
static Label
LabelOfString(const char *string)
{
	return (Label){string, (int) strlen(string)};
}

/* Whether paths include a text of the current element, or the value of the current attribute. */
static bool
LeafIsIncluded(XmlConverter *converter, TreeKind kind)
{
	bool included;

	if (!PathFilterEnter(&converter->filter, (Label){"", 0}, kind, false))
		return false;
	included = PathIsIncluded(&converter->filter);
	PathFilterLeave(&converter->filter);
	return included;
}

/* Reads the attribute at which the reader is; false if paths exclude it. */
static bool
ReadAttribute(XmlConverter *converter, XmlAttribute *attribute)
{
	const XmlOptions *options = converter->options;
	char *label = psprintf("@%s", NodeName(converter));
	char *value = "";
	bool included;
	bool value_included;

	if (!PathFilterEnter(&converter->filter, LabelOfString(label), KIND_ATTRIBUTE, true))
		return false;
	included = PathIsIncluded(&converter->filter);
	value_included = LeafIsIncluded(converter, KIND_VALUE);
	PathFilterLeave(&converter->filter);
	if (!included && !value_included)
		return false;

	attribute->has_value = value_included && options->content == CONTENT_FULL;
	if (attribute->has_value)
	{
		char *text =
			XmlContent(xmlTextReaderCurrentNode(converter->reader), ReferenceMark(converter));
		int length = strlen(text);

		if (converter->options->text_nodes != TEXT_PRESERVE)
			length = CollapseSpace(text, length);
		value = ValueToServer(text, length, PG_UTF8);
	}
	if (options->attributes == ATTRIBUTES_NODE && attribute->has_value)
	{
		label = psprintf("%s=%s", label, value);
		value = "";
	}
	if (options->fold_case)
	{
		label = FoldCase(label, strlen(label));
		value = FoldCase(value, strlen(value));
	}
	attribute->label = label;
	attribute->value = value;
	attribute->name = (const char *) xmlTextReaderConstName(converter->reader);
	return true;
}

/* Reads the attributes of the current element, sorted.  Returns their number. */
static int
ReadAttributes(XmlConverter *converter, XmlAttribute **attributes)
{
	int count = xmlTextReaderAttributeCount(converter->reader);
	int kept = 0;

	if (converter->options->attributes == ATTRIBUTES_IGNORE || count <= 0)
		return 0;

	*attributes = palloc_array(XmlAttribute, count);
	while (xmlTextReaderMoveToNextAttribute(converter->reader) == 1)
	{
		CHECK_FOR_INTERRUPTS();
		if (xmlTextReaderIsNamespaceDecl(converter->reader) != 1 &&
			ReadAttribute(converter, &(*attributes)[kept]))
			kept++;
	}
	xmlTextReaderMoveToElement(converter->reader);
	qsort(*attributes, kept, sizeof(XmlAttribute), CompareAttributesByLabel);
	return kept;
}

/* Adds the attributes of an element. */
static void
AddAttributes(XmlConverter *converter, const XmlAttribute *attributes, int count)
{
	const XmlOptions *options = converter->options;
	TreeBuilder *builder = &converter->builder;

	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		NoteAttribute(converter, attributes[i].name);
		TreeBuilderOpen(builder, attributes[i].label, strlen(attributes[i].label));
		if (options->attributes == ATTRIBUTES_CHILD && attributes[i].has_value)
		{
			NoteAttribute(converter, attributes[i].name);
			TreeBuilderOpen(builder, attributes[i].value, strlen(attributes[i].value));
			TreeBuilderClose(builder);
		}
		TreeBuilderClose(builder);
	}
}

/* Opens the node of the element at a depth of the filter's path, with its attributes. */
static void
OpenElement(XmlConverter *converter, int depth, const char *name, const XmlAttribute *attributes,
			int count)
{
	int32 node;
	XmlPlaceKind kind = PLACE_ELEMENT;
	const char *element;

	BeginXmlNode(converter);
	if (converter->places != NULL)
	{
		element = (const char *) xmlTextReaderConstName(converter->reader);
		if (xmlTextReaderConstNamespaceUri(converter->reader) == NULL)
		{
			if (strchr(element, ':') == NULL)
				kind = PLACE_NAMED_ELEMENT;
		}
		else if (strncmp(element, "xml:", 4) != 0)
			kind = PLACE_NAMESPACE_ELEMENT;
		NotePlace(converter, kind)->first = ++converter->places->elements[converter->depth];
	}
	node = converter->builder.size;
	OpenXmlNode(converter, name);
	AddAttributes(converter, attributes, count);
	if (PathIsUnordered(&converter->filter, depth))
		NoteUnordered(&converter->builder, &converter->unordered, node, count);
	converter->opened++;
}

/*
 * Opens the nodes of the first `depth` elements on the filter's path that have none yet.
 * An element gets its node only once something in it is included.
 */
static void
OpenAncestors(XmlConverter *converter, int depth)
{
	PathFilter *filter = &converter->filter;

	while (converter->opened < depth)
	{
		char *name = PathFilterName(filter, converter->opened + 1);

		CHECK_FOR_INTERRUPTS();
		OpenElement(converter, converter->opened + 1, name, NULL, 0);
		pfree(name);
	}
}

/* Leaves an element, and ends its node if it has one. */
static void
LeaveElement(XmlConverter *converter)
{
	if (converter->opened >= converter->filter.depth)
	{
		TreeBuilderClose(&converter->builder);
		converter->opened--;
	}
	PathFilterLeave(&converter->filter);
}

/* Begins an element, and ends it if it is empty. */
static void
BeginXmlElement(XmlConverter *converter)
{
	bool empty = xmlTextReaderIsEmptyElement(converter->reader) == 1;
	PathFilter *filter = &converter->filter;
	XmlAttribute *attributes = NULL;
	char *name;
	int count;

	if (converter->depth < converter->top)
	{
		converter->depth++;
		return;
	}

	name = NodeName(converter);
	if (!PathFilterEnter(filter, LabelOfString(name), KIND_ELEMENT, true))
	{
		if (!empty)
			converter->excluded = ++converter->depth;
		return;
	}

	count = ReadAttributes(converter, &attributes);
	if (count > 0 || PathIsIncluded(filter))
	{
		OpenAncestors(converter, filter->depth - 1);
		OpenElement(converter, filter->depth, name, attributes, count);
	}
	if (empty)
	{
		LeaveElement(converter);
		return;
	}
	converter->depth++;
	if (converter->places == NULL)
		return;
	CheckXmlLevel(converter->depth - converter->top);
	converter->places->elements[converter->depth] = 0;
	converter->places->texts[converter->depth] = 0;
}

/* Adds a comment, a processing instruction or a document type, if the options keep it. */
static void
AddComment(XmlConverter *converter, int type)
{
	const XmlOptions *options = converter->options;
	const char *name = (const char *) xmlTextReaderConstName(converter->reader);
	const char *value = NodeValue(converter);
	char *label;
	int length;

	if (options->comments == COMMENTS_DROP || options->content == CONTENT_STRUCTURE ||
		!PathIsIncluded(&converter->filter))
		return;

	if (type == XML_READER_TYPE_COMMENT)
		label = psprintf("<!--%s-->", value);
	else if (type == XML_READER_TYPE_DOCUMENT_TYPE)
		label = psprintf("<!DOCTYPE %s>", name);
	else if (value[0] == '\0')
		label = psprintf("<?%s?>", name);
	else
		label = psprintf("<?%s %s?>", name, value);
	length = strlen(label);
	if (options->text_nodes != TEXT_PRESERVE)
		length = CollapseSpace(label, length);

	BeginXmlNode(converter);
	AddLeaf(converter, label, length);
}

/* Whether a text has only white space. */
static bool
IsBlankText(const char *text)
{
	return text[strspn(text, " \t\r\n")] == '\0';
}

/* Appends the current node to the run of text. */
static void
AppendTextRun(XmlConverter *converter, int type)
{
	const XmlOptions *options = converter->options;

	if (options->text_nodes == TEXT_IGNORE || options->content == CONTENT_STRUCTURE ||
		!LeafIsIncluded(converter, KIND_TEXT))
		return;
	if (converter->opened < converter->filter.depth)
	{
		if (options->text_nodes != TEXT_PRESERVE && type != XML_READER_TYPE_ENTITY_REFERENCE &&
			IsBlankText(NodeValue(converter)))
			return;
		OpenAncestors(converter, converter->filter.depth);
	}
	if (converter->text.len == 0)
		converter->text_tags = converter->tags;
	if (type == XML_READER_TYPE_ENTITY_REFERENCE)
		appendStringInfo(&converter->text, "%c%s;", ReferenceMark(converter),
						 (const char *) xmlTextReaderConstName(converter->reader));
	else
	{
		const char *value = NodeValue(converter);
		XmlPlaces *places = converter->places;

		if (places != NULL)
		{
			places->texts[converter->depth]++;
			if (converter->text.len == 0)
				places->run = 0;
			places->run++;
		}
		TreeBuilderReserve(&converter->builder, strlen(value));
		if (type == XML_READER_TYPE_CDATA && !converter->html)
		{
			/* line ends are normalized, which readers do not do here (XML 1.0, 2.11) */
			for (const char *p = value; *p != '\0'; p++)
				if (*p != '\r')
					appendStringInfoCharMacro(&converter->text, *p);
				else if (p[1] != '\n')
					appendStringInfoCharMacro(&converter->text, '\n');
		}
		else
			appendStringInfoString(&converter->text, value);
	}
}

/* Converts one event of the reader. */
static void
ConvertEvent(XmlConverter *converter)
{
	int type = xmlTextReaderNodeType(converter->reader);

	converter->tags += type == XML_READER_TYPE_ELEMENT || type == XML_READER_TYPE_END_ELEMENT ||
					   type == XML_READER_TYPE_COMMENT ||
					   type == XML_READER_TYPE_PROCESSING_INSTRUCTION;
	if (converter->excluded > 0)
	{
		if (type == XML_READER_TYPE_ELEMENT && xmlTextReaderIsEmptyElement(converter->reader) != 1)
			converter->depth++;
		else if (type == XML_READER_TYPE_END_ELEMENT && converter->depth-- == converter->excluded)
			converter->excluded = 0;
		return;
	}

	switch (type)
	{
		case XML_READER_TYPE_ELEMENT:
			BeginXmlElement(converter);
			break;
		case XML_READER_TYPE_END_ELEMENT:
			FlushText(converter);
			if (converter->depth-- > converter->top)
				LeaveElement(converter);
			break;
		case XML_READER_TYPE_TEXT:
		case XML_READER_TYPE_CDATA:
		case XML_READER_TYPE_WHITESPACE:
		case XML_READER_TYPE_SIGNIFICANT_WHITESPACE:
		case XML_READER_TYPE_ENTITY_REFERENCE:
			AppendTextRun(converter, type);
			break;
		case XML_READER_TYPE_COMMENT:
		case XML_READER_TYPE_PROCESSING_INSTRUCTION:
		case XML_READER_TYPE_DOCUMENT_TYPE:
			AddComment(converter, type);
			break;
		default:
			break;
	}
}

/* Returns the text to parse, without XML declaration, and in the wrapper. */
static const char *
PrepareXmlText(XmlConverter *converter)
{
	XmlText doc = ValueText(converter);
	int length = (int) (doc.end - doc.start);
	char *utf8 = ValueFromServer(doc.start, length, PG_UTF8);
	Size wrapper = strlen(WRAPPER_START) + strlen(WRAPPER_END);
	char *text;
	char *start;

	if (utf8 != doc.start)
		length = (int) strlen(utf8);
	TreeBuilderReserve(&converter->builder, (Size) length + wrapper + 1);
	text = MemoryContextAllocHuge(converter->builder.context, (Size) length + wrapper + 1);
	start = text + strlen(WRAPPER_START);
	CopyBlock(start, utf8, (Size) length);
	start[length] = '\0';
	if (utf8 != doc.start)
		pfree(utf8);

	start += SkipXmlDeclaration(start) - start;
	strcat(start, WRAPPER_END);
	start -= strlen(WRAPPER_START);
	memcpy(start, WRAPPER_START, strlen(WRAPPER_START));
	return start;
}

/* Opens a reader of the value. */
static xmlTextReaderPtr
OpenReader(XmlConverter *converter, XmlWork *work)
{
	XmlText doctype;
	const char *text;
	XmlOpenSizes sizes;

	if (converter->html)
		return xmlReaderWalker(
			ParseHtmlDocument(work, 0, converter->value, false, BUILDING_A_TREE));
	doctype = FindXmlDoctype(ValueText(converter));
	if (doctype.start < doctype.end)
		return xmlReaderWalker(
			ParseXmlDocument(work, 0, converter->value, XML_TO_CONVERT, BUILDING_A_TREE));
	converter->top = 1;
	text = PrepareXmlText(converter);
	/* the reader has all attributes of the open elements, and reads a text or a tag as a whole */
	sizes = FindXmlOpenSizes(ValueText(converter));
	work->bytes = 2 * XML_NODE_BYTES * (Size) sizes.attributes + 3 * sizes.longest;
	TreeBuilderReserve(&converter->builder, work->bytes);
	return xmlReaderForMemory(text, (int) strlen(text), NULL, "UTF-8",
							  XML_PARSE_NOENT | XML_PARSE_NONET);
}

/* Reads the whole value, within CallWithXml(). */
static Datum
ReadValue(void *arg, XmlWork *work)
{
	XmlConverter *converter = arg;
	MemoryContext outer;
	int status;

	converter->work = work;
	work->reader = CheckXmlPointer(OpenReader(converter, work));
	converter->reader = work->reader;
	outer = MemoryContextSwitchTo(converter->scratch);
	while ((status = xmlTextReaderRead(work->reader)) == 1 && !pg_xml_error_occurred(work->errors))
	{
		CHECK_FOR_INTERRUPTS();
		TreeBuilderReserve(&converter->builder, work->bytes);
		ConvertEvent(converter);
		MemoryContextReset(converter->scratch);
	}
	converter->not_read =
		(status != 0 || pg_xml_error_occurred(work->errors)) && xmlGetLastError() != NULL;
	if (status != 0 || pg_xml_error_occurred(work->errors))
		ReportXmlError(work, ERRCODE_INVALID_XML_CONTENT, "could not read XML value as a tree");
	MemoryContextSwitchTo(outer);
	return (Datum) 0;
}

/* Converts the value. */
static Tree *
MakeXmlTree(XmlConverter *converter)
{
	const XmlOptions *options = converter->options;
	Tree *tree;

	if (options->root != NULL)
		TreeBuilderOpen(&converter->builder, VARDATA_ANY(options->root),
						VARSIZE_ANY_EXHDR(options->root));
	/*
	 * PG_XML_STRICTNESS_ALL would refuse values that the xml type accepts, such as relative
	 * namespace names
	 */
	CallWithXml(ReadValue, converter);
	converter->reader = NULL;
	converter->work = NULL;
	if (converter->builder.size == 0 &&
		(converter->filter.left_out || options->paths.included.count > 0))
		NothingLeftOfXml(converter);
	if (converter->builder.size == 0)
		NoSingleRoot(converter, "There is no node at the top level.");
	if (options->root != NULL)
		TreeBuilderClose(&converter->builder);
	pfree(converter->text.data);
	tree = TreeBuilderFinish(&converter->builder);
	if (converter->unordered.len > 0)
		tree = SortChildren(tree, (const UnorderedNode *) converter->unordered.data,
							converter->unordered.len / (int) sizeof(UnorderedNode), NULL);
	return tree;
}

/* Converts the value, with the document in the context of errors. */
static Tree *
ConvertXmlValue(void *arg)
{
	XmlConverter *converter = arg;
	ErrorContextCallback context = {
		.previous = error_context_stack, .callback = XmlContext, .arg = converter};
	Tree *tree;

	TreeBuilderInit(&converter->builder);
	converter->scratch =
		AllocSetContextCreate(converter->builder.context, "XML to tree", ALLOCSET_DEFAULT_SIZES);
	initStringInfo(&converter->text);
	initStringInfo(&converter->unordered);
	PathFilterInit(&converter->filter, &converter->options->paths);
	error_context_stack = &context;
	tree = MakeXmlTree(converter);
	error_context_stack = context.previous;
	return tree;
}

/* Converts an XML value. */
static Tree *
ConvertXml(Datum value, const XmlOptions *options, XmlPlaces *places)
{
	XmlConverter converter = {.options = options,
							  .value = PointerGetDatum(PG_DETOAST_DATUM_PACKED(value)),
							  .places = places};

	return ConvertXmlValue(&converter);
}

/* Reads the options of tree_from_xml() and tree_from_html(), the first arguments of both. */
static void
ReadOptions(FunctionCallInfo fcinfo, XmlOptions *options)
{
	const text *root = PG_GETARG_TEXT_PP(8);

	options->attributes = ParseOption("attributes", PG_GETARG_TEXT_PP(1), attribute_modes);
	options->text_nodes = ParseOption("text_nodes", PG_GETARG_TEXT_PP(2), text_modes);
	options->comments = ParseOption("comments", PG_GETARG_TEXT_PP(3), comment_modes);
	options->content = ParseOption("content", PG_GETARG_TEXT_PP(4), content_modes);
	options->fold_case = PG_GETARG_BOOL(5);
	options->root = VARSIZE_ANY_EXHDR(root) == 0 ? NULL : root;
	ParsePaths(fcinfo, 6, "exclude_paths", &options->paths.excluded);
	ParsePaths(fcinfo, 7, "include_paths", &options->paths.included);
	ParsePaths(fcinfo, 9, "unordered", &options->paths.unordered);
}

/* Converts an XML value with the options given. */
Datum
tree_from_xml(PG_FUNCTION_ARGS)
{
	XmlOptions options = {0};
	XmlConverter converter = {.options = &options, .value = PointerGetDatum(PG_GETARG_TEXT_PP(0))};
	Datum tree;

	ReadOptions(fcinfo, &options);
	options.namespaces = ParseOption("namespaces", PG_GETARG_TEXT_PP(11), namespace_modes);
	tree = ReturnConverted(fcinfo, PG_GETARG_TEXT_PP(10), ConvertXmlValue, &converter);
	WarnOfConversion(fcinfo, &options.paths, false);
	return tree;
}

/* Converts an HTML page with the options given. */
Datum
tree_from_html(PG_FUNCTION_ARGS)
{
	XmlOptions options = {.namespaces = NAMESPACES_PREFIX};
	XmlConverter converter = {
		.options = &options, .value = PointerGetDatum(PG_GETARG_TEXT_PP(0)), .html = true};
	Datum tree;

	ReadOptions(fcinfo, &options);
	tree = ReturnConverted(fcinfo, PG_GETARG_TEXT_PP(10), ConvertXmlValue, &converter);
	WarnOfConversion(fcinfo, &options.paths, false);
	return tree;
}

/* Converts an XML value with the default options. */
Datum
xml_tree(PG_FUNCTION_ARGS)
{
	XmlConverter converter = {.options = &default_options,
							  .value = PointerGetDatum(PG_GETARG_TEXT_PP(0))};

	PG_RETURN_TREE(ConvertArguments(fcinfo, ConvertXmlValue, &converter));
}

Datum
ConvertXmlWithPlaces(Datum doc, XmlPlaces *places)
{
	places->context = CurrentMemoryContext;
	places->capacity = 64;
	places->by_node = palloc_array(XmlPlace, places->capacity);
	memset(places->elements, 0, sizeof(places->elements));
	memset(places->texts, 0, sizeof(places->texts));
	places->run = 0;
	return PointerGetDatum(ConvertXml(doc, &default_options, places));
}

Tree *
MarkedXmlTree(Datum doc)
{
	static const XmlOptions options = {.mark_texts = true};

	return ConvertXml(doc, &options, NULL);
}

#else

NO_XML_FUNCTION(tree_from_xml);
NO_XML_FUNCTION(tree_from_html);
NO_XML_FUNCTION(xml_tree);

Tree *
MarkedXmlTree(Datum doc)
{
	(void) doc;
	return DatumGetTree(NoXmlSupport());
}

#endif
