/*
 * greedy.c
 *	  Upper bound on the tree edit distance: the cost of a mapping found greedily.
 *
 * Pairs of nodes are accepted in ascending order on either side, so that the mapping keeps
 * postorder.  The accepted pairs below a node are then the last ones accepted; so two nodes have
 * the same pairs below them if they have equally many.  First, nodes with equal labels are paired.
 * Then the nodes between these pairs are paired where their lowest paired ancestors are partners.
 */
#include "../bounded/bounds.h"
#include "../bounded/strip.h"

/* One of the two trees. */
typedef struct Side
{
	const TedTree *tree;
	int32_t *map;    /* by node: partner, or -1 */
	int32_t *before; /* by passed node: number of pairs accepted before it */
	int32_t *above;  /* by node: the lowest paired proper ancestor, or -1 */
	int32_t next;    /* the first node that has not been passed */
} Side;

/* The pair of trees, and the number of accepted pairs of nodes. */
typedef struct Greedy
{
	Side a;
	Side b;
	TedCosts costs;
	int32_t k;
	int32_t accepted;
	int64_t steps;
	const TedInterrupt *interrupt;
} Greedy;

/* Passes all nodes before `end`, which get no partner now. */
static inline void
pass(const Greedy *greedy, Side *side, int32_t end)
{
	while (side->next < end)
		side->before[side->next++] = greedy->accepted;
}

/* Returns the number of pairs accepted below a node that has not been passed. */
static inline int32_t
accepted_below(const Greedy *greedy, const Side *side, int32_t x)
{
	int32_t leaf = ted_first(side->tree, x);

	return leaf < side->next ? greedy->accepted - side->before[leaf] : 0;
}

/* Whether x and y can be mapped to each other in addition to the accepted pairs. */
static inline bool
acceptable(const Greedy *greedy, int32_t x, int32_t y)
{
	const TedTree *a = greedy->a.tree;
	const TedTree *b = greedy->b.tree;

	return accepted_below(greedy, &greedy->a, x) == accepted_below(greedy, &greedy->b, y) &&
		   ted_edits_outside(a, b, x, y) + ted_edits_inside(a, b, x, y) <= greedy->k;
}

/* Accepts a pair. */
static void
accept(Greedy *greedy, int32_t x, int32_t y)
{
	pass(greedy, &greedy->a, x + 1);
	pass(greedy, &greedy->b, y + 1);
	greedy->a.map[x] = y;
	greedy->b.map[y] = x;
	greedy->accepted++;
}

/* Pairs nodes with equal labels whose postorder numbers differ by at most k. */
static TedStatus
pair_equal(Greedy *greedy)
{
	const TedTree *a = greedy->a.tree;
	const TedTree *b = greedy->b.tree;

	for (int32_t x = 0; x < a->size; x++)
	{
		int32_t y = greedy->b.next > x - greedy->k ? greedy->b.next : x - greedy->k;
		int32_t end = b->size - x > greedy->k ? x + greedy->k + 1 : b->size;

		if (ted_interrupted(greedy->interrupt, &greedy->steps, end > y ? end - y : 1))
			return TED_CANCELLED;
		while (y < end && (a->label[x] != b->label[y] || !acceptable(greedy, x, y)))
			y++;
		if (y < end)
			accept(greedy, x, y);
	}
	return TED_OK;
}

