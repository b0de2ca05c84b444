/*
 * plain_strings.h
 *	  Thresholds of strings, and lengths by definition, for tests of joins of strings.
 */
#ifndef TED_TEST_CORE_PLAIN_STRINGS_H
#define TED_TEST_CORE_PLAIN_STRINGS_H

#include "../../src/core/string/lcs_candidate_index.h"
#include "plain_lcs.h"

/*
 * The symbols that strings must have in common: a percentage of all symbols, or all but
 * `distance` symbols.
 */
typedef struct Threshold
{
	int32_t percent; /* -1 for a distance */
	int64_t distance;
} Threshold;

/* Returns the least common symbols. */
static inline int64_t
least(const void *arg, int64_t total)
{
	const Threshold *threshold = arg;

	if (threshold->percent >= 0)
		return (total * threshold->percent + 199) / 200;
	return total <= threshold->distance ? 0 : (total - threshold->distance + 1) / 2;
}

/* Returns the length of the longest common subsequence, by the table. */
static inline int32_t
plain_length(const LcsString *a, const LcsString *b)
{
	uint32_t room[2][LCS_MOST_FEATURES];

	return plain_lcs(lcs_wide_symbols(a, room[0]), a->length, lcs_wide_symbols(b, room[1]),
					 b->length);
}

#endif /* TED_TEST_CORE_PLAIN_STRINGS_H */
