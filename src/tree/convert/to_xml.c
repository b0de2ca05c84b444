/*
 * to_xml.c
 *	  Converts a tree made by the default conversion from XML back to XML.
 *
 * A node with children is an attribute if its label begins with "@", else an element.  A
 * leaf can have been a text or an empty element.  It becomes a text, unless it is the root
 * or has a leaf as adjacent sibling, since adjacent texts would be one node; then it
 * becomes an element, if its label is a valid name.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/xml.h"

#ifdef USE_LIBXML
#include <libxml/tree.h>
#endif

#include "../../common/host.h"
#include "../../common/messages.h"
#include "../../compat.h"
#include "convert.h"
#include "node_paths.h"

PG_FUNCTION_INFO_V1(tree_to_xml);

#ifdef USE_LIBXML

/* The depth of elements up to which libxml2 parses. */
#define MAX_DEPTH 256

/* Whether a label is a valid name, once it has been checked. */
typedef enum NameCheck
{
	NAME_UNKNOWN,
	NAME_VALID,
	NAME_INVALID
} NameCheck;

/* An open element. */
typedef struct OpenElement
{
	int32 label;
	bool in_start_tag; /* the start tag is not closed; attributes may follow */
	bool after_text;   /* its last child so far is text */
} OpenElement;

/* A leaf that is written once the next node is known; its node is -1 if there is none. */
typedef struct HeldLeaf
{
	int32 node;
	int32 label;
	bool beside_leaf; /* its previous sibling is a leaf */
} HeldLeaf;

/* The state of a conversion. */
typedef struct XmlWriter
{
	const Tree *tree;
	TreeReader reader;
	StringInfoData text;
	NameCheck *names; /* by label id */
	OpenElement *open;
	int32 depth;
	int32 begun;       /* node begun last, while no child of it is known, or -1 */
	int32 begun_label; /* label id of `begun` */
	HeldLeaf held;

	/* the current attribute, or -1, and the previous one of the same element */
	int32 attribute;
	bool has_value;
	Label last_name;
	Label last_value;
	int made_up_prefixes; /* number of prefixes made up for attributes of the element */
} XmlWriter;

/*
 * Raises the error that a node, by its preorder number from 0, cannot be part of an XML
 * document.
 */
static _Noreturn void
NoXml(const XmlWriter *writer, int32 node, const char *problem)
{
	ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("tree cannot be converted to XML"),
					ValueDetail(psprintf("There is a problem with a node: %s", problem),
								"Node %d, \"%s\": %s", node + 1, TreeNodePath(writer->tree, node),
								problem),
					errhint("Convert trees that the default conversion has made from xml.")));
}

/*
 * Whether bytes in the server encoding are characters; in a database without an encoding, they are
 * those of UTF-8.
 */
static bool
AreCharacters(const char *bytes, int length)
{
	return GetDatabaseEncoding() != PG_SQL_ASCII ||
		   pg_encoding_verifymbstr(PG_UTF8, bytes, length) == length;
}

/* Whether bytes in the server encoding are a name without a prefix, or with the prefix xml. */
static bool
IsName(const char *bytes, int length)
{
	char *name;
	char *utf8;
	const char *local;
	bool valid;

	if (!AreCharacters(bytes, length))
		return false;
	name = pnstrdup(bytes, length);
	utf8 = ValueFromServer(name, length, PG_UTF8);
	local = strncmp(utf8, "xml:", 4) == 0 ? utf8 + 4 : utf8;
	valid = strlen(name) == (size_t) length && xmlValidateNCName((const xmlChar *) local, 0) == 0;
	if (utf8 != name)
		pfree(utf8);
	pfree(name);
	return valid;
}

/* Whether a label, without an "@" before it, is a valid name. */
static bool
CanBeName(XmlWriter *writer, int32 id)
{
	if (writer->names[id] == NAME_UNKNOWN)
	{
		Label label = writer->reader.labels[id];
		int skip = label.length > 0 && label.bytes[0] == '@';

		writer->names[id] =
			IsName(label.bytes + skip, label.length - skip) ? NAME_VALID : NAME_INVALID;
	}
	return writer->names[id] == NAME_VALID;
}

/* Whether a label begins with "@". */
static bool
IsAttributeLabel(Label label)
{
	return label.length > 0 && label.bytes[0] == '@';
}

