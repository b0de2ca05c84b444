/*
 * path_distance.c
 *	  Distances between all pairs of subtrees, by the optimal path strategy.
 *
 * The scheme is that of RTED (Pawlik and Augsten, PVLDB 5(4), 2011): where the strategy decomposes
 * a pair (F, G) along a path in F, the subtrees that hang off the path are compared with G first.
 * Then F is rebuilt along the path, starting from its leaf, and every forest on the way is compared
 * with the forests of G that are needed (single_path.h).
 *
 * Nodes after the path are added in postorder; nodes before it are added in postorder of the
 * mirrored tree, so the direction changes on the way.  Left and right paths have nodes on one side
 * only, and need only those forests of G that begin with a key root: lanes are levels of key roots.
 * Heavy paths need all forests of G (Demaine et al., ACM Trans. Algorithms 6(1), 2009, section 3):
 * lanes are the preorder numbers of the first node.
 */
#include "path_distance.h"

#include <string.h>

#include "single_path.h"
#include "strategy.h"

/* Rows of room before a block of lanes, so that whole squares can be transposed. */
#define ROOM TED_PATH_LANES

/* The distances of one forest of F to the forests of G in one block of lanes. */
typedef struct State
{
	int32_t *rows;
	int32_t empty; /* distance to the empty forest */
} State;

/* A pair of subtrees to compare, by their roots. */
typedef struct Item
{
	int32_t x;
	int32_t y;
	bool ready; /* the subtrees that hang off the path are done */
} Item;

/* State of a pair of trees. */
typedef struct Work
{
	TedDecompositions a;
	TedDecompositions b;
	TedCosts costs;
	const TedLaneMethods *methods;
	int32_t *distance; /* [size_a][size_b] */
	int32_t *table;    /* [nodes of a phase][rows], distances of subtrees */
	int32_t *sheet[TED_DECOMPOSITIONS];
	int32_t *block; /* memory of the rows of all states */
	State *states;
	Item *stack;
	int32_t states_a; /* most states when a is decomposed */
	int32_t states_b;
	const TedInterrupt *interrupt;
	int64_t steps;
} Work;

/* A pair of subtrees: F is decomposed, G stays whole. */
typedef struct Pair
{
	const TedDecompositions *f;
	const TedDecompositions *g;
	int32_t root_f;
	int32_t root_g;
	bool exchanged; /* F is a subtree of b */
	bool heavy;
} Pair;

/* The nodes of F that are added in one direction. */
typedef struct Phase
{
	int direction;
	int32_t from; /* first and last node added, as numbers in this direction */
	int32_t to;
	int32_t leaf;  /* leaf of the path */
	int32_t empty; /* cost of deleting the forest that exists before the phase */
	bool begins;   /* that forest is empty */
	bool ends;     /* this is the last phase */
} Phase;

/* Returns the numbers of a block of lanes; the number of rows is odd, to spread over cache sets. */
static size_t
lane_numbers(int32_t rows)
{
	return (((size_t) rows + ROOM) | 1) * TED_PATH_LANES;
}

/* Returns the most states that are in use at once when a tree is decomposed. */
static int32_t
state_count(const TedTree *f)
{
	/* the subtrees that hang off a heavy path have at most half of the nodes */
	int32_t waiting = ted_min(f->height, f->size / 4 + 1);

	return (waiting > TED_PATH_LEVELS ? waiting : TED_PATH_LEVELS) + 2;
}

/* Returns the address of a block of a sheet. */
static int32_t *
sheet_block(const Work *work, int direction, int32_t rows, int32_t block)
{
	return work->sheet[direction] + lane_numbers(rows) * (size_t) block + ROOM * TED_PATH_LANES;
}

/* Returns the address of the distance between the subtrees of a node of F and a node of G. */
static int32_t *
node_distance(const Work *work, const Pair *pair, int32_t x, int32_t y)
{
	size_t size_b = (size_t) work->b.decomposition[TED_FROM_LEFT].tree.size;

	return pair->exchanged ? &work->distance[(size_t) y * size_b + (size_t) x]
						   : &work->distance[(size_t) x * size_b + (size_t) y];
}

/* Whether the subtree of x is all of F that has been added, as it contains the leaf of the path. */
static bool
spans(const TedDecomposition *f, const Phase *phase, int32_t x)
{
	return ted_first(&f->tree, x) <= phase->leaf;
}

