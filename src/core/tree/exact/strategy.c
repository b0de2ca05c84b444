/*
 * strategy.c
 *	  Chooses the paths along which pairs of subtrees are decomposed.
 *
 * One of the trees stays whole; each subtree of the other one is decomposed along one of its paths:
 * first the subtrees that hang off the path are compared with the whole tree, then the path itself.
 * The best paths are found bottom-up from the times of smaller subtrees, as in RTED (Pawlik and
 * Augsten, PVLDB 5(4), 2011), whose search finds a path for each pair of subtrees, takes quadratic
 * time, and hardly finds faster strategies.  Times are estimated from rows of blocks of lanes
 * (single_path.h), not from cells.
 *
 * F is the decomposed tree and G the other one.  Left and right paths of F need only the forests of
 * G that begin with a key root; heavy paths need all of them.  Heavy paths are used in the larger
 * tree only, which keeps the time bound of n^3 (Demaine et al., ACM Trans. Algorithms 6(1), 2009)
 * and the memory at O(|F| |G|).
 */
#include "strategy.h"

#include <float.h>
#include <string.h>

#include "../../common/simd.h"
#include "single_path.h"

/* Contributions of a subtree to the estimated time of a pair. */
typedef struct Share
{
	float nodes;
	float left_nodes; /* `nodes`, or FLT_MAX where its left path takes too much memory */
	float right_nodes;
	float phases; /* changes of direction along its heavy path, plus one */

	/* when the path is in the other tree: time for each node of that tree's subtree */
	float left;
	float right;
	float heavy;
	float left_path; /* once for each path */
	float right_path;
	float heavy_phase; /* for each phase of a heavy path */
} Share;

/* Times of the subtrees that hang off the paths of a subtree, by kind of path. */
typedef struct Rest
{
	float left;
	float right;
	float heavy;
} Rest;

/* State of a search. */
typedef struct Finder
{
	Share *share_a;
	Share *share_b;
	uint8_t *choice_a; /* by node of a, when its subtrees are compared with the whole of b */
	uint8_t *choice_b;

	/* scratch, by node of either tree */
	int64_t *sum;
	int32_t *direction;
	Rest *rest;
} Finder;

/* Allocates the arrays of a search. */
static void
take_strategy_arrays(TedArena *arena, int32_t size_a, int32_t size_b, Finder *finder)
{
	size_t larger = (size_t) ted_max(size_a, size_b);

	finder->share_a = ted_arena_alloc(arena, sizeof(Share) * (size_t) size_a);
	finder->share_b = ted_arena_alloc(arena, sizeof(Share) * (size_t) size_b);
	finder->choice_a = ted_arena_alloc(arena, (size_t) size_a);
	finder->choice_b = ted_arena_alloc(arena, (size_t) size_b);
	finder->sum = ted_arena_alloc(arena, sizeof(int64_t) * larger);
	finder->direction = ted_arena_int32(arena, larger);
	finder->rest = ted_arena_alloc(arena, sizeof(Rest) * larger);
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

/* Adds to all shares the rows of the blocks of lanes of one decomposition; `sum` is scratch. */
static void
count_rows(const TedDecomposition *decomposition, Share *share, int64_t *sum)
{
	const TedTree *tree = &decomposition->tree;
	int32_t size = tree->size;

	/* sums of the first rows of the block that begins at a preorder number and of all after it */
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

/* Counts the phases of heavy paths: the changes of direction, plus one. */
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

/* Returns the estimated time of comparing a node with a subtree by left or right paths. */
static float
level_time(const TedPathTimes *speed, int32_t nodes, int32_t levels)
{
	return (float) nodes *
		   (speed->node + speed->tree + speed->step * (float) ted_lane_blocks(levels));
}

/* Computes the contributions of every subtree to the time of a pair. */
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

/* Records a choice if it is faster than the best so far. */
static inline void
consider_choice(float seconds, int choice, float *best, uint8_t *chosen)
{
	*chosen = seconds < *best ? (uint8_t) choice : *chosen;
	*best = seconds < *best ? seconds : *best;
}

/* Considers all paths in F; `first` is the choice that stands for its left path. */
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

/* Adds the time of node x to the times of its parent, by kind of path. */
static inline void
leave(const TedDecompositions *decompositions, int32_t x, float best, Rest *rest)
{
	const TedTree *tree = &decompositions->decomposition[TED_FROM_LEFT].tree;
	int32_t parent = decompositions->parent[x];
	Rest *of_parent;

	if (parent < 0)
		return;
	of_parent = &rest[parent];
	of_parent->left += ted_first(tree, x) == ted_first(tree, parent) ? rest[x].left : best;
	of_parent->right += x == parent - 1 ? rest[x].right : best;
	of_parent->heavy += x == decompositions->heavy[parent] ? rest[x].heavy : best;
}

/* Chooses a path for every node of one tree when the other one stays whole; `rest` is scratch. */
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
	return (TedStrategy){.choice = choice, .of_second = first != 0, .seconds = best * 1e-9};
}

/* Returns the seconds below which the search for a strategy does not pay. */
double
ted_strategy_least_seconds(int32_t size_a, int32_t size_b)
{
	const TedPathTimes *speed = &ted_path_times[ted_simd()];
	double any = (double) size_a * size_b * (speed->node + speed->step);
	double looking = ((double) size_a + size_b) * TED_SEARCH_PAYS;

	return (any > looking ? any : looking) * 1e-9;
}

/* Finds the faster one of the two strategies, each of which leaves one of the trees whole. */
TedStatus
ted_strategy_find(const TedDecompositions *a, const TedDecompositions *b, TedArena *arena,
				  TedStrategy *strategy)
{
	int32_t size_a = a->decomposition[TED_FROM_LEFT].tree.size;
	int32_t size_b = b->decomposition[TED_FROM_LEFT].tree.size;
	Finder finder;
	TedStrategy by_b;

	take_strategy_arrays(arena, size_a, size_b, &finder);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	find_shares(&finder, a, finder.share_a);
	find_shares(&finder, b, finder.share_b);
	*strategy = choose_alone(a, finder.share_a, finder.share_b[size_b - 1], 0, finder.choice_a,
							 finder.rest);
	by_b = choose_alone(b, finder.share_b, finder.share_a[size_a - 1], TED_PATHS, finder.choice_b,
						finder.rest);
	if (by_b.seconds < strategy->seconds)
		*strategy = by_b;
	return TED_OK;
}
