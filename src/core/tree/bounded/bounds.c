/*
 * bounds.c
 *	  Lower bounds on the tree edit distance, and the index that bounds share.
 *
 * An operation on a tree is the same operation on the multiset of its labels, and on their
 * sequences in postorder and in preorder; so the edit distances of these are lower bounds.  For
 * sequences, the edit distance is computed along diagonals, by how far each one gets with a number
 * of operations (Ukkonen, Information and Control 64, 1985): runs of equal labels take hardly any
 * time, and diagonals that cannot reach the end within the limit are skipped.
 *
 * A deletion removes two symbols from the first Euler string, an insertion two from the second one,
 * and a rename two from each; the other symbols are a common subsequence.
 */
#include "bounds.h"

#include <math.h>
#include <stdlib.h>

#include "../../common/processor_tuning.h"
#include "../../common/sort.h"
#include "../../string/lcs.h"

/* Bytes that ted_bounds_index() takes. */
size_t
ted_bounds_index_memory(int32_t size)
{
	return 2 * ted_arena_bytes(sizeof(int32_t) * (size_t) size);
}

/* Indexes a tree in arrays of the caller. */
TedStatus
ted_bounds_index_in(const TedTree *tree, int32_t *preorder, int32_t *parent,
					const TedInterrupt *interrupt, TedBoundsIndex *index)
{
	int64_t steps = 0;

	for (int32_t begin = 0, end; begin < tree->size; begin = end)
	{
		end = ted_run_end(begin, tree->size);
		for (int32_t x = begin; x < end; x++)
			preorder[ted_first(tree, x) + tree->depth[x]] = tree->label[x];
		if (ted_interrupted(interrupt, &steps, end - begin))
			return TED_CANCELLED;
	}
	*index =
		(TedBoundsIndex){.tree = tree, .size = tree->size, .preorder = preorder, .parent = parent};
	return ted_tree_parents(tree, parent, interrupt);
}

/* Indexes a tree. */
TedStatus
ted_bounds_index(const TedTree *tree, TedArena *arena, const TedInterrupt *interrupt,
				 TedBoundsIndex *index)
{
	int32_t *preorder = ted_arena_int32(arena, (size_t) tree->size);
	int32_t *parent = ted_arena_int32(arena, (size_t) tree->size);

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	return ted_bounds_index_in(tree, preorder, parent, interrupt, index);
}

/* Arrays for sorting the nodes of two trees, two for each tree. */
typedef struct Nodes
{
	int32_t *nodes[2];
	int32_t *other[2];
} Nodes;

/* Allocates these arrays. */
static Nodes
take_bounds_nodes(TedArena *arena, int32_t size_a, int32_t size_b)
{
	return (Nodes){
		.nodes = {ted_arena_int32(arena, (size_t) size_a), ted_arena_int32(arena, (size_t) size_b)},
		.other = {ted_arena_int32(arena, (size_t) size_a),
				  ted_arena_int32(arena, (size_t) size_b)}};
}

/* Bytes that ted_label_bound() takes. */
size_t
ted_label_bound_memory(int32_t size_a, int32_t size_b)
{
	TedArena counted = {0};

	take_bounds_nodes(&counted, size_a, size_b);
	return counted.used;
}

/*
 * Subtracts from `left` the cost of the labels of the larger tree that the smaller one lacks,
 * `change` for each, and stops when it is negative.  `x` and `y` are the nodes of both trees in the
 * order of their labels.
 */
