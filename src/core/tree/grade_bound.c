/*
 * grade_bound.c
 *	  A lower bound of the distance by the characters of labels, for graded costs.
 */
#include "grade_bound.h"

#include <stdlib.h>
#include <string.h>

#include "../common/hash.h"
#include "bounds.h"
#include "strip.h"

/* Counts the characters of a label. */
void
ted_profile_characters(const uint32_t *character, int32_t length, TedLabelProfile *profile)
{
	profile->length = length;
	memset(profile->count, 0, sizeof(profile->count));
	for (int32_t i = 0; i < length; i++)
	{
		uint8_t *count =
			&profile->count[(character[i] * TED_HASH_STEP >> 32) % TED_CHARACTER_CLASSES];

		*count = (uint8_t) ted_min(*count + 1, UINT8_MAX);
	}
}

/* How many characters of two labels have no equal one in the other label, at least. */
static inline int32_t
different_characters(const TedLabelProfile *a, const TedLabelProfile *b)
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
graded_cost(const TedLabelProfile *a, const TedLabelProfile *b)
{
	int32_t different = different_characters(a, b);
	double cost = ted_max(a->rename, b->rename);

	if (different == 0)
		return 0;
	if (a->grade == TED_GRADED_BY_LCS)
		return (int32_t) (cost * different / ((double) a->length + b->length));
	return (int32_t) (cost * (((double) different + abs(a->length - b->length)) / 2) /
					  ted_max(a->length, b->length));
}

/* The least cost of renaming one label to another one. */
int32_t
ted_least_rename_cost(const TedCosts *costs, const TedLabelProfile *profiles, int32_t from,
					  int32_t to)
{
	const TedLabelProfile *a = &profiles[from];
	const TedLabelProfile *b = &profiles[to];

	if (from == to || a->grade == TED_GRADED_IN_NO_WAY || b->grade == TED_GRADED_IN_NO_WAY)
		return 0;
	if (a->is_number && b->is_number)
		return costs->labels->rename(costs->labels->context, from, to);
	if (a->grade == b->grade && a->grade != TED_NOT_GRADED)
		return graded_cost(a, b);
	return ted_max(a->rename, b->rename);
}

/* The two trees of a bound: one whose nodes are summed up, and what they may be mapped to. */
typedef struct Pair
{
	const TedGradedNodes *summed;
	const TedGradedNodes *other;
	const TedCosts *costs;
	const TedLabelProfile *profiles;
	bool deletes; /* the nodes summed up are deleted, not inserted */
} Pair;

/*
 * What a graded node costs at least, where the graded nodes of the other tree from `begin` to
 * before number `end` can match it.
 */
static int32_t
least_cost(const Pair *pair, int32_t x, int32_t begin, int32_t end)
{
	const TedTree *other = pair->other->tree;
	int32_t label = pair->summed->tree->label[x];
	int32_t least = pair->deletes ? ted_delete_cost(pair->costs, label)
								  : ted_insert_cost(pair->costs, label);

	/* as renaming it to a label that is not graded */
	if (pair->profiles[label].grade == TED_GRADED_IN_NO_WAY)
		return 0;
	least = ted_min(least, pair->profiles[label].rename);
	for (int32_t i = begin; i < pair->other->count && pair->other->node[i] < end && least > 0; i++)
		least = ted_min(least, ted_least_rename_cost(pair->costs, pair->profiles, label,
													 other->label[pair->other->node[i]]));
	return least;
}

/* Whether the distance is above a limit, by what the graded nodes of the smaller tree cost. */
TedStatus
ted_grades_exceed(const TedGradedNodes *a, const TedGradedNodes *b, const TedCosts *costs,
				  const TedLabelProfile *profiles, int32_t limit, const TedInterrupt *interrupt,
				  int64_t *steps, bool *exceed)
{
	bool swapped = a->tree->size > b->tree->size;
	Pair pair = {.summed = swapped ? b : a,
				 .other = swapped ? a : b,
				 .costs = costs,
				 .profiles = profiles,
				 .deletes = !swapped};
	int32_t size = pair.summed->tree->size;
	int32_t other_size = pair.other->tree->size;
	int32_t k = ted_min(ted_strip_width(costs, limit), size + other_size);
	int32_t unmatched = ted_strip_deletions(size, other_size, k);
	int32_t unmatched_other = ted_strip_deletions(other_size, size, k);
	int64_t sum = ted_size_bound(a->tree->size, b->tree->size, costs);
	int32_t begin = 0;

	for (int32_t i = 0; i < pair.summed->count && sum <= limit; i++)
	{
		int32_t x = pair.summed->node[i];
		int32_t end = ted_min(x + unmatched_other + 1, other_size);

		while (begin < pair.other->count && pair.other->node[begin] < x - unmatched)
			begin++;
		if (ted_interrupted(interrupt, steps, 1 + end - ted_max(x - unmatched, 0)))
			return TED_CANCELLED;
		sum += least_cost(&pair, x, begin, end);
	}
	*exceed = sum > limit;
	return TED_OK;
}
