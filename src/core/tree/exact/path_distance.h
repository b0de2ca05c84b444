/*
 * path_distance.h
 *	  Distances between all pairs of subtrees, by the optimal path strategy.
 */
#ifndef TED_PATH_DISTANCE_H
#define TED_PATH_DISTANCE_H

#include "../ted.h"

/*
 * Computes distance[size_a][size_b], or sets it to NULL where the best strategy is estimated to
 * take at least `limit` seconds.  ted_path_memory() reads only the sums of the trees.
 */
extern size_t ted_path_memory(const TedTree *a, const TedTree *b);
extern TedStatus ted_path_distances(const TedTree *a, const TedTree *b, const TedCosts *costs,
									double limit, TedArena *arena, const TedInterrupt *interrupt,
									int32_t **distance);

#endif /* TED_PATH_DISTANCE_H */
