/*
 * heavy_strip.h
 *	  Tree edit distance up to a limit along heavy paths.
 */
#ifndef TED_HEAVY_STRIP_H
#define TED_HEAVY_STRIP_H

#include "../ted.h"

/* Sums over the heavy paths of a tree. */
typedef struct TedHeavySums
{
	int64_t nodes;   /* in the subtrees that paths begin in, but for their roots */
	int32_t largest; /* nodes of the largest of these but the whole tree, or 0 */
} TedHeavySums;

/* Sums up heavy paths, in O(|tree|). */
extern TedHeavySums ted_heavy_sums(const TedTree *tree);

/* Estimated seconds that the distance up to k insertions and deletions takes; the sums are of a. */
extern double ted_heavy_strip_seconds(const TedTree *a, const TedHeavySums *sums, int32_t k);

/*
 * Distance if it is at most the limit, else that or more; the sizes of the trees
 * must allow such a mapping.  O(|a| k^2 log |a|) time for k insertions and
 * deletions, whatever the shapes; `sums` are those of a.
 */
extern size_t ted_heavy_strip_memory(const TedTree *a, const TedTree *b, const TedHeavySums *sums,
									 const TedCosts *costs, int32_t limit);
extern TedStatus ted_heavy_strip_distance(const TedTree *a, const TedTree *b,
										  const TedHeavySums *sums, const TedCosts *costs,
										  int32_t limit, TedArena *arena,
										  const TedInterrupt *interrupt, int32_t *distance);

#endif /* TED_HEAVY_STRIP_H */
