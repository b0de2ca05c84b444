/*
 * tree.c
 *	  What the algorithms need to know of a tree besides its labels and sizes.
 */
#include "ted.h"

/* Fills key_root of a tree, or of several in a row, whose size and subtree_size are set. */
void
ted_tree_key_roots(const TedTree *tree, int32_t *key_root)
{
	for (int32_t x = 0; x < tree->size; x++)
		key_root[x] = -1;

	/* the highest node of a path comes before the others */
	for (int32_t x = tree->size - 1; x >= 0; x--)
	{
		int32_t leaf = x - tree->subtree_size[x] + 1;
		int32_t root = key_root[leaf] < 0 ? x : key_root[leaf];

		key_root[leaf] = root;
		key_root[x] = root;
	}
}

/* Completes a tree whose size, label and subtree_size are set. */
void
ted_tree_index(TedTree *tree, int32_t *depth, int32_t *key_root)
{
	const int32_t *size = tree->subtree_size;
	int32_t root = tree->size - 1;

	ted_tree_key_roots(tree, key_root);
	tree->leaves = 0;
	tree->height = 0;
	tree->left_nodes = 0;
	tree->right_nodes = size[root];
	for (int32_t x = root; x >= 0; x--)
	{
		/* x is the last child of x + 1 or, where that is a leaf, beside the root of its path */
		bool beside = x < root && size[x + 1] == 1;
		int32_t above = x == root ? -1 : beside ? depth[key_root[x + 1]] - 1 : depth[x + 1];

		depth[x] = above + 1;
		tree->leaves += size[x] == 1;
		tree->height = ted_max(tree->height, depth[x]);
		tree->left_nodes += key_root[x] == x ? size[x] : 0;
		tree->right_nodes += beside ? size[x] : 0;
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
