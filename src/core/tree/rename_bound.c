/*
 * rename_bound.c
 *	  A lower bound of the distance by what renaming costs, for costs by label.
 */
#include "rename_bound.h"

#include "bounds.h"
#include "strip.h"

/*
 * What node x of a tree, of a or of b, costs at least, where the nodes of the other tree
 * from `first` to before `end` can match it.
 */
static int32_t
least_cost(const TedTree *tree, int32_t x, const TedTree *other, int32_t first, int32_t end,
		   bool of_a, const TedCosts *costs)
{
	int32_t label = tree->label[x];
	int32_t least = of_a ? ted_delete_cost(costs, label) : ted_insert_cost(costs, label);

	for (int32_t y = first; y < end && least > 0; y++)
		least = ted_min(least, of_a ? ted_rename_cost(costs, label, other->label[y])
									: ted_rename_cost(costs, other->label[y], label));
	return least;
}

/*
 * What all nodes of one of the trees cost at least.  So many nodes at most that are before
 * a node of the tree have no partner, and so many before its partner.
 */
static TedStatus
sum_of(const TedTree *a, const TedTree *b, bool of_a, const TedCosts *costs, int32_t limit,
	   const TedInterrupt *interrupt, int32_t *sum)
{
	const TedTree *tree = of_a ? a : b;
	const TedTree *other = of_a ? b : a;
	int32_t k = ted_min(ted_strip_width(costs, limit), a->size + b->size);
	int32_t unmatched = ted_strip_deletions(tree->size, other->size, k);
	int32_t unmatched_other = ted_strip_deletions(other->size, tree->size, k);
	int64_t steps = 0;

	*sum = 0;
	for (int32_t x = 0; x < tree->size && *sum <= limit; x++)
	{
		int32_t first = ted_max(x - unmatched, 0);
		int32_t end = ted_min(x + unmatched_other + 1, other->size);

		if (ted_interrupted(interrupt, &steps, end - first + 1))
			return TED_CANCELLED;
		*sum += least_cost(tree, x, other, first, end, of_a, costs);
	}
	if (*sum > limit)
		*sum = TED_BEYOND;
	return TED_OK;
}

/* Lower bound by what the nodes of either tree cost at least. */
TedStatus
ted_rename_bound(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit,
				 const TedInterrupt *interrupt, int32_t *bound)
{
	int32_t sum;
	TedStatus status;

	*bound = TED_BEYOND;
	if (ted_size_bound(a->size, b->size, costs) > limit)
		return TED_OK;
	status = sum_of(a, b, true, costs, limit, interrupt, bound);

	if (status != TED_OK || *bound == TED_BEYOND)
		return status;
	status = sum_of(a, b, false, costs, limit, interrupt, &sum);
	*bound = ted_max(*bound, sum);
	return status;
}
