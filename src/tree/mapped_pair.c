/*
 * mapped_pair.c
 *	  Two trees mapped to each other by unit costs, with what patches ask of them.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "miscadmin.h"

#include "../common/host.h"
#include "../compat.h"
#include "costs.h"
#include "map_trees.h"
#include "mapped_pair.h"

/* Memory of a node besides what it takes decoded. */
#define NODE_BYTES (7 * sizeof(int32) + sizeof(uint64))

/* Finds parents, ordinals and numbers of children, and hashes subtrees. */
static void
IndexTree(MappedTree *side)
{
	const TedTree *tree = &side->tree;

	side->map = palloc_array(int32, tree->size);
	side->parent = palloc_array(int32, tree->size);
	side->ordinal = palloc_array(int32, tree->size);
	side->children = palloc_array(int32, tree->size);
	side->postorder = palloc_array(int32, tree->size);
	side->hash = palloc_array(uint64, tree->size);
	for (int32 x = 0; x < tree->size; x++)
	{
		int32 count = 0;
		uint64 hash = hash_bytes_uint32_extended((uint32) tree->label[x], 0);

		CHECK_FOR_INTERRUPTS();
		for (int32 c = x - 1; c > x - tree->subtree_size[x]; c -= tree->subtree_size[c])
		{
			CHECK_FOR_INTERRUPTS();
			side->parent[c] = x;
			side->ordinal[c] = count++;
			hash = hash_combine64(hash, side->hash[c]);
		}
		for (int32 c = x - 1; c > x - tree->subtree_size[x]; c -= tree->subtree_size[c])
		{
			CHECK_FOR_INTERRUPTS();
			side->ordinal[c] = count - 1 - side->ordinal[c];
		}
		side->children[x] = count;
		side->hash[x] = hash_combine64(hash, (uint64) count);
		side->postorder[PreorderNumber(side, x)] = x;
	}
	side->parent[tree->size - 1] = -1;
	side->ordinal[tree->size - 1] = 0;
}

/* Sums up what the mapping changes and what it keeps. */
static void
SumUp(MappedTree *side, const MappedTree *other, bool count_renamed)
{
	const TedTree *tree = &side->tree;

	side->changed = palloc_array(int32, tree->size + 1);
	side->kept = palloc_array(int32, tree->size + 1);
	side->changed[0] = side->kept[0] = 0;
	for (int32 x = 0; x < tree->size; x++)
	{
		bool alone = side->map[x] < 0;
		bool kept = !alone && tree->label[x] == other->tree.label[side->map[x]];

		CHECK_FOR_INTERRUPTS();
		side->changed[x + 1] = side->changed[x] + (alone || (count_renamed && !kept));
		side->kept[x + 1] = side->kept[x] + kept;
	}
}

/* Maps two trees. */
void
MappedPairInit(MappedPair *pair, Datum a, Datum b, const char *what)
{
	TedCosts costs = TED_UNIT_COSTS;

	CheckMemoryLimit(TreeDecodedBytes(a) + TreeDecodedBytes(b) +
						 NODE_BYTES * ((Size) TreeSize(a) + (Size) TreeSize(b)),
					 what);
	pair->labels = LabelTableCreate();
	TreeDecode(DatumGetTree(a), pair->labels, &pair->a.tree);
	TreeDecode(DatumGetTree(b), pair->labels, &pair->b.tree);
	IndexTree(&pair->a);
	IndexTree(&pair->b);
	MapTrees(&pair->a.tree, &pair->b.tree, &costs, pair->a.map, pair->b.map);
	SumUp(&pair->a, &pair->b, true);
	SumUp(&pair->b, &pair->a, false);
}

/* Tells whether the subtrees of two nodes are equal. */
bool
SubtreesEqual(const MappedPair *pair, int32 x, int32 y)
{
	const TedTree *a = &pair->a.tree;
	const TedTree *b = &pair->b.tree;
	int32 size = a->subtree_size[x];
	int32 first_x = x - size + 1;
	int32 first_y = y - size + 1;

	return size == b->subtree_size[y] && pair->a.hash[x] == pair->b.hash[y] &&
		   memcmp(a->label + first_x, b->label + first_y, sizeof(int32) * (Size) size) == 0 &&
		   memcmp(a->subtree_size + first_x, b->subtree_size + first_y,
				  sizeof(int32) * (Size) size) == 0;
}

/* Difference of sums at the ends of a subtree. */
static int32
OfSubtree(const MappedTree *side, const int32 *sums, int32 node)
{
	return sums[node + 1] - sums[node + 1 - side->tree.subtree_size[node]];
}

/* Edit operations on the subtrees of two nodes. */
int32
EditOperations(const MappedPair *pair, int32 x, int32 y)
{
	return OfSubtree(&pair->a, pair->a.changed, x) + OfSubtree(&pair->b, pair->b.changed, y);
}

/* Nodes of the second tree below a node that keep partner and label. */
int32
KeptBelow(const MappedPair *pair, int32 y)
{
	return OfSubtree(&pair->b, pair->b.kept, y) - (pair->b.kept[y + 1] - pair->b.kept[y]);
}

/* The children of a node from left to right. */
int32 *
ListChildren(const MappedTree *side, int32 node)
{
	const TedTree *tree = &side->tree;
	int32 *children = palloc_array(int32, Max(side->children[node], 1));

	for (int32 c = node - 1; c > node - tree->subtree_size[node]; c -= tree->subtree_size[c])
	{
		CHECK_FOR_INTERRUPTS();
		children[side->ordinal[c]] = c;
	}
	return children;
}

/* Preorder number of a node. */
int32
PreorderNumber(const MappedTree *side, int32 node)
{
	return node - side->tree.subtree_size[node] + 1 + side->tree.depth[node];
}

/* Label of a node. */
Label
LabelOfNode(const MappedPair *pair, const MappedTree *side, int32 node)
{
	return LabelTableGet(pair->labels, side->tree.label[node]);
}
