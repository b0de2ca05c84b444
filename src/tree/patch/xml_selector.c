/*
 * xml_selector.c
 *	  Selectors of XML patches: the part of XPath that RFC 5261 allows.
 *
 * A selector is a path of steps to children.  It can begin at the element with an id, and
 * end with an attribute or a namespace.  It has no expressions: each step is evaluated as
 * soon as it is read, by a walk through the children of the nodes found so far, and each of
 * its predicates by a walk through the nodes found by the step.  The memory is that of a
 * list of nodes, and each step and predicate takes at most the time of a walk through the
 * document.
 */
#include "postgres.h"

#ifdef USE_LIBXML

#include <libxml/parser.h>

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../common/messages.h"
#include "../../compat.h"
#include "../convert/json_pointer.h"
#include "../convert/xml_document.h"
#include "xml_selector.h"

/* A selector being read, and the nodes that it has found so far, in document order. */
typedef struct XmlSelection
{
	xmlDocPtr document;
	XmlChildIndex *children;
	xmlNodePtr operation;
	int number; /* number of the operation, from 1 */
	const char *selector;
	const char *p; /* rest of the selector */
	xmlNodePtr *nodes;
	int32 count;
	int32 capacity;
	bool has_plain_names; /* as in XmlTarget */
} XmlSelection;

/* A predicate: a position, or the value of the node, of an attribute or of a child. */
typedef struct XmlPredicate
{
	enum
	{
		POSITION,
		OWN_VALUE,
		ATTRIBUTE_VALUE,
		CHILD_VALUE
	} kind;
	int32 position;
	XmlName name;
	const char *value;
	int length;
} XmlPredicate;

/* Raises the error that the selector is invalid. */
static _Noreturn void
InvalidSelector(const XmlSelection *selection, const char *problem)
{
	char *selector = ValueToServer(selection->selector, (int) strlen(selection->selector), PG_UTF8);
	int character = 1;

	for (const char *p = selection->selector; p < selection->p; p++)
		character += ((unsigned char) *p & 0xC0) != 0x80;
	ereport(
		ERROR,
		(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid selector in XML patch"),
		 ValueDetail(problem, "Operation %d, \"%s\", character %d: %s", selection->number,
					 ClipForMessage((Label){selector, (int) strlen(selector)}), character, problem),
		 errhint("Write a path as RFC 5261 allows it, such as /a/b[2]/@c, "
				 "*/p:b[@c='d'][e=\"f\"]/text()[1] or id('g')/comment().")));
}

/* Skips white space, and a string if it is next.  Returns whether it was next. */
static bool
Accept(XmlSelection *selection, const char *string)
{
	selection->p += strspn(selection->p, " \t\r\n");
	if (strncmp(selection->p, string, strlen(string)) != 0)
		return false;
	selection->p += strlen(string);
	return true;
}

/* Skips a string that must be next, or raises an error. */
static void
Expect(XmlSelection *selection, const char *string, const char *problem)
{
	if (!Accept(selection, string))
		InvalidSelector(selection, problem);
}

/* Returns the number of bytes of a name without a prefix. */
static int
NameLength(const char *p)
{
	const char *end = p;

	while ((*end >= 'a' && *end <= 'z') || (*end >= 'A' && *end <= 'Z') ||
		   (*end >= '0' && *end <= '9') || (*end != '\0' && strchr("_-.", *end) != NULL) ||
		   IS_HIGHBIT_SET(*end))
		end++;
	return (int) (end - p);
}

/* Reads a name without a prefix. */
static char *
ReadNcName(XmlSelection *selection)
{
	int length = NameLength(selection->p);
	char *name = pnstrdup(selection->p, length);

	if (xmlValidateNCName((const xmlChar *) name, 0) != 0)
		InvalidSelector(selection, "There must be a name.");
	selection->p += length;
	return name;
}

/*
 * Returns the namespace of a prefix, or the default one for NULL, in scope at the
 * operation; NULL if there is none.
 */
static const xmlChar *
FindNamespace(const XmlSelection *selection, const char *prefix)
{
	xmlNsPtr space =
		xmlSearchNs(selection->operation->doc, selection->operation, (const xmlChar *) prefix);

	return space == NULL || space->href == NULL || space->href[0] == '\0' ? NULL : space->href;
}

