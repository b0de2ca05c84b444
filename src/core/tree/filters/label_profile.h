/*
 * label_profile.h
 *	  What is known of a label before it is compared with another one, for graded costs.
 *
 * Renaming a label to another one that is graded in the same way costs a part of
 * what renaming costs otherwise: by how much their characters differ.  Before any two
 * labels are compared, the lengths of both and how often they have which characters
 * say how little that can be.
 */
#ifndef TED_LABEL_PROFILE_H
#define TED_LABEL_PROFILE_H

#include <stdlib.h>

#include "../label_traits.h"

/* Classes of characters. */
#define TED_CHARACTER_CLASSES 32

/* A label as bounds see it. */
typedef struct TedLabelProfile
{
	uint8_t count[TED_CHARACTER_CLASSES]; /* characters by class, up to 255 */
	double part; /* of the cost, that one character is of a label as long as this one */
	int32_t length;
	int32_t spelling; /* renaming to a label with the same one may cost nothing */
	int32_t rename;   /* the cost that is graded; that of two labels is the larger one of theirs,
					   * and TED_NEVER_RENAMED more than deleting and inserting them */
	uint8_t measure;  /* a TedTextMeasure */
	bool is_number;   /* two of these are graded by a function that is fast */
	bool has_like;    /* there is another label with the same spelling */
	int32_t nodes;    /* that have it, of those that say what is rare */
} TedLabelProfile;

/* Counts the characters of a label. */
extern void ted_profile_characters(const uint32_t *character, int32_t length,
								   TedLabelProfile *profile);

/* A lower bound on the characters of two labels that have no equal one in the other label. */
static inline int32_t
ted_different_characters(const TedLabelProfile *a, const TedLabelProfile *b)
{
	int32_t difference = 0;

	for (int i = 0; i < TED_CHARACTER_CLASSES; i++)
		difference += abs(a->count[i] - b->count[i]);
	return ted_max(difference, abs(a->length - b->length));
}

/*
 * The least cost of renaming a label to another one by their characters.  Each character without
 * an equal one is deleted or inserted; or two of them are replaced by each other, but for those
 * that the lengths differ by.
 */
static inline int32_t
ted_least_graded_cost(const TedLabelProfile *a, const TedLabelProfile *b)
{
	int32_t different = ted_different_characters(a, b);
	double cost = ted_max(a->rename, b->rename);

	if (different == 0)
		return 0;
	if (a->measure == TED_TEXTS_LCS)
		return (int32_t) (cost * different / ((double) a->length + b->length));
	return (int32_t) (cost * (((double) different + abs(a->length - b->length)) / 2) *
					  (a->length > b->length ? a->part : b->part));
}

/*
 * The least cost of renaming one label to another one, or as much as deleting the one and
 * inserting the other.
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
