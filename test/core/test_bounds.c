/*
 * test_bounds.c
 *	  Checks bounds on the distance against the distance and against plain definitions.
 */
#include <math.h>
#include <string.h>

#include "../../src/core/tree/bounded/bounds.h"
#include "../../src/core/tree/filters/euler.h"
#include "../../src/core/tree/filters/traversals.h"
#include "random.h"
#include "tap.h"
#include "trees.h"

#define MAX_SIZE 60

/* The pair under test. */
static TestTree a;
static TestTree b;
static TedCosts costs;
static TedBoundsIndex A;
static TedBoundsIndex B;

/* Returns the lesser of two numbers. */
static int32_t
lesser(int32_t x, int32_t y)
{
	return x < y ? x : y;
}

/* Returns the greater of two numbers. */
static int32_t
greater(int32_t x, int32_t y)
{
	return x > y ? x : y;
}

/* Makes a random pair, unrelated or a few edits apart, and indexes it. */
static void
make_pair(uint64_t round)
{
	static const int32_t alphabets[] = {1, 2, 4, 26, 256, 1 << 20};
	int32_t labels = alphabets[round % 6];
	int32_t size = 1 + (int32_t) random_below(MAX_SIZE);

	make_tree(&a, (Shape) random_below(SHAPES), size, labels, 0);
	if (round % 3 == 0)
		make_tree(&b, (Shape) random_below(SHAPES), 1 + (int32_t) random_below(MAX_SIZE), labels,
				  round % 5 == 0 ? labels : 0);
	else
	{
		copy_tree(&b, &a);
		edit_tree(&b, (int32_t) random_below(7), labels);
	}
	costs = choose_costs(random_below(3));
}

/* Indexes a tree in exactly the memory that the core asks for. */
static TedArena
make_index(const TedTree *tree, TedBoundsIndex *index)
{
	TedArena arena = new_arena(ted_bounds_index_memory(tree->size));

	if (ted_bounds_index(tree, &arena, &never, index) != TED_OK)
		abort();
	return arena;
}

/* Returns the exact distance. */
static int32_t
exact(void)
{
	return planned_distance(&a.tree, &b.tree, &costs, TED_NO_LIMIT);
}

/* Returns the label bound. */
static int32_t
label_bound(int32_t limit)
{
	TedArena arena = new_arena(ted_label_bound_memory(a.tree.size, b.tree.size));
	int32_t bound = -1;

	if (ted_label_bound(&a.tree, &b.tree, &costs, limit, &arena, &never, &bound) != TED_OK ||
		arena.used != 0)
		bound = -2;
	free(arena.base);
	return bound;
}

/* Returns the traversal bound, in exactly the memory that the core asks for. */
static int32_t
traversal_bound(int32_t limit)
{
	TedArena arena = new_arena(ted_traversal_bound_memory(a.tree.size, b.tree.size, &costs, limit));
	int32_t bound = -1;

	if (ted_traversal_bound(&A, &B, &costs, limit, &arena, &never, &bound) != TED_OK ||
		arena.used != 0)
		bound = -2;
	free(arena.base);
	return bound;
}

/* Returns a lower bound by the number of labels that the trees share. */
static int32_t
defined_label_bound(void)
{
	bool taken[MAX_HUGE] = {false};
	int32_t overlap = 0;
	int32_t size = lesser(a.tree.size, b.tree.size);

	for (int32_t x = 0; x < a.tree.size; x++)
		for (int32_t y = 0; y < b.tree.size; y++)
			if (!taken[y] && a.label[x] == b.label[y])
			{
				taken[y] = true;
				overlap++;
				break;
			}
	return ted_size_bound(a.tree.size, b.tree.size, &costs) +
		   (size - overlap) * lesser(costs.rename, costs.insert + costs.delete_);
}

