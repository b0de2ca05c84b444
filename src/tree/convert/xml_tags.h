/*
 * xml_tags.h
 *	  Finds tags and the document type declaration in the text of an XML document.
 */
#ifndef TED_XML_TAGS_H
#define TED_XML_TAGS_H

#include "postgres.h"

/*
 * A well-formed document or fragment in the server encoding.  Comments and processing
 * instructions count as tags, from 1; the XML declaration and CDATA sections do not.  Only
 * FindXmlDoctype() takes documents with a document type declaration.
 */
typedef struct XmlText
{
	const char *start;
	const char *end;
} XmlText;

/* Returns the position after the XML declaration, if there is one. */
extern const char *BehindXmlDeclaration(XmlText doc);

/* Returns the position of a tag, or the end of the text if there are fewer tags. */
extern const char *FindXmlTag(XmlText doc, int64 number);

/* What a reader of a text, which goes from tag to tag, has in memory. */
typedef struct XmlOpenSizes
{
	Size attributes; /* the most attributes that open elements have together */
	Size longest;    /* bytes of the longest tag or text */
} XmlOpenSizes;

extern XmlOpenSizes FindXmlOpenSizes(XmlText doc);

/*
 * Returns the document type declaration, or, if the document has none, the empty text where it
 * could stand: after the XML declaration, white space, comments and processing instructions.
 */
extern XmlText FindXmlDoctype(XmlText doc);

/* Returns the first position without white space after a tag, or in the text for number 0. */
extern const char *BehindXmlTag(XmlText doc, int64 number);

/* Returns the position after the XML declaration in a NUL-terminated text. */
extern const char *SkipXmlDeclaration(const char *text);

#endif /* TED_XML_TAGS_H */
