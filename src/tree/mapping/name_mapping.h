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
 * element, or out of a deleted one, become partners as well.
 *
 * Between lists of children, this is the top-down distance of Selkow (Information
 * Processing Letters 6, 1977).  Long lists that differ much are first divided at values
 * that occur once in each list, and then compared within a band.
 */
#ifndef TED_NAME_MAPPING_H
#define TED_NAME_MAPPING_H

#include "postgres.h"

#include "mapped_trees.h"

/* Whether two subtrees have the same shape and labels. */
extern bool HaveEqualNodes(const TedTree *a, int32 x, const TedTree *b, int32 y);

/* Bytes of memory that the mapping takes for each node. */
#define NAME_MAPPING_NODE_BYTES 45

/*
 * Maps the documents, whose traits are set: sets the partner of each node, or -1.  `a` and `b` have
 * the labels for the costs.  Returns whether all lists of children were short enough to be compared
 * as a whole, and the documents not too deep.  `what` names the computation in errors about memory.
 */
extern bool MapByName(const MappedTrees *trees, const TedTree *a, const TedTree *b,
					  const TedCosts *costs, const char *what);

#endif /* TED_NAME_MAPPING_H */