/* Reads the name of an element or an attribute.  A name without a prefix is in `default_space`. */
static XmlName
ReadName(XmlSelection *selection, const xmlChar *default_space)
{
	const char *start = selection->p;
	XmlName name = {.uri = default_space};

	name.local = ReadNcName(selection);
	if (selection->p[0] == ':' && selection->p[1] != ':')
	{
		char *prefix = name.local;

		name.uri = FindNamespace(selection, prefix);
		pfree(prefix);
		if (name.uri == NULL)
		{
			selection->p = start;
			InvalidSelector(selection, "The prefix is not declared.");
		}
		selection->p++;
		name.local = ReadNcName(selection);
	}
	return name;
}

/* Frees a name. */
static void
FreeName(XmlName *name)
{
	if (name->local != NULL)
		pfree(name->local);
}

/* Reads a string in quotation marks, without copying it. */
static const char *
ReadQuotedString(XmlSelection *selection, int *length)
{
	const char *start;
	const char *end = NULL;

	selection->p += strspn(selection->p, " \t\r\n");
	start = selection->p + 1;
	if (*selection->p == '"' || *selection->p == '\'')
		end = strchr(start, *selection->p);
	if (end == NULL)
		InvalidSelector(selection, "There must be a string in quotation marks.");
	*length = (int) (end - start);
	selection->p = end + 1;
	return start;
}

xmlAttrPtr
FindXmlAttribute(xmlNodePtr element, const char *name, const xmlChar *uri)
{
	XmlName wanted = {.local = unconstify(char *, name), .uri = uri};
	xmlAttrPtr attribute = element->type == XML_ELEMENT_NODE ? element->properties : NULL;

	while (attribute != NULL && !XmlNameMatches(&wanted, attribute->name, attribute->ns))
	{
		CHECK_FOR_INTERRUPTS();
		attribute = attribute->next;
	}
	return attribute;
}

/* Whether the text in a node equals a value; compares without copying. */
static bool
TextIs(xmlNodePtr root, const char *value, int length)
{
	for (xmlNodePtr node = root; node != NULL; node = NextXmlNode(node, root))
	{
		const char *content;
		int matched;

		CHECK_FOR_INTERRUPTS();
		if (node->type == XML_ENTITY_REF_NODE)
			return false; /* nobody knows what it stands for */
		if (node->type != XML_TEXT_NODE &&
			(node != root || (node->type != XML_COMMENT_NODE && node->type != XML_PI_NODE)))
			continue;
		content = node->content == NULL ? "" : (const char *) node->content;
		for (matched = 0; matched < length && content[matched] == value[matched]; matched++)
			if (content[matched] == '\0')
				break;
		if (content[matched] != '\0')
			return false;
		value += matched;
		length -= matched;
	}
	return length == 0;
}

/* Adds a node to those found. */
static void
AddFound(XmlSelection *selection, xmlNodePtr node)
{
	if (selection->count == selection->capacity)
	{
		CheckMemoryLimit(4 * sizeof(xmlNodePtr) * (Size) selection->capacity, APPLYING_XML_PATCH);
		selection->capacity *= 2;
		selection->nodes =
			repalloc_huge(selection->nodes, sizeof(xmlNodePtr) * (Size) selection->capacity);
	}
	selection->nodes[selection->count++] = node;
}

/* Begins a new list of nodes.  Returns the previous one. */
static xmlNodePtr *
BeginList(XmlSelection *selection)
{
	xmlNodePtr *nodes = selection->nodes;

	selection->capacity = 16;
	selection->count = 0;
	selection->nodes = palloc_array(xmlNodePtr, selection->capacity);
	return nodes;
}

/* Replaces each node found by its children that pass a test. */
static void
SelectChildren(XmlSelection *selection, const XmlNodeTest *test)
{
	int32 count = selection->count;
	xmlNodePtr *parents = BeginList(selection);

	for (int32 i = 0; i < count; i++)
		if (parents[i]->type == XML_ELEMENT_NODE || parents[i]->type == XML_DOCUMENT_NODE)
			for (xmlNodePtr node = parents[i]->children; node != NULL; node = node->next)
			{
				CHECK_FOR_INTERRUPTS();
				if (XmlNodeMatches(test, node))
					AddFound(selection, node);
			}
	pfree(parents);
}

