/*
 * walk.h
 *	  Walks a tree in preorder and writes the paths of its nodes.
 *
 * The path of a node of JSON is a JSON Pointer; a value has the path of its key.  Elsewhere, a
 * path has a step for each node from the root on: "/", the label, and a number among siblings
 * with this label.
 */
#ifndef TED_WALK_H
#define TED_WALK_H

#include "../value/tree.h"

/* A node on the way from the root to the current node. */
typedef struct WalkLevel
{
	int32 node; /* postorder number */
	int path_length;
	int32 children; /* met so far */
} WalkLevel;

/* A tree that is walked. */
typedef struct Walk
{
	TedTree tree;
	int32 *postorder;    /* by preorder number */
	int32 *ordinal;      /* among siblings with the same label, from 1; 0 where it is alone */
	int32 *map;          /* partner by postorder number, or -1; the caller's, if any */
	StringInfoData path; /* of the current node */
	WalkLevel *levels;   /* by depth: the node whose subtree the walk is in */
	bool is_json;        /* paths are JSON Pointers */
	int32 next;          /* preorder number of the next node to come */
	int32 node;          /* postorder number of the current node */
} Walk;

/* An upper bound on the memory that walking a tree takes; the value is not detoasted. */
extern Size WalkBytes(Datum tree);

/* Whether the nodes of a tree are an object or an array of JSON, with the keys in order. */
extern bool IsJsonTree(const Tree *tree);

/* Prepares a tree to be walked, with paths of JSON or others. */
extern void WalkInit(Walk *walk, const Tree *tree, bool is_json, LabelTable *labels);

/* Moves to the next node in preorder. */
extern void WalkStep(Walk *walk, const LabelTable *labels);

/* Path of a node for a message, by labels; `node` is a preorder number from 0.  A long path is cut.
 */
extern char *TreeNodePath(const Tree *tree, int32 node);

#endif /* TED_WALK_H */
