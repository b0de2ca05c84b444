/*
 * choice.cc
 *	  How each pair of a batch is computed.
 */
#include <cmath>

extern "C"
{
#include "../src/core/bounds.h"
#include "../src/core/zhang_shasha.h"
}
#include "choice.h"

/* Cells of the tables of a pair. */
static float
table_cells(const TedTree &a, const TedTree &b, bool right)
{
	return right ? (float) a.right_nodes * (float) b.right_nodes
				 : (float) a.left_nodes * (float) b.left_nodes;
}

/* Chooses for a pair as if there were others enough. */
static Choice
choose(const TreeSet &set, const TedCosts &costs, const TedPair &pair)
{
	const TedTree &a = set.tree(pair.a);
	const TedTree &b = set.tree(pair.b);
	const bool right = ted_prefers_right(&a, &b);
	const float cells = table_cells(a, b, right);
	Choice choice = {2 * pair.a + right, 2 * pair.b + right, 0, {}, BY_NOBODY, right};

	if (ted_size_bound(a.size, b.size, &costs) > pair.limit)
		return choice;
	if (strip_for(a, b, right, costs, pair.limit, &choice.strip))
	{
		choice.way = BY_STRIP;
		choice.cells = (float) strip_cells(choice.strip);
		if (choice.cells < cells * ted_gpu_strip_preference)
			return choice;
	}
	choice.way = BY_TABLES;
	choice.cells = cells;
	return choice;
}

/* Chooses for all pairs. */
double
choose_ways(TreeSet &set, const TedBatch &batch, std::vector<Choice> &choices)
{
	double cells = 0;
	double changed = 0;

	choices.clear();
	for (int64_t i = 0; i < batch.count; i++)
	{
		choices.push_back(choose(set, batch.costs, batch.pairs[i]));
		cells += choices.back().cells;
	}
	for (Choice &choice : choices)
	{
		if (choice.way == BY_STRIP && strip_outlasts(choice.strip, cells) &&
			ted_gpu_strip_preference < INFINITY)
		{
			choice.way = BY_TABLES;
			changed -= choice.cells;
			choice.cells =
				table_cells(set.tree(choice.a / 2), set.tree(choice.b / 2), choice.right);
			changed += choice.cells;
		}
		if (choice.way != BY_NOBODY)
		{
			const Purpose purpose = choice.way == BY_STRIP ? FOR_STRIPS : FOR_TABLES;

			set.want(choice.a, purpose);
			set.want(choice.b, purpose);
		}
	}
	return cells + changed;
}

/* The job of a pair that is computed by tables. */
Job
job_of(const TreeSet &set, const Choice &choice)
{
	const TedTree &a = set.tree(choice.a / 2);
	const TedTree &b = set.tree(choice.b / 2);
	const bool swapped = choice.right ? a.right_nodes > b.right_nodes : a.left_nodes > b.left_nodes;

	return {swapped ? choice.b : choice.a, swapped ? choice.a : choice.b, swapped, 0};
}