/* Replaces each node found by its child at a position among those that pass a test. */
static void
TakeChildrenAt(XmlSelection *selection, const XmlNodeTest *test, int32 position)
{
	int32 count = selection->count;

	selection->count = 0;
	for (int32 i = 0; i < count; i++)
	{
		xmlNodePtr parent = selection->nodes[i];

		CHECK_FOR_INTERRUPTS();
		if (parent->type == XML_ELEMENT_NODE || parent->type == XML_DOCUMENT_NODE)
		{
			xmlNodePtr child = FindXmlChild(selection->children, parent, test, position);

			if (child != NULL)
				selection->nodes[selection->count++] = child;
		}
	}
}

/* Replaces each node found by its attribute with a name, if it has it. */
static void
TakeAttributes(XmlSelection *selection, const XmlName *name)
{
	int32 count = selection->count;

	selection->count = 0;
	for (int32 i = 0; i < count; i++)
	{
		xmlAttrPtr attribute = FindXmlAttribute(selection->nodes[i], name->local, name->uri);

		CHECK_FOR_INTERRUPTS();
		if (attribute != NULL)
			selection->nodes[selection->count++] = (xmlNodePtr) attribute;
	}
}

/* Sets the nodes found to the elements that have an id of this value. */
static void
TakeElementsById(XmlSelection *selection, const char *value, int length)
{
	xmlNodePtr root = (xmlNodePtr) selection->document;

	selection->count = 0;
	for (xmlNodePtr node = root; node != NULL; node = NextXmlNode(node, root))
	{
		CHECK_FOR_INTERRUPTS();
		if (node->type != XML_ELEMENT_NODE)
			continue;
		for (xmlAttrPtr x = node->properties; x != NULL; x = x->next)
			if (xmlIsID(selection->document, node, x) == 1 && TextIs((xmlNodePtr) x, value, length))
				AddFound(selection, node);
	}
}

/* Whether a node has a child with the name and the value of a predicate. */
static bool
HasChild(xmlNodePtr node, const XmlPredicate *predicate)
{
	XmlNodeTest test = {XML_ELEMENT_NODE, predicate->name};

	if (node->type != XML_ELEMENT_NODE)
		return false;
	for (xmlNodePtr child = node->children; child != NULL; child = child->next)
	{
		CHECK_FOR_INTERRUPTS();
		if (XmlNodeMatches(&test, child) && TextIs(child, predicate->value, predicate->length))
			return true;
	}
	return false;
}

/*
 * Whether a predicate is true for a node at a position among the nodes found with the same
 * parent.
 */
static bool
IsTrue(const XmlPredicate *predicate, xmlNodePtr node, int32 position)
{
	xmlAttrPtr attribute;

	switch (predicate->kind)
	{
		case POSITION:
			return position == predicate->position;
		case OWN_VALUE:
			return TextIs(node, predicate->value, predicate->length);
		case ATTRIBUTE_VALUE:
			attribute = FindXmlAttribute(node, predicate->name.local, predicate->name.uri);
			return attribute != NULL &&
				   TextIs((xmlNodePtr) attribute, predicate->value, predicate->length);
		case CHILD_VALUE:
			return HasChild(node, predicate);
	}
	return false;
}

/* Keeps the nodes found for which a predicate is true. */
static void
FilterNodes(XmlSelection *selection, const XmlPredicate *predicate)
{
	int32 count = selection->count;
	int32 position = 0;
	xmlNodePtr parent = NULL;

	selection->count = 0;
	for (int32 i = 0; i < count; i++)
	{
		xmlNodePtr node = selection->nodes[i];

		CHECK_FOR_INTERRUPTS();
		position = node->parent == parent ? position + 1 : 1;
		parent = node->parent;
		if (IsTrue(predicate, node, position))
			selection->nodes[selection->count++] = node;
	}
}

/* Reads a position.  Numbers that are too large become PG_INT32_MAX. */
static int32
ReadPosition(XmlSelection *selection)
{
	int32 position = 0;

	for (; *selection->p >= '0' && *selection->p <= '9'; selection->p++)
		position =
			position > PG_INT32_MAX / 10 - 1 ? PG_INT32_MAX : position * 10 + (*selection->p - '0');
	return position;
}

