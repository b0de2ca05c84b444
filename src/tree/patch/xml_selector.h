/*
 * xml_selector.h
 *	  Selectors of XML patches (RFC 5261).
 *
 * Only in builds with libxml2.
 */
#ifndef TED_XML_SELECTOR_H
#define TED_XML_SELECTOR_H

#include "postgres.h"

#include <libxml/tree.h>

#include "xml_children.h"

/* The name of the computation in errors about memory. */
#define APPLYING_XML_PATCH "applying an XML patch"

/* The target of a selector: a node, or a namespace declared at an element. */
typedef struct XmlTarget
{
	xmlNodePtr node;
	char *prefix;         /* prefix of the namespace; NULL if the target is a node */
	bool has_plain_names; /* the selector has names of elements without a namespace */
} XmlTarget;

/*
 * Selects nodes of a document.  Returns their number, and sets the first one as target.
 * Prefixes, and element names without one, have the namespaces in scope at the element of
 * the operation.
 */
extern int SelectXmlNodes(xmlDocPtr document, XmlChildIndex *children, const char *selector,
						  xmlNodePtr operation, int number, XmlTarget *target);

/*
 * Returns the attribute of an element with a name and a namespace, or NULL.  Default
 * attributes of the document type do not count.
 */
extern xmlAttrPtr FindXmlAttribute(xmlNodePtr element, const char *name, const xmlChar *uri);

#endif /* TED_XML_SELECTOR_H */
