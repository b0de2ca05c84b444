/*
 * plain_grade.h
 *	  Costs of renaming labels, by the definitions of label_traits.h and textbook tables.
 */
#ifndef TED_TEST_GPU_PLAIN_GRADE_H
#define TED_TEST_GPU_PLAIN_GRADE_H

#include <stdlib.h>

#include "../../src/core/tree/label_traits.h"

/* Returns the length of a longest common subsequence, or the Levenshtein distance, by the table. */
static inline int32_t
plain_measure(TedTextMeasure measure, const TedLabelTraits *a, const TedLabelTraits *b)
{
	bool common = measure == TED_TEXTS_LCS;
	int32_t *row = malloc(sizeof(int32_t) * (size_t) (b->length + 1));
	int32_t measured;

	for (int32_t j = 0; j <= b->length; j++)
		row[j] = common ? 0 : j;
	for (int32_t i = 0; i < a->length; i++)
	{
		int32_t diagonal = row[0];

		row[0] = common ? 0 : i + 1;
		for (int32_t j = 0; j < b->length; j++)
		{
			int32_t above = row[j + 1];
			bool equal = a->text[i] == b->text[j];

			if (common)
				row[j + 1] = equal ? diagonal + 1 : ted_max(above, row[j]);
			else
				row[j + 1] = ted_min(diagonal + !equal, ted_min(above, row[j]) + 1);
			diagonal = above;
		}
	}
	measured = row[b->length];
	free(row);
	return measured;
}

/* Returns the cost of renaming a label to another one that is not like it. */
static inline int32_t
plain_rename(const TedLabelTraits *a, const TedLabelTraits *b, int32_t never)
{
	int32_t cost = ted_max(a->rename, b->rename);

	if (cost == TED_NEVER_RENAMED)
		return never;
	if (a->is_number && b->is_number)
		return ted_number_cost(a->number, b->number, cost);
	if (a->measure == TED_TEXTS_EXACT || a->measure != b->measure)
		return cost;
	return ted_text_cost(a->measure, plain_measure(a->measure, a, b), a->length, b->length, cost);
}

#endif /* TED_TEST_GPU_PLAIN_GRADE_H */