/* Writes the labels of a subtree in preorder, by recursion; returns the end. */
static int32_t *
preorder(const TedTree *tree, int32_t x, int32_t *next)
{
	int32_t child[MAX_HUGE];
	int32_t children = 0;

	*next++ = tree->label[x];
	for (int32_t c = x - 1; c > x - tree->subtree_size[x]; c -= tree->subtree_size[c])
		child[children++] = c;
	while (children > 0)
		next = preorder(tree, child[--children], next);
	return next;
}

/*
 * Returns the string edit distance by its recurrence; negative and other numbers never replace
 * each other.
 */
static int32_t
string_distance(const int32_t *x, int32_t length_x, const int32_t *y, int32_t length_y,
				const TedCosts *c)
{
	static int32_t table[2 * MAX_HUGE + 1][2 * MAX_HUGE + 1];

	for (int32_t i = 0; i <= length_x; i++)
		for (int32_t j = 0; j <= length_y; j++)
		{
			int32_t best = i == 0 && j == 0 ? 0 : INT32_MAX;

			if (i > 0)
				best = table[i - 1][j] + c->delete_;
			if (j > 0)
				best = lesser(best, table[i][j - 1] + c->insert);
			if (i > 0 && j > 0 && (x[i - 1] < 0) == (y[j - 1] < 0))
				best = lesser(best, table[i - 1][j - 1] + (x[i - 1] == y[j - 1] ? 0 : c->rename));
			table[i][j] = best;
		}
	return table[length_x][length_y];
}

/* Returns the greater of the string edit distances of postorder and preorder. */
static int32_t
traversal_distance(const TedCosts *c)
{
	int32_t x[MAX_HUGE];
	int32_t y[MAX_HUGE];

	preorder(&a.tree, a.tree.size - 1, x);
	preorder(&b.tree, b.tree.size - 1, y);
	return greater(string_distance(x, a.tree.size, y, b.tree.size, c),
				   string_distance(a.label, a.tree.size, b.label, b.tree.size, c));
}

/* Whether the label bound is the defined one for all limits. */
static bool
labels_agree(int32_t distance)
{
	int32_t bound = defined_label_bound();
	bool agree = bound <= distance;

	for (int32_t limit = 0; limit <= distance + 3; limit++)
		agree &= label_bound(limit) == (bound <= limit ? bound : TED_BEYOND);
	return agree;
}

/* Whether the traversal bound holds, and is the defined one for unit costs, for all limits. */
static bool
traversals_agree(int32_t distance)
{
	int32_t bound = traversal_bound(TED_MAX_DISTANCE);
	int32_t defined = traversal_distance(&costs);
	bool agree = bound <= defined && defined <= distance;

	if (costs.insert == 1 && costs.delete_ == 1 && costs.rename == 1)
		agree &= bound == defined;
	for (int32_t limit = 0; limit <= distance + 3; limit++)
		agree &= traversal_bound(limit) == (bound <= limit ? bound : TED_BEYOND);
	return agree;
}

/* Whether the greedy mapping is one of the cost it says, for some widths. */
static bool
greedy_agrees(int32_t distance)
{
	for (int32_t k = 0; k <= 2 * MAX_SIZE; k = 2 * k + 1)
	{
		TedArena arena = new_arena(ted_greedy_mapping_memory(a.tree.size, b.tree.size));
		int32_t map_a[MAX_HUGE];
		int32_t map_b[MAX_HUGE];
		int32_t bound = -1;
		TedStatus status =
			ted_greedy_mapping(&A, &B, &costs, k, &arena, &never, map_a, map_b, &bound);

		free(arena.base);
		if (status != TED_OK || arena.used != 0 || bound < distance ||
			!is_mapping(&a.tree, &b.tree, &costs, bound, map_a, map_b))
			return false;
	}
	return true;
}

