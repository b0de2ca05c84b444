/*
 * heavy_strip.c
 *	  Tree edit distance up to a limit along heavy paths.
 *
 * Every subtree of a in whose root a heavy path begins is rebuilt along that path, starting from
 * its leaf: a node of the path, the subtrees that hang off it on one side, then those on the other
 * side, and so on (Demaine et al., ACM Trans. Algorithms 6(1), 2009).  Each forest F on the way is
 * compared with forests G of b.  Nodes after the path are added in postorder; nodes before it are
 * added in postorder of the mirrored tree.
 *
 * Wherever a mapping within the limit divides both trees into F and G and the rest, the nodes that
 * come before those of F in preorder are mapped to those before G, and those after F in postorder
 * to those after G.  Either pair of numbers differs by the deletions less the insertions among
 * these nodes.  The limit bounds deletions and insertions, and their difference is that of the
 * sizes, which leaves at most k + 1 preorder numbers for the first node of G and k + 1 postorder
 * numbers for the last one (Akmal and Jin, ICALP 2021: O(n k^2 log n)).  All other distances are
 * set to an upper bound, the cost where no node of F is mapped.
 *
 * For a subtree that hangs off a path, only the distances where its root is mapped to the root of
 * the other subtree are kept.  In every other mapping, one of the two roots is deleted or inserted,
 * which is a step of its own.
 */
#include "heavy_strip.h"

#include <math.h>
#include <string.h>

#include "../../common/simd.h"
#include "../exact/decompositions.h"
#include "../exact/single_path.h"
#include "strip.h"

/* The distances of one forest of a, as a table of TedLaneWindow. */
typedef struct Table
{
	int32_t *rows;
	ptrdiff_t stride;
} Table;

/* State of a pair of trees. */
typedef struct Work
{
	TedDecompositions a;
	TedDecompositions b;
	TedCosts costs;
	const TedLaneMethods *methods;
	int32_t deletions; /* the most deletions of a mapping within the limit */
	int32_t width;     /* how many numbers the first node of G can have, and the last one */
	int32_t states;

	/* by direction, [size_a][width]: distances with both roots mapped together, or TED_BEYOND */
	int32_t *distance[TED_DECOMPOSITIONS];

	/* the current forest F, in all lanes */
	Table forest;
	Table spare;
	int32_t *nothing; /* a row of zeros, for the empty forest */
	int direction;
	int32_t first; /* preorder number of the first node, in this direction */
	int32_t last;  /* postorder number of the last one */
	int32_t cost;  /* of deleting F */

	/* stack of the forests that later nodes need, and their numbers for a block of lanes */
	Table *state;
	int32_t *block;

	const TedInterrupt *interrupt;
	int64_t steps;
} Work;

/* Sums up the heavy paths of a tree. */
TedHeavySums
ted_heavy_sums(const TedTree *tree)
{
	TedHeavySums sums = {.nodes = tree->size - 1};

	for (int32_t x = 0; x < tree->size; x++)
	{
		int32_t heavy = 0;

		for (int32_t c = x - 1; c >= ted_first(tree, x); c -= tree->subtree_size[c])
		{
			int32_t light = ted_min(heavy, tree->subtree_size[c]);

			heavy = ted_max(heavy, tree->subtree_size[c]);
			sums.nodes += light > 0 ? light - 1 : 0;
			sums.largest = ted_max(sums.largest, light);
		}
	}
	return sums;
}

/*
 * Returns the estimated seconds: for the nodes of both trees, and for the rows of all blocks of
 * lanes.
 */
double
ted_heavy_strip_seconds(const TedTree *a, const TedHeavySums *sums, int32_t k)
{
	double width = (double) k + 1;
	double rows = (double) sums->nodes * width * ceil(width / TED_PATH_LANES);

	return (2 * TED_HEAVY_NODE_TIME * (double) a->size + ted_heavy_row_time[ted_simd()] * rows) *
		   1e-9;
}

/* Allocates a table of all lanes, with room for squares that begin before it or end after it. */
static Table
take_table(TedArena *arena, int32_t width)
{
	ptrdiff_t stride = (ted_lane_blocks(width) + 1) * TED_PATH_LANES;
	size_t rows = (size_t) width + 2 * TED_PATH_LANES;
	int32_t *numbers = ted_arena_int32(arena, rows * (size_t) stride);

	return (Table){numbers == NULL ? NULL : numbers + TED_PATH_LANES * (stride + 1), stride};
}

