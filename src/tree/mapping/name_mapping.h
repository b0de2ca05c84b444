/*
 * name_mapping.h
 *	  A mapping of two documents by the names of their nodes.
 *
 * The mapping goes top-down from the roots.  If two nodes are partners, so are their
 * members (of JSON) or attributes (of XML) with equal names, regardless of values.
 * Elements of arrays, elements of XML, and texts become partners for the least cost of
 * deletions, insertions and renamings, in the order of the document; elements of XML with
 * equal names come first.  Remaining members, attributes and elements with different names
 * become partners if the cost of their content is at most a quarter of the cost of
 * replacing it, and if the names are similar or a value below occurs nowhere else in either
 * document; of equal costs, those with the most similar names.  Elements that have moved into a new
 *element, or out of a deleted one, become partners as well.
 *
 * Between lists of children, this is the top-down distance of Selkow (Information
 * Processing Letters 6, 1977).  Long lists that differ much are first divided at values
 * that occur once in each list, and then compared within a band.
 */
#ifndef TED_NAME_MAPPING_H
#define TED_NAME_MAPPING_H

#include "postgres.h"

#include "../../core/tree/json/jedi.h"

/* The kind of a node; only nodes of the same kind can be partners. */
typedef enum NameKind
{
	NAME_LITERAL = TED_JSON_LITERAL, /* also a text, or the value of an attribute */
	NAME_OBJECT = TED_JSON_OBJECT,
	NAME_ARRAY = TED_JSON_ARRAY,
	NAME_MEMBER = TED_JSON_MEMBER,
	NAME_ELEMENT,
	NAME_ATTRIBUTE,
	NAME_OTHER /* the document node of a patch, a comment, or a processing instruction */
} NameKind;

/* One of the documents.  Arrays are by postorder number. */
typedef struct NamedTree
{
	const TedTree *tree;   /* with the labels for the costs */
	const int32 *name;     /* original labels */
	const uint8 *kind;     /* NameKind of each node */
	const bool *ignored;   /* ignored nodes and those below have no partners; NULL if none is */
	const bool *near;      /* numbers that may be the same as others; NULL if none is */
	const bool *unordered; /* nodes whose children have no order, in both trees; NULL if none */
	const int32 *key;      /* keys of elements of arrays, 0 for none; NULL if no node has one */
	int32 *map;            /* set by MapByName(): partner, or -1 */
} NamedTree;

/* Whether two subtrees have the same shape and labels. */
extern bool HaveEqualNodes(const TedTree *a, int32 x, const TedTree *b, int32 y);

/*
 * Compares the names of two nodes of the same kind, in the order of members and attributes
 * in all documents.
 */
typedef int (*CompareNames)(const void *arg, int32 name, int32 other);

/* Returns how similar two different names are, from 0 to EQUAL_NAMES. */
typedef int (*LikenessOfNames)(const void *arg, int32 name, int32 other);
#define EQUAL_NAMES 16

/* Bytes of memory that the mapping takes for each node. */
#define NAME_MAPPING_NODE_BYTES 46

/*
 * Maps the documents.  Returns whether all lists of children were short enough to be
 * compared as a whole, and the documents not too deep.  `names` is the number of original labels,
 * which are lower than that.  `what` names the computation in errors about memory.
 */
extern bool MapByName(const NamedTree *a, const NamedTree *b, const TedCosts *costs,
					  CompareNames compare, LikenessOfNames likeness, const void *arg, int32 names,
					  const char *what);

#endif /* TED_NAME_MAPPING_H */