/* Whether the upper bound holds, and is no worse than deleting one tree and inserting the other. */
static bool
upper_agrees(int32_t distance)
{
	TedArena arena = new_arena(ted_greedy_mapping_memory(a.tree.size, b.tree.size));
	int32_t map_a[MAX_HUGE];
	int32_t map_b[MAX_HUGE];
	int32_t bound = -1;
	TedStatus status =
		ted_upper_bound(&A, &B, &costs, 2 * MAX_SIZE, &arena, &never, map_a, map_b, &bound);

	free(arena.base);
	return status == TED_OK && bound >= distance &&
		   bound <= a.tree.size * costs.delete_ + b.tree.size * costs.insert;
}

/* Whether the index is what its definition says. */
static bool
index_agrees(const TestTree *t, const TedBoundsIndex *index)
{
	int32_t labels[MAX_HUGE];
	bool agree = index->parent[t->tree.size - 1] == -1;

	preorder(&t->tree, t->tree.size - 1, labels);
	agree &= memcmp(labels, index->preorder, sizeof(int32_t) * (size_t) t->tree.size) == 0;
	for (int32_t x = 0; x < t->tree.size - 1; x++)
	{
		int32_t parent = index->parent[x];

		agree &= below(&t->tree, x, parent) && t->depth[parent] == t->depth[x] - 1;
	}
	return agree;
}

/*
 * Writes the Euler string of a subtree, by recursion; a label is negative where its node ends.
 * Returns the end.
 */
static int32_t *
euler_string(const TedTree *tree, int32_t x, int32_t *next)
{
	int32_t child[MAX_HUGE];
	int32_t children = 0;

	*next++ = tree->label[x] + 1;
	for (int32_t c = x - 1; c > x - tree->subtree_size[x]; c -= tree->subtree_size[c])
		child[children++] = c;
	while (children > 0)
		next = euler_string(tree, child[--children], next);
	*next++ = -(tree->label[x] + 1);
	return next;
}

/* Whether the Euler strings allow the distance, and what they do by definition. */
static bool
euler_allows(int32_t distance)
{
	TedCosts indels = {.insert = 1, .delete_ = 1, .rename = 2};
	double each = fmin(lesser(costs.insert, costs.delete_) / 2.0, costs.rename / 4.0);
	TedArena arena = new_arena(ted_euler_within_memory(a.tree.size, b.tree.size));
	int32_t x[2 * MAX_HUGE];
	int32_t y[2 * MAX_HUGE];
	bool agree = true;
	int32_t alone;
	int32_t least;

	euler_string(&a.tree, a.tree.size - 1, x);
	euler_string(&b.tree, b.tree.size - 1, y);
	alone = string_distance(x, 2 * a.tree.size, y, 2 * b.tree.size, &indels);
	least = (int32_t) ceil(alone * each);
	for (int32_t limit = greater(least - 2, 0); limit <= least + 2; limit++)
	{
		bool within = !(alone * each <= limit);

		agree &=
			ted_euler_within(&a.tree, &b.tree, &costs, limit, &arena, &never, &within) == TED_OK &&
			within == (alone * each <= limit) && arena.used == 0;
	}
	free(arena.base);
	return agree && least <= distance;
}

/* Tests all bounds, on random pairs. */
static void
test_bounds(uint64_t count)
{
	uint64_t wrong[7] = {0};

	for (uint64_t round = 0; round < count; round++)
	{
		TedArena arena_a;
		TedArena arena_b;
		int32_t distance;

		make_pair(round);
		arena_a = make_index(&a.tree, &A);
		arena_b = make_index(&b.tree, &B);
		distance = exact();
		wrong[0] += !index_agrees(&a, &A) || !index_agrees(&b, &B);
		wrong[1] += ted_size_bound(a.tree.size, b.tree.size, &costs) > distance;
		wrong[2] += !labels_agree(distance);
		wrong[3] += !traversals_agree(distance);
		wrong[4] += !greedy_agrees(distance);
		wrong[5] += !upper_agrees(distance);
		wrong[6] += !euler_allows(distance);
		free(arena_a.base);
		free(arena_b.base);
	}
	ok(wrong[0] == 0, "indexes are as defined, %llu pairs", (unsigned long long) count);
	ok(wrong[1] == 0, "size bounds hold");
	ok(wrong[2] == 0, "label bounds hold and are as defined, for all limits");
	ok(wrong[3] == 0, "traversal bounds hold and are as defined, for all limits");
	ok(wrong[4] == 0, "greedy mappings are valid and cost what they say");
	ok(wrong[5] == 0, "upper bounds hold");
	ok(wrong[6] == 0,
	   "Euler strings exclude no distance, and all limits that they exclude as defined");
}

