/*
 * ignored_nodes.c
 *	  Pairs ignored nodes, so that differences can show them.
 *
 * Two subtrees are in the same place if their parents are partners and equal numbers of
 * nodes with partners come before them.  Among subtrees in the same place, those with equal
 * labels are paired, from the last ones on.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../compat.h"
#include "../convert/json_labels.h"
#include "diff.h"

/*
 * Whether two subtrees have the same nodes except for texts and literals or, in plain
 * trees, leaves.
 */
static bool
AreAlikeButForTexts(const MappedTrees *trees, int32 x, int32 y)
{
	const MappedTree *a = &trees->a;
	const MappedTree *b = &trees->b;
	int32 size = a->tree.subtree_size[x];

	if (size != b->tree.subtree_size[y])
		return false;
	for (int32 k = 0; k < size; k++)
	{
		int32 node_x = NodeAfter(a, x, k);
		int32 node_y = NodeAfter(b, y, k);
		NodeKind kind = (NodeKind) a->kind[node_x];

		CHECK_FOR_INTERRUPTS();
		if (kind != (NodeKind) b->kind[node_y] ||
			a->tree.subtree_size[node_x] != b->tree.subtree_size[node_y])
			return false;
		if (a->tree.label[node_x] != b->tree.label[node_y] && kind != NODE_LITERAL &&
			kind != NODE_TEXT && kind != NODE_VALUE &&
			(kind != NODE_PLAIN || a->tree.subtree_size[node_x] > 1))
			return false;
	}
	return true;
}

/* Makes the nodes of two subtrees partners if the subtrees are the same except for texts. */
static bool
PairSubtrees(MappedTrees *trees, int32 x, int32 y)
{
	if (!AreAlikeButForTexts(trees, x, y))
		return false;
	for (int32 k = 0; k < trees->a.tree.subtree_size[x]; k++)
	{
		CHECK_FOR_INTERRUPTS();
		trees->a.map[x - k] = y - k;
		trees->b.map[y - k] = x - k;
	}
	return true;
}

/*
 * Returns the next sibling to the left, from a child on, that is left alone, or a number
 * before the parent's subtree.
 */
static int32
NextIgnored(const MappedTree *side, int32 parent, int32 child)
{
	while (child > parent - side->tree.subtree_size[parent] && !IsLeftAlone(side, child))
	{
		CHECK_FOR_INTERRUPTS();
		child -= side->tree.subtree_size[child];
	}
	return child;
}

/* Pairs the children of two partners that are left alone. */
static void
PairIgnoredChildren(MappedTrees *trees, int32 x, int32 y)
{
	MappedTree *a = &trees->a;
	MappedTree *b = &trees->b;
	int32 end_a = x - a->tree.subtree_size[x];
	int32 end_b = y - b->tree.subtree_size[y];
	int32 c = NextIgnored(a, x, x - 1);
	int32 d = NextIgnored(b, y, y - 1);

	while (c > end_a && d > end_b)
	{
		int32 order = a->mapped[c] - b->mapped[d];

		CHECK_FOR_INTERRUPTS();
		if (order == 0 && !PairSubtrees(trees, c, d))
			order = CompareSiblings(NodeLabel(trees, a, c), NodeLabel(trees, b, d));
		if (order >= 0)
			c = NextIgnored(a, x, c - a->tree.subtree_size[c]);
		if (order <= 0)
			d = NextIgnored(b, y, d - b->tree.subtree_size[d]);
	}
}

/* Counts the nodes of a side that have partners again, including the new pairs. */
static void
CountPartners(MappedTree *side, const MappedTree *other)
{
	int32 mapped = 0;
	int32 equal = 0;

	for (int32 x = 0; x < side->tree.size; x++)
	{
		int32 had_partner = side->mapped[x + 1] - side->mapped[x];
		bool kept_label = KeepsLabel(side, x);

		CHECK_FOR_INTERRUPTS();
		side->mapped[x] = mapped;
		side->kept[x] = equal;
		mapped += side->map[x] >= 0;
		if (had_partner)
			equal += kept_label;
		else
			equal += side->map[x] >= 0 && side->tree.label[x] == other->tree.label[side->map[x]];
	}
	side->mapped[side->tree.size] = mapped;
	side->kept[side->tree.size] = equal;
}

void
PairIgnoredNodes(MappedTrees *trees)
{
	int32 root_a = trees->a.tree.size - 1;
	int32 root_b = trees->b.tree.size - 1;

	if (IsLeftAlone(&trees->a, root_a) && IsLeftAlone(&trees->b, root_b))
		PairSubtrees(trees, root_a, root_b);
	for (int32 x = trees->a.tree.size - 1; x >= 0; x--)
	{
		CHECK_FOR_INTERRUPTS();
		if (trees->a.mapped[x + 1] > trees->a.mapped[x])
			PairIgnoredChildren(trees, x, trees->a.map[x]);
	}
	CountPartners(&trees->a, &trees->b);
	CountPartners(&trees->b, &trees->a);
}
