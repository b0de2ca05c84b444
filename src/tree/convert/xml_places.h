/*
 * xml_places.h
 *	  Where in an XML document the nodes of its tree come from.
 */
#ifndef TED_XML_PLACES_H
#define TED_XML_PLACES_H

#include "postgres.h"

/* Elements in each other that libxml2 reads, and one for the wrapper and one for the top level. */
#define XML_MAX_LEVELS 258

typedef enum XmlPlaceKind
{
	PLACE_NAMED_ELEMENT,     /* whose name is its label, and in no namespace */
	PLACE_NAMESPACE_ELEMENT, /* whose local name is its label, and in a namespace */
	PLACE_ELEMENT,
	PLACE_ATTRIBUTE, /* also its value */
	PLACE_TEXT
} XmlPlaceKind;

/* The place of a node among the children of its parent. */
typedef struct XmlPlace
{
	XmlPlaceKind kind;
	int32 first;      /* number of an element among all elements, or of text among text, from 1 */
	int32 last;       /* number of the last text of a run that comments divide */
	const char *name; /* of an attribute, in UTF-8 */
} XmlPlace;

/* The places of all nodes by preorder number, and numbers in the elements that are open. */
typedef struct XmlPlaces
{
	MemoryContext context;
	XmlPlace *by_node;
	int32 capacity;
	int32 elements[XML_MAX_LEVELS];
	int32 texts[XML_MAX_LEVELS];
	int32 run; /* nodes of text in the current run */
} XmlPlaces;

/* The default conversion from XML that also says where nodes come from; needs libxml2. */
extern Datum ConvertXmlWithPlaces(Datum doc, XmlPlaces *places);

#endif /* TED_XML_PLACES_H */
