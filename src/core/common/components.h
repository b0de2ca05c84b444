/*
 * components.h
 *	  Connected components of a growing graph, by union and find.
 *
 * Nodes are numbers from 0.  `parent` has an entry for each; a node is its own parent
 * at first.
 */
#ifndef TED_COMPONENTS_H
#define TED_COMPONENTS_H

#include <stdint.h>

/* The least node of a node's component. */
extern int32_t ted_component(int32_t *parent, int32_t node);

/* Connects two nodes. */
extern void ted_connect(int32_t *parent, int32_t a, int32_t b);

#endif /* TED_COMPONENTS_H */
