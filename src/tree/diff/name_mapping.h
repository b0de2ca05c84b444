/*
 * name_mapping.h
 *	  A mapping of two documents by the names of their nodes.
 *
 * The mapping goes from the roots down.  Where two nodes are partners, so are those of their
 * members (of JSON) or attributes (of XML) that have equal names, whatever their values are.
 * Elements of arrays and of XML, and texts, are partners where that leaves the least to delete,
 * to insert and to rename, in the order of the document; elements of XML with equal names first.
 * Of what is left over, members, attributes and elements with different names are partners if
 * what is below them costs no more than a quarter of its replacement, and elements that have moved
 * into a new one, or out of one.
 *
 * Between lists of children, this is the top-down distance of Selkow (Information Processing
 * Letters 6, 1977).  Long lists that differ much are divided first by values that occur once in
 * each of them, and then compared within a band.
 */
#ifndef TED_NAME_MAPPING_H
#define TED_NAME_MAPPING_H

#include "postgres.h"

#include "../../core/tree/ted.h"

/* The kind of a node; only nodes of one kind can be partners. */
typedef enum NameKind
{
	NAME_LITERAL, /* of JSON; a text, or the value of an attribute */
	NAME_OBJECT,
	NAME_ARRAY,
	NAME_MEMBER,
	NAME_ELEMENT,
	NAME_ATTRIBUTE,
	NAME_OTHER /* the document of a patch, a comment, an instruction */
} NameKind;

/* One of the documents; arrays by postorder number. */
typedef struct NamedTree
{
	const TedTree *tree; /* with the labels that the costs are for */
	const int32 *name;   /* labels without the costs */
	const uint8 *kind;   /* a NameKind */
	const bool *ignored; /* such nodes and those below have no partners; NULL for none */
	int32 *map;          /* written: partner or -1 */
} NamedTree;

/*
 * Orders two nodes of one kind by their names: the order in which members and attributes come,
 * in all documents.
 */
typedef int (*CompareNames)(void *arg, int32 name, int32 other);

/* Memory that the mapping takes for each node. */
#define NAME_MAPPING_NODE_BYTES 40

/*
 * Maps the documents, and returns whether all lists of children were short enough to be compared
 * as a whole.  With `unordered`, elements of arrays have no order.  `what` names the computation in
 * errors about memory.
 */
extern bool MapByName(const NamedTree *a, const NamedTree *b, const TedCosts *costs, bool unordered,
					  CompareNames compare, void *arg, const char *what);

#endif /* TED_NAME_MAPPING_H */