static TedStatus
spend_on_labels(const TedTree *larger, const int32_t *x, const TedTree *smaller, const int32_t *y,
				int64_t change, int64_t left, const TedInterrupt *interrupt, int64_t *rest)
{
	int64_t steps = 0;
	int32_t i = 0;
	int32_t j = 0;

	while (i < larger->size && j < smaller->size && left >= 0)
	{
		int32_t label = larger->label[x[i]];
		int32_t other = smaller->label[y[j]];

		left -= label < other ? change : 0;
		i += label <= other;
		j += label >= other;
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	*rest = left - (larger->size - i) * change;
	return TED_OK;
}

/* Computes the lower bound by the labels that the trees share. */
TedStatus
ted_label_bound(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit,
				TedArena *arena, const TedInterrupt *interrupt, int32_t *bound)
{
	const TedTree *larger = a->size >= b->size ? a : b;
	const TedTree *smaller = larger == a ? b : a;
	TedUniformCosts least = ted_least_costs(costs);
	int64_t change = ted_min(least.rename, least.insert + least.delete_);
	int64_t left = limit - (int64_t) ted_size_bound(a->size, b->size, costs);
	size_t used = arena->used;
	Nodes nodes = take_bounds_nodes(arena, larger->size, smaller->size);
	const int32_t *x;
	const int32_t *y;

	arena->used = used;
	*bound = TED_BEYOND;
	if (left < 0)
		return TED_OK;
	if (nodes.other[1] == NULL)
		return TED_OUT_OF_ARENA;
	x = ted_sort_nodes(larger->label, larger->size, nodes.nodes[0], nodes.other[0], interrupt);
	y = ted_sort_nodes(smaller->label, smaller->size, nodes.nodes[1], nodes.other[1], interrupt);
	if (x == NULL || y == NULL)
		return TED_CANCELLED;
	left += (larger->size - smaller->size) * change;
	if (spend_on_labels(larger, x, smaller, y, change, left, interrupt, &left) != TED_OK)
		return TED_CANCELLED;
	if (left >= 0)
		*bound = (int32_t) (limit - left);
	return TED_OK;
}

/* Two sequences of labels. */
typedef struct Sequences
{
	const int32_t *a;
	const int32_t *b;
	int32_t size_a;
	int32_t size_b;
} Sequences;

/*
 * Computes the string edit distance of two sequences, or a number above `most` where it is greater.
 * reach[d], for diagonals d from -most - 1 to most + 1, is scratch: the labels of a that can be
 * consumed along with d more labels of b.
 */
static TedStatus
sequence_distance(const Sequences *s, int32_t most, int32_t *reach, const TedInterrupt *interrupt,
				  int64_t *steps, int32_t *operations)
{
	int32_t last = s->size_b - s->size_a; /* the diagonal where both sequences end */
	int32_t done;

	for (int32_t begin = -most - 1, end; begin < most + 2; begin = end)
	{
		end = ted_run_end(begin, most + 2);
		for (int32_t d = begin; d < end; d++)
			reach[d] = -2; /* not reached, even after an operation */
		if (ted_interrupted(interrupt, steps, end - begin))
			return TED_CANCELLED;
	}
	reach[0] = -1; /* one less than the start, as each operation adds one */

	for (done = 0; done <= most; done++)
	{
		int32_t low = ted_max(-done, last - (most - done));
		int32_t high = ted_min(done, last + (most - done));
		int32_t left = reach[low - 1]; /* the label of a that was reached on the diagonal before */

		for (int32_t d = low; d <= high; d++)
		{
			const int32_t *b = s->b + d;
			int32_t end = ted_min(s->size_a, s->size_b - d);
			int32_t i = ted_max(ted_max(left, reach[d] + 1), reach[d + 1] + 1);

			left = reach[d];
			for (i = ted_min(i, end); i < end && s->a[i] == b[i]; i++)
				;
			reach[d] = i;
		}
		if (last >= low && last <= high && reach[last] == s->size_a)
			break;
		if (ted_interrupted(interrupt, steps, s->size_a + high - low))
			return TED_CANCELLED;
	}
	*operations = done;
	return TED_OK;
}

/* Returns the least cost of operations other than those for the difference of the sizes. */
static int32_t
change_cost(const TedCosts *costs, int32_t operations)
{
	TedUniformCosts least = ted_least_costs(costs);
	int32_t both = least.insert + least.delete_;

	if (2 * (int64_t) least.rename <= both)
		return operations * least.rename;
	return operations / 2 * both + operations % 2 * ted_min(least.rename, both);
}

/*
 * Returns the number of operations, other than those for the difference of the sizes, that a budget
 * allows, limited to `most`.
 */
static int32_t
changes_within(const TedCosts *costs, int32_t budget, int32_t most)
{
	TedUniformCosts least = ted_least_costs(costs);
	int64_t both = (int64_t) least.insert + least.delete_;
	int64_t changes = most;

	if (2 * (int64_t) least.rename <= both)
	{
		if (least.rename > 0)
			changes = budget / least.rename;
	}
	else if (both > 0)
		changes = 2 * (budget / both) + (budget % both >= least.rename);
	return changes < most ? (int32_t) changes : most;
}

/*
 * Returns the operations on traversals that a limit allows, those for the difference of sizes
 * included.
 */
static int32_t
operations_within(int32_t size_a, int32_t size_b, const TedCosts *costs, int32_t limit)
{
	int32_t least = ted_size_bound(size_a, size_b, costs);
	int32_t difference = ted_max(size_a, size_b) - ted_min(size_a, size_b);

	return difference + changes_within(costs, limit - least, ted_min(size_a, size_b));
}

/* Allocates the diagonals for this number of operations, and returns the middle one. */
static int32_t *
take_diagonals(TedArena *arena, int32_t operations)
{
	int32_t *reach = ted_arena_int32(arena, 2 * (size_t) operations + 3);

	return reach == NULL ? NULL : reach + operations + 1;
}

/*
 * Returns a limit up to which the traversal bound takes about `seconds`, TED_MAX_DISTANCE where it
 * takes no longer for any limit, or -1 where renaming is free, so that sizes alone count.
 */
int32_t
ted_traversal_limit(int32_t size_a, int32_t size_b, const TedCosts *costs, double seconds)
{
	int32_t rename = ted_least_costs(costs).rename;
	double difference = abs(size_a - size_b);
	/* the steps are this number of operations squared, less the difference squared */
	double operations = sqrt(difference * difference + seconds / (TED_DIAGONAL_STEP_TIME * 1e-9));
	double limit = ted_size_bound(size_a, size_b, costs) +
				   (operations - difference) * ted_min(ted_least_indel_cost(costs), rename);

	if (rename == 0)
		return -1;
	return operations < ted_max(size_a, size_b) ? (int32_t) fmin(limit, TED_MAX_DISTANCE)
												: TED_MAX_DISTANCE;
}

/* Bytes that ted_traversal_bound() takes. */
size_t
ted_traversal_bound_memory(int32_t size_a, int32_t size_b, const TedCosts *costs, int32_t limit)
{
	TedArena counted = {0};

	if (ted_size_bound(size_a, size_b, costs) <= limit)
		take_diagonals(&counted, operations_within(size_a, size_b, costs, limit));
	return counted.used;
}

/* Computes the lower bound by the string edit distances of the postorder and preorder labels. */
TedStatus
ted_traversal_bound(const TedBoundsIndex *a, const TedBoundsIndex *b, const TedCosts *costs,
					int32_t limit, TedArena *arena, const TedInterrupt *interrupt, int32_t *bound)
{
	int32_t size_a = a->size;
	int32_t size_b = b->size;
	int32_t least = ted_size_bound(size_a, size_b, costs);
	Sequences traversals[] = {{a->tree->label, b->tree->label, size_a, size_b},
							  {a->preorder, b->preorder, size_a, size_b}};
	size_t used = arena->used;
	int64_t steps = 0;
	int32_t needed = abs(size_a - size_b);
	int32_t most;
	int32_t *reach;

	*bound = TED_BEYOND;
	if (least > limit)
		return TED_OK;
	most = operations_within(size_a, size_b, costs, limit);
	reach = take_diagonals(arena, most);
	arena->used = used;
	if (reach == NULL)
		return TED_OUT_OF_ARENA;

	for (int i = 0; i < 2; i++)
	{
		int32_t operations;
		TedStatus status =
			sequence_distance(&traversals[i], most, reach, interrupt, &steps, &operations);

		if (status != TED_OK || operations > most)
			return status;
		needed = ted_max(needed, operations);
	}
	*bound = least + change_cost(costs, needed - abs(size_a - size_b));
	return TED_OK;
}

/* Writes the Euler string of a tree. */
TedStatus
ted_euler_string(const TedTree *tree, const TedInterrupt *interrupt, int32_t *string)
{
	int64_t steps = 0;

	for (int32_t x = 0; x < tree->size; x++)
	{
		string[ted_begin_place(tree, x)] = ted_begin_symbol(tree->label[x]);
		string[ted_end_place(tree, x)] = ted_end_symbol(tree->label[x]);
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Bytes that ted_euler_within() takes. */
size_t
ted_euler_within_memory(int32_t size_a, int32_t size_b)
{
	return ted_arena_bytes(sizeof(int32_t) * 2 * (size_t) size_a) +
		   ted_arena_bytes(sizeof(int32_t) * 2 * (size_t) size_b) +
		   lcs_pattern_memory_below(2 * size_a, UINT64_MAX) +
		   lcs_length_memory(2 * size_a, 2 * size_b);
}

/* Returns the most symbols of both Euler strings outside a common subsequence within the limit. */
static double
most_alone(const TedCosts *costs, int32_t limit)
{
	double rename = ted_least_costs(costs).rename;
	double each = fmin(ted_least_indel_cost(costs) / 2.0, rename / 4);

	return each > 0 ? limit / each : INFINITY;
}

/* Whether the Euler strings have a common subsequence that is long enough for the limit. */
TedStatus
ted_euler_within(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit,
				 TedArena *arena, const TedInterrupt *interrupt, bool *within)
{
	size_t used = arena->used;
	int32_t *string_a = ted_arena_int32(arena, 2 * (size_t) a->size);
	int32_t *string_b = ted_arena_int32(arena, 2 * (size_t) b->size);
	double least = ceil((double) a->size + b->size - most_alone(costs, limit) / 2);
	const LcsPattern *pattern;
	int32_t length = 0;
	TedStatus status = TED_OK;

	if (ted_arena_exceeded(arena))
		status = TED_OUT_OF_ARENA;
	else if (least > 0)
	{
		status = ted_euler_string(a, interrupt, string_a);
		if (status == TED_OK)
			status = ted_euler_string(b, interrupt, string_b);
		if (status == TED_OK)
			status = lcs_prepare((uint32_t *) string_a, 2 * a->size, arena, interrupt, &pattern);
		if (status == TED_OK)
			status = lcs_length_at_least(pattern, (uint32_t *) string_b, 2 * b->size,
										 (int32_t) least, arena, interrupt, &length);
	}
	*within = length != LCS_BELOW;
	arena->used = used;
	return status;
}
