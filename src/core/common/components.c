/*
 * components.c
 *	  Connected components of a growing graph, by union and find.
 *
 * The least node of a component is the root of its parents.  Paths are halved whenever
 * they are followed, which keeps them short whichever root is put below the other (Tarjan
 * and van Leeuwen, "Worst-case analysis of set union algorithms", 1984).
 */
#include "components.h"

/* The least node of a node's component. */
int32_t
ted_component(int32_t *parent, int32_t node)
{
	while (parent[node] != node)
		node = parent[node] = parent[parent[node]];
	return node;
}

/* Connects two nodes. */
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
