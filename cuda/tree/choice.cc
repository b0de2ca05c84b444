/*
 * choice.cc
 *	  Chooses how the pairs of a slice are computed.
 */
#include <algorithm>

extern "C"
{
#include "../../src/core/tree/bounded/bounds.h"
#include "../../src/core/tree/mirror.h"
}
#include "../common/card_tuning.h"
#include "choice.h"

/* The decomposition of a pair that has the fewest cells. */
struct Decomposition
{
	bool right;
	double rows;
	double columns;

	Decomposition(const TedTree &a, const TedTree &b)
		: right(ted_prefers_right(&a, &b)), rows((double) (right ? a.right_nodes : a.left_nodes)),
		  columns((double) (right ? b.right_nodes : b.left_nodes))
	{
	}

	double
	cells() const
	{
		return rows * columns;
	}
};

/* Returns the cost of inserting all nodes of a tree, or of deleting them. */
static int32_t
inserted_cost(const TreeSet &set, LabelCosts *labels, const TedCosts &costs, int32_t number,
			  bool deleted)
{
	const TedTree &tree = set.tree(number);

	if (ted_costs_by_label(&costs))
		return labels->sum(tree, number, deleted);
	return tree.size * (deleted ? costs.delete_ : costs.insert);
}

/*
 * Adds a pair that is computed by forest tables.  The tree with fewer entries has the rows,
 * unless the distances of all subtrees are wanted: then tree a has the rows.
 */
static void
add_tables(const TreeSet &set, LabelCosts *labels, const TedBatch &batch, int64_t number,
		   int64_t first, Choices &choices)
{
	const TedPair &pair = batch.pairs[number];
	const TedTree &a = set.tree(pair.a);
	const TedTree &b = set.tree(pair.b);
	const Decomposition decomposition(a, b);
	const int32_t view_a = 2 * pair.a + decomposition.right;
	const int32_t view_b = 2 * pair.b + decomposition.right;
	const bool kept = batch.subtrees != nullptr;
	const bool swapped = !kept && decomposition.rows > decomposition.columns;
	const Job job = {swapped ? view_b : view_a, swapped ? view_a : view_b, swapped,
					 (int32_t) (number - first),
					 inserted_cost(set, labels, batch.costs, swapped ? pair.a : pair.b, swapped)};

	choices.tables.push_back({set.view(job.a), set.view(job.b), job, kept});
	choices.wide_cells |= ted_costs_by_label(&batch.costs) && labels->device_table().wide;
	choices.wide_cells |= !ted_subtrees_int16(&a, &b, &batch.costs);
}

/*
 * Replaces strips by tables for the pairs that would still be computed when all other work is
 * done, if tables take less time: many workers can share the tables of a pair.  `others` is the
 * other work, in cells.
 */
static void
replace_long_strips(const TreeSet &set, LabelCosts *labels, const TedBatch &batch, int64_t first,
					double others, Choices &choices)
{
	std::vector<StripPair> &strips = choices.strips;
	const auto long_ones =
		std::stable_partition(strips.begin(), strips.end(),
							  [=](const StripPair &pair)
							  { return strip_latency(pair.strip) <= others + SHARED_PAIR_CELLS; });
	double longest = 0;
	double tables = SHARED_PAIR_CELLS;

	for (auto pair = long_ones; pair != strips.end(); pair++)
	{
		longest = std::max(longest, strip_latency(pair->strip));
		tables += Decomposition(set.tree(pair->job.a / 2), set.tree(pair->job.b / 2)).cells();
	}
	if (longest <= tables * ted_gpu_strip_preference)
		return;
	for (auto pair = long_ones; pair != strips.end(); pair++)
		add_tables(set, labels, batch, first + pair->job.result, first, choices);
	strips.erase(long_ones, strips.end());
}

/* Requests the views of all pairs. */
static void
want_views(TreeSet &set, const Choices &choices)
{
	for (const StripPair &pair : choices.strips)
	{
		set.want(pair.job.a, FOR_STRIPS);
		set.want(pair.job.b, FOR_STRIPS);
	}
	for (const PlannedPair &pair : choices.tables)
	{
		set.want(pair.job.a, FOR_TABLES);
		set.want(pair.job.b, FOR_TABLES);
	}
}

/* Chooses how the pairs of the slice of a batch that begins at `first` are computed. */
Choices
choose_kernels(TreeSet &set, LabelCosts *labels, const TedBatch &batch, int64_t first)
{
	Choices choices = {};
	int64_t &end = choices.end;
	double cells = 0;
	double longest = 0;

	choices.strips.reserve(std::min(batch.count - first, PAIRS_PER_SLICE));
	for (end = first; end < batch.count && end - first < PAIRS_PER_SLICE && cells < CELLS_PER_SLICE;
		 end++)
	{
		const TedPair &pair = batch.pairs[end];
		const TedTree &a = set.tree(pair.a);
		const TedTree &b = set.tree(pair.b);

		if (ted_size_bound(a.size, b.size, &batch.costs) > pair.limit)
			continue;

		const Decomposition decomposition(a, b);
		const double table_cells = decomposition.cells() + CELLS_PER_PAIR;
		const Strip strip = strip_for(a, b, decomposition.rows, batch.costs, pair.limit);
		const double cells_of_strip = strip_cells(strip);

		if (cells_of_strip < table_cells * ted_gpu_strip_preference)
		{
			const bool right = decomposition.right;

			choices.strips.push_back(
				{{2 * pair.a + right, 2 * pair.b + right, pair.limit, (int32_t) (end - first)},
				 strip});
			cells += cells_of_strip;
			longest = std::max(longest, strip_latency(strip));
		}
		else
		{
			add_tables(set, labels, batch, end, first, choices);
			cells += table_cells;
		}
	}
	/* later pairs are assumed to cost as much as these */
	choices.others = cells * (double) (batch.count - end) / (double) (end - first);
	if (longest > cells + choices.others + SHARED_PAIR_CELLS)
		replace_long_strips(set, labels, batch, first, cells + choices.others, choices);
	want_views(set, choices);
	return choices;
}
