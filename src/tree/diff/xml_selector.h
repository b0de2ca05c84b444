/*
 * xml_selector.h
 *	  Selectors of XML patches (RFC 5261).
 *
 * Only for servers that are built with libxml2.
 */
#ifndef TED_XML_SELECTOR_H
#define TED_XML_SELECTOR_H

#include "postgres.h"

#include <libxml/tree.h>

/* Name of the computation in errors about memory. */
#define APPLYING_XML_PATCH "applying an XML patch"

/* The one thing that a selector selects: a node, or a namespace and the element that has it. */
typedef struct XmlTarget
{
	xmlNodePtr node;
	char *prefix; /* of the namespace, or NULL */
} XmlTarget;

/*
 * Selects nodes of a document; returns their number.  Prefixes, and names without one, are in
 * the namespaces that are declared where an operation is.
 */
extern int SelectXmlNodes(xmlDocPtr document, const char *selector, xmlNodePtr operation,
						  int number, XmlTarget *target);

/* The attribute of an element that is written there, by its name and namespace, or NULL. */
extern xmlAttrPtr FindXmlAttribute(xmlNodePtr element, const char *name, const xmlChar *uri);

#endif /* TED_XML_SELECTOR_H */
