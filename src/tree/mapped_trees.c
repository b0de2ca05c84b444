/*
 * mapped_trees.c
 *	  Two trees, mapped to each other, as those who tell the differences look at them.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "miscadmin.h"

#include "../compat.h"
#include "compared_trees.h"
#include "../common/host.h"
#include "mapped_trees.h"
#include "model_costs.h"

/* Memory that one of the trees takes. */
static Size
MappedTreeBytes(const Tree *tree)
{
	Datum value = PointerGetDatum(tree);

	return TreeDecodedBytes(value) + 5 * sizeof(int32) * ((Size) TreeSize(value) + 1);
}

/* Decodes a tree, and numbers its nodes in preorder. */
static void
InitSide(MappedTree *side, const Tree *tree, LabelTable *labels)
{
	TedTree *decoded = &side->tree;

	TreeDecode(tree, labels, decoded);
	side->map = palloc_array(int32, decoded->size);
	side->postorder = palloc_array(int32, decoded->size);
	side->preorder = palloc_array(int32, decoded->size);
	for (int32 x = 0; x < decoded->size; x++)
	{
		side->preorder[x] = x - decoded->subtree_size[x] + 1 + decoded->depth[x];
		side->postorder[side->preorder[x]] = x;
		CHECK_FOR_INTERRUPTS();
	}
}

/* Counts the nodes that have a partner. */
static void
CountMapped(MappedTree *side, const MappedTree *other)
{
	int32 size = side->tree.size;

	side->mapped = palloc_array(int32, size + 1);
	side->equal = palloc_array(int32, size + 1);
	side->mapped[0] = side->equal[0] = 0;
	for (int32 x = 0; x < size; x++)
	{
		int32 y = side->map[x];

		side->mapped[x + 1] = side->mapped[x] + (y >= 0);
		side->equal[x + 1] =
			side->equal[x] + (y >= 0 && side->tree.label[x] == other->tree.label[y]);
		CHECK_FOR_INTERRUPTS();
	}
}

/* Maps the trees of both sides by a model. */
static bool
MapByModel(MappedTrees *trees, const CostModel *model, MappingKind kind)
{
	ModelCosts *costs = ModelCostsCreate(model, trees->labels, trees->marks);
	TedTree a;
	TedTree b;

	RelabelTree(costs, &trees->a.tree, &a);
	RelabelTree(costs, &trees->b.tree, &b);
	return MapTrees(&a, &b, ModelTedCosts(costs), kind, trees->a.map, trees->b.map);
}

/* Maps two trees to each other. */
void
MapValues(MappedTrees *trees, const Tree *a, const Tree *b, const CostModel *model,
		  MappingKind kind, const char *what)
{
	Size bytes = MappedTreeBytes(a) + MappedTreeBytes(b);
	ComparedTrees compared;

	BeginComparison(&compared, PointerGetDatum(a), PointerGetDatum(b));
	if (model != NULL)
		bytes += RelabelBytes((int64) TreeSize(PointerGetDatum(a)) + TreeSize(PointerGetDatum(b)));
	CheckMemoryLimit(bytes, what);
	trees->labels = LabelTableCreate();
	InitSide(&trees->a, a, trees->labels);
	InitSide(&trees->b, b, trees->labels);
	trees->is_optimal = model != NULL ? MapByModel(trees, model, kind)
									  : MapTrees(&trees->a.tree, &trees->b.tree, &TED_UNIT_COSTS,
												 kind, trees->a.map, trees->b.map);
	EndComparison(&compared);
	CountMapped(&trees->a, &trees->b);
	CountMapped(&trees->b, &trees->a);
}

/* Finds parents and children of a tree, and hashes its subtrees. */
static void
IndexSide(MappedTree *side)
{
	const TedTree *tree = &side->tree;

	side->parent = palloc_array(int32, tree->size);
	side->ordinal = palloc_array(int32, tree->size);
	side->children = palloc_array(int32, tree->size);
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
	}
	side->parent[tree->size - 1] = -1;
	side->ordinal[tree->size - 1] = 0;
}

/* Finds parents and children, and hashes subtrees. */
void
IndexTrees(MappedTrees *trees, const char *what)
{
	Size nodes = (Size) trees->a.tree.size + trees->b.tree.size;

	CheckMemoryLimit(nodes * (3 * sizeof(int32) + sizeof(uint64)), what);
	IndexSide(&trees->a);
	IndexSide(&trees->b);
}

/* Tells whether the subtrees of two nodes are equal. */
bool
SubtreesEqual(const MappedTrees *trees, int32 x, int32 y)
{
	const TedTree *a = &trees->a.tree;
	const TedTree *b = &trees->b.tree;
	int32 size = a->subtree_size[x];
	int32 first_x = x - size + 1;
	int32 first_y = y - size + 1;

	return size == b->subtree_size[y] && trees->a.hash[x] == trees->b.hash[y] &&
		   memcmp(a->label + first_x, b->label + first_y, sizeof(int32) * (Size) size) == 0 &&
		   memcmp(a->subtree_size + first_x, b->subtree_size + first_y,
				  sizeof(int32) * (Size) size) == 0;
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
