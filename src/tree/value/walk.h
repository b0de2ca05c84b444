/*
 * walk.h
 *	  Walks a tree in preorder and writes the paths of its nodes.
 */
#ifndef TED_WALK_H
#define TED_WALK_H

#include "tree.h"

/* A tree that is walked. */
typedef struct Walk
{
	TedTree tree;
	int32 *postorder;    /* by preorder number */
	int32 *ordinal;      /* among siblings with the same label, from 1; 0 where it is alone */
	int32 *map;          /* partner by postorder number, or -1; the caller's, if any */
	StringInfoData path; /* of the current node */
	int *path_length;    /* by depth: length of the path of the node at that depth */
	int32 next;          /* preorder number of the next node to come */
	int32 node;          /* postorder number of the current node */
} Walk;

/* An upper bound on the memory that walking a tree takes; the value is not detoasted. */
extern Size WalkBytes(Datum tree);

/* Prepares a tree to be walked. */
extern void WalkInit(Walk *walk, const Tree *tree, LabelTable *labels);

/* Moves to the next node in preorder. */
extern void WalkStep(Walk *walk, const LabelTable *labels);

/* Path of a node for a message, by its preorder number from 0; a long one without its end. */
extern char *TreeNodePath(const Tree *tree, int32 node);

#endif /* TED_WALK_H */