/* Returns the bound by Euler strings according to its definition. */
static int32_t
defined_euler_bound(void)
{
	int32_t x[2 * MAX_HUGE];
	int32_t y[2 * MAX_HUGE];
	int32_t size_a = a.tree.size;
	int32_t size_b = b.tree.size;

	euler_string(&a.tree, size_a - 1, x);
	euler_string(&b.tree, size_b - 1, y);
	return (string_distance(x, 2 * size_a, y, 2 * size_b, &TED_UNIT_COSTS) + 1) / 2;
}

/* Whether the bound by Euler strings is the defined one, in the memory that the core asks for. */
static bool
euler_agrees(int32_t labels)
{
	TedArena arena = new_arena(ted_euler_memory(a.tree.size, labels));
	TedArena scratch = new_arena(ted_euler_bound_memory(a.tree.size));
	int32_t string[2 * MAX_HUGE];
	TedEuler *euler;
	int32_t bound = -1;
	bool agree = ted_euler(&a.tree, labels, &arena, &never, &euler) == TED_OK &&
				 ted_euler_string(&b.tree, &never, string) == TED_OK &&
				 ted_euler_bound(euler, string, b.tree.size, &scratch, &never, &bound) == TED_OK &&
				 bound == defined_euler_bound();

	free(arena.base);
	free(scratch.base);
	return agree;
}

/* Tests bounds by Euler strings on random pairs whose second tree also has labels of its own. */
static void
test_euler(uint64_t count)
{
	uint64_t wrong[2] = {0};
	TedArena arena = new_arena(TED_ARENA_ALIGN);
	TedEuler *euler;

	for (uint64_t round = 0; round < count; round++)
	{
		int32_t labels = 1 + (int32_t) random_below(20);
		uint32_t largest = round % 10 == 0 ? MAX_HUGE : MAX_SIZE;

		make_tree(&a, (Shape) random_below(SHAPES), 1 + (int32_t) random_below(largest), labels, 0);
		make_tree(&b, (Shape) random_below(SHAPES), 1 + (int32_t) random_below(largest), labels,
				  (int32_t) random_below(3));
		if (round % 3 == 0)
		{
			copy_tree(&b, &a);
			edit_tree(&b, (int32_t) random_below(7), labels);
		}
		costs = TED_UNIT_COSTS;
		wrong[0] += !euler_agrees(labels);
		wrong[1] += defined_euler_bound() > exact();
	}
	ok(wrong[0] == 0, "bounds by Euler strings are as defined, %llu pairs",
	   (unsigned long long) count);
	ok(wrong[1] == 0, "bounds by Euler strings hold");
	ok(ted_euler(&a.tree, 30, &arena, &never, &euler) == TED_OUT_OF_ARENA,
	   "Euler strings as bits need their memory");
	free(arena.base);
}

/* Whether the traversal bound by bits is the defined one, for limits around it. */
static bool
bits_agree(TedTraversals *traversals)
{
	TedArena bits = new_arena(ted_traversals_start_memory(a.tree.size));
	int32_t defined = traversal_distance(&TED_UNIT_COSTS);
	bool agree = ted_traversals_start(traversals, &A, &bits, &never) == TED_OK;

	for (int32_t limit = defined - 1; limit <= defined + 1; limit++)
	{
		int32_t bound = -1;

		agree &= ted_traversals_bound(traversals, &B, limit, &never, &bound) == TED_OK &&
				 bound == (defined <= limit ? defined : TED_BEYOND);
	}
	ted_traversals_end(traversals);
	free(bits.base);
	return agree;
}

