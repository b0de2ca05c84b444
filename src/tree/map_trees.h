/*
 * map_trees.h
 *	  An optimal edit mapping of two decoded trees, in the way that takes the least.
 */
#ifndef TED_TREE_MAP_TREES_H
#define TED_TREE_MAP_TREES_H

#include "postgres.h"

#include "../core/tree/ted.h"

/* Maps the trees, whose costs fit, to each other, as of ted_mapping(). */
extern void MapTrees(const TedTree *a, const TedTree *b, const TedCosts *costs, int32 *map_a,
					 int32 *map_b);

#endif /* TED_TREE_MAP_TREES_H */
