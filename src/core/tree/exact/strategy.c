/*
 * strategy.c
 *	  Which path to decompose every pair of subtrees along.
 *
 * A pair (F, G) is decomposed along a path in one of its trees, say F: first the
 * subtrees that hang off the path are compared with G, then the path itself.  The
 * optimal choice follows bottom-up from the times of the pairs of smaller
 * subtrees (RTED: Pawlik and Augsten, PVLDB 5(4), 2011; all paths and order of
 * visits: APTED, ACM TODS 40(1), 2015).  That search is quadratic; where it would
 * take a good part of the whole time, only one of the trees is decomposed and the
 * other stays whole, which takes linear time to find and is nearly always as
 * good, unless the trees are of very different shapes.  What is counted is not
 * cells but rows of blocks (single_path.h), in the time that the processor takes
 * for them.
 *
 * Left and right paths of F need of G the forests that begin with a key root;
 * heavy ones need all.  Heavy paths are taken in the larger tree only, which
 * keeps the bound of n^3 (Demaine et al., ACM Trans. Algorithms 6(1), 2009) and
 * the memory at O(|F| |G|).
 */
#include "strategy.h"

#include <float.h>
#include <string.h>

#include "../../common/simd.h"
#include "single_path.h"

/* Share of a subtree in the time of a pair. */
typedef struct Share
{
	float nodes;
	float left_nodes; /* the same, or FLT_MAX where its left path takes too much memory */
	float right_nodes;
	float phases; /* changes of direction along its heavy path, and one */

	/* when a path of the other tree is followed: for each node of that one's */
	float left;
	float right;
	float heavy;
	float left_path; /* and once */
	float right_path;
	float heavy_phase; /* and for each change of direction */
} Share;

/* Times of what hangs off the paths of a subtree, by kind of path. */
typedef struct Rest
{
	float left;
	float right;
	float heavy;
} Rest;

/* A search under way. */
typedef struct Finder
{
	const TedDecompositions *a;
	const TedDecompositions *b;
	Share *share_a;
	Share *share_b;
	uint8_t *choice_a; /* of each node of a against the whole b */
	uint8_t *choice_b;
	uint8_t *choice; /* [size_a][size_b] */

	/* scratch, by node of either tree */
	int64_t *sum;
	int32_t *direction;
	Rest *rest;

	/* scratch of all pairs */
	int32_t *stack;
	int32_t *order; /* of a: heavy children first */
	int32_t *light; /* light edges above a node of a */
	Rest *rest_a;   /* [light][node of b], of paths in a */
	Rest *rest_b;   /* [node of b], of paths in b, with the node of a under way */
	float *best;    /* [node of b], with the node of a under way */
} Finder;

/* Most light edges on the way from the root to a node. */
static size_t
light_bound(int32_t size)
{
	size_t edges = 0;

	for (; size > 1; size /= 2)
		edges++;
	return edges;
}

/* Takes the arrays of a search. */
static void
take_strategy_arrays(TedArena *arena, int32_t size_a, int32_t size_b, Finder *finder)
{
	size_t a = (size_t) size_a;
	size_t b = (size_t) size_b;
	size_t larger = a > b ? a : b;

	finder->share_a = ted_arena_alloc(arena, sizeof(Share) * a);
	finder->share_b = ted_arena_alloc(arena, sizeof(Share) * b);
	finder->choice_a = ted_arena_alloc(arena, a);
	finder->choice_b = ted_arena_alloc(arena, b);
	finder->choice = ted_arena_alloc(arena, a * b);
	finder->sum = ted_arena_alloc(arena, sizeof(int64_t) * larger);
	finder->direction = ted_arena_int32(arena, larger);
	finder->rest = ted_arena_alloc(arena, sizeof(Rest) * larger);
	finder->stack = ted_arena_int32(arena, a);
	finder->order = ted_arena_int32(arena, a);
	finder->light = ted_arena_int32(arena, a);
	finder->rest_a = ted_arena_alloc(arena, sizeof(Rest) * b * (light_bound(size_a) + 1));
	finder->rest_b = ted_arena_alloc(arena, sizeof(Rest) * b);
	finder->best = ted_arena_alloc(arena, sizeof(float) * b);
}

