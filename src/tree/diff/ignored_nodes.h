/*
 * ignored_nodes.h
 *	  Partners for nodes that are ignored, so that differences can show them.
 */
#ifndef TED_IGNORED_NODES_H
#define TED_IGNORED_NODES_H

#include "diff_lines.h"

/*
 * Pairs subtrees that are left alone, below partners, with those in the same place of the other
 * tree.  Nodes of a pair keep their labels only where these are equal; no node costs anything.
 */
extern void PairIgnoredNodes(MappedTrees *trees, TreeSyntax syntax);

#endif /* TED_IGNORED_NODES_H */
