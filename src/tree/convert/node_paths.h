/*
 * node_paths.h
 *	  A decoded tree and the paths of its nodes.
 *
 * By labels, a path has a step for each node from the root: "/", the label, and the number among
 * the siblings with this label.  In JSON, a path is a JSON Pointer, and a value has the path of its
 * key.  In XML, it is an expression of XPath, and a value has the path of its attribute.
 */
#ifndef TED_NODE_PATHS_H
#define TED_NODE_PATHS_H

#include "../value/tree.h"
#include "xml_places.h"

/* The language of paths. */
typedef enum PathLanguage
{
	PATHS_BY_LABEL,
	PATHS_OF_JSON,
	PATHS_OF_XML
} PathLanguage;

/* A node on the path from the root to the node whose path has been written last. */
typedef struct PathLevel
{
	int32 node;
	int length; /* bytes of its path */
	int steps;  /* with PATHS_OF_JSON: steps of its path */
} PathLevel;

/* A tree; nodes have postorder numbers. */
typedef struct NodePaths
{
	PathLanguage language;
	TedTree tree;
	const LabelTable *labels;
	XmlPlaces *places; /* with PATHS_OF_XML */
	int32 *preorder;   /* preorder number of each postorder number */
	int32 *postorder;  /* postorder number of each preorder number */
	int32 *parent;     /* -1 for the root */
	int32 *number;     /* among the siblings that a step could mean */

	StringInfoData path; /* of the node whose path has been written last */
	Datum *steps;        /* the steps of that path as texts; set by the caller if it wants them */
	int depth;           /* depth of that node; -1 at first */
	PathLevel *on_path;  /* by depth */
} NodePaths;

/* Returns an upper bound on the memory in bytes; the tree is not detoasted. */
extern Size NodePathsBytes(Datum tree);

/* Decodes a tree.  `places` is NULL but for PATHS_OF_XML. */
extern void NodePathsInit(NodePaths *paths, PathLanguage language, const Tree *tree,
						  LabelTable *labels, XmlPlaces *places);

/* Writes the path of a node, from where it leaves the path written last. */
extern void WritePath(NodePaths *paths, int32 node);

/*
 * Returns the path of a node by labels, for a message, shortened if it is long.  `node` is
 * a preorder number from 0.
 */
extern char *TreeNodePath(const Tree *tree, int32 node);

#endif /* TED_NODE_PATHS_H */