/* Finds the lowest paired proper ancestor of every node. */
static TedStatus
find_above(Greedy *greedy, Side *side, const int32_t *parent)
{
	int32_t root = side->tree->size - 1;

	side->above[root] = -1;
	for (int32_t begin = 0, end; begin < root; begin = end)
	{
		end = ted_run_end(begin, root);
		for (int32_t x = root - 1 - begin; x >= root - end; x--)
			side->above[x] = side->map[parent[x]] >= 0 ? parent[x] : side->above[parent[x]];
		if (ted_interrupted(greedy->interrupt, &greedy->steps, end - begin))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Pairs the remaining nodes [x, end_a) and [y, end_b) between two accepted pairs. */
static TedStatus
fill_gap(Greedy *greedy, int32_t x, int32_t end_a, int32_t y, int32_t end_b)
{
	const Side *a = &greedy->a;
	const Side *b = &greedy->b;
	const TedCosts costs = greedy->costs;

	while (x < end_a && y < end_b)
	{
		int32_t above = a->above[x];

		if (ted_renaming_pays(&costs, a->tree->label[x], b->tree->label[y]) &&
			(above < 0 ? above : a->map[above]) == b->above[y] && acceptable(greedy, x, y))
			accept(greedy, x++, y++);
		else if (end_a - x > end_b - y)
			x++;
		else
			y++;
		if (ted_interrupted(greedy->interrupt, &greedy->steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Goes through the accepted pairs again, and fills the gaps between them. */
static TedStatus
pair_others(Greedy *greedy)
{
	Side *a = &greedy->a;
	Side *b = &greedy->b;
	int32_t x = 0;
	int32_t y = 0;

	greedy->accepted = a->next = b->next = 0;
	for (;;)
	{
		int32_t end = x;

		while (end < a->tree->size && a->map[end] < 0)
			end++;
		if (end == a->tree->size)
			break;
		if (ted_interrupted(greedy->interrupt, &greedy->steps, end + 1 - x) ||
			fill_gap(greedy, x, end, y, a->map[end]) != TED_OK)
			return TED_CANCELLED;
		accept(greedy, end, a->map[end]);
		x = end + 1;
		y = a->map[end] + 1;
	}
	return fill_gap(greedy, x, a->tree->size, y, b->tree->size);
}

/* Allocates the arrays of both sides. */
static void
take_greedy_arrays(TedArena *arena, int32_t size_a, int32_t size_b, Greedy *greedy)
{
	greedy->a.before = ted_arena_int32(arena, (size_t) size_a);
	greedy->a.above = ted_arena_int32(arena, (size_t) size_a);
	greedy->b.before = ted_arena_int32(arena, (size_t) size_b);
	greedy->b.above = ted_arena_int32(arena, (size_t) size_b);
}

/* Removes the partners of all nodes of a side. */
static void
unmap(const Side *side)
{
	for (int32_t x = 0; x < side->tree->size; x++)
		side->map[x] = -1;
}

/* Returns the cost of deleting or renaming the nodes `first` to end - 1 of a. */
static int32_t
cost_of_a(const Greedy *greedy, int32_t first, int32_t end)
{
	const TedTree *a = greedy->a.tree;
	const TedTree *b = greedy->b.tree;
	int32_t cost = 0;

	for (int32_t x = first; x < end; x++)
	{
		int32_t y = greedy->a.map[x];

		cost += y < 0 ? ted_delete_cost(&greedy->costs, a->label[x])
					  : ted_rename_cost(&greedy->costs, a->label[x], b->label[y]);
	}
	return cost;
}

/* Returns the cost of inserting the unmapped nodes among `first` to end - 1 of b. */
static int32_t
cost_of_b(const Greedy *greedy, int32_t first, int32_t end)
{
	const TedTree *b = greedy->b.tree;
	int32_t cost = 0;

	for (int32_t y = first; y < end; y++)
		if (greedy->b.map[y] < 0)
			cost += ted_insert_cost(&greedy->costs, b->label[y]);
	return cost;
}

/* Computes the cost of the mapping. */
static TedStatus
mapping_cost(Greedy *greedy, int32_t *cost)
{
	int32_t size_a = greedy->a.tree->size;
	int32_t size_b = greedy->b.tree->size;

	*cost = 0;
	for (int32_t begin = 0, end; begin < size_a; begin = end)
	{
		end = ted_run_end(begin, size_a);
		*cost += cost_of_a(greedy, begin, end);
		if (ted_interrupted(greedy->interrupt, &greedy->steps, end - begin))
			return TED_CANCELLED;
	}
	for (int32_t begin = 0, end; begin < size_b; begin = end)
	{
		end = ted_run_end(begin, size_b);
		*cost += cost_of_b(greedy, begin, end);
		if (ted_interrupted(greedy->interrupt, &greedy->steps, end - begin))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Bytes that ted_greedy_mapping() takes. */
size_t
ted_greedy_mapping_memory(int32_t size_a, int32_t size_b)
{
	TedArena counted = {0};
	Greedy greedy;

	take_greedy_arrays(&counted, size_a, size_b, &greedy);
	return counted.used;
}

/* Computes a greedy mapping, and its cost as an upper bound. */
TedStatus
ted_greedy_mapping(const TedBoundsIndex *a, const TedBoundsIndex *b, const TedCosts *costs,
				   int32_t k, TedArena *arena, const TedInterrupt *interrupt, int32_t *map_a,
				   int32_t *map_b, int32_t *bound)
{
	size_t used = arena->used;
	Greedy greedy = {.a = {.tree = a->tree, .map = map_a},
					 .b = {.tree = b->tree, .map = map_b},
					 .costs = *costs,
					 .k = k,
					 .interrupt = interrupt};
	TedStatus status;

	take_greedy_arrays(arena, a->size, b->size, &greedy);
	if (ted_arena_exceeded(arena))
	{
		arena->used = used;
		return TED_OUT_OF_ARENA;
	}
	unmap(&greedy.a);
	unmap(&greedy.b);
	status = pair_equal(&greedy);
	if (status == TED_OK)
		status = find_above(&greedy, &greedy.a, a->parent);
	if (status == TED_OK)
		status = find_above(&greedy, &greedy.b, b->parent);
	if (status == TED_OK)
		status = pair_others(&greedy);
	if (status == TED_OK)
		status = mapping_cost(&greedy, bound);
	arena->used = used;
	return status;
}

/* Computes the least upper bound by greedy mappings within strips that get wider. */
TedStatus
ted_upper_bound(const TedBoundsIndex *a, const TedBoundsIndex *b, const TedCosts *costs,
				int32_t widest, TedArena *arena, const TedInterrupt *interrupt, int32_t *map_a,
				int32_t *map_b, int32_t *bound)
{
	int32_t k = ted_min(abs(a->size - b->size), widest);

	for (*bound = TED_BEYOND;; k = ted_min(2 * k + 1, widest))
	{
		int32_t cost;
		TedStatus status =
			ted_greedy_mapping(a, b, costs, k, arena, interrupt, map_a, map_b, &cost);

		if (status != TED_OK)
			return status;
		*bound = ted_min(*bound, cost);
		if (k == widest || ted_strip_width(costs, *bound) <= k)
			return TED_OK;
	}
}
