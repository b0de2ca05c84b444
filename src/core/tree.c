/*
 * tree.c
 *	  What the algorithms need to know of a tree besides its labels and sizes.
 */
#include "ted.h"

/* Sums of the sizes of the subtrees of all key roots, by leftmost and by rightmost leaves. */
static void
sum_up(TedTree *tree)
{
	int32_t root = tree->size - 1;

	tree->leaves = 0;
	tree->height = 0;
	tree->left_nodes = 0;
	tree->right_nodes = tree->subtree_size[root];
	for (int32_t x = 0; x <= root; x++)
	{
		tree->leaves += tree->subtree_size[x] == 1;
		tree->height = tree->depth[x] > tree->height ? tree->depth[x] : tree->height;
		tree->left_nodes += tree->key_root[x] == x ? tree->subtree_size[x] : 0;

		/* x is the last child of x + 1 unless that one is a leaf */
		if (x < root)
			tree->right_nodes += tree->subtree_size[x + 1] == 1 ? tree->subtree_size[x] : 0;
	}
}

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
	int32_t root = tree->size - 1;

	depth[root] = 0;
	for (int32_t x = root; x >= 0; x--)
		for (int32_t child = x - 1; child > x - tree->subtree_size[x];
			 child -= tree->subtree_size[child])
			depth[child] = depth[x] + 1;
	ted_tree_key_roots(tree, key_root);
	tree->depth = depth;
	tree->key_root = key_root;
	sum_up(tree);
}

/* True where no distance between trees of these sizes exceeds TED_MAX_DISTANCE. */
bool
ted_costs_fit(const TedCosts *costs, int32_t size_a, int32_t size_b)
{
	int64_t all = (int64_t) size_a * costs->delete_ + (int64_t) size_b * costs->insert;

	return all <= TED_MAX_DISTANCE && costs->rename <= TED_MAX_DISTANCE;
}
