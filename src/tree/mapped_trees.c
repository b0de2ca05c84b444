/*
 * mapped_trees.c
 *	  Two trees, mapped to each other, as those who tell the differences look at them.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../compat.h"
#include "../common/host.h"
#include "mapped_trees.h"
#include "mapping.h"

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

/* Maps two trees to each other. */
void
MapValues(MappedTrees *trees, const Tree *a, const Tree *b)
{
	CheckMemoryLimit(MappedTreeBytes(a) + MappedTreeBytes(b), "tree edit mapping");
	trees->labels = LabelTableCreate();
	InitSide(&trees->a, a, trees->labels);
	InitSide(&trees->b, b, trees->labels);
	trees->is_optimal = MapTrees(&trees->a.tree, &trees->b.tree, &TED_UNIT_COSTS, MAPPING_FITTING,
								 trees->a.map, trees->b.map);
	CountMapped(&trees->a, &trees->b);
	CountMapped(&trees->b, &trees->a);
}
