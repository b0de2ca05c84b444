/*
 * ignored_nodes.h
 *	  Pairs ignored nodes, so that differences can show them.
 */
#ifndef TED_IGNORED_NODES_H
#define TED_IGNORED_NODES_H

#include "diff_lines.h"

/*
 * Pairs subtrees that are left alone with subtrees in the same place of the other tree.
 * Their nodes count as keeping their labels only if the labels are equal; no node costs
 * anything.
 */
extern void PairIgnoredNodes(MappedTrees *trees);

#endif /* TED_IGNORED_NODES_H */
