/*
 * components.c
 *	  Connected components of a growing graph, by union-find.
 *
 * The node with the lowest number is the root of its component.  Paths are halved whenever they are
 * followed, which keeps them short whichever root becomes the child of the other (Tarjan and van
 * Leeuwen, "Worst-case analysis of set union algorithms", 1984).
 */
#include "components.h"

/* Returns the node with the lowest number in a node's component. */
int32_t
ted_component(int32_t *parent, int32_t node)
{
	while (parent[node] != node)
		node = parent[node] = parent[parent[node]];
	return node;
}

/* Merges the components of two nodes. */
void
ted_connect(int32_t *parent, int32_t a, int32_t b)
{
	a = ted_component(parent, a);
	b = ted_component(parent, b);
	if (a < b)
		parent[b] = a;
	else
		parent[a] = b;
}
