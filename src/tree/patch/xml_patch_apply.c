/*
 * xml_patch_apply.c
 *	  The SQL function xml_patch_apply(): applies RFC 5261's operations to an XML
 *	  document.
 *
 * Each operation selects one node by a path.  Unlike in XPath, names without a prefix are
 * in the patch's default namespace (xml_selector.c).  The content of an operation is moved
 * from the patch into the document.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/messages.h"
#include "../../compat.h"
#include "../convert/convert.h"
#include "../convert/json_pointer.h"
#include "xml_patch_apply.h"

#ifdef USE_LIBXML
#include "../convert/xml_document.h"
#include "xml_selector.h"
#endif

PG_FUNCTION_INFO_V1(xml_patch_apply);

#ifdef USE_LIBXML

/* The document being changed, and the current operation. */
typedef struct XmlPatcher
{
	XmlWork *work;
	xmlDocPtr document;
	XmlChildIndex *children; /* of the document */
	int number;              /* number of the operation, from 1 */
	xmlNodePtr operation;    /* element of the operation */
	char *selector;
} XmlPatcher;

/* Raises the error that the patch is invalid. */
static _Noreturn void
InvalidXmlPatch(const XmlPatcher *patcher, const char *problem)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid XML patch"),
					ValueDetail(problem, "Operation %d: %s", patcher->number, problem),
					errhint("Write a patch as in RFC 5261: an element with operations such as "
							"<remove sel=\"/a/b[1]\"/> in it.")));
}

/* Raises the error that an operation is not possible in the document. */
static _Noreturn void
XmlDoesNotFit(const XmlPatcher *patcher, const char *problem)
{
	char *selector = ValueToServer(patcher->selector, (int) strlen(patcher->selector), PG_UTF8);

	ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("XML patch does not fit the document"),
					ValueDetail(problem, "Operation %d, \"%s\" at \"%s\": %s", patcher->number,
								(const char *) patcher->operation->name,
								ClipForMessage((Label){selector, (int) strlen(selector)}), problem),
					errhint("Apply a patch to the document that it was made for.")));
}

/* Returns an attribute of the operation, or NULL. */
static char *
OperationAttribute(const XmlPatcher *patcher, const char *name)
{
	const xmlAttr *attribute = FindXmlAttribute(patcher->operation, name, NULL);

	return attribute == NULL ? NULL : XmlContent((const xmlNode *) attribute, '&');
}

/* Returns the text of the operation.  Raises an error for any other content. */
static char *
OperationText(const XmlPatcher *patcher)
{
	for (xmlNodePtr node = patcher->operation->children; node != NULL; node = node->next)
		if (node->type != XML_TEXT_NODE)
			InvalidXmlPatch(patcher, "There must be text and nothing else in it.");
	return XmlContent(patcher->operation, '&');
}

/*
 * Returns the node or namespace that the operation selects.  Raises an error if there is
 * not exactly one.
 */
static XmlTarget
SelectTarget(XmlPatcher *patcher)
{
	XmlTarget target;
	int count = SelectXmlNodes(patcher->document, patcher->children, patcher->selector,
							   patcher->operation, patcher->number, &target);

	const xmlNode *root = xmlDocGetRootElement(patcher->document);

	if (count > 1)
		XmlDoesNotFit(patcher, "It selects several nodes.");
	if (count == 0 && target.has_plain_names && root->ns != NULL && root->ns->prefix == NULL)
		XmlDoesNotFit(patcher, "It selects no node: the document has a default namespace, and the "
							   "selector names elements without one.");
	if (count == 0)
		XmlDoesNotFit(patcher, "It selects no node.");
	return target;
}

/* Returns a declaration of a namespace, with a prefix, that is in scope at an element, or NULL. */
static xmlNsPtr
FindPrefix(xmlNodePtr element, const xmlChar *uri)
{
	for (xmlNodePtr node = element; node->type == XML_ELEMENT_NODE; node = node->parent)
		for (xmlNsPtr space = node->nsDef; space != NULL; space = space->next)
		{
			CHECK_FOR_INTERRUPTS();
			if (space->prefix != NULL && xmlStrEqual(space->href, uri) &&
				xmlSearchNs(element->doc, element, space->prefix) == space)
				return space;
		}
	return NULL;
}