/* Reads a predicate after its bracket. */
static XmlPredicate
ReadPredicate(XmlSelection *selection)
{
	XmlPredicate predicate = {.kind = POSITION};

	selection->p += strspn(selection->p, " \t\r\n");
	if (*selection->p >= '0' && *selection->p <= '9')
		predicate.position = ReadPosition(selection);
	else
	{
		if (Accept(selection, "."))
			predicate.kind = OWN_VALUE;
		else if (Accept(selection, "@"))
		{
			predicate.kind = ATTRIBUTE_VALUE;
			predicate.name = ReadName(selection, NULL);
		}
		else if (NameLength(selection->p) > 0)
		{
			predicate.kind = CHILD_VALUE;
			predicate.name = ReadName(selection, FindNamespace(selection, NULL));
		}
		else
			InvalidSelector(selection, "There must be a position, \".\", an attribute or a name.");
		Expect(selection, "=", "There must be \"=\" and a string.");
		predicate.value = ReadQuotedString(selection, &predicate.length);
	}
	Expect(selection, "]", "There must be \"]\".");
	return predicate;
}

/* Reads the test of a step. */
static XmlNodeTest
ReadNodeTest(XmlSelection *selection)
{
	XmlNodeTest test = {.type = XML_ELEMENT_NODE, .name.any_space = true};
	int length;

	if (Accept(selection, "*"))
		return test;
	if (Accept(selection, "text()"))
		test.type = XML_TEXT_NODE;
	else if (Accept(selection, "comment()"))
		test.type = XML_COMMENT_NODE;
	else if (Accept(selection, "node()"))
		test.type = XML_DOCUMENT_NODE;
	else if (Accept(selection, "processing-instruction("))
	{
		test.type = XML_PI_NODE;
		if (!Accept(selection, ")"))
		{
			const char *target = ReadQuotedString(selection, &length);

			test.name.local = pnstrdup(target, length);
			Expect(selection, ")", "There must be \")\".");
		}
	}
	else if (NameLength(selection->p) > 0)
	{
		test.name = ReadName(selection, FindNamespace(selection, NULL));
		selection->has_plain_names |= test.name.uri == NULL;
	}
	else
		InvalidSelector(selection, "There must be a name, \"*\", \"@\" or a test such as text().");
	return test;
}

/*
 * Reads and evaluates a step.  Returns false after an attribute or a namespace, which must
 * be last.
 */
static bool
TakeStep(XmlSelection *selection, XmlTarget *target)
{
	XmlNodeTest test;

	if (Accept(selection, "@"))
	{
		XmlName name = ReadName(selection, NULL);

		TakeAttributes(selection, &name);
		FreeName(&name);
		return false;
	}
	if (Accept(selection, "namespace::"))
	{
		target->prefix = ReadNcName(selection);
		return false;
	}
	test = ReadNodeTest(selection);
	for (bool first = true, more = true; more; first = false)
	{
		XmlPredicate predicate = {.kind = POSITION};

		more = Accept(selection, "[");
		if (more)
			predicate = ReadPredicate(selection);
		if (first && more && predicate.kind == POSITION)
			TakeChildrenAt(selection, &test, predicate.position);
		else
		{
			if (first)
				SelectChildren(selection, &test);
			if (more)
				FilterNodes(selection, &predicate);
		}
		FreeName(&predicate.name);
	}
	FreeName(&test.name);
	return true;
}

/* Reads and evaluates all steps. */
static void
TakePath(XmlSelection *selection, XmlTarget *target)
{
	bool more = true;
	int length;

	if (Accept(selection, "id("))
	{
		const char *value = ReadQuotedString(selection, &length);

		Expect(selection, ")", "There must be \")\".");
		TakeElementsById(selection, value, length);
		more = Accept(selection, "/");
	}
	else
	{
		AddFound(selection, (xmlNodePtr) selection->document);
		Accept(selection, "/");
	}
	while (more)
	{
		CHECK_FOR_INTERRUPTS();
		more = TakeStep(selection, target) && Accept(selection, "/");
	}
	Accept(selection, "");
	if (*selection->p != '\0')
		InvalidSelector(selection, "There must be \"/\" and a step, or nothing.");
}

int
SelectXmlNodes(xmlDocPtr document, XmlChildIndex *children, const char *selector,
			   xmlNodePtr operation, int number, XmlTarget *target)
{
	XmlSelection selection = {.document = document,
							  .children = children,
							  .operation = operation,
							  .number = number,
							  .selector = selector,
							  .p = selector};

	BeginList(&selection);
	*target = (XmlTarget){0};
	TakePath(&selection, target);
	target->has_plain_names = selection.has_plain_names;
	if (selection.count > 0)
		target->node = selection.nodes[0];
	pfree(selection.nodes);
	return selection.count;
}

#endif /* USE_LIBXML */
