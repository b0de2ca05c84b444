/*
 * approximate.c
 *	  An edit mapping of two trees that are too large for an optimal one.
 *
 * Symbols of the Euler strings that belong to mapped nodes divide both strings into the same number
 * of gaps.  The mapping stays valid if nodes within two gaps of the same number are mapped, or
 * nodes that begin in gaps of the same number and end in gaps of the same number.
 */
#include <string.h>

#include "../../common/processor_tuning.h"
#include "../../string/lcs.h"
#include "approximate.h"
#include "../bounded/bounds.h"
#include "../mirror.h"

/* Parts that are mapped optimally have fewer nodes than this. */
#define LOCAL_NODES 20000

/*
 * Memory for mapping two parts optimally, in bytes: the most, and for each pair of nodes and each
 * node; parts that take more are not mapped again.
 */
#define LOCAL_BYTES ((size_t) 48 << 20)
#define LOCAL_PAIR_BYTES ((size_t) 128)
#define LOCAL_NODE_BYTES ((size_t) 4096)

/* A part of a tree, as a tree of its own. */
typedef struct Part
{
	TedTree tree;
	TedTreeArrays to;
	int32_t *node; /* by node of the part: node of the whole tree, or -1 */
	int32_t *map;
} Part;

/* One of the two trees. */
typedef struct Side
{
	const TedTree *tree;
	int32_t *map;
	uint32_t *symbol;  /* the Euler string */
	int32_t *event;    /* by symbol: its node */
	int32_t *begin;    /* by node: its first symbol */
	int32_t *position; /* positions of the common symbols; later, by symbol: the number of its
						* gap */
	int32_t *cost;     /* by node: cost of all nodes before it */
	Part part;
} Side;

/* The pair of trees. */
typedef struct Approximation
{
	Side a;
	Side b;
	TedCosts costs;
	TedArena *arena;
	const TedInterrupt *interrupt;
	int64_t steps;
} Approximation;

/* Returns the position of the symbol that ends a node. */
static inline int32_t
end_of(const Side *side, int32_t x)
{
	return side->begin[x] + 2 * side->tree->subtree_size[x] - 1;
}

/* Allocates the arrays of a side. */
static void
take_side(TedArena *arena, int32_t size, Side *side)
{
	size_t nodes = (size_t) size;
	int32_t local = ted_min(size, LOCAL_NODES) + 1;

	side->symbol = (uint32_t *) ted_arena_int32(arena, 2 * nodes);
	side->event = ted_arena_int32(arena, 2 * nodes);
	side->begin = ted_arena_int32(arena, nodes);
	side->position = ted_arena_int32(arena, 2 * nodes);
	side->cost = ted_arena_int32(arena, nodes + 1);
	side->part.to = ted_take_tree_arrays(arena, local);
	side->part.node = ted_arena_int32(arena, (size_t) local);
	side->part.map = ted_arena_int32(arena, (size_t) local);
}

/* Returns the bytes for mapping parts of trees of these sizes. */
static size_t
local_bytes(int32_t size_a, int32_t size_b)
{
	size_t a = (size_t) ted_min(size_a, LOCAL_NODES) + 1; /* with an added root */
	size_t b = (size_t) ted_min(size_b, LOCAL_NODES) + 1;
	size_t bytes = LOCAL_PAIR_BYTES * a * b + LOCAL_NODE_BYTES * (a + b);

	return bytes < LOCAL_BYTES ? bytes : LOCAL_BYTES;
}

/* Bytes that ted_approximate_mapping() takes. */
size_t
ted_approximate_mapping_memory(int32_t size_a, int32_t size_b)
{
	TedArena counted = {0};
	Side side;
	size_t local = local_bytes(size_a, size_b);
	size_t common = ted_arena_bytes(lcs_pattern_memory_below(2 * size_a, UINT64_MAX)) +
					lcs_positions_memory(2 * size_a, 2 * size_b);

	take_side(&counted, size_a, &side);
	take_side(&counted, size_b, &side);
	return counted.used + (common > local ? common : local);
}

