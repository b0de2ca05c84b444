/*
 * components.h
 *	  Connected components of a growing graph, by union-find.
 *
 * Nodes are numbered from 0.  `parent` has an entry for each node; the caller sets each node to be
 * its own parent at first.
 */
#ifndef TED_COMPONENTS_H
#define TED_COMPONENTS_H

#include <stdint.h>

/* Returns the node with the lowest number in a node's component. */
extern int32_t ted_component(int32_t *parent, int32_t node);

/* Merges the components of two nodes. */
extern void ted_connect(int32_t *parent, int32_t a, int32_t b);

#endif /* TED_COMPONENTS_H */
