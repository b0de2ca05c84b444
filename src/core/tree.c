/*
 * tree.c
 *	  What the algorithms need to know of a tree besides its labels and sizes.
 */
#include "ted.h"

/* Fills depth and key_root of a tree whose size, label and subtree_size are set. */
void
ted_tree_index(TedTree *tree, int32_t *depth, int32_t *key_root)
{
	int32_t root = tree->size - 1;

	for (int32_t x = 0; x < tree->size; x++)
		key_root[x] = -1;
	depth[root] = 0;

	/* parents come before their children, and the highest node of a path before the others */
	for (int32_t x = root; x >= 0; x--)
	{
		int32_t leaf = x - tree->subtree_size[x] + 1;

		if (key_root[leaf] < 0)
			key_root[leaf] = x;
		key_root[x] = key_root[leaf];
		for (int32_t child = x - 1; child >= leaf; child -= tree->subtree_size[child])
			depth[child] = depth[x] + 1;
	}
	tree->depth = depth;
	tree->key_root = key_root;
}

/* True where no distance between trees of these sizes exceeds TED_MAX_DISTANCE. */
bool
ted_costs_fit(const TedCosts *costs, int32_t size_a, int32_t size_b)
{
	int64_t all = (int64_t) size_a * costs->delete_ + (int64_t) size_b * costs->insert;

	return all <= TED_MAX_DISTANCE && costs->rename <= TED_MAX_DISTANCE;
}
