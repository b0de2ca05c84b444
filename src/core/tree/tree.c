/*
 * tree.c
 *	  Depths and key roots of a tree, from its labels and sizes.
 */
#include "ted.h"

/* Fills key_root of a tree, or of several in a row, whose size and subtree_size are set. */
TedStatus
ted_tree_key_roots(const TedTree *tree, int32_t *key_root, const TedInterrupt *interrupt)
{
	int64_t steps = 0;

	for (int32_t begin = 0, end; begin < tree->size; begin = end)
	{
		end = ted_run_end(begin, tree->size);
		for (int32_t x = begin; x < end; x++)
			key_root[x] = -1;
		if (ted_interrupted(interrupt, &steps, end - begin))
			return TED_CANCELLED;
	}

	/* the highest node of a leftmost path is visited before the others */
	for (int32_t begin = 0, end; begin < tree->size; begin = end)
	{
		end = ted_run_end(begin, tree->size);
		for (int32_t x = tree->size - 1 - begin; x >= tree->size - end; x--)
		{
			int32_t leaf = ted_first(tree, x);
			int32_t root = key_root[leaf] < 0 ? x : key_root[leaf];

			key_root[leaf] = root;
			key_root[x] = root;
		}
		if (ted_interrupted(interrupt, &steps, end - begin))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Finds the parents of all nodes. */
TedStatus
ted_tree_parents(const TedTree *tree, int32_t *parent, const TedInterrupt *interrupt)
{
	int64_t steps = 0;

	parent[tree->size - 1] = -1;
	for (int32_t x = tree->size - 2; x >= 0; x--)
	{
		/* x is the last child of x + 1 or, if x + 1 is a leaf, the left sibling of its key root */
		parent[x] = tree->subtree_size[x + 1] > 1 ? x + 1 : parent[tree->key_root[x + 1]];
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Fills the depths of the nodes from `last` down to `first`, and updates the sums of the tree. */
static void
fill_depths(TedTree *tree, int32_t first, int32_t last, int32_t *depth, const int32_t *key_root)
{
	const int32_t *size = tree->subtree_size;
	int32_t root = tree->size - 1;

	for (int32_t x = last; x >= first; x--)
	{
		/* x is the last child of x + 1 or, if x + 1 is a leaf, the left sibling of its key root */
		bool beside = x < root && size[x + 1] == 1;
		int32_t above = x == root ? -1 : beside ? depth[key_root[x + 1]] - 1 : depth[x + 1];

		depth[x] = above + 1;
		tree->leaves += size[x] == 1;
		tree->height = ted_max(tree->height, depth[x]);
		tree->left_nodes += key_root[x] == x ? size[x] : 0;
		tree->right_nodes += beside ? size[x] : 0;
	}
}

/* Completes a tree whose size, label and subtree_size are set. */
TedStatus
ted_tree_index(TedTree *tree, int32_t *depth, int32_t *key_root, const TedInterrupt *interrupt)
{
	int64_t steps = 0;

	if (ted_tree_key_roots(tree, key_root, interrupt) != TED_OK)
		return TED_CANCELLED;
	tree->leaves = 0;
	tree->height = 0;
	tree->left_nodes = 0;
	tree->right_nodes = tree->size;
	for (int32_t begin = 0, end; begin < tree->size; begin = end)
	{
		end = ted_run_end(begin, tree->size);
		fill_depths(tree, tree->size - end, tree->size - 1 - begin, depth, key_root);
		if (ted_interrupted(interrupt, &steps, end - begin))
			return TED_CANCELLED;
	}
	tree->depth = depth;
	tree->key_root = key_root;
	return TED_OK;
}

/* Whether deleting one tree and inserting the other costs no more than TED_MAX_DISTANCE. */
bool
ted_costs_fit(const TedCosts *costs, const TedTree *a, const TedTree *b)
{
	TedUniformCosts most = ted_most_costs(costs);
	int64_t all = (int64_t) a->size * most.delete_ + (int64_t) b->size * most.insert;

	if (all > TED_MAX_DISTANCE && ted_costs_by_label(costs))
	{
		/* the bounds may be of labels that these trees lack, so sum up the costs of their nodes */
		all = 0;
		for (int32_t x = 0; x < a->size; x++)
			all += ted_delete_cost(costs, a->label[x]);
		for (int32_t y = 0; y < b->size; y++)
			all += ted_insert_cost(costs, b->label[y]);
	}
	return all <= TED_MAX_DISTANCE && most.rename <= TED_MAX_DISTANCE;
}