/* Bytes that ted_strategy_find() takes. */
size_t
ted_strategy_memory(int32_t size_a, int32_t size_b)
{
	TedArena counted = {0};
	Finder finder;

	take_strategy_arrays(&counted, size_a, size_b, &finder);
	return counted.used;
}

/* Adds to all shares what rows the blocks of one decomposition have; `sum` is scratch. */
static void
count_rows(const TedDecomposition *decomposition, Share *share, int64_t *sum)
{
	const TedTree *tree = &decomposition->tree;
	int32_t size = tree->size;

	/* first rows of the block that begins at a preorder number and of those after it */
	for (int32_t p = size - 1; p >= 0; p--)
		sum[p] = ted_first(tree, decomposition->at_preorder[p]) +
				 (p + TED_PATH_LANES < size ? sum[p + TED_PATH_LANES] : 0);
	for (int32_t x = 0; x < size; x++)
	{
		int32_t blocks = ted_lane_blocks(tree->subtree_size[x]);
		int32_t begin = decomposition->preorder[x];
		int32_t end = begin + blocks * TED_PATH_LANES;
		int64_t first = sum[begin] - (end < size ? sum[end] : 0);

		share[decomposition->node[x]].heavy += (float) ((int64_t) blocks * (x + 1) - first);
	}
}

/* Counts the changes of direction along heavy paths. */
static void
count_phases(const TedDecompositions *decompositions, Share *share, int32_t *direction)
{
	const TedTree *tree = &decompositions->decomposition[TED_FROM_LEFT].tree;

	for (int32_t x = 0; x < tree->size; x++)
	{
		int32_t heavy = decompositions->heavy[x];
		direction[x] = TED_FROM_LEFT;
		share[x].phases = 1;
		if (heavy < 0)
			continue;
		direction[x] = direction[heavy];
		share[x].phases = share[heavy].phases;
		if (ted_hangs(tree, 1 - direction[x], x, heavy))
		{
			direction[x] = 1 - direction[x];
			share[x].phases++;
		}
	}
}

/* Time of a node with the blocks of left or right paths. */
static float
level_time(const TedPathTimes *speed, int32_t nodes, int32_t levels)
{
	return (float) nodes *
		   (speed->node + speed->tree + speed->step * (float) ted_lane_blocks(levels));
}

/* Finds what every subtree contributes to the time of a pair. */
static void
find_shares(const Finder *finder, const TedDecompositions *decompositions, Share *share)
{
	const TedPathTimes *speed = &ted_path_times[ted_simd()];
	int32_t size = decompositions->decomposition[TED_FROM_LEFT].tree.size;

	memset(share, 0, sizeof(Share) * (size_t) size);
	count_rows(&decompositions->decomposition[TED_FROM_LEFT], share, finder->sum);
	count_rows(&decompositions->decomposition[TED_FROM_RIGHT], share, finder->sum);
	count_phases(decompositions, share, finder->direction);
	for (int32_t x = 0; x < size; x++)
	{
		Share *s = &share[x];
		int32_t nodes = decompositions->decomposition[TED_FROM_LEFT].tree.subtree_size[x];
		int32_t left_levels = decompositions->decomposition[TED_FROM_LEFT].levels[x];
		const TedDecomposition *right = &decompositions->decomposition[TED_FROM_RIGHT];
		int32_t right_levels = right->levels[right->number[x]];
		float rows = s->heavy / TED_DECOMPOSITIONS;

		s->nodes = (float) nodes;
		s->left_nodes = left_levels <= TED_PATH_LEVELS ? s->nodes : FLT_MAX;
		s->right_nodes = right_levels <= TED_PATH_LEVELS ? s->nodes : FLT_MAX;
		s->left = level_time(speed, nodes, left_levels);
		s->right = level_time(speed, nodes, right_levels);
		s->left_path = s->nodes * (float) ted_lane_blocks(left_levels) * speed->empty;
		s->right_path = s->nodes * (float) ted_lane_blocks(right_levels) * speed->empty;
		s->heavy = rows * speed->step + s->nodes * speed->node;
		s->heavy_phase = rows * speed->phase;
	}
}

