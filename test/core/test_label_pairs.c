/*
 * test_label_pairs.c
 *	  Checks pairs of rare labels against the exact distances of all pairs of trees, and against
 *	  plain definitions.
 */
#include <stdlib.h>
#include <string.h>

#include "../../src/core/tree/filters/label_pairs.h"
#include "random.h"
#include "tap.h"
#include "trees.h"

#define MAX_TREES 30
#define MAX_SIZE 22

/* The rarest nodes of a tree, as hashes; fewer than k + 2 if the tree has fewer nodes. */
typedef struct RareNodes
{
	int32_t count;
	uint32_t node[TED_LABEL_PAIRS_LIMIT + 2];
} RareNodes;

/* Some trees, about half of which are copies of others with some nodes renamed. */
typedef struct Collection
{
	TestTree tree[MAX_TREES];
	int32_t occurrence[MAX_TREES][MAX_HUGE];
	int32_t frequency[MAX_HUGE];
	uint32_t mask; /* mask of labels by which frequencies are counted */
	int32_t count;
	int32_t labels;
	int32_t limit;
	RareNodes rare[MAX_TREES];
} Collection;

/* Numbers the nodes with the same label in each tree, in an order of the test's own. */
static void
set_occurrences(const TestTree *tree, int32_t *occurrence)
{
	for (int32_t x = 0; x < tree->tree.size; x++)
	{
		occurrence[x] = 1;
		for (int32_t y = 0; y < x; y++)
			occurrence[x] += tree->label[y] == tree->label[x];
	}
}

/* Makes trees of a shape. */
static void
make_collection(Collection *c, Shape shape)
{
	c->count = 1 + (int32_t) random_below(MAX_TREES);
	c->labels = random_below(2) == 0 ? 3 : 200;
	c->limit = (int32_t) random_below(TED_LABEL_PAIRS_LIMIT + 1);
	c->mask = random_below(2) == 0 ? UINT32_MAX : 7;
	for (int32_t l = 0; l < c->labels; l++)
		c->frequency[l] = 0;
	for (int32_t i = 0; i < c->count; i++)
	{
		TestTree *tree = &c->tree[i];
		int32_t size = 1 + (int32_t) random_below(MAX_SIZE);

		if (i > 0 && random_below(2) == 0)
			size = c->tree[i - 1].tree.size;
		make_tree(tree, shape, size, c->labels, 0);
		for (int32_t x = 0; i > 0 && size == c->tree[i - 1].tree.size && x < size; x++)
			if (random_below(4) > 0)
				tree->label[x] = c->tree[i - 1].label[x];
		set_occurrences(tree, c->occurrence[i]);
		for (int32_t x = 0; x < size; x++)
			c->frequency[(uint32_t) tree->label[x] & c->mask]++;
	}
}

/* Whether a tree has a node. */
static bool
has_node(const Collection *c, int32_t tree, int32_t label, int32_t occurrence)
{
	for (int32_t x = 0; x < c->tree[tree].tree.size; x++)
		if (c->tree[tree].label[x] == label && c->occurrence[tree][x] == occurrence)
			return true;
	return false;
}

/* Returns the number of nodes that two trees have in common. */
static int32_t
count_common(const Collection *c, int32_t a, int32_t b)
{
	int32_t common = 0;

	for (int32_t x = 0; x < c->tree[a].tree.size; x++)
		common += has_node(c, b, c->tree[a].label[x], c->occurrence[a][x]);
	return common;
}

/* Finds the rarest nodes of all trees, as many as there should be. */
static bool
rare_nodes_are_found(Collection *c)
{
	TedLabelFrequencies frequencies = {.count = c->frequency, .mask = c->mask};

	for (int32_t i = 0; i < c->count; i++)
	{
		int32_t size = c->tree[i].tree.size;

		if (ted_rarest_nodes(c->tree[i].label, c->occurrence[i], size, &frequencies, c->limit + 2,
							 &never, c->rare[i].node, &c->rare[i].count) != TED_OK ||
			c->rare[i].count != ted_min(size, c->limit + 2))
			return false;
	}
	return true;
}

/* Whether two trees have two of their rarest nodes in common, by their hashes. */
static bool
share_nodes(const RareNodes *a, const RareNodes *b)
{
	bool used[TED_LABEL_PAIRS_LIMIT + 2] = {false};
	int32_t common = 0;

	for (int32_t i = 0; i < a->count; i++)
		for (int32_t j = 0; j < b->count; j++)
			if (!used[j] && a->node[i] == b->node[j])
			{
				used[j] = true;
				common++;
				break;
			}
	return common >= 2;
}

/* Whether trees must share pairs: each lacks up to k nodes of the other; one is not small. */
static bool
must_share(const Collection *c, int32_t a, int32_t b)
{
	int32_t larger = ted_max(c->tree[a].tree.size, c->tree[b].tree.size);

	return larger >= c->limit + 2 && larger - count_common(c, a, b) <= c->limit;
}

/* Whether all trees share pairs that must. */
static bool
pairs_are_right(const Collection *c)
{
	for (int32_t a = 0; a < c->count; a++)
		for (int32_t b = 0; b < a; b++)
			if (must_share(c, a, b) && !share_nodes(&c->rare[a], &c->rare[b]))
				return false;
	return true;
}

int
main(void)
{
	static Collection c;
	uint64_t count = rounds(1000);

	random_state = setting("SEED", 1);
	for (int shape = 0; shape < SHAPES; shape++)
	{
		bool right = true;

		for (uint64_t i = 0; i < count / 4 + 1 && right; i++)
		{
			make_collection(&c, (Shape) shape);
			right = rare_nodes_are_found(&c) && pairs_are_right(&c);
		}
		ok(right, "trees of shape %d that are near each other share pairs of rare labels", shape);
	}
	return done_testing();
}