/* Tests traversal bounds by bits on random pairs whose first tree also has labels of its own. */
static void
test_traversals(uint64_t count)
{
	static const uint32_t largest[] = {4, 30, 70, 150, MAX_HUGE}; /* of one word and of several */
	uint64_t wrong = 0;
	TedArena arena = new_arena(ted_traversals_memory(20));
	TedArena none = new_arena(TED_ARENA_ALIGN);
	TedTraversals *traversals;

	if (ted_traversals(20, &arena, &traversals) != TED_OK)
		abort();
	for (uint64_t round = 0; round < count; round++)
	{
		uint32_t size = largest[round % 5];
		TedArena arena_a;
		TedArena arena_b;

		make_tree(&b, (Shape) random_below(SHAPES), 1 + (int32_t) random_below(size),
				  1 + (int32_t) random_below(20), 0);
		make_tree(&a, (Shape) random_below(SHAPES), 1 + (int32_t) random_below(size),
				  1 + (int32_t) random_below(20), (int32_t) random_below(20));
		if (round % 3 == 0)
		{
			copy_tree(&a, &b);
			edit_tree(&a, (int32_t) random_below(7), 25);
		}
		arena_a = make_index(&a.tree, &A);
		arena_b = make_index(&b.tree, &B);
		wrong += !bits_agree(traversals);
		free(arena_a.base);
		free(arena_b.base);
	}
	ok(wrong == 0, "traversal bounds by bits are as defined, %llu pairs",
	   (unsigned long long) count);
	ok(ted_traversals(20, &none, &traversals) == TED_OUT_OF_ARENA,
	   "traversals as bits need their memory");
	free(arena.base);
	free(none.base);
}

/* Tests equal trees, arenas that are too small, interrupts. */
static void
test_limits(void)
{
	TedArena arena = new_arena(TED_ARENA_ALIGN);
	TedArena arena_a;
	int32_t map[2][MAX_HUGE];
	int32_t bound = -1;
	TedArena room = new_arena(1 << 16);

	make_tree(&a, RANDOM, MAX_HUGE, 3, 0);
	copy_tree(&b, &a);
	costs = TED_UNIT_COSTS;
	ok(ted_bounds_index(&a.tree, &arena, &never, &A) == TED_OUT_OF_ARENA,
	   "an index needs its memory");
	arena_a = make_index(&a.tree, &A);
	B = A;
	ok(ted_traversal_bound(&A, &B, &costs, MAX_HUGE, &arena, &never, &bound) == TED_OUT_OF_ARENA,
	   "a traversal bound needs its memory");
	ok(ted_greedy_mapping(&A, &B, &costs, 3, &arena, &never, map[0], map[1], &bound) ==
		   TED_OUT_OF_ARENA,
	   "a greedy mapping needs its memory");
	ok(label_bound(0) == 0 && traversal_bound(0) == 0, "lower bounds of equal trees are 0");
	ok(ted_greedy_mapping(&A, &B, &costs, 0, &room, &never, map[0], map[1], &bound) == TED_OK &&
		   bound == 0,
	   "upper bounds of equal trees are 0");
	free(arena.base);
	free(arena_a.base);
	free(room.base);
}

int
main(void)
{
	uint64_t seed = setting("SEED", 1);
	uint64_t count = rounds(3000);

	printf("# seed %llu, %llu times\n", (unsigned long long) seed, (unsigned long long) count);
	random_state = seed;
	test_bounds(count);
	test_euler(count / 10);
	test_traversals(count / 3);
	test_limits();
	return done_testing();
}
