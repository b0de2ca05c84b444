/*
 * strategy.h
 *	  Which path to decompose every pair of subtrees along.
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
 * A choice for a pair of subtrees (x, y) is a path in the first tree, or
 * TED_PATHS more for the second; it is choice[x * stride_a + y * stride_b].
 */
typedef struct TedStrategy
{
	const uint8_t *choice;
	size_t stride_a;
	size_t stride_b;
	double seconds; /* what the whole pair is estimated to take */
} TedStrategy;

/* Most forests of the decomposed tree that wait at once, for left and right paths. */
#define TED_PATH_LEVELS 32

/* Seconds below which looking for a strategy does not pay, as any takes longer, or looking does. */
extern double ted_strategy_least_seconds(int32_t size_a, int32_t size_b);

/*
 * Finds a strategy, by the estimated time: the optimal one, in O(|a| |b|) time,
 * a byte for each pair and O(|b| log |a|) more memory, unless the best of the
 * limit, in seconds, and the strategies for one tree is too short for that.
 */
extern size_t ted_strategy_memory(int32_t size_a, int32_t size_b);
extern TedStatus ted_strategy_find(const TedDecompositions *a, const TedDecompositions *b,
								   double limit, TedArena *arena, const TedInterrupt *interrupt,
								   TedStrategy *strategy);

#endif /* TED_STRATEGY_H */