/*
 * Appends a text or the value of an attribute.  Raises an error for white space that the
 * conversion from XML would collapse.
 */
static void
AppendEscaped(XmlWriter *writer, int32 node, Label label)
{
	StringInfo text = &writer->text;

	if (!AreCharacters(label.bytes, label.length))
		NoXml(writer, node, "It has bytes that are not characters of UTF-8.");
	for (int i = 0; i < label.length; i++)
	{
		unsigned char c = (unsigned char) label.bytes[i];

		if (c < ' ')
			NoXml(writer, node, "It has a character that such text does not have.");
		if (c == ' ' && (i == 0 || i + 1 == label.length || label.bytes[i + 1] == ' '))
			NoXml(writer, node, "It has white space that is not collapsed.");
		switch (c)
		{
			case '<':
				appendStringInfoString(text, "&lt;");
				break;
			case '>':
				appendStringInfoString(text, "&gt;");
				break;
			case '&':
				appendStringInfoString(text, "&amp;");
				break;
			case '"':
				appendStringInfoString(text, "&quot;");
				break;
			default:
				appendStringInfoCharMacro(text, (char) c);
				break;
		}
	}
}

/* Closes the start tag of the innermost element, if it is open. */
static void
EndStartTag(XmlWriter *writer)
{
	OpenElement *element = &writer->open[writer->depth - 1];

	if (element->in_start_tag)
		appendStringInfoChar(&writer->text, '>');
	element->in_start_tag = false;
}

/* Begins an element. */
static void
BeginElement(XmlWriter *writer, int32 node, int32 label)
{
	Label name = writer->reader.labels[label];

	if (!CanBeName(writer, label) || IsAttributeLabel(name))
		NoXml(writer, node, "Its label is not the name of an element.");
	if (writer->depth == MAX_DEPTH)
		NoXml(writer, node, "It is in more elements than libxml2 reads in each other.");
	if (writer->depth > 0)
	{
		EndStartTag(writer);
		writer->open[writer->depth - 1].after_text = false;
	}
	appendStringInfoChar(&writer->text, '<');
	appendBinaryStringInfo(&writer->text, name.bytes, name.length);
	writer->open[writer->depth++] = (OpenElement){.label = label, .in_start_tag = true};
	writer->last_name.bytes = NULL;
	writer->made_up_prefixes = 0;
}

/* Ends the innermost element. */
static void
EndElement(XmlWriter *writer)
{
	const OpenElement *element = &writer->open[--writer->depth];
	Label name = writer->reader.labels[element->label];

	if (element->in_start_tag)
		appendStringInfoString(&writer->text, "/>");
	else
	{
		appendStringInfoString(&writer->text, "</");
		appendBinaryStringInfo(&writer->text, name.bytes, name.length);
		appendStringInfoChar(&writer->text, '>');
	}
}

/* Writes the leaf that was held back.  `beside_leaf` says that the next sibling is a leaf. */
static void
WriteHeld(XmlWriter *writer, bool beside_leaf)
{
	HeldLeaf held = writer->held;
	Label label;

	if (held.node < 0)
		return;
	writer->held.node = -1;
	label = writer->reader.labels[held.label];
	if ((held.beside_leaf || beside_leaf) && !IsAttributeLabel(label) &&
		CanBeName(writer, held.label))
	{
		BeginElement(writer, held.node, held.label);
		EndElement(writer);
		return;
	}
	if (writer->open[writer->depth - 1].after_text)
		NoXml(writer, held.node, "It is text next to text.");
	if (label.length == 0)
		NoXml(writer, held.node, "It is empty text.");
	EndStartTag(writer);
	AppendEscaped(writer, held.node, label);
	writer->open[writer->depth - 1].after_text = true;
}

/*
 * Begins an attribute.  It gets a made-up prefix if the previous attribute has the same
 * local name, or if it would declare a namespace.
 */
