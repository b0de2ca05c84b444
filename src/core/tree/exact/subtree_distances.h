/*
 * subtree_distances.h
 *	  Distances between one tree and all subtrees of another.
 */
#ifndef TED_SUBTREE_DISTANCES_H
#define TED_SUBTREE_DISTANCES_H

#include "../ted.h"

/*
 * Computes the distance between `a` and the subtree of each node of `b`, by postorder number of the
 * node.  All of them are in the tables of the exact distance.  O(|a| |b|) memory.  Requires
 * ted_costs_fit().
 */
extern size_t ted_subtree_distances_memory(const TedTree *a, const TedTree *b,
										   const TedCosts *costs);
extern TedStatus ted_subtree_distances(const TedTree *a, const TedTree *b, const TedCosts *costs,
									   TedArena *arena, const TedInterrupt *interrupt,
									   int32_t *distances);

#endif /* TED_SUBTREE_DISTANCES_H */