/* Returns the numbers of a table for one block of lanes. */
static size_t
lane_block_numbers(int32_t width)
{
	return ((size_t) width + 1) * TED_PATH_LANES;
}

/* Allocates the arrays. */
static void
take_heavy_strip_arrays(TedArena *arena, int32_t size, Work *work)
{
	int32_t width = work->width;

	for (int direction = 0; direction < TED_DECOMPOSITIONS; direction++)
		work->distance[direction] = ted_arena_int32(arena, (size_t) size * (size_t) width);
	work->forest = take_table(arena, width);
	work->spare = take_table(arena, width);
	work->nothing = ted_arena_int32(arena, TED_PATH_LANES);
	work->state = ted_arena_alloc(arena, sizeof(Table) * (size_t) work->states);
	work->block = ted_arena_int32(arena, lane_block_numbers(width) * (size_t) work->states);
}

/* Returns the initial state of comparing a pair of trees up to a limit. */
static Work
begin_work(const TedTree *a, const TedTree *b, const TedHeavySums *sums, const TedCosts *costs,
		   int32_t limit)
{
	int32_t k = ted_strip_width(costs, limit);
	int32_t deletions = ted_strip_deletions(a->size, b->size, k);
	int32_t insertions = ted_strip_deletions(b->size, a->size, k);

	/* at most every other node of a subtree that hangs off a path has a forest on the stack */
	return (Work){.costs = *costs,
				  .methods = ted_lane_methods(),
				  .deletions = deletions,
				  .width = deletions + insertions + 1,
				  .states = ted_min(a->height, sums->largest / 2 + 1) + 2};
}

/* Bytes that ted_heavy_strip_distance() takes. */
size_t
ted_heavy_strip_memory(const TedTree *a, const TedTree *b, const TedHeavySums *sums,
					   const TedCosts *costs, int32_t limit)
{
	TedArena counted = {0};
	Work work = begin_work(a, b, sums, costs, limit);

	take_heavy_strip_arrays(&counted, a->size, &work);
	return ted_decompositions_memory(a->size) + ted_decompositions_memory(b->size) + counted.used;
}

/* Returns the distances of the subtree of node x, numbered in this direction. */
static int32_t *
node_distances(const Work *work, int direction, int32_t x)
{
	return work->distance[direction] + (size_t) x * (size_t) work->width;
}

/* Returns the view of one block of lanes of a table. */
static Table
lane_block(Table table, int32_t block)
{
	return (Table){table.rows + block * TED_PATH_LANES, table.stride};
}

/* Exchanges two tables. */
static void
exchange_tables(Table *a, Table *b)
{
	Table c = *a;

	*a = *b;
	*b = c;
}

/*
 * Computes the distances of the subtree of x, the next node of the path, where x is mapped to the
 * roots of the other subtrees.  F must be all nodes below x.
 */
static void
find_distances(const Work *work, int32_t x)
{
	const TedDecomposition *a = &work->a.decomposition[work->direction];
	const TedDecomposition *b = &work->b.decomposition[work->direction];
	int32_t node = x - work->deletions;
	int32_t first_lane = a->preorder[x] - work->deletions;
	int32_t *distance = node_distances(work, work->direction, x);
	int32_t *mirrored =
		node_distances(work, 1 - work->direction, a->tree.size - 1 - a->preorder[x]);

	for (int32_t i = 0; i < work->width; i++)
		distance[i] = mirrored[i] = TED_BEYOND;
	for (int32_t i = ted_max(0, -node); i < ted_min(work->width, b->tree.size - node); i++)
	{
		int32_t y = node + i;
		int32_t lane = b->preorder[y] - first_lane;
		int32_t below = 0;

		if (lane < 0 || lane >= work->width)
			continue;

		/*
		 * F and the forest below y have the lane and row that x and y will have, as both numbers
		 * increase
		 */
		if (a->tree.subtree_size[x] > 1)
			below = work->forest.rows[i * work->forest.stride + lane];
		distance[i] = mirrored[work->width - 1 - lane] =
			below + ted_rename_cost(&work->costs, a->tree.label[x], b->tree.label[y]) - b->cost[y];
	}
}

