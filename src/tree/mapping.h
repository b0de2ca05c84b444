/*
 * mapping.h
 *	  An optimal edit mapping of two trees.
 */
#ifndef TED_TREE_MAPPING_H
#define TED_TREE_MAPPING_H

#include "postgres.h"

#include "../core/tree/ted.h"

/*
 * Maps the trees to each other, by the tie rule of ted.h: writes the partner of each
 * node by postorder number, or -1.  Costs or trees that are too large are an error.
 */
extern void MapTrees(const TedTree *a, const TedTree *b, const TedCosts *costs, int32 *map_a,
					 int32 *map_b);

#endif /* TED_TREE_MAPPING_H */
