/*
 * shapes.h
 *	  Trees of all shapes for the core's stand-alone tests.
 */
#ifndef SHAPES_H
#define SHAPES_H

#include "../../src/core/ted.h"
#include "random.h"

#define MAX_HUGE 700

typedef enum Shape
{
	PATH,
	STAR,
	LEFT,
	RIGHT,
	ZIGZAG,
	COMBS,       /* a root with a left comb and a right comb */
	CATERPILLAR, /* a path with leaves on either side, at random */
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

/* Parent of node i > 0 in preorder for a shape. */
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
	ted_tree_index(&t->tree, t->depth, t->key_root);
}

#endif /* SHAPES_H */