/* Fills the table of a phase: known distances or, for nodes on the path, costs of renaming. */
static void
load_table(const Work *work, const Pair *pair, const Phase *phase)
{
	const TedDecomposition *f = &pair->f->decomposition[phase->direction];
	const TedDecomposition *g = &pair->g->decomposition[phase->direction];
	int32_t root = g->number[pair->root_g];
	int32_t first = ted_first(&g->tree, root);
	int32_t *to = work->table;

	for (int32_t x = phase->from; x <= phase->to; x++)
	{
		int32_t label = f->tree.label[x];

		if (!spans(f, phase, x))
			for (int32_t y = first; y <= root; y++)
				*to++ = *node_distance(work, pair, f->node[x], g->node[y]);
		else if (pair->exchanged)
			for (int32_t y = first; y <= root; y++)
				*to++ = ted_rename_cost(&work->costs, g->tree.label[y], label);
		else
			for (int32_t y = first; y <= root; y++)
				*to++ = ted_rename_cost(&work->costs, label, g->tree.label[y]);
	}
}

/* Stores the distances that the phase has computed for nodes on the path. */
static void
store_table(const Work *work, const Pair *pair, const Phase *phase)
{
	const TedDecomposition *f = &pair->f->decomposition[phase->direction];
	const TedDecomposition *g = &pair->g->decomposition[phase->direction];
	int32_t root = g->number[pair->root_g];
	int32_t rows = g->tree.subtree_size[root];
	const int32_t *from = work->table;

	for (int32_t x = phase->from; x <= phase->to; x++, from += rows)
		if (spans(f, phase, x))
			for (int32_t i = 0; i < rows; i++)
				*node_distance(work, pair, f->node[x], g->node[root - rows + 1 + i]) = from[i];
}

/* Loads a block of lanes from the sheet of the preceding phase, transposed. */
static void
load_block(const Work *work, int direction, const TedLaneBlock *block, int32_t index, int32_t *rows)
{
	ptrdiff_t from = block->rows - (index + 1) * TED_PATH_LANES;
	ptrdiff_t next = (ptrdiff_t) lane_numbers(block->rows);

	for (int32_t i = 0; block->rows - i * TED_PATH_LANES > block->first; i++)
	{
		ptrdiff_t to = block->rows - (i + 1) * TED_PATH_LANES;

		const int32_t *square =
			sheet_block(work, 1 - direction, block->rows, i) + from * TED_PATH_LANES;

		for (int32_t k = 0; k < TED_PATH_LANES; k++)
			__builtin_prefetch(square + 2 * next + k * TED_PATH_LANES);
		work->methods->flip(square, rows + to * TED_PATH_LANES, TED_PATH_LANES);
	}
}

/* Exchanges two states. */
static void
exchange_states(State *a, State *b)
{
	State c = *a;

	*a = *b;
	*b = c;
}

/*
 * Adds the nodes of a phase, for one block of lanes.  The result of the last node is stored in
 * `last` unless that is NULL.
 */
