/*
 * xml_places.h
 *	  The places in an XML document from which the nodes of its tree come.
 */
#ifndef TED_XML_PLACES_H
#define TED_XML_PLACES_H

#include "postgres.h"

/*
 * The depth of elements up to which libxml2 parses, plus one for the wrapper and one for
 * the top level.
 */
#define XML_MAX_LEVELS 258

/* What a node of the tree comes from. */
typedef enum XmlPlaceKind
{
	PLACE_NAMED_ELEMENT,     /* without a namespace; its name is the label */
	PLACE_NAMESPACE_ELEMENT, /* with a namespace; its local name is the label */
	PLACE_ELEMENT,
	PLACE_ATTRIBUTE, /* an attribute or its value */
	PLACE_TEXT
} XmlPlaceKind;

/* The place of a node among the children of its parent. */
typedef struct XmlPlace
{
	XmlPlaceKind kind;
	int32 first;      /* position, from 1, among sibling elements, or among sibling texts */
	int32 last;       /* position of the last text of a run divided by comments */
	const char *name; /* name of an attribute, in UTF-8 */
} XmlPlace;

/* The places of all nodes by preorder number, and counters for the open elements. */
typedef struct XmlPlaces
{
	MemoryContext context;
	XmlPlace *by_node;
	int32 capacity;
	int32 elements[XML_MAX_LEVELS];
	int32 texts[XML_MAX_LEVELS];
	int32 run; /* number of text nodes in the current run */
} XmlPlaces;

/*
 * Converts an XML value with the default options, and records the places of nodes.  Only in
 * builds with libxml2.
 */
extern Datum ConvertXmlWithPlaces(Datum doc, XmlPlaces *places);

#endif /* TED_XML_PLACES_H */
