/*
 * label_traits.h
 *	  The traits of labels from which graded rename costs are computed.
 *
 * Renaming a label to another one costs the larger of the `rename` costs of both, or a part of it
 * where both are numbers or have texts with the same measure.  This is for code that computes the
 * costs of many labels at once, on a CPU or a GPU.
 */
#ifndef TED_LABEL_TRAITS_H
#define TED_LABEL_TRAITS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "ted.h"

#ifdef __CUDACC__
#define TED_ANYWHERE static __host__ __device__ inline
#else
#define TED_ANYWHERE static inline
#endif

/* Measures for the texts of labels. */
typedef enum TedTextMeasure
{
	TED_TEXTS_EXACT, /* texts are not compared */
	TED_TEXTS_LCS,   /* by the share of symbols outside a longest common subsequence */
	TED_TEXTS_LEVENSHTEIN
} TedTextMeasure;

#define TED_TEXT_MEASURES (TED_TEXTS_LEVENSHTEIN + 1)

/* The rename cost of labels that are never renamed, since deleting and inserting costs less. */
#define TED_NEVER_RENAMED INT32_MAX

/* The traits of a label on which its rename costs depend. */
struct TedLabelTraits
{
	int32_t rename;
	int32_t like; /* a label with a lower id that can be renamed to this one for free, or -1 */
	TedTextMeasure measure;
	bool is_number; /* renaming it to another number is graded */
	double number;
	bool
		has_tolerance; /* renaming it to a number near it is free: only the rename function knows */
	const uint32_t *text; /* symbols to compare; valid until the traits of another label are
						   * requested */
	int32_t length;
};

/* Returns cost * part / whole, rounded; at least 1 (0 if the cost is 0), as the labels differ. */
TED_ANYWHERE int32_t
ted_part_of_cost(int32_t cost, int64_t part, int64_t whole)
{
	const int32_t least = cost < 1 ? cost : 1;
	int64_t rounded;

	if (whole == 0)
		return least;
	rounded = (2 * cost * part + whole) / (2 * whole);
	return rounded > least ? (int32_t) rounded : least;
}

/*
 * Returns the rename cost of two texts, given the length of their longest common subsequence or
 * their distance, by measure.
 */
TED_ANYWHERE int32_t
ted_text_cost(TedTextMeasure measure, int64_t measured, int64_t length_a, int64_t length_b,
			  int32_t cost)
{
	const int64_t both = length_a + length_b;

	switch (measure)
	{
		case TED_TEXTS_EXACT:
			break;
		case TED_TEXTS_LCS:
			return ted_part_of_cost(cost, both - 2 * measured, both);
		case TED_TEXTS_LEVENSHTEIN:
			return ted_part_of_cost(cost, measured, length_a > length_b ? length_a : length_b);
	}
	return cost;
}

/* Returns the rename cost of two numbers: their difference divided by the larger absolute value. */
TED_ANYWHERE int32_t
ted_number_cost(double a, double b, int32_t cost)
{
	const double greater = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
	double part = greater > 0 ? fabs(a - b) / greater : 0;
	const int32_t least = cost < 1 ? cost : 1;
	int32_t rounded;

	part = part < 1 ? part : 1;
	rounded = (int32_t) rint(cost * part);
	return rounded > least ? rounded : least;
}

#endif /* TED_LABEL_TRAITS_H */