/* Adds node x to a forest, in one block of lanes; `cost` is that of deleting the forest. */
static TedStatus
add_forest_node(Work *work, int32_t x, int32_t block, int32_t cost, Table old, Table before,
				Table current)
{
	const TedDecomposition *a = &work->a.decomposition[work->direction];
	const TedDecomposition *b = &work->b.decomposition[work->direction];
	TedLaneWindow window = {.size = b->tree.subtree_size,
							.preorder = b->preorder,
							.distance = node_distances(work, work->direction, x),
							.rows = work->width,
							.node = x - work->deletions,
							.end = b->tree.size,
							.lane = work->first - work->deletions + block * TED_PATH_LANES,
							.added = a->tree.subtree_size[x],
							.cost = a->cost[x],
							.bound = cost + a->cost[x],
							.old = old.rows,
							.before = before.rows,
							.current = current.rows,
							.old_stride = old.stride,
							.before_stride = before.stride,
							.current_stride = current.stride};

	work->methods->window(&window);
	return ted_interrupted(work->interrupt, &work->steps, work->width * (int64_t) TED_PATH_LANES)
			   ? TED_CANCELLED
			   : TED_OK;
}

/* Adds x, the next node of the path, below which all of F is. */
static TedStatus
add_path_node(Work *work, int32_t x)
{
	const TedDecomposition *a = &work->a.decomposition[work->direction];
	Table old = work->forest;

	/* lanes are shifted by one, and F has no forest in the new first lane */
	old.rows--;
	for (int32_t i = 0; i <= work->width; i++)
		old.rows[i * old.stride] = work->cost;
	work->first = a->preorder[x];
	for (int32_t block = 0; block < ted_lane_blocks(work->width); block++)
		if (add_forest_node(work, x, block, work->cost, lane_block(old, block),
							(Table){.rows = work->nothing},
							lane_block(work->spare, block)) != TED_OK)
			return TED_CANCELLED;
	exchange_tables(&work->forest, &work->spare);
	work->last = x;
	work->cost += a->cost[x];
	return TED_OK;
}

/* Adds nodes up to `to`, in one block of lanes. */
static TedStatus
add_block(Work *work, int32_t to, int32_t block)
{
	const TedDecomposition *a = &work->a.decomposition[work->direction];
	Table *top = work->state;
	int32_t *room = work->block;
	Table *ready = top; /* the last state that has memory */
	int32_t cost = work->cost;

	*top = lane_block(work->forest, block);
	for (int32_t x = work->last + 1; x <= to; x++)
	{
		bool leaf = a->tree.subtree_size[x] == 1;

		if (top == ready)
		{
			*++ready = (Table){room, TED_PATH_LANES};
			room += lane_block_numbers(work->width);
		}
		if (x == to)
			top[1] = lane_block(work->spare, block);
		if (add_forest_node(work, x, block, cost, top[0], leaf ? top[0] : top[-1], top[1]) !=
			TED_OK)
			return TED_CANCELLED;
		cost += a->cost[x];

		/*
		 * the forest before a subtree stays on the stack until the last node that begins there is
		 * added
		 */
		if (leaf)
			top++;
		else
			exchange_tables(top, top + 1);
		if (a->tree.key_root[x] == x)
		{
			exchange_tables(top - 1, top);
			top--;
		}
	}
	return TED_OK;
}

/* Adds nodes up to `to`, whose subtrees hang off the path. */
static TedStatus
add_hanging_nodes(Work *work, int32_t to)
{
	const TedDecomposition *a = &work->a.decomposition[work->direction];

	for (int32_t block = 0; block < ted_lane_blocks(work->width); block++)
		if (add_block(work, to, block) != TED_OK)
			return TED_CANCELLED;
	exchange_tables(&work->forest, &work->spare);
	while (work->last < to)
		work->cost += a->cost[++work->last];
	return TED_OK;
}

/* Fills a row of F with the upper bound, as its distances are unknown. */
static void
fill_unknown_row(const Work *work, int32_t row)
{
	int32_t *numbers = work->forest.rows + row * work->forest.stride;
	int32_t lanes = ted_lane_blocks(work->width) * TED_PATH_LANES;

	for (int32_t lane = 0; lane < lanes; lane++)
		numbers[lane] = work->cost;
}

/*
 * Turns F to the other direction: rows become lanes and lanes rows, both in reverse order.  Lanes
 * after those of the window get arbitrary numbers, which no other lane reads.
 */