/* Writes the Euler string of a tree. */
static TedStatus
write_euler(Approximation *approximation, Side *side)
{
	const TedTree *tree = side->tree;

	for (int32_t x = 0; x < tree->size; x++)
	{
		int32_t begin = ted_begin_place(tree, x);
		int32_t end = ted_end_place(tree, x);

		side->begin[x] = begin;
		side->symbol[begin] = (uint32_t) ted_begin_symbol(tree->label[x]);
		side->symbol[end] = (uint32_t) ted_end_symbol(tree->label[x]);
		side->event[begin] = side->event[end] = x;
		side->map[x] = -1;
		if (ted_interrupted(approximation->interrupt, &approximation->steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Maps two nodes to each other. */
static inline void
map_nodes(Approximation *approximation, int32_t x, int32_t y)
{
	approximation->a.map[x] = y;
	approximation->b.map[y] = x;
}

/* Maps nodes of which both symbols are in the longest common subsequence. */
static TedStatus
map_common(Approximation *approximation)
{
	Side *a = &approximation->a;
	Side *b = &approximation->b;
	int32_t m = 2 * a->tree->size;
	size_t used = approximation->arena->used;
	const LcsPattern *pattern;
	int32_t length;
	TedStatus status =
		lcs_prepare(a->symbol, m, approximation->arena, approximation->interrupt, &pattern);

	if (status == TED_OK)
		status = lcs_positions(pattern, b->symbol, 2 * b->tree->size, approximation->arena,
							   approximation->interrupt, a->position, b->position, &length);
	approximation->arena->used = used;
	if (status != TED_OK)
		return status;
	/* a partner is recorded where the node begins, and confirmed or removed where it ends */
	for (int32_t i = 0; i < length; i++)
	{
		int32_t x = a->event[a->position[i]];
		int32_t y = b->event[b->position[i]];

		if (a->position[i] == a->begin[x])
			a->map[x] = y;
		else if (a->map[x] == y && b->position[i] != b->begin[y])
			b->map[y] = x;
		if (ted_interrupted(approximation->interrupt, &approximation->steps, 1))
			return TED_CANCELLED;
	}
	for (int32_t x = 0; x < a->tree->size; x++)
	{
		if (a->map[x] >= 0 && b->map[a->map[x]] != x)
			a->map[x] = -1;
		if (ted_interrupted(approximation->interrupt, &approximation->steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/*
 * Numbers the gaps between symbols of mapped nodes; such a symbol has the number of the gap after
 * it.
 */
static TedStatus
number_gaps(Approximation *approximation, Side *side)
{
	int32_t gap = 0;

	for (int32_t i = 0; i < 2 * side->tree->size; i++)
	{
		gap += side->map[side->event[i]] >= 0;
		side->position[i] = gap;
		if (ted_interrupted(approximation->interrupt, &approximation->steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Numbers the gaps of both sides. */
static TedStatus
number_all_gaps(Approximation *approximation)
{
	TedStatus status = number_gaps(approximation, &approximation->a);

	return status == TED_OK ? number_gaps(approximation, &approximation->b) : status;
}

/* Whether a symbol begins an unmapped node that ends in another gap. */
static bool
is_spanning(const Side *side, int32_t i)
{
	int32_t x = side->event[i];

	return side->map[x] < 0 && side->begin[x] == i &&
		   side->position[i] != side->position[end_of(side, x)];
}

/*
 * Maps nodes that begin in the same gap and end in the same other gap.  The nodes that begin in one
 * gap and do not end there contain each other, so they are also ordered by the gaps of their ends.
 */
static TedStatus
map_spanning(Approximation *approximation)
{
	const Side *a = &approximation->a;
	const Side *b = &approximation->b;
	TedStatus status = number_all_gaps(approximation);
	int32_t i = 0;
	int32_t j = 0;

	while (status == TED_OK && i < 2 * a->tree->size && j < 2 * b->tree->size)
	{
		int32_t x = a->event[i];
		int32_t y = b->event[j];
		int32_t order;

		if (ted_interrupted(approximation->interrupt, &approximation->steps, 1))
			return TED_CANCELLED;
		if (!is_spanning(a, i) || !is_spanning(b, j))
		{
			i += !is_spanning(a, i);
			j += !is_spanning(b, j);
			continue;
		}
		order = a->position[i] - b->position[j];
		if (order == 0)
			order = b->position[end_of(b, y)] - a->position[end_of(a, x)];
		if (order == 0 &&
			ted_renaming_pays(&approximation->costs, a->tree->label[x], b->tree->label[y]))
			map_nodes(approximation, x, y);
		i += order <= 0;
		j += order >= 0;
	}
	return status;
}

/*
 * Computes the prefix sums of the costs of a side: of deleting or renaming nodes of a, or inserting
 * nodes of b.
 */
static TedStatus
sum_costs(Approximation *approximation, const Side *side)
{
	const TedCosts *costs = &approximation->costs;

	side->cost[0] = 0;
	for (int32_t x = 0; x < side->tree->size; x++)
	{
		int32_t label = side->tree->label[x];
		int32_t cost = 0;

		if (side == &approximation->b)
			cost = side->map[x] < 0 ? ted_insert_cost(costs, label) : 0;
		else if (side->map[x] < 0)
			cost = ted_delete_cost(costs, label);
		else
			cost = ted_rename_cost(costs, label, approximation->b.tree->label[side->map[x]]);
		side->cost[x + 1] = side->cost[x] + cost;
		if (ted_interrupted(approximation->interrupt, &approximation->steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Computes the prefix sums of the costs of both sides. */
static TedStatus
sum_all_costs(Approximation *approximation)
{
	TedStatus status = sum_costs(approximation, &approximation->a);

	return status == TED_OK ? sum_costs(approximation, &approximation->b) : status;
}

/* Starts an empty part. */
static void
empty_part(Part *part)
{
	part->tree = (TedTree){0};
	ted_set_tree_arrays(&part->tree, &part->to);
}

/* Adds a subtree to a part. */
static void
add_subtree(const Side *side, Part *part, int32_t root)
{
	for (int32_t x = ted_first(side->tree, root); x <= root; x++)
	{
		part->to.label[part->tree.size] = side->tree->label[x];
		part->to.subtree_size[part->tree.size] = side->tree->subtree_size[x];
		part->node[part->tree.size++] = x;
	}
}

/* Maps two parts optimally if that costs at most `limit` and there is enough memory. */
static TedStatus
map_parts(Approximation *approximation, int32_t limit)
{
	Part *a = &approximation->a.part;
	Part *b = &approximation->b.part;
	TedArena *arena = approximation->arena;
	TedPairPlan plan;
	int32_t cost;
	TedStatus status;

	status = ted_tree_index(&a->tree, a->to.depth, a->to.key_root, approximation->interrupt);
	if (status == TED_OK)
		status = ted_tree_index(&b->tree, b->to.depth, b->to.key_root, approximation->interrupt);
	if (status != TED_OK)
		return status;
	plan = ted_plan_mapping(&a->tree, &b->tree, &approximation->costs, limit);
	if (plan.bytes > arena->size - arena->used)
		return TED_OK;
	status = ted_pair_mapping(&plan, NULL, arena, approximation->interrupt, a->map, b->map, &cost);
	if (status != TED_OK || cost == TED_BEYOND)
		return status;
	for (int32_t x = 0; x < a->tree.size; x++)
		if (a->node[x] >= 0)
			approximation->a.map[a->node[x]] = a->map[x] < 0 ? -1 : b->node[a->map[x]];
	for (int32_t y = 0; y < b->tree.size; y++)
		if (b->node[y] >= 0)
			approximation->b.map[b->node[y]] = b->map[y] < 0 ? -1 : a->node[b->map[y]];
	return TED_OK;
}

/* Whether parts of these sizes are small enough to be mapped optimally. */
static bool
are_local(int64_t size_a, int64_t size_b)
{
	return size_a < LOCAL_NODES && size_b < LOCAL_NODES &&
		   (double) (size_a * size_b) <= ted_tuning.local_pairs;
}

/* Maps small subtrees again whose roots are mapped to each other, each as large as possible. */
static TedStatus
improve_subtrees(Approximation *approximation)
{
	const Side *a = &approximation->a;
	const Side *b = &approximation->b;
	TedStatus status = sum_all_costs(approximation);

	for (int32_t i = 0; i < 2 * a->tree->size && status == TED_OK; i++)
	{
		int32_t x = a->event[i];
		int32_t y = a->map[x];
		int32_t size_a = a->tree->subtree_size[x];
		int32_t size_b = y < 0 ? 0 : b->tree->subtree_size[y];
		int32_t cost;

		if (ted_interrupted(approximation->interrupt, &approximation->steps, 1))
			return TED_CANCELLED;
		if (i != a->begin[x] || y < 0 || !are_local(size_a, size_b))
			continue;
		i = end_of(a, x);
		cost = a->cost[x + 1] - a->cost[x + 1 - size_a] + b->cost[y + 1] - b->cost[y + 1 - size_b];
		if (cost == 0)
			continue;
		empty_part(&approximation->a.part);
		empty_part(&approximation->b.part);
		add_subtree(a, &approximation->a.part, x);
		add_subtree(b, &approximation->b.part, y);
		status = map_parts(approximation, cost - 1);
	}
	return status;
}

/*
 * Makes a part of the unmapped subtrees that lie in one gap, below an added root.  `i` is the first
 * symbol of the gap, and is moved to that of the next gap.  Writes the sum of their sizes; the part
 * is incomplete if that is LOCAL_NODES or more.
 */
static TedStatus
take_gap(Approximation *approximation, const Side *side, Part *part, int32_t *i, int64_t *nodes)
{
	int32_t gap = side->position[*i];

	*nodes = 0;
	empty_part(part);
	while (*i < 2 * side->tree->size && side->position[*i] == gap)
	{
		int32_t x = side->event[*i];
		int32_t size = side->tree->subtree_size[x];

		if (ted_interrupted(approximation->interrupt, &approximation->steps, 1))
			return TED_CANCELLED;
		if (side->map[x] >= 0 || side->begin[x] != *i || side->position[end_of(side, x)] != gap)
		{
			++*i;
			continue;
		}
		*i = end_of(side, x) + 1;
		*nodes += size;
		if (*nodes < LOCAL_NODES)
			add_subtree(side, part, x);
	}
	part->to.label[part->tree.size] = TED_ROOT_LABEL;
	part->to.subtree_size[part->tree.size] = part->tree.size + 1;
	part->node[part->tree.size++] = -1;
	return TED_OK;
}

/* Maps the unmapped subtrees in small gaps. */
static TedStatus
improve_gaps(Approximation *approximation)
{
	const Side *a = &approximation->a;
	const Side *b = &approximation->b;
	int32_t i = 0;
	int32_t j = 0;
	TedStatus status = number_all_gaps(approximation);

	while (i < 2 * a->tree->size && j < 2 * b->tree->size && status == TED_OK)
	{
		int32_t gap = a->position[i] - b->position[j];
		int64_t nodes_a = 0;
		int64_t nodes_b = 0;

		if (gap <= 0)
			status = take_gap(approximation, a, &approximation->a.part, &i, &nodes_a);
		if (gap >= 0 && status == TED_OK)
			status = take_gap(approximation, b, &approximation->b.part, &j, &nodes_b);
		if (status == TED_OK && nodes_a > 0 && nodes_b > 0 && are_local(nodes_a, nodes_b))
			status = map_parts(approximation, TED_MAX_DISTANCE);
	}
	return status;
}

/* Computes an approximate mapping. */
TedStatus
ted_approximate_mapping(const TedTree *a, const TedTree *b, const TedCosts *costs, TedArena *arena,
						const TedInterrupt *interrupt, int32_t *map_a, int32_t *map_b,
						int32_t *cost)
{
	size_t used = arena->used;
	Approximation approximation = {.a = {.tree = a, .map = map_a},
								   .b = {.tree = b, .map = map_b},
								   .costs = *costs,
								   .arena = arena,
								   .interrupt = interrupt};
	TedStatus status;

	take_side(arena, a->size, &approximation.a);
	take_side(arena, b->size, &approximation.b);
	status = ted_arena_exceeded(arena) ? TED_OUT_OF_ARENA
									   : write_euler(&approximation, &approximation.a);
	if (status == TED_OK)
		status = write_euler(&approximation, &approximation.b);
	if (status == TED_OK)
		status = map_common(&approximation);
	if (status == TED_OK)
		status = map_spanning(&approximation);
	if (status == TED_OK)
		status = improve_subtrees(&approximation);
	if (status == TED_OK)
		status = improve_gaps(&approximation);
	if (status == TED_OK)
		status = sum_all_costs(&approximation);
	if (status == TED_OK)
		*cost = approximation.a.cost[a->size] + approximation.b.cost[b->size];
	arena->used = used;
	return status;
}