/* Declares a namespace for attributes of an element, under another prefix if its own is in use. */
static xmlNsPtr
DeclareNamespace(XmlPatcher *patcher, xmlNodePtr element, xmlNsPtr like)
{
	char *prefix = pstrdup((const char *) like->prefix);
	xmlNsPtr space = FindPrefix(element, like->href);

	if (space != NULL)
		return space;
	for (int i = 1; xmlSearchNs(patcher->document, element, (xmlChar *) prefix) != NULL; i++)
	{
		CHECK_FOR_INTERRUPTS();
		pfree(prefix);
		prefix = psprintf("ns%d", i);
	}
	CountXmlMemory(patcher->work, XML_NODE_BYTES + 3 * (Size) xmlStrlen(like->href),
				   APPLYING_XML_PATCH);
	return CheckXmlPointer(xmlNewNs(element, like->href, (xmlChar *) prefix));
}

/* Adds an attribute. */
static void
AddAttribute(XmlPatcher *patcher, xmlNodePtr element, const char *name)
{
	char *value = OperationText(patcher);
	const char *colon = strchr(name, ':');
	xmlNsPtr space = NULL;

	if (xmlValidateQName((const xmlChar *) name, 0) != 0 || strcmp(name, "xmlns") == 0)
		InvalidXmlPatch(patcher, "Its type is not the name of an attribute.");
	if (colon != NULL)
	{
		char *prefix = pnstrdup(name, colon - name);

		space = xmlSearchNs(patcher->operation->doc, patcher->operation, (xmlChar *) prefix);
		if (space == NULL)
			InvalidXmlPatch(patcher, "The prefix of its type is not declared.");
		if (strcmp(prefix, "xml") == 0)
			space = xmlSearchNs(patcher->document, element, (const xmlChar *) "xml");
		else
			space = DeclareNamespace(patcher, element, space);
		name = colon + 1;
	}
	if (FindXmlAttribute(element, name, space == NULL ? NULL : space->href) != NULL)
		XmlDoesNotFit(patcher, "The element has such an attribute already.");
	CheckXmlPointer(xmlSetNsProp(element, space, (const xmlChar *) name, (const xmlChar *) value));
}

/* Moves a node of the patch to a place among the children of a node of the document. */
static void
InsertNode(XmlPatcher *patcher, xmlNodePtr node, xmlNodePtr parent, xmlNodePtr before,
		   xmlNodePtr after)
{
	MoveXmlNode(patcher->work, node, parent, before, after, APPLYING_XML_PATCH);
	XmlChildLinked(patcher->children, node);
}

/* Removes a node from the document and frees it. */
static void
FreeNode(XmlPatcher *patcher, xmlNodePtr node)
{
	XmlChildToUnlink(patcher->children, node);
	xmlUnlinkNode(node);
	xmlFreeNode(node);
}

/* Merges a text node with one that follows it. */
static void
MergeWithNext(XmlPatcher *patcher, xmlNodePtr text)
{
	if (text != NULL && text->type == XML_TEXT_NODE && text->next != NULL &&
		text->next->type == XML_TEXT_NODE)
	{
		XmlChildToUnlink(patcher->children, text->next);
		xmlTextMerge(text, text->next);
	}
}

/* Adds the content of the operation at a target. */
static void
AddNodes(XmlPatcher *patcher, xmlNodePtr target, const char *pos)
{
	bool beside = pos != NULL && strcmp(pos, "prepend") != 0;
	bool in_front = pos != NULL && strcmp(pos, "after") != 0;
	xmlNodePtr parent = beside ? target->parent : target;
	xmlNodePtr before;
	xmlNodePtr first;
	xmlNodePtr after;

	if (pos != NULL && strcmp(pos, "prepend") != 0 && strcmp(pos, "before") != 0 &&
		strcmp(pos, "after") != 0)
		InvalidXmlPatch(patcher, "Its position is not \"before\", \"after\" or \"prepend\".");
	if (target->type == XML_ATTRIBUTE_NODE || (!beside && parent->type != XML_ELEMENT_NODE))
		XmlDoesNotFit(patcher, "Nothing can be added to such a node, or beside it.");
	if (beside)
	{
		before = in_front ? target->prev : target;
		after = in_front ? target : target->next;
	}
	else
	{
		before = in_front ? NULL : parent->last;
		after = in_front ? parent->children : NULL;
	}

	first = before;
	for (xmlNodePtr node = patcher->operation->children, next; node != NULL; node = next)
	{
		CHECK_FOR_INTERRUPTS();
		next = node->next;
		if (parent->type != XML_ELEMENT_NODE && node->type != XML_COMMENT_NODE &&
			node->type != XML_PI_NODE)
			XmlDoesNotFit(patcher, "Only comments and processing instructions can be added there.");
		InsertNode(patcher, node, parent, before, after);
		before = node;
	}
	if (after != NULL)
		MergeWithNext(patcher, before);
	MergeWithNext(patcher, first);
}