/* Orders the nodes of a, heavy children with all below them before light ones, before parents. */
static void
find_order(Finder *finder)
{
	const TedTree *tree = &finder->a->decomposition[TED_FROM_LEFT].tree;
	int32_t *stack = finder->stack;
	int32_t at = tree->size;
	int32_t top = 0;

	stack[top++] = tree->size - 1;
	finder->light[tree->size - 1] = 0;
	while (top > 0)
	{
		int32_t x = stack[--top];
		int32_t heavy = finder->a->heavy[x];

		finder->order[--at] = x;
		if (heavy < 0)
			continue;
		stack[top++] = heavy;
		finder->light[heavy] = finder->light[x];
		for (int32_t c = x - 1; c >= ted_first(tree, x); c -= tree->subtree_size[c])
			if (c != heavy)
			{
				stack[top++] = c;
				finder->light[c] = finder->light[x] + 1;
			}
	}
}

/* Times that a child hands on to the paths of its parent. */
static inline Rest
pass_on(Rest rest, float best, bool first, bool last, bool heavy)
{
	return (Rest){.left = first ? rest.left : best,
				  .right = last ? rest.right : best,
				  .heavy = heavy ? rest.heavy : best};
}

/* Adds up what is left. */
static inline Rest
add_rest(Rest a, Rest b)
{
	return (Rest){.left = a.left + b.left, .right = a.right + b.right, .heavy = a.heavy + b.heavy};
}

/* Takes a choice where it is better. */
static inline void
consider_choice(float seconds, int choice, float *best, uint8_t *chosen)
{
	*chosen = seconds < *best ? (uint8_t) choice : *chosen;
	*best = seconds < *best ? seconds : *best;
}

/* Considers all paths in F; `first` is the choice of its left one. */
static inline void
consider_paths(Share f, Share g, Rest rest, int first, float *best, uint8_t *chosen)
{
	consider_choice(f.left_nodes * g.left + g.left_path + rest.left, first + TED_PATH_LEFT, best,
					chosen);
	consider_choice(f.right_nodes * g.right + g.right_path + rest.right, first + TED_PATH_RIGHT,
					best, chosen);
	if (g.nodes <= f.nodes)
		consider_choice(f.nodes * g.heavy + f.phases * g.heavy_phase + rest.heavy,
						first + TED_PATH_HEAVY, best, chosen);
}

/* Leaves the time of node x to the paths of its parent, by node. */
static inline void
leave(const TedDecompositions *decompositions, int32_t x, float best, Rest *rest)
{
	const TedTree *tree = &decompositions->decomposition[TED_FROM_LEFT].tree;
	int32_t parent = decompositions->parent[x];

	if (parent >= 0)
		rest[parent] = add_rest(
			rest[parent], pass_on(rest[x], best, ted_first(tree, x) == ted_first(tree, parent),
								  x == parent - 1, x == decompositions->heavy[parent]));
}

/* Chooses a path for every node of one tree, the other one staying whole; `rest` is scratch. */
static TedStrategy
choose_alone(const TedDecompositions *f, const Share *share, Share whole, int first,
			 uint8_t *choice, Rest *rest)
{
	int32_t size = f->decomposition[TED_FROM_LEFT].tree.size;
	float best = FLT_MAX;

	memset(rest, 0, sizeof(Rest) * (size_t) size);
	for (int32_t x = 0; x < size; x++)
	{
		best = FLT_MAX;
		choice[x] = (uint8_t) first;
		consider_paths(share[x], whole, rest[x], first, &best, &choice[x]);
		best += ted_path_times[ted_simd()].path;
		leave(f, x, best, rest);
	}
	return (TedStrategy){
		.choice = choice, .stride_a = first == 0, .stride_b = first != 0, .seconds = best * 1e-9};
}

/* Chooses for all pairs of one node of a. */
static void
choose_row(Finder *finder, int32_t x, const Rest *rest_a, uint8_t *choice)
{
	const TedDecompositions *b = finder->b;
	int32_t size_b = b->decomposition[TED_FROM_LEFT].tree.size;
	Share v = finder->share_a[x];
	float path = ted_path_times[ted_simd()].path;

	memset(finder->rest_b, 0, sizeof(Rest) * (size_t) size_b);
	for (int32_t y = 0; y < size_b; y++)
	{
		Share w = finder->share_b[y];
		float best = FLT_MAX;
		uint8_t chosen = TED_PATH_LEFT;

		consider_paths(v, w, rest_a[y], 0, &best, &chosen);
		consider_paths(w, v, finder->rest_b[y], TED_PATHS, &best, &chosen);
		best += path;
		finder->best[y] = best;
		choice[y] = chosen;
		leave(b, y, best, finder->rest_b);
	}
}

