/*
 * xml_children.h
 *	  Finds children of an XML element by a test and a position.
 *
 * Only in builds with libxml2.
 */
#ifndef TED_XML_CHILDREN_H
#define TED_XML_CHILDREN_H

#include "postgres.h"

#include <libxml/tree.h>

/* A name with its namespace, which is NULL for none. */
typedef struct XmlName
{
	char *local; /* NULL for any name */
	const xmlChar *uri;
	bool any_space; /* the namespace can be any */
} XmlName;

/* The test of a step for nodes. */
typedef struct XmlNodeTest
{
	xmlElementType type; /* XML_DOCUMENT_NODE for any type */
	XmlName name;        /* for elements; `local` also for processing instructions */
} XmlNodeTest;

/* The indexes of the children of elements of one document. */
typedef struct XmlChildIndex XmlChildIndex;

/* Makes indexes in a memory context; `what` names the computation in errors about memory. */
extern XmlChildIndex *XmlChildIndexCreate(MemoryContext context, const char *what);

/* Whether an element or an attribute has a name. */
extern bool XmlNameMatches(const XmlName *name, const xmlChar *local, const xmlNs *space);

/* Whether a node passes a test. */
extern bool XmlNodeMatches(const XmlNodeTest *test, xmlNodePtr node);

/*
 * Returns the child at a position, from 1, among those that pass a test, or NULL.  An element with
 * many children gets an index of them.
 */
extern xmlNodePtr FindXmlChild(XmlChildIndex *index, xmlNodePtr parent, const XmlNodeTest *test,
							   int32 position);

/* Tell that a node has been linked, with its neighbours, and that it is going to be unlinked. */
extern void XmlChildLinked(XmlChildIndex *index, xmlNodePtr node);
extern void XmlChildToUnlink(XmlChildIndex *index, xmlNodePtr node);

#endif /* TED_XML_CHILDREN_H */