static void
turn(Work *work)
{
	int32_t end = work->a.decomposition[work->direction].tree.size - 1;
	int32_t first = work->first;
	ptrdiff_t stride = work->forest.stride;

	for (int32_t i = 0; i < work->width; i += TED_PATH_LANES)
		for (int32_t k = 0; k < work->width; k += TED_PATH_LANES)
		{
			const int32_t *square =
				work->forest.rows + (work->width - k) * stride + work->width - i;

			work->methods->flip(square - TED_PATH_LANES * (stride + 1),
								work->spare.rows + i * stride + k, stride);
		}
	exchange_tables(&work->forest, &work->spare);
	fill_unknown_row(work, work->width);
	work->direction = 1 - work->direction;
	work->first = end - work->last;
	work->last = end - first;
}

/* Adds the other subtrees below x, the next node of the path, on both sides. */
static TedStatus
add_siblings(Work *work, int32_t x)
{
	for (int side = 0; side < TED_DECOMPOSITIONS; side++)
	{
		const TedDecomposition *a = &work->a.decomposition[work->direction];
		int32_t number = a->number[x];

		if (work->last < number - 1 && add_hanging_nodes(work, number - 1) != TED_OK)
			return TED_CANCELLED;
		if (work->first > a->preorder[number] + 1)
			turn(work);
	}
	return TED_OK;
}

/* Makes F the empty forest, whose distance from a forest is the cost of inserting that forest. */
static void
clear(Work *work)
{
	work->cost = 0;
	for (int32_t i = 0; i <= work->width; i++)
		fill_unknown_row(work, i);
}

/*
 * Follows the heavy path from the leaf up to node `top`, numbered in the tree itself.  Computes the
 * distances of the nodes on it; for the root of the tree, the table of F contains the result.
 */
static TedStatus
follow_path(Work *work, int32_t top)
{
	const int32_t *heavy = work->a.heavy;
	const int32_t *parent = work->a.parent;
	bool whole = parent[top] < 0;
	int32_t x = top;

	while (heavy[x] >= 0)
		x = heavy[x];
	if (x < top || whole)
		clear(work);
	for (;; x = parent[x])
	{
		int32_t number;

		if (heavy[x] >= 0 && add_siblings(work, x) != TED_OK)
			return TED_CANCELLED;
		number = work->a.decomposition[work->direction].number[x];
		find_distances(work, number);
		if (x == top && !whole)
			return TED_OK;
		if (add_path_node(work, number) != TED_OK)
			return TED_CANCELLED;
		if (x == top)
			return TED_OK;
	}
}

/* Follows all heavy paths; those that hang off a path come before it. */
static TedStatus
follow_paths(Work *work)
{
	int32_t size = work->a.decomposition[TED_FROM_LEFT].tree.size;

	for (int32_t x = 0; x < size; x++)
	{
		int32_t parent = work->a.parent[x];

		if ((parent < 0 || work->a.heavy[parent] != x) && follow_path(work, x) != TED_OK)
			return TED_CANCELLED;
		if (ted_interrupted(work->interrupt, &work->steps, 2 * (int64_t) work->width))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Computes the distance if it is at most the limit, else a number above the limit. */
TedStatus
ted_heavy_strip_distance(const TedTree *a, const TedTree *b, const TedHeavySums *sums,
						 const TedCosts *costs, int32_t limit, TedArena *arena,
						 const TedInterrupt *interrupt, int32_t *distance)
{
	Work work = begin_work(a, b, sums, costs, limit);
	TedStatus status;

	work.interrupt = interrupt;
	take_heavy_strip_arrays(arena, a->size, &work);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	memset(work.nothing, 0, sizeof(int32_t) * TED_PATH_LANES);
	status = ted_decompositions_build(a, costs, ted_delete_cost, arena, interrupt, &work.a);
	if (status == TED_OK)
		status = ted_decompositions_build(b, costs, ted_insert_cost, arena, interrupt, &work.b);
	if (status == TED_OK)
		status = follow_paths(&work);
	if (status != TED_OK)
		return status;
	*distance =
		work.forest.rows[(work.width - 1 - work.deletions) * work.forest.stride + work.deletions];
	for (int32_t y = 0; y < b->size; y++)
		*distance += ted_insert_cost(costs, b->label[y]);
	return TED_OK;
}