/* Leaves the times of a node of a to its parent. */
static void
leave_row(Finder *finder, int32_t x, Rest *rest_a)
{
	const TedTree *tree = &finder->a->decomposition[TED_FROM_LEFT].tree;
	int32_t size_b = finder->b->decomposition[TED_FROM_LEFT].tree.size;
	int32_t parent = finder->a->parent[x];
	bool first = ted_first(tree, x) == ted_first(tree, parent);
	bool last = x == parent - 1;
	bool heavy = x == finder->a->heavy[parent];

	for (int32_t y = 0; y < size_b; y++)
	{
		Rest rest = pass_on(rest_a[y], finder->best[y], first, last, heavy);

		if (heavy)
			rest_a[y] = rest;
		else
			rest_a[y - size_b] = add_rest(rest_a[y - size_b], rest);
	}
}

/* Seconds below which looking for a strategy does not pay. */
double
ted_strategy_least_seconds(int32_t size_a, int32_t size_b)
{
	const TedPathTimes *speed = &ted_path_times[ted_simd()];
	double any = (double) size_a * size_b * (speed->node + speed->step);
	double looking = ((double) size_a + size_b) * TED_SEARCH_PAYS;

	return (any > looking ? any : looking) * 1e-9;
}

/* Finds the best choice for every pair of subtrees. */
static TedStatus
choose_all(Finder *finder, const TedInterrupt *interrupt, TedStrategy *strategy)
{
	const TedDecompositions *a = finder->a;
	size_t size_a = (size_t) a->decomposition[TED_FROM_LEFT].tree.size;
	size_t size_b = (size_t) finder->b->decomposition[TED_FROM_LEFT].tree.size;
	int64_t steps = 0;

	find_order(finder);
	for (size_t i = 0; i < size_a; i++)
	{
		int32_t x = finder->order[i];
		Rest *rest_a = finder->rest_a + (size_t) finder->light[x] * size_b;

		if (a->heavy[x] < 0)
			memset(rest_a, 0, sizeof(Rest) * size_b);
		choose_row(finder, x, rest_a, finder->choice + (size_t) x * size_b);
		if (a->parent[x] >= 0)
			leave_row(finder, x, rest_a);
		if (ted_interrupted(interrupt, &steps, (int64_t) size_b))
			return TED_CANCELLED;
	}
	*strategy = (TedStrategy){.choice = finder->choice,
							  .stride_a = size_b,
							  .stride_b = 1,
							  .seconds = finder->best[size_b - 1] * 1e-9};
	return TED_OK;
}

/* Finds a strategy, the optimal one where looking for it is cheap against the limit and others. */
TedStatus
ted_strategy_find(const TedDecompositions *a, const TedDecompositions *b, double limit,
				  TedArena *arena, const TedInterrupt *interrupt, TedStrategy *strategy)
{
	int32_t size_a = a->decomposition[TED_FROM_LEFT].tree.size;
	int32_t size_b = b->decomposition[TED_FROM_LEFT].tree.size;
	Finder finder = {.a = a, .b = b};
	TedStrategy alone[2];
	double search = (double) size_a * size_b * ted_path_times[ted_simd()].pair * 1e-9;

	take_strategy_arrays(arena, size_a, size_b, &finder);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	find_shares(&finder, a, finder.share_a);
	find_shares(&finder, b, finder.share_b);
	alone[0] = choose_alone(a, finder.share_a, finder.share_b[size_b - 1], 0, finder.choice_a,
							finder.rest);
	alone[1] = choose_alone(b, finder.share_b, finder.share_a[size_a - 1], TED_PATHS,
							finder.choice_b, finder.rest);
	*strategy = alone[alone[1].seconds < alone[0].seconds];
	limit = strategy->seconds < limit ? strategy->seconds : limit;
	return search < ted_tuning.search_share * limit ? choose_all(&finder, interrupt, strategy)
													: TED_OK;
}
