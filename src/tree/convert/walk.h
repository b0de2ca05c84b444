/*
 * walk.h
 *	  Walks a tree in preorder and writes the paths of its nodes.
 *
 * In JSON, the path of a node is a JSON Pointer, and a value has the same path as its key.
 * Otherwise, a path has a step for each node from the root: "/", the label, and the number
 * among the siblings with this label.
 */
#ifndef TED_WALK_H
#define TED_WALK_H

#include "../value/tree.h"

/* A node on the path from the root to the current node. */
typedef struct WalkLevel
{
	int32 node; /* postorder number */
	int path_length;
	int32 children; /* number of children visited so far */
} WalkLevel;

/* A tree and the state of the walk. */
typedef struct Walk
{
	TedTree tree;
	int32 *postorder;    /* postorder number of each preorder number */
	int32 *ordinal;      /* number among siblings with the same label, from 1; 0 without any */
	int32 *map;          /* set by the caller, if at all: partner by postorder number, or -1 */
	StringInfoData path; /* path of the current node */
	WalkLevel *levels;   /* by depth: the nodes on the path to the current node */
	bool is_json;        /* paths are JSON Pointers */
	int32 next;          /* preorder number of the next node */
	int32 node;          /* postorder number of the current node */
} Walk;

/* Returns an upper bound on the memory of a walk in bytes; the tree is not detoasted. */
extern Size WalkBytes(Datum tree);

/* Decodes a tree and prepares the walk.  `is_json` says whether paths are JSON Pointers. */
extern void WalkInit(Walk *walk, const Tree *tree, bool is_json, LabelTable *labels);

/* Moves to the next node in preorder. */
extern void WalkStep(Walk *walk, const LabelTable *labels);

/*
 * Returns the path of a node by labels, for a message, shortened if it is long.  `node` is
 * a preorder number from 0.
 */
extern char *TreeNodePath(const Tree *tree, int32 node);

#endif /* TED_WALK_H */
