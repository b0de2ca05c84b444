/*
 * xml_tags.h
 *	  Where tags of an XML document are, and its document type.
 */
#ifndef TED_XML_TAGS_H
#define TED_XML_TAGS_H

#include "postgres.h"

/*
 * A document or fragment that is well-formed and has no document type, in the
 * server encoding.  Comments and processing instructions are counted as tags, from 1;
 * the XML declaration and CDATA sections are not.
 */
typedef struct XmlText
{
	const char *start;
	const char *end;
} XmlText;

/* The text after the XML declaration. */
extern const char *BehindXmlDeclaration(XmlText doc);

/* Where a tag begins, or the end of the text where there are fewer. */
extern const char *FindXmlTag(XmlText doc, int64 number);

/* The document type declaration of a document that has one. */
extern XmlText FindXmlDoctype(XmlText doc);

/* The first character that is not white space after a tag, or of all if the number is 0. */
extern const char *BehindXmlTag(XmlText doc, int64 number);

/* Where the text of an XML value begins after its declaration, if any. */
extern const char *SkipXmlDeclaration(const char *text);

#endif /* TED_XML_TAGS_H */
