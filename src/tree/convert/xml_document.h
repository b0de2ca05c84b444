/*
 * xml_document.h
 *	  XML and HTML documents as libxml2's trees.
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

/* Bytes of a node with its name or content, in addition to their length. */
#define XML_NODE_BYTES (sizeof(xmlNode) + 48)

/* Objects of libxml2 that a call has made.  They are freed at the end of the call. */
typedef struct XmlWork
{
	PgXmlErrorContext *errors;
	xmlParserCtxtPtr parser;
	xmlTextReaderPtr reader;
	xmlDocPtr documents[3];
	Size bytes;          /* upper bound on the memory that libxml2 has taken, in bytes */
	bool is_partly_read; /* an error of the parser is ignored */
	bool has_references; /* the document parsed last refers to entities that are not known */
} XmlWork;

/* A function that uses libxml2. */
typedef Datum (*XmlFunction)(void *arg, XmlWork *work);

/* Calls a function that uses libxml2.  Objects in `work` are freed, also after an error. */
extern Datum CallWithXml(XmlFunction function, void *arg);

/* What a document is parsed for. */
typedef enum XmlUse
{
	XML_TO_CHANGE, /* adjacent texts are one node, and CDATA sections are text */
	XML_TO_CONVERT /* attributes have the default values of the document type */
} XmlUse;

/* Raises an error if the text of an xml value begins with a byte order mark. */
extern void RefuseByteOrderMark(const char *text);

/*
 * Parses a document.  Entities that it declares are replaced.  References to others, which external
 * parts of its type may declare, stay.  `what` names the computation in errors about memory.
 */
extern xmlDocPtr ParseXmlDocument(XmlWork *work, int number, Datum value, XmlUse use,
								  const char *what);

/*
 * Parses a page of HTML or a part of one; missing elements html and body are added.  The
 * parser accepts any text; a text without content becomes a document without nodes.  A page
 * with elements that are nested too deep, or have too many attributes, is an error, or is read up
 * to there if `partly`.
 */
extern xmlDocPtr ParseHtmlDocument(XmlWork *work, int number, Datum value, bool partly,
								   const char *what);

/* Counts memory that libxml2 is about to take; raises an error if that is too much. */
extern void CountXmlMemory(XmlWork *work, Size bytes, const char *what);

/* Raises an error with libxml2's messages under `message`. */
extern void ReportXmlError(XmlWork *work, int code, const char *message);

/*
 * Returns a text, or the texts directly in an element or an attribute.  A reference to an entity is
 * written as its mark, its name and a semicolon.
 */
extern char *XmlContent(const xmlNode *node, char mark);

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
extern Datum WriteXmlDocument(XmlWork *work, xmlDocPtr document, const char *what);

/* Returns a pointer of libxml2, or raises an out-of-memory error if it is NULL. */
extern void *CheckXmlPointer(void *pointer);

#endif /* TED_XML_DOCUMENT_H */