/* Returns the declaration of a prefix at an element, or NULL. */
static xmlNsPtr
FindDeclaration(xmlNodePtr element, const char *prefix)
{
	xmlNsPtr space = element->nsDef;

	while (space != NULL &&
		   strcmp(space->prefix == NULL ? "" : (const char *) space->prefix, prefix) != 0)
		space = space->next;
	return space;
}

/* Whether a name has a prefix that is not declared. */
static bool
HasUndeclaredPrefix(const xmlChar *name, const xmlNs *space, const char *prefix)
{
	Size length = strlen(prefix);

	return space == NULL && strncmp((const char *) name, prefix, length) == 0 &&
		   name[length] == ':';
}

/* Whether an element or one of its attributes has a prefix that is not declared. */
static bool
UsesUndeclared(xmlNodePtr element, const char *prefix)
{
	if (HasUndeclaredPrefix(element->name, element->ns, prefix))
		return true;
	for (xmlAttrPtr attribute = element->properties; attribute != NULL; attribute = attribute->next)
		if (HasUndeclaredPrefix(attribute->name, attribute->ns, prefix))
			return true;
	return false;
}

/* Whether an element or one of its attributes has a namespace by this declaration. */
static bool
UsesNamespace(xmlNodePtr element, xmlNsPtr space)
{
	if (element->ns == space)
		return true;
	for (xmlAttrPtr attribute = element->properties; attribute != NULL; attribute = attribute->next)
		if (attribute->ns == space)
			return true;
	return false;
}

/*
 * Raises an error if names in an element have a namespace by this declaration, or if it is NULL, a
 * prefix that is not declared.
 */
static void
CheckUnused(XmlPatcher *patcher, xmlNodePtr element, xmlNsPtr space, const char *prefix)
{
	for (xmlNodePtr node = element; node != NULL; node = NextXmlNode(node, element))
	{
		CHECK_FOR_INTERRUPTS();
		if (node->type == XML_ELEMENT_NODE &&
			(space != NULL ? UsesNamespace(node, space) : UsesUndeclared(node, prefix)))
			XmlDoesNotFit(patcher, "The namespace is in use.");
	}
}

/* Returns the namespace in the text of the operation. */
static char *
OperationNamespace(XmlPatcher *patcher, const char *prefix)
{
	char *uri = OperationText(patcher);

	if (xmlValidateNCName((const xmlChar *) prefix, 0) != 0 || strncmp(prefix, "xml", 3) == 0 ||
		uri[0] == '\0' || xmlStrEqual((const xmlChar *) uri, XML_XML_NAMESPACE) ||
		strcmp(uri, "http://www.w3.org/2000/xmlns/") == 0)
		InvalidXmlPatch(patcher, "It does not declare a namespace.");
	return uri;
}

/* Raises an error if an element would have two attributes of one name once `space` is `uri`. */
static void
CheckAttributes(XmlPatcher *patcher, xmlNodePtr element, xmlNsPtr space, const char *uri)
{
	for (xmlNodePtr node = element; node != NULL; node = NextXmlNode(node, element))
	{
		CHECK_FOR_INTERRUPTS();
		if (node->type != XML_ELEMENT_NODE)
			continue;
		for (xmlAttrPtr x = node->properties; x != NULL; x = x->next)
			if (x->ns == space &&
				FindXmlAttribute(node, (const char *) x->name, (const xmlChar *) uri) != NULL)
				XmlDoesNotFit(patcher, "An element would have two attributes of one name.");
	}
}

/* Declares a namespace at an element. */
static void
AddNamespace(XmlPatcher *patcher, xmlNodePtr element, const char *prefix)
{
	char *uri = OperationNamespace(patcher, prefix);
	xmlNsPtr outer = xmlSearchNs(patcher->document, element, (const xmlChar *) prefix);

	if (FindDeclaration(element, prefix) != NULL)
		XmlDoesNotFit(patcher, "The prefix is declared there already.");
	CheckUnused(patcher, element, outer, prefix);
	CheckXmlPointer(xmlNewNs(element, (const xmlChar *) uri, (const xmlChar *) prefix));
}

