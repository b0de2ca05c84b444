/*
 * approximate.h
 *	  An edit mapping of two trees that are too large for an optimal one.
 */
#ifndef TED_APPROXIMATE_H
#define TED_APPROXIMATE_H

#include "../ted.h"

/*
 * Computes a mapping from a longest common subsequence of the Euler strings, in which every node
 * has a symbol where it begins and one where it ends: two nodes are mapped to each other if both of
 * their symbols are matched.  Inner nodes between the same mapped nodes are mapped in their order,
 * and small parts are mapped again by their optimal mappings.  Writes partners as
 * ted_pair_mapping() does, and the cost of the mapping.  Takes the time of lcs_positions(),
 * O(|a| |b| / w) for vectors of w bits, and O((|a| |b|)^(2/3) + |a| + |b|) memory.  Requires
 * ted_costs_fit().
 */
extern size_t ted_approximate_mapping_memory(int32_t size_a, int32_t size_b);
extern TedStatus ted_approximate_mapping(const TedTree *a, const TedTree *b, const TedCosts *costs,
										 TedArena *arena, const TedInterrupt *interrupt,
										 int32_t *map_a, int32_t *map_b, int32_t *cost);

#endif /* TED_APPROXIMATE_H */
