/*
 * heavy_strip.h
 *	  Tree edit distance up to a limit along heavy paths.
 */
#ifndef TED_HEAVY_STRIP_H
#define TED_HEAVY_STRIP_H

#include "../ted.h"

/* Sums up the heavy paths of a tree, in O(|tree|) time. */
extern TedHeavySums ted_heavy_sums(const TedTree *tree);

/* Returns the estimated seconds of a strip of k; `sums` are those of a. */
extern double ted_heavy_strip_seconds(const TedTree *a, const TedHeavySums *sums, int32_t k);

/*
 * Computes the distance if it is at most the limit, else a number above the limit.  The sizes of
 * the trees must allow a mapping within the limit.  O(|a| k^2 log |a|) time for k insertions and
 * deletions, whatever the shapes; `sums` are those of a.
 */
extern size_t ted_heavy_strip_memory(const TedTree *a, const TedTree *b, const TedHeavySums *sums,
									 const TedCosts *costs, int32_t limit);
extern TedStatus ted_heavy_strip_distance(const TedTree *a, const TedTree *b,
										  const TedHeavySums *sums, const TedCosts *costs,
										  int32_t limit, TedArena *arena,
										  const TedInterrupt *interrupt, int32_t *distance);

#endif /* TED_HEAVY_STRIP_H */
