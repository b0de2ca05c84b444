/*
 * xml_document.h
 *	  XML and HTML documents as libxml2's trees, for functions that change or compare
 *	  them.
 *
 * Only in builds with libxml2.
 */
#ifndef TED_XML_DOCUMENT_H
#define TED_XML_DOCUMENT_H

#include "postgres.h"

#include <libxml/tree.h>
#include <libxml/xmlreader.h>

#include "fmgr.h"
#include "utils/xml.h"

/* Objects of libxml2 that a call has made.  They are freed at the end of the call. */
typedef struct XmlWork
{
	PgXmlErrorContext *errors;
	xmlParserCtxtPtr parser;
	xmlTextReaderPtr reader;
	xmlDocPtr documents[3];
	Size declarations; /* bytes of the namespace declarations added to moved nodes */
	Size bytes;        /* upper bound on the memory of the documents, in bytes */
} XmlWork;

/* A function that uses libxml2. */
typedef Datum (*XmlFunction)(void *arg, XmlWork *work);

/* Calls a function that uses libxml2.  Objects in `work` are freed, also after an error. */
extern Datum CallWithXml(XmlFunction function, void *arg);

/*
 * Parses a document: entities are replaced, adjacent texts are one node, and CDATA sections
 * are text.  `what` names the computation in errors about memory.
 */
extern xmlDocPtr ParseXmlDocument(XmlWork *work, int number, Datum value, const char *what);

/*
 * Parses a page of HTML or a part of one; missing elements html and body are added.  The
 * parser accepts any text; a text without content becomes a document without nodes.
 */
extern xmlDocPtr ParseHtmlDocument(XmlWork *work, int number, Datum value, const char *what);

/* Raises an error with libxml2's messages under `message`. */
extern void ReportXmlError(XmlWork *work, int code, const char *message);

/* Returns a copy of a string of libxml2 in the current memory context, and frees the string. */
extern char *TakeXmlString(xmlChar *string);

/* Returns the next node in document order in the subtree of a root, without attributes, or NULL. */
extern xmlNodePtr NextXmlNode(xmlNodePtr node, xmlNodePtr root);

/*
 * Moves a subtree to a place among the children of `parent`, between `before` and `after`,
 * which are NULL at the ends.  The parent may be in another document.  Names keep their
 * namespaces: these are declared where they are not in scope, and declarations already in
 * scope are dropped.  Adjacent texts are not merged.
 */
extern void MoveXmlNode(XmlWork *work, xmlNodePtr node, xmlNodePtr parent, xmlNodePtr before,
						xmlNodePtr after, const char *what);

/* Raises an error if an element at a level, from 1, is nested too deeply. */
extern void CheckXmlLevel(int level);

/* Writes a document without an XML declaration.  The document must not be used afterwards. */
extern Datum WriteXmlDocument(xmlDocPtr document);

/* Returns a pointer of libxml2, or raises an out-of-memory error if it is NULL. */
extern void *CheckXmlPointer(void *pointer);

#endif /* TED_XML_DOCUMENT_H */
