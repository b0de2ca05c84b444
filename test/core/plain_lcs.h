/*
 * plain_lcs.h
 *	  The length of a longest common subsequence by its definition.
 */
#ifndef TED_TEST_CORE_PLAIN_LCS_H
#define TED_TEST_CORE_PLAIN_LCS_H

#include <stdint.h>
#include <stdlib.h>

#include "definition.h"

/* Returns the length of the longest common subsequence, by the table of lengths. */
DEFINITION static int32_t
plain_lcs(const uint32_t *a, int32_t m, const uint32_t *b, int32_t n)
{
	int32_t *row = calloc((size_t) m + 1, sizeof(int32_t));
	int32_t length;

	for (int32_t j = 0; j < n; j++)
		for (int32_t i = 0, diagonal = 0; i < m; i++)
		{
			int32_t above = row[i + 1];

			if (a[i] == b[j])
				row[i + 1] = diagonal + 1;
			else if (row[i] > above)
				row[i + 1] = row[i];
			diagonal = above;
		}
	length = row[m];
	free(row);
	return length;
}

#endif /* TED_TEST_CORE_PLAIN_LCS_H */