static TedStatus
add_phase_nodes(Work *work, const TedDecomposition *f, const Phase *phase,
				const TedLaneBlock *block, const int32_t *nothing, State *top, int32_t *last)
{
	int32_t *distance = work->table;

	for (int32_t x = phase->from; x <= phase->to; x++, distance += block->rows)
	{
		bool all = spans(f, phase, x);
		bool leaf = f->tree.subtree_size[x] == 1;
		State nowhere = {.rows = (int32_t *) nothing};
		const int32_t *old = phase->begins && x == phase->from ? nothing : top->rows;
		State before = all ? nowhere : leaf ? top[0] : top[-1];
		TedLaneStep step;

		if (x == phase->to && last != NULL)
			top[1].rows = last;
		step = (TedLaneStep){.old = old,
							 .before = before.rows,
							 .current = top[1].rows,
							 .old_empty = top->empty,
							 .before_empty = before.empty,
							 .cost = f->cost[x],
							 .distance = distance,
							 .spans = all};

		work->methods->step(block, &step);
		top[1].empty = top->empty + f->cost[x];

		/*
		 * the state before a subtree stays on the stack until the last node that begins there is
		 * added
		 */
		if (leaf && !all)
			top++;
		else
			exchange_states(top, top + 1);
		if (!all && f->tree.key_root[x] == x)
		{
			exchange_states(top - 1, top);
			top--;
		}
		if (ted_interrupted(work->interrupt, &work->steps, 4 * (int64_t) block->rows))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Adds the nodes of a phase, for all blocks of lanes. */
static TedStatus
run_phase(Work *work, const Pair *pair, const Phase *phase)
{
	const TedDecomposition *f = &pair->f->decomposition[phase->direction];
	const TedDecomposition *g = &pair->g->decomposition[phase->direction];
	int32_t root = g->number[pair->root_g];
	int32_t first = ted_first(&g->tree, root);
	const int32_t *lane = pair->heavy ? g->preorder : g->level;
	TedLaneBlock block = {.size = g->tree.subtree_size + first,
						  .cost = g->cost + first,
						  .top = lane + first,
						  .own = (pair->heavy ? g->own : g->level) + first,
						  .rows = g->tree.subtree_size[root]};
	int32_t *nothing = work->block + ROOM * TED_PATH_LANES;
	int32_t states = ted_min(f->levels[f->number[pair->root_f]] + 1,
							 pair->exchanged ? work->states_b : work->states_a);

	load_table(work, pair, phase);

	/*
	 * last block first: the block with lane top[r] computes distance[r], which the blocks before it
	 * need
	 */
	for (int32_t i = ted_lane_blocks(pair->heavy ? block.rows : g->levels[root]) - 1; i >= 0; i--)
	{
		State *state = work->states;
		TedStatus status;

		for (int32_t k = 0; k < states; k++)
			state[k].rows = nothing + lane_numbers(block.rows) * (size_t) (k + 1);
		block.lane = lane[root] + i * TED_PATH_LANES;
		if (pair->heavy)
			block.first = ted_first(&g->tree, g->at_preorder[block.lane]) - first;
		if (!phase->begins)
			load_block(work, phase->direction, &block, i, state->rows);
		work->methods->empty(&block, nothing);
		state->empty = phase->empty;
		status = add_phase_nodes(work, f, phase, &block, nothing, state,
								 phase->ends ? NULL
											 : sheet_block(work, phase->direction, block.rows, i));
		if (status != TED_OK)
			return status;
	}
	store_table(work, pair, phase);
	return TED_OK;
}

/* Rebuilds F along its heavy path. */
static TedStatus
run_heavy_path(Work *work, const Pair *pair)
{
	const TedTree *tree = &pair->f->decomposition[TED_FROM_LEFT].tree;
	const int32_t *parent = pair->f->parent;
	Phase phase = {.direction = TED_FROM_LEFT, .begins = true};
	int32_t leaf = pair->root_f;
	int32_t added; /* the highest node of the path so far */
	TedStatus status;

	while (pair->f->heavy[leaf] >= 0)
		leaf = pair->f->heavy[leaf];
	added = leaf;
	phase.from = leaf;
	for (;;)
	{
		const TedDecomposition *f = &pair->f->decomposition[phase.direction];

		while (added != pair->root_f && !ted_hangs(tree, 1 - phase.direction, parent[added], added))
			added = parent[added];
		phase.ends = added == pair->root_f;
		phase.to = phase.ends ? f->number[added] : f->number[parent[added]] - 1;
		phase.leaf = f->number[leaf];
		status = run_phase(work, pair, &phase);
		if (status != TED_OK || phase.ends)
			return status;

		/*
		 * the subtrees on this side have been added; the parent is added with those on the other
		 * side
		 */
		for (int32_t x = phase.from; x <= phase.to; x++)
			phase.empty += f->cost[x];
		phase.begins = false;
		phase.direction = 1 - phase.direction;
		phase.from = pair->f->decomposition[phase.direction].number[added] + 1;
		added = parent[added];
	}
}

/* Returns the pair with F and G as the strategy chooses them, and the kind of its path. */
static Pair
choose_pair(const Work *work, const TedStrategy *strategy, const Item *item, TedPath *path)
{
	int choice = strategy->choice[strategy->of_second ? item->y : item->x];
	bool exchanged = choice >= TED_PATHS;

	*path = (TedPath) (choice % TED_PATHS);
	return (Pair){.f = exchanged ? &work->b : &work->a,
				  .g = exchanged ? &work->a : &work->b,
				  .root_f = exchanged ? item->y : item->x,
				  .root_g = exchanged ? item->x : item->y,
				  .exchanged = exchanged,
				  .heavy = *path == TED_PATH_HEAVY};
}

/* Whether the path from x goes to its child c. */
static bool
path_goes_to(const TedDecompositions *decompositions, TedPath path, int32_t x, int32_t c)
{
	const TedTree *tree = &decompositions->decomposition[TED_FROM_LEFT].tree;

	switch (path)
	{
		case TED_PATH_LEFT:
			return ted_first(tree, c) == ted_first(tree, x);
		case TED_PATH_RIGHT:
			return c == x - 1;
		default:
			return c == decompositions->heavy[x];
	}
}

/*
 * Pushes the pairs of G and each subtree that hangs off the path; returns the new height of the
 * stack.
 */
static int32_t
push_rest(const Pair *pair, TedPath path, Item *stack, int32_t top)
{
	const TedTree *tree = &pair->f->decomposition[TED_FROM_LEFT].tree;

	for (int32_t x = pair->root_f; x >= 0;)
	{
		int32_t next = -1;

		for (int32_t c = x - 1; c >= ted_first(tree, x); c -= tree->subtree_size[c])
			if (path_goes_to(pair->f, path, x, c))
				next = c;
			else
				stack[top++] = pair->exchanged ? (Item){.x = pair->root_g, .y = c}
											   : (Item){.x = c, .y = pair->root_g};
		x = next;
	}
	return top;
}

/* Computes the distances of all pairs of subtrees by a strategy. */
static TedStatus
run_strategy(Work *work, const TedStrategy *strategy)
{
	Item *stack = work->stack;
	int32_t top = 0;

	stack[top++] = (Item){.x = work->a.decomposition[TED_FROM_LEFT].tree.size - 1,
						  .y = work->b.decomposition[TED_FROM_LEFT].tree.size - 1};
	while (top > 0)
	{
		Item *item = &stack[top - 1];
		TedPath path;
		Pair pair = choose_pair(work, strategy, item, &path);
		TedStatus status;

		if (!item->ready)
		{
			item->ready = true;
			top = push_rest(&pair, path, stack, top);
			continue;
		}
		top--;
		if (path == TED_PATH_HEAVY)
			status = run_heavy_path(work, &pair);
		else
		{
			/* F is rebuilt along its left or right path in one phase */
			int direction = path == TED_PATH_LEFT ? TED_FROM_LEFT : TED_FROM_RIGHT;
			const TedDecomposition *f = &pair.f->decomposition[direction];
			int32_t root = f->number[pair.root_f];
			int32_t leaf = ted_first(&f->tree, root);
			Phase phase = {.direction = direction,
						   .from = leaf,
						   .to = root,
						   .leaf = leaf,
						   .begins = true,
						   .ends = true};

			status = run_phase(work, &pair, &phase);
		}
		if (status != TED_OK)
			return status;
	}
	return TED_OK;
}

/*
 * Allocates the arrays, for either tree being decomposed.  The stack has disjoint subtrees, and the
 * pairs that they hang off.
 */
static void
take_path_arrays(TedArena *arena, const TedTree *a, const TedTree *b, Work *work)
{
	size_t pairs = (size_t) a->size * (size_t) b->size;
	int32_t smaller = ted_min(a->size, b->size);
	size_t sheet = lane_numbers(smaller) * (size_t) ted_lane_blocks(smaller);
	size_t states_a = (size_t) state_count(a);
	size_t states_b = (size_t) state_count(b);
	/* one more for the empty forest */
	size_t rows = ted_max_bytes((states_a + 1) * lane_numbers(b->size),
								(states_b + 1) * lane_numbers(a->size));

	work->distance = ted_arena_int32(arena, pairs);
	work->table = ted_arena_int32(arena, pairs);
	for (int decomposition = 0; decomposition < TED_DECOMPOSITIONS; decomposition++)
		work->sheet[decomposition] = ted_arena_int32(arena, sheet);
	work->block = ted_arena_int32(arena, rows);
	work->states = ted_arena_alloc(arena, sizeof(State) * ted_max_bytes(states_a, states_b));
	work->stack = ted_arena_alloc(arena, sizeof(Item) * 2 * ((size_t) a->size + (size_t) b->size));
}

/* Bytes that ted_path_distances() takes. */
size_t
ted_path_memory(const TedTree *a, const TedTree *b)
{
	TedArena counted = {0};
	Work work;

	take_path_arrays(&counted, a, b, &work);
	return ted_decompositions_memory(a->size) + ted_decompositions_memory(b->size) +
		   ted_strategy_memory(a->size, b->size) + counted.used;
}

/* Computes the distances of all pairs of subtrees, unless the best strategy takes too long. */
TedStatus
ted_path_distances(const TedTree *a, const TedTree *b, const TedCosts *costs, double limit,
				   TedArena *arena, const TedInterrupt *interrupt, int32_t **distance)
{
	Work work = {.costs = *costs,
				 .methods = ted_lane_methods(),
				 .states_a = state_count(a),
				 .states_b = state_count(b),
				 .interrupt = interrupt};
	TedStrategy strategy;
	TedStatus status;

	*distance = NULL;
	take_path_arrays(arena, a, b, &work);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	status = ted_decompositions_build(a, costs, ted_delete_cost, arena, interrupt, &work.a);
	if (status == TED_OK)
		status = ted_decompositions_build(b, costs, ted_insert_cost, arena, interrupt, &work.b);
	if (status == TED_OK)
		status = ted_strategy_find(&work.a, &work.b, arena, &strategy);
	if (status != TED_OK || strategy.seconds >= limit)
		return status;
	status = run_strategy(&work, &strategy);
	if (status == TED_OK)
		*distance = work.distance;
	return status;
}
