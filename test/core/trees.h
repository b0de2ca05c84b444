/*
 * trees.h
 *	  Random trees and costs for the core's stand-alone tests, and the definition of a mapping.
 */
#ifndef TED_TEST_CORE_TREES_H
#define TED_TEST_CORE_TREES_H

#include "../../src/core/tree/ted.h"
#include "arenas.h"
#include "random.h"

#define MAX_HUGE 700 /* nodes */

typedef enum Shape
{
	PATH,
	STAR,
	LEFT,
	RIGHT,
	ZIGZAG,
	COMBS,       /* a root with a left comb and a right comb */
	CATERPILLAR, /* a path with leaves on either side, at random */
	LADDER,      /* a path with leaves on both sides */
	RANDOM,
	SHAPES
} Shape;

typedef struct TestTree
{
	TedTree tree;
	int32_t label[MAX_HUGE];
	int32_t subtree_size[MAX_HUGE];
	int32_t depth[MAX_HUGE];
	int32_t key_root[MAX_HUGE];
} TestTree;

/* Returns the parent of node i > 0 in preorder for a shape. */
static inline int32_t
choose_parent(Shape shape, int32_t i, const int32_t *parent)
{
	switch (shape)
	{
		case PATH:
			return i - 1;
		case STAR:
			return 0;
		case LEFT: /* a path whose nodes get a second child afterwards */
		case ZIGZAG:
			return i % 2 == 1 ? i - 1 : parent[i - 1];
		case RIGHT: /* every other node is a leaf before the next one */
			return i < 2 ? 0 : i % 2 == 1 ? i - 1 : parent[i - 1];
		case COMBS: /* each takes every other node: its root, a leaf, the next on its path */
			return i < 3 ? 0 : (i - 1) / 2 % 2 == 1 ? i - 2 : i - 4;
		case LADDER: /* a leaf, the next on the path, a leaf */
			return i < 4 ? 0 : (i - 1) / 3 * 3 - 1;
		case CATERPILLAR:
			return i < 2 || random_below(2) == 0 ? i - 1 : parent[i - 1];
		default:
			return (int32_t) random_below((uint32_t) i);
	}
}

/* Makes a tree of a shape by attaching nodes, then numbers it in postorder. */
static inline void
make_tree(TestTree *t, Shape shape, int32_t size, int32_t labels, int32_t first_label)
{
	int32_t parent[MAX_HUGE];
	int32_t first_child[MAX_HUGE];
	int32_t last_child[MAX_HUGE];
	int32_t next[MAX_HUGE];
	int32_t stack[MAX_HUGE];
	int32_t subtree[MAX_HUGE];
	int32_t top = 0;
	int32_t x = 0;

	for (int32_t i = 0; i < size; i++)
	{
		first_child[i] = last_child[i] = next[i] = -1;
		subtree[i] = 1;
		parent[i] = i == 0 ? -1 : choose_parent(shape, i, parent);
	}
	for (int32_t i = 1; i < size; i++)
	{
		int32_t p = parent[i];
		bool to_front = shape == LEFT || (shape == ZIGZAG && i % 4 < 2) ||
						(shape == COMBS && i % 4 == 1 && i > 1) ||
						(shape == CATERPILLAR && random_below(2) == 0);

		if (first_child[p] < 0)
			first_child[p] = last_child[p] = i;
		else if (to_front)
		{
			next[i] = first_child[p];
			first_child[p] = i;
		}
		else
		{
			next[last_child[p]] = i;
			last_child[p] = i;
		}
	}
	stack[top++] = 0;
	while (top > 0)
	{
		int32_t node = stack[top - 1];

		if (first_child[node] >= 0)
		{
			stack[top++] = first_child[node];
			first_child[node] = next[first_child[node]];
			continue;
		}
		top--;
		if (top > 0)
			subtree[stack[top - 1]] += subtree[node];
		t->subtree_size[x] = subtree[node];
		t->label[x++] = first_label + (int32_t) random_below((uint32_t) labels);
	}
	t->tree = (TedTree){.size = size, .label = t->label, .subtree_size = t->subtree_size};
	ted_tree_index(&t->tree, t->depth, t->key_root, &(TedInterrupt){0});
}

/* Sets the pointers of a tree that has been moved to its own arrays. */
static inline void
own_arrays(TestTree *t)
{
	t->tree.label = t->label;
	t->tree.subtree_size = t->subtree_size;
	t->tree.depth = t->depth;
	t->tree.key_root = t->key_root;
}

/* Copies a tree. */
static inline void
copy_tree(TestTree *to, const TestTree *from)
{
	*to = *from;
	own_arrays(to);
}

/* Orders TedTrees, or structs that begin with one, by size. */
static inline int
compare_sizes(const void *a, const void *b)
{
	return ((const TedTree *) a)->size - ((const TedTree *) b)->size;
}

/* Orders pointers to trees by size. */
static inline int
compare_sizes_at(const void *a, const void *b)
{
	return compare_sizes(*(const void *const *) a, *(const void *const *) b);
}