static void
BeginAttribute(XmlWriter *writer, int32 node, int32 label)
{
	Label name = writer->reader.labels[label];
	StringInfo text = &writer->text;

	name.bytes++;
	name.length--;
	if (!CanBeName(writer, label))
		NoXml(writer, node, "Its label is not the name of an attribute.");
	if (writer->last_name.bytes != NULL && CompareLabels(writer->last_name, name) > 0)
		NoXml(writer, node, "The attributes of an element are in order.");

	appendStringInfoChar(text, ' ');
	if ((writer->last_name.bytes != NULL && CompareLabels(writer->last_name, name) == 0) ||
		(name.length == 5 && memcmp(name.bytes, "xmlns", 5) == 0))
	{
		if (memchr(name.bytes, ':', name.length) != NULL)
			NoXml(writer, node, "There is such an attribute already.");
		writer->made_up_prefixes++;
		appendStringInfo(text, "xmlns:ns%d=\"urn:ns%d\" ns%d:", writer->made_up_prefixes,
						 writer->made_up_prefixes, writer->made_up_prefixes);
	}
	else
		writer->last_value.bytes = NULL;
	appendBinaryStringInfo(text, name.bytes, name.length);
	appendStringInfoString(text, "=\"");
	writer->last_name = name;
	writer->attribute = node;
	writer->has_value = false;
}

/* Begins the node begun last as an element or an attribute, since it has a child. */
static void
BeginInner(XmlWriter *writer)
{
	int32 node = writer->begun;
	int32 label = writer->begun_label;

	writer->begun = -1;
	if (writer->attribute >= 0)
		NoXml(writer, node, "The value of an attribute has no children.");
	if (writer->held.node < 0 && writer->depth > 0 &&
		writer->open[writer->depth - 1].in_start_tag &&
		IsAttributeLabel(writer->reader.labels[label]))
	{
		BeginAttribute(writer, node, label);
		return;
	}
	WriteHeld(writer, false);
	BeginElement(writer, node, label);
}

/* Handles the node begun last as a leaf, since it ends. */
static void
EndLeaf(XmlWriter *writer)
{
	HeldLeaf leaf = {.node = writer->begun, .label = writer->begun_label};

	writer->begun = -1;
	if (writer->attribute >= 0)
	{
		Label value = writer->reader.labels[leaf.label];

		if (writer->has_value)
			NoXml(writer, leaf.node, "It is the second value of an attribute.");
		if (writer->last_value.bytes != NULL && CompareLabels(writer->last_value, value) > 0)
			NoXml(writer, leaf.node, "The attributes of an element are in order.");
		AppendEscaped(writer, leaf.node, value);
		appendStringInfoChar(&writer->text, '"');
		writer->last_value = value;
		writer->has_value = true;
		return;
	}
	if (writer->depth == 0)
	{
		BeginElement(writer, leaf.node, leaf.label);
		EndElement(writer);
		return;
	}
	leaf.beside_leaf = writer->held.node >= 0;
	WriteHeld(writer, true);
	writer->held = leaf;
}

/* Handles one event of the reader. */
static void
WriteEvent(XmlWriter *writer, TreeEvent event)
{
	if (event == TREE_OPEN)
	{
		if (writer->begun >= 0)
			BeginInner(writer);
		writer->begun = writer->reader.node;
		writer->begun_label = writer->reader.label;
	}
	else if (writer->begun >= 0)
		EndLeaf(writer);
	else if (writer->attribute >= 0)
		writer->attribute = -1;
	else
	{
		WriteHeld(writer, false);
		EndElement(writer);
	}
}

/* Converts a tree to XML. */
Datum
tree_to_xml(PG_FUNCTION_ARGS)
{
	XmlWriter writer = {.begun = -1, .held.node = -1, .attribute = -1};
	TreeEvent event;
	xmltype *result;
	ErrorContextCallback reading;

	BeginReading(&reading, AreWrittenByClient(fcinfo, 0, 1));
	CheckMemoryLimit(TreeDecodedBytes(PG_GETARG_DATUM(0)), "converting a tree to XML");
	writer.tree = PG_GETARG_TREE(0);
	TreeReaderInit(&writer.reader, writer.tree);
	writer.names = palloc0_array(NameCheck, writer.reader.label_count);
	writer.open = palloc_array(OpenElement, MAX_DEPTH);
	initStringInfo(&writer.text);
	while ((event = TreeReaderNext(&writer.reader)) != TREE_END)
	{
		CHECK_FOR_INTERRUPTS();
		WriteEvent(&writer, event);
	}

	result = (xmltype *) CopyToValue(writer.text.data, writer.text.len);
	/* raises an error for what libxml2 cannot parse again, such as very long names */
	DirectFunctionCall1(xml_tree, PointerGetDatum(result));
	EndReading(&reading);
	PG_RETURN_XML_P(result);
}

#else

NO_XML_FUNCTION(tree_to_xml);

#endif
