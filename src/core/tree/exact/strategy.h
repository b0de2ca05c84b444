/*
 * strategy.h
 *	  Chooses the paths along which pairs of subtrees are decomposed.
 */
#ifndef TED_STRATEGY_H
#define TED_STRATEGY_H

#include "decompositions.h"

/* The paths from a root: to the first child, the last one, or the one with the largest subtree. */
typedef enum TedPath
{
	TED_PATH_LEFT,
	TED_PATH_RIGHT,
	TED_PATH_HEAVY,
	TED_PATHS
} TedPath;

/*
 * The paths along which one of two trees is decomposed.  `choice` has a TedPath for each node of
 * that tree; TED_PATHS is added to it if that is the second tree.
 */
typedef struct TedStrategy
{
	const uint8_t *choice;
	bool of_second; /* the second tree is decomposed */
	double seconds; /* estimated for the whole pair */
} TedStrategy;

/* Most forests of the decomposed tree that are kept at once for left and right paths. */
#define TED_PATH_LEVELS 32

/*
 * Returns the seconds below which the search for a strategy does not pay, as every strategy, or the
 * search itself, takes longer.
 */
extern double ted_strategy_least_seconds(int32_t size_a, int32_t size_b);

/* Finds the strategy with the lowest estimated time, in O(|a| + |b|) time. */
extern size_t ted_strategy_memory(int32_t size_a, int32_t size_b);
extern TedStatus ted_strategy_find(const TedDecompositions *a, const TedDecompositions *b,
								   TedArena *arena, TedStrategy *strategy);

#endif /* TED_STRATEGY_H */