/* Inserts a node before node x > 0 in postorder, beside or above the siblings that end there. */
static inline void
insert_node(TestTree *t, int32_t x, int32_t label)
{
	int32_t size = t->tree.size++;
	int32_t own = 1;
	int32_t parent = x;

	while (parent - t->subtree_size[parent] + 1 >= x)
		parent++;
	for (int32_t child = x - 1; child > parent - t->subtree_size[parent] && random_below(3) > 0;
		 child -= t->subtree_size[child])
		own += t->subtree_size[child];
	for (int32_t y = size; y >= x; y--)
	{
		bool above = y > x && y - 1 - t->subtree_size[y - 1] + 1 < x;

		t->label[y] = y > x ? t->label[y - 1] : label;
		t->subtree_size[y] = y > x ? t->subtree_size[y - 1] + above : own;
	}
}

/* Deletes a node other than the root; its children move up. */
static inline void
delete_node(TestTree *t, int32_t x)
{
	t->tree.size--;
	for (int32_t y = x; y < t->tree.size; y++)
	{
		bool above = y + 1 - t->subtree_size[y + 1] < x;

		t->label[y] = t->label[y + 1];
		t->subtree_size[y] = t->subtree_size[y + 1] - above;
	}
}

/* Makes random edits. */
static inline void
edit_tree(TestTree *t, int32_t edits, int32_t labels)
{
	for (; edits > 0; edits--)
	{
		int32_t x = (int32_t) random_below((uint32_t) t->tree.size);
		int32_t label = (int32_t) random_below((uint32_t) labels);
		uint32_t operation = random_below(3);

		if (operation == 0 && x > 0 && t->tree.size < MAX_HUGE)
			insert_node(t, x, label);
		else if (operation == 1 && x < t->tree.size - 1)
			delete_node(t, x);
		else
			t->label[x] = label;
	}
	ted_tree_index(&t->tree, t->depth, t->key_root, &(TedInterrupt){0});
}

/* Returns unit costs, or random ones with and without zeros. */
static inline TedCosts
choose_costs(uint64_t round)
{
	int32_t least = round % 3 == 1 ? 1 : 0;

	if (round % 3 == 0)
		return TED_UNIT_COSTS;
	return (TedCosts){.insert = least + (int32_t) random_below(5),
					  .delete_ = least + (int32_t) random_below(5),
					  .rename = (int32_t) random_below(8)};
}

/*
 * Returns random costs whose insertions and deletions are not free, so that limits bound their
 * number.
 */
static inline TedCosts
strip_costs(uint64_t round)
{
	TedCosts costs = choose_costs(round);

	costs.insert = ted_max(costs.insert, 1);
	costs.delete_ = ted_max(costs.delete_, 1);
	return costs;
}

/*
 * Makes a pair: copies with a few or many edits, or two trees of any shapes, some with other
 * labels.
 */
static inline void
make_random_pair(TestTree *a, TestTree *b, uint64_t round, int32_t max_size)
{
	static const int32_t alphabets[] = {1, 2, 4, 1000};
	int32_t labels = alphabets[round % 4];
	int32_t size = 1 + (int32_t) random_below((uint32_t) max_size);

	make_tree(a, (Shape) (round / 4 % SHAPES), size, labels, 0);
	if (random_below(4) == 0)
	{
		make_tree(b, (Shape) random_below(SHAPES), 1 + (int32_t) random_below((uint32_t) max_size),
				  labels, random_below(2) == 0 ? labels : 0);
		return;
	}
	copy_tree(b, a);
	edit_tree(b, (int32_t) random_below(random_below(3) == 0 ? 40 : 6), labels);
}

/* Whether x is in the subtree of y. */
static inline bool
below(const TedTree *tree, int32_t x, int32_t y)
{
	return x <= y && x > y - tree->subtree_size[y];
}

/* Whether the mapping is one, of this cost. */
static inline bool
is_mapping(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t expected,
		   const int32_t *map_a, const int32_t *map_b)
{
	int32_t cost = 0;

	for (int32_t y = 0; y < b->size; y++)
		if (map_b[y] < 0)
			cost += ted_insert_cost(costs, b->label[y]);
		else if (map_a[map_b[y]] != y)
			return false;
	for (int32_t x = 0; x < a->size; x++)
	{
		if (map_a[x] < 0)
		{
			cost += ted_delete_cost(costs, a->label[x]);
			continue;
		}
		if (map_b[map_a[x]] != x)
			return false;
		cost += ted_rename_cost(costs, a->label[x], b->label[map_a[x]]);
		for (int32_t z = 0; z < x; z++)
			if (map_a[z] >= 0 &&
				(map_a[z] > map_a[x] || below(a, z, x) != below(b, map_a[z], map_a[x])))
				return false;
	}
	return cost == expected;
}

#endif /* TED_TEST_CORE_TREES_H */
