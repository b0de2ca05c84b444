/*
 * grade_bound.c
 *	  A lower bound of the distance by the characters of labels, for graded costs.
 */
#include "grade_bound.h"

#include <stdlib.h>
#include <string.h>

#include "../common/hash.h"
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

/*
 * The least cost of renaming one label to another one, or as much as deleting the one and
 * inserting the other.
 */
static inline int32_t
least_rename_cost(const TedCosts *costs, const TedLabelProfile *profiles, int32_t from, int32_t to)
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

/* What the nodes of the smaller tree are held against. */
typedef struct Pair
{
	const TedGradedNodes *other;
	const TedCosts *costs;
	const TedLabelProfile *profiles;
	bool deletes;            /* they are deleted, not inserted */
	int32_t unmatched;       /* nodes before one of them that have no partner, at most */
	int32_t unmatched_other; /* nodes before its partner that have none */
} Pair;

/*
 * What a graded node costs at least, where the graded nodes of the other tree from `first` on
 * that are before `end` can match it.
 */
static int32_t
least_cost(const Pair *pair, int32_t label, const TedGradedNode *first, int32_t end)
{
	const TedGradedNode *last = pair->other->graded + pair->other->count;
	int32_t least =
		pair->deletes ? ted_delete_cost(pair->costs, label) : ted_insert_cost(pair->costs, label);

	if (pair->profiles[label].grade == TED_GRADED_IN_NO_WAY)
		return 0;
	/* as much as renaming it to a label that is not graded */
	least = ted_min(least, pair->profiles[label].rename);
	for (const TedGradedNode *y = first; y < last && y->node < end && least > 0; y++)
		least = ted_min(least, least_rename_cost(pair->costs, pair->profiles, label, y->label));
	return least;
}

/* Adds what some nodes cost at least, as long as the sum is within a limit. */
static TedStatus
add_costs(const Pair *pair, const TedGradedNode *nodes, int32_t count, int32_t limit,
		  const TedInterrupt *interrupt, int64_t *steps, int64_t *sum)
{
	const TedGradedNode *first = pair->other->graded;
	const TedGradedNode *last = first + pair->other->count;

	for (const TedGradedNode *x = nodes; x < nodes + count && *sum <= limit; x++)
	{
		int32_t end = ted_min(x->node + pair->unmatched_other + 1, pair->other->size);

		while (first < last && first->node < x->node - pair->unmatched)
			first++;
		if (ted_interrupted(interrupt, steps, 1 + end - ted_max(x->node - pair->unmatched, 0)))
			return TED_CANCELLED;
		*sum += least_cost(pair, x->label, first, end);
	}
	return TED_OK;
}

/* Whether the distance is above a limit, by what the graded nodes of the smaller tree cost. */
TedStatus
ted_grades_exceed(const TedGradedNodes *a, const TedGradedNodes *b, const TedCosts *costs,
				  const TedLabelProfile *profiles, int32_t limit, const TedInterrupt *interrupt,
				  int64_t *steps, bool *exceed)
{
	bool swapped = a->size > b->size;
	const TedGradedNodes *smaller = swapped ? b : a;
	const TedGradedNodes *other = swapped ? a : b;
	int32_t k = ted_min(ted_strip_width(costs, limit), smaller->size + other->size);
	Pair pair = {.other = other,
				 .costs = costs,
				 .profiles = profiles,
				 .deletes = !swapped,
				 .unmatched = ted_strip_deletions(smaller->size, other->size, k),
				 .unmatched_other = ted_strip_deletions(other->size, smaller->size, k)};
	TedUniformCosts least = ted_least_costs(costs);
	int64_t sum =
		(int64_t) (swapped ? least.delete_ : least.insert) * (other->size - smaller->size);
	TedStatus status =
		add_costs(&pair, smaller->by_rank, smaller->rare, limit, interrupt, steps, &sum);

	if (status == TED_OK)
		status = add_costs(&pair, smaller->by_rank + smaller->rare, smaller->count - smaller->rare,
						   limit, interrupt, steps, &sum);
	*exceed = sum > limit;
	return status;
}
