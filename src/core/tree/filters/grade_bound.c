/*
 * grade_bound.c
 *	  Lower bound on the distance by the characters of labels, for graded costs.
 */
#include "grade_bound.h"

#include "../bounded/strip.h"

/* The other tree, and how the nodes of the smaller tree are compared with it. */
typedef struct Pair
{
	const TedGradedNodes *other;
	const TedCosts *costs;
	const TedLabelProfile *profiles;
	bool deletes;            /* nodes of the smaller tree are deleted, not inserted */
	int32_t unmatched;       /* most nodes before a node of the smaller tree without a partner */
	int32_t unmatched_other; /* most nodes before its partner without a partner */
} Pair;

/*
 * Returns a lower bound on the cost of a graded node that can be mapped to graded nodes of the
 * other tree from `first` on, as far as they are before node `end`.
 */
static int32_t
least_cost(const Pair *pair, int32_t label, const TedGradedNode *first, int32_t end)
{
	const TedGradedNode *last = pair->other->graded + pair->other->count;
	int32_t least =
		pair->deletes ? ted_delete_cost(pair->costs, label) : ted_insert_cost(pair->costs, label);

	/* a label with the same spelling need not be graded */
	if (pair->profiles[label].has_like)
		return 0;
	/* the cost of renaming it to a label that is not graded */
	least = ted_min(least, pair->profiles[label].rename);
	for (const TedGradedNode *y = first; y < last && y->node < end && least > 0; y++)
		least = ted_min(least, ted_least_rename_cost(pair->costs, pair->profiles, label, y->label));
	return least;
}

/* Adds lower bounds on the costs of some nodes, until the sum exceeds a limit. */
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

/* Computes whether the distance is certain to exceed a limit. */
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