/* Returns the declaration that the operation selects. */
static xmlNsPtr
SelectedDeclaration(XmlPatcher *patcher, const XmlTarget *target)
{
	xmlNsPtr space = target->node->type == XML_ELEMENT_NODE
						 ? FindDeclaration(target->node, target->prefix)
						 : NULL;

	if (space == NULL)
		XmlDoesNotFit(patcher, "The namespace is not declared there.");
	return space;
}

/* Changes the namespace of a prefix. */
static void
ReplaceNamespace(XmlPatcher *patcher, const XmlTarget *target)
{
	xmlNsPtr space = SelectedDeclaration(patcher, target);
	char *uri = OperationNamespace(patcher, target->prefix);
	xmlChar *href;

	if (!xmlStrEqual(space->href, (const xmlChar *) uri))
		CheckAttributes(patcher, target->node, space, uri);
	href = CheckXmlPointer(xmlStrdup((const xmlChar *) uri));
	xmlFree(unconstify(xmlChar *, space->href));
	space->href = href;
}

/* Removes the declaration of a namespace.  Raises an error if it is in use. */
static void
RemoveNamespace(XmlPatcher *patcher, const XmlTarget *target)
{
	xmlNsPtr space = SelectedDeclaration(patcher, target);
	xmlNsPtr *link = &target->node->nsDef;

	CheckUnused(patcher, target->node, space, target->prefix);
	while (*link != space)
		link = &(*link)->next;
	*link = space->next;
	xmlFreeNs(space);
}

/* Applies an addition. */
static void
ApplyAdd(XmlPatcher *patcher)
{
	XmlTarget target = SelectTarget(patcher);
	char *type = OperationAttribute(patcher, "type");
	char *pos = OperationAttribute(patcher, "pos");

	if (type == NULL && target.prefix == NULL)
		AddNodes(patcher, target.node, pos);
	else if (type == NULL || target.prefix != NULL || target.node->type != XML_ELEMENT_NODE)
		XmlDoesNotFit(patcher, "It selects a node that is not an element.");
	else if (type[0] == '@')
		AddAttribute(patcher, target.node, type + 1);
	else if (strncmp(type, "namespace::", strlen("namespace::")) == 0)
		AddNamespace(patcher, target.node, type + strlen("namespace::"));
	else
		InvalidXmlPatch(patcher, "Its type is neither an attribute nor a namespace.");
}

/* Whether a node is a text with only white space. */
static bool
IsBlankNode(xmlNodePtr node)
{
	return node != NULL && node->type == XML_TEXT_NODE && xmlIsBlankNode(node) == 1;
}

/* Removes a node from the document and frees it.  Texts on both sides become one node. */
static void
DropNode(XmlPatcher *patcher, xmlNodePtr node)
{
	xmlNodePtr before = node->prev;

	FreeNode(patcher, node);
	MergeWithNext(patcher, before);
}

/*
 * Returns the only node in the operation, not counting blank texts.  It must have the type
 * of the node that it replaces.
 */
static xmlNodePtr
ReplacementNode(const XmlPatcher *patcher, xmlElementType type)
{
	xmlNodePtr found = NULL;

	for (xmlNodePtr node = patcher->operation->children; node != NULL; node = node->next)
		if (!IsBlankNode(node))
		{
			if (found != NULL || node->type != type)
				XmlDoesNotFit(patcher, "What it selects can be replaced by one node of its kind.");
			found = node;
		}
	if (found == NULL)
		XmlDoesNotFit(patcher, "What it selects can be replaced by one node of its kind.");
	return found;
}

/* Replaces an element, a comment or a processing instruction. */
static void
ReplaceNode(XmlPatcher *patcher, xmlNodePtr node)
{
	xmlNodePtr replacement = ReplacementNode(patcher, node->type);
	xmlNodePtr parent = node->parent;
	xmlNodePtr before = node->prev;
	xmlNodePtr after = node->next;

	FreeNode(patcher, node);
	InsertNode(patcher, replacement, parent, before, after);
}

