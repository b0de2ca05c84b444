/*
 * plain_strings.h
 *	  Thresholds of strings, and the plain table of lengths, for tests of joins of strings.
 */
#ifndef TED_TEST_CORE_PLAIN_STRINGS_H
#define TED_TEST_CORE_PLAIN_STRINGS_H

#include "../../src/core/string/lcs_candidate_index.h"

/* The most symbols of a string for plain_length(). */
#define MAX_LENGTH 200

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
	int32_t row[MAX_LENGTH + 1] = {0};
	uint32_t room[2][LCS_MOST_FEATURES];
	const uint32_t *of_a = lcs_wide_symbols(a, room[0]);
	const uint32_t *of_b = lcs_wide_symbols(b, room[1]);

	for (int32_t i = 0; i < a->length; i++)
	{
		int32_t diagonal = 0;

		for (int32_t j = 0; j < b->length; j++)
		{
			int32_t above = row[j + 1];

			row[j + 1] = of_a[i] == of_b[j] ? diagonal + 1 : ted_max(above, row[j]);
			diagonal = above;
		}
	}
	return row[b->length];
}

#endif /* TED_TEST_CORE_PLAIN_STRINGS_H */
