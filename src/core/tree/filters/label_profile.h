/*
 * label_profile.h
 *	  Character counts of labels, for lower bounds on graded rename costs.
 *
 * A graded rename costs a part of the full rename cost, by how much the characters of both labels
 * differ.  The lengths and the character counts of two labels are a lower bound on that part, which
 * is computed before the labels are compared.
 */
#ifndef TED_LABEL_PROFILE_H
#define TED_LABEL_PROFILE_H

#include <stdlib.h>

#include "../label_traits.h"

/* Number of classes of characters, by hash. */
#define TED_CHARACTER_CLASSES 32

/* Features of a label for lower bounds. */
typedef struct TedLabelProfile
{
	uint8_t count[TED_CHARACTER_CLASSES]; /* by class: number of characters, at most 255 */
	double part;                          /* part of the cost that one character is: 1 / length */
	int32_t length;
	int32_t spelling; /* renaming to a label with the same spelling may be free */
	int32_t rename;   /* the full rename cost; of two labels, the larger one counts;
					   * TED_NEVER_RENAMED costs more than deleting and inserting them */
	uint8_t measure;  /* a TedTextMeasure */
	bool is_number;   /* two numbers are graded by a fast function */
	bool has_like;    /* another label has the same spelling */
	int32_t nodes;    /* number of nodes with it, to decide which labels are rare */
} TedLabelProfile;

/* Sets the length and the character counts of a label. */
extern void ted_profile_characters(const uint32_t *character, int32_t length,
								   TedLabelProfile *profile);

/* Returns a lower bound on the characters of both labels that have no equal one in the other. */
static inline int32_t
ted_different_characters(const TedLabelProfile *a, const TedLabelProfile *b)
{
	int32_t difference = 0;

	for (int i = 0; i < TED_CHARACTER_CLASSES; i++)
		difference += abs(a->count[i] - b->count[i]);
	return ted_max(difference, abs(a->length - b->length));
}

/*
 * Returns a lower bound on a graded rename cost by the characters.  Each character without an equal
 * one is deleted or inserted; for the Levenshtein distance, two of them can instead be replaced by
 * each other, except as many as the lengths differ by.
 */
static inline int32_t
ted_least_graded_cost(const TedLabelProfile *a, const TedLabelProfile *b)
{
	int32_t different = ted_different_characters(a, b);
	double cost = ted_max(a->rename, b->rename);

	if (different == 0)
		return 0;
	switch ((TedTextMeasure) a->measure)
	{
		case TED_TEXTS_EXACT:
			break;
		case TED_TEXTS_LCS:
			return (int32_t) (cost * different / ((double) a->length + b->length));
		case TED_TEXTS_LEVENSHTEIN:
			return (int32_t) (cost * (((double) different + abs(a->length - b->length)) / 2) *
							  (a->length > b->length ? a->part : b->part));
	}
	return 0;
}

/*
 * Returns a lower bound on the cost of renaming one label to another one.  The result may exceed
 * the cost of deleting the one and inserting the other.
 */
static inline int32_t
ted_least_rename_cost(const TedCosts *costs, const TedLabelProfile *profiles, int32_t from,
					  int32_t to)
{
	const TedLabelProfile *a = &profiles[from];
	const TedLabelProfile *b = &profiles[to];

	if (a->spelling == b->spelling)
		return 0;
	if (a->is_number && b->is_number)
		return costs->labels->rename(costs->labels->context, from, to);
	if (a->measure == b->measure && a->measure != TED_TEXTS_EXACT)
		return ted_least_graded_cost(a, b);
	return ted_max(a->rename, b->rename);
}

#endif /* TED_LABEL_PROFILE_H */