/* Applies a replacement. */
static void
ApplyReplace(XmlPatcher *patcher)
{
	XmlTarget target = SelectTarget(patcher);
	xmlNodePtr node = target.node;
	char *text;

	if (target.prefix != NULL)
	{
		ReplaceNamespace(patcher, &target);
		return;
	}
	switch (node->type)
	{
		case XML_ATTRIBUTE_NODE:
			text = OperationText(patcher);
			CheckXmlPointer(xmlSetNsProp(node->parent, ((xmlAttrPtr) node)->ns, node->name,
										 (const xmlChar *) text));
			break;
		case XML_TEXT_NODE:
			text = OperationText(patcher);
			if (text[0] == '\0')
				DropNode(patcher, node);
			else
			{
				xmlNodeSetContent(node, (const xmlChar *) text);
				CheckXmlPointer(node->content);
			}
			break;
		default:
			ReplaceNode(patcher, node);
			break;
	}
}

/* Removes a blank text beside a node that is to be removed. */
static void
DropBlank(XmlPatcher *patcher, xmlNodePtr node)
{
	if (!IsBlankNode(node))
		XmlDoesNotFit(patcher, "There is no white space to be removed beside it.");
	FreeNode(patcher, node);
}

/* Applies a removal. */
static void
ApplyRemove(XmlPatcher *patcher)
{
	XmlTarget target = SelectTarget(patcher);
	xmlNodePtr node = target.node;
	char *space = OperationAttribute(patcher, "ws");

	if (target.prefix != NULL)
		RemoveNamespace(patcher, &target);
	else if (node->type == XML_ATTRIBUTE_NODE)
		xmlRemoveProp((xmlAttrPtr) node);
	else if (node == xmlDocGetRootElement(patcher->document))
		XmlDoesNotFit(patcher, "The root cannot be removed.");
	else
	{
		bool both = space != NULL && strcmp(space, "both") == 0;

		if (both || (space != NULL && strcmp(space, "before") == 0))
			DropBlank(patcher, node->prev);
		if (both || (space != NULL && strcmp(space, "after") == 0))
			DropBlank(patcher, node->next);
		DropNode(patcher, node);
	}
}

/* Applies an operation. */
static void
ApplyXmlOperation(XmlPatcher *patcher)
{
	const char *name = (const char *) patcher->operation->name;

	patcher->selector = OperationAttribute(patcher, "sel");
	if (patcher->selector == NULL)
		InvalidXmlPatch(patcher, "It has no attribute \"sel\".");
	if (strcmp(name, "add") == 0)
		ApplyAdd(patcher);
	else if (strcmp(name, "replace") == 0)
		ApplyReplace(patcher);
	else if (strcmp(name, "remove") == 0)
		ApplyRemove(patcher);
	else
		InvalidXmlPatch(patcher, "It is none of \"add\", \"replace\" and \"remove\".");
	pfree(patcher->selector);
}

/* Applies a patch, within CallWithXml(). */
static Datum
ApplyPatch(void *arg, XmlWork *work)
{
	FunctionCallInfo fcinfo = arg;
	XmlPatcher patcher = {.work = work};
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "XML patch", ALLOCSET_DEFAULT_SIZES);
	xmlDocPtr patch;

	patcher.children = XmlChildIndexCreate(context, APPLYING_XML_PATCH);
	patcher.document =
		ParseXmlDocument(work, 0, PG_GETARG_DATUM(0), XML_TO_CHANGE, APPLYING_XML_PATCH);
	patch = ParseXmlDocument(work, 1, PG_GETARG_DATUM(1), XML_TO_CHANGE, APPLYING_XML_PATCH);
	if (work->has_references)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid XML patch"),
						errdetail("It refers to an entity that it does not declare."),
						errhint("Declare the entity in the patch, or write what it stands for.")));
	for (xmlNodePtr node = xmlDocGetRootElement(patch)->children; node != NULL; node = node->next)
	{
		CHECK_FOR_INTERRUPTS();
		if (IsBlankNode(node) || node->type == XML_COMMENT_NODE || node->type == XML_PI_NODE)
			continue;
		patcher.number++;
		if (node->type != XML_ELEMENT_NODE)
			InvalidXmlPatch(&patcher, "It is text.");
		patcher.operation = node;
		ApplyXmlOperation(&patcher);
	}
	return WriteXmlDocument(work, patcher.document, APPLYING_XML_PATCH);
}

/* Returns a document after all operations of a patch. */
Datum
xml_patch_apply(PG_FUNCTION_ARGS)
{
	ErrorContextCallback reading;
	Datum result;

	BeginReading(&reading, AreWrittenByClient(fcinfo, 0, 2));
	result = CallWithXml(ApplyPatch, fcinfo);
	EndReading(&reading);
	return result;
}

#else

NO_XML_FUNCTION(xml_patch_apply);

#endif
