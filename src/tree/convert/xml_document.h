/*
 * xml_document.h
 *	  XML and HTML documents as libxml2's trees, for functions that change or compare them.
 *
 * Only for servers that are built with libxml2.
 */
#ifndef TED_XML_DOCUMENT_H
#define TED_XML_DOCUMENT_H

#include "postgres.h"

#include <libxml/tree.h>
#include <libxml/xmlreader.h>

#include "fmgr.h"
#include "utils/xml.h"

/* Objects of libxml2 that a call has made, which are freed when it ends. */
typedef struct XmlWork
{
	PgXmlErrorContext *errors;
	xmlParserCtxtPtr parser;
	xmlTextReaderPtr reader;
	xmlDocPtr documents[3];
	Size declarations; /* bytes of the namespaces that moved nodes have been given */
	Size bytes;        /* an upper bound on the memory of the documents */
} XmlWork;

typedef Datum (*XmlFunction)(void *arg, XmlWork *work);

/* Calls a function that may use libxml2, and frees what that has allocated, whatever happens. */
extern Datum CallWithXml(XmlFunction function, void *arg);

/*
 * Parses a document: entities are replaced, text next to text is one node, and
 * CDATA sections are text.  `what` is for errors about memory.
 */
extern xmlDocPtr ParseXmlDocument(XmlWork *work, int number, Datum value, const char *what);

/*
 * Parses a page of HTML, or a part of one, which gets the elements html and body that it
 * lacks.  The parser takes anything; a text without content is a document without nodes.
 */
extern xmlDocPtr ParseHtmlDocument(XmlWork *work, int number, Datum value, const char *what);

/* Reports what libxml2 has found, under a message of ours. */
extern void ReportXmlError(XmlWork *work, int code, const char *message);

/* A copy of a string of libxml2's in the current memory context; the string is freed. */
extern char *TakeXmlString(xmlChar *string);

/* The next node in document order in the subtree of a root, attributes apart, or NULL. */
extern xmlNodePtr NextXmlNode(xmlNodePtr node, xmlNodePtr root);

/*
 * Moves a node and all below to a place between two children of another node, or at an end,
 * perhaps in another document.  Names stay in the namespaces that they are in: these are
 * declared where they are not in scope, and declarations that are in scope already are dropped.
 * Text does not merge with text.
 */
extern void MoveXmlNode(XmlWork *work, xmlNodePtr node, xmlNodePtr parent, xmlNodePtr before,
						xmlNodePtr after, const char *what);

/* Writes a document without an XML declaration; the document is of no use then. */
extern Datum WriteXmlDocument(xmlDocPtr document);

/* Reports that libxml2 could not allocate memory, where a pointer is NULL. */
extern void *CheckXmlPointer(void *pointer);

#endif /* TED_XML_DOCUMENT_H */
