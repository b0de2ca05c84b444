/*
 * mapped_trees.c
 *	  Two trees and a mapping between them, for differences and patches.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "miscadmin.h"

#include "../../compat.h"
#include "../distance/compared_trees.h"
#include "../../common/host.h"
#include "../convert/json_labels.h"
#include "mapped_trees.h"
#include "../costs/model_costs.h"
#include "name_mapping.h"

/* Returns the memory of one of the trees in bytes. */
static Size
MappedTreeBytes(const Tree *tree)
{
	Datum value = PointerGetDatum(tree);

	return TreeDecodedBytes(value) +
		   (7 * sizeof(int32) + sizeof(uint8)) * ((Size) TreeSize(value) + 1);
}

/* Returns which labels have marks in a syntax. */
static LabelMarks
MarksOf(TreeSyntax syntax)
{
	if (syntax == SYNTAX_XML)
		return MARKS_OF_DIFFERENCES;
	return syntax == SYNTAX_XML_OF_PATCH ? MARKS_OF_PATCHES : NO_MARKS;
}

/* Whether the trees are documents of XML. */
static bool
AreXml(const MappedTrees *trees)
{
	return MarksOf(trees->syntax) != NO_MARKS;
}

/* Returns the kind of a node of XML by its label; that of a value, by its attribute. */
static NodeKind
KindInXml(Label label, TreeSyntax syntax)
{
	char mark = label.length > 0 ? label.bytes[0] : '\0';

	if (mark == ATTRIBUTE_MARK)
		return NODE_ATTRIBUTE;
	if (syntax == SYNTAX_XML)
		return mark == MARK_TEXT ? NODE_TEXT : NODE_ELEMENT;
	if (mark == ELEMENT_MARK)
		return NODE_ELEMENT;
	return mark == TEXT_MARK ? NODE_TEXT : NODE_OTHER;
}

/* Sets the kinds of the nodes of a side. */
static void
FindKinds(const MappedTrees *trees, MappedTree *side)
{
	bool is_xml = AreXml(trees);

	for (int32 x = side->tree.size - 1; x >= 0; x--)
	{
		CHECK_FOR_INTERRUPTS();
		if (is_xml && x + 1 < side->tree.size && side->kind[x + 1] == NODE_ATTRIBUTE &&
			side->tree.subtree_size[x + 1] > 1)
			side->kind[x] = NODE_VALUE;
		else if (is_xml)
			side->kind[x] = (uint8) KindInXml(NodeLabel(trees, side, x), trees->syntax);
		else
			side->kind[x] = trees->syntax == SYNTAX_JSON
								? (uint8) JsonKindOfLabel(NodeLabel(trees, side, x))
								: (uint8) NODE_PLAIN;
	}
}

/* Decodes one of the trees, finds the kinds of its nodes, numbers them, and allocates its map. */
static void
DecodeMappedTree(const MappedTrees *trees, MappedTree *side, const Tree *tree)
{
	TedTree *decoded = &side->tree;

	TreeDecode(tree, trees->labels, decoded);
	side->kind = palloc_extended((Size) decoded->size, MCXT_ALLOC_HUGE);
	FindKinds(trees, side);
	side->map = palloc_array(int32, decoded->size);
	side->postorder = palloc_array(int32, decoded->size);
	side->preorder = palloc_array(int32, decoded->size);
	TreeOrders(decoded, side->preorder, side->postorder);
}

void
MakeFlatTree(MappedTree *side, const int32 *label, int32 leaves)
{
	Size nodes = (Size) leaves + 1;
	int32 *subtree_size = palloc_extended(sizeof(int32) * nodes, MCXT_ALLOC_HUGE);
	int32 *depth = palloc_extended(sizeof(int32) * nodes, MCXT_ALLOC_HUGE);

	side->tree =
		(TedTree){.size = leaves + 1, .label = label, .subtree_size = subtree_size, .depth = depth};
	side->kind = palloc_extended(nodes, MCXT_ALLOC_HUGE);
	side->map = palloc_extended(sizeof(int32) * nodes, MCXT_ALLOC_HUGE);
	side->postorder = palloc_extended(sizeof(int32) * nodes, MCXT_ALLOC_HUGE);
	side->preorder = palloc_extended(sizeof(int32) * nodes, MCXT_ALLOC_HUGE);
	memset(side->kind, NODE_PLAIN, nodes);
	memset(side->map, -1, sizeof(int32) * nodes);
	for (int32 x = 0; x <= leaves; x++)
	{
		CHECK_FOR_INTERRUPTS();
		subtree_size[x] = x < leaves ? 1 : leaves + 1;
		depth[x] = x < leaves;
	}
	TreeOrders(&side->tree, side->preorder, side->postorder);
}

/* Allocates and sets the sums of a side; `a` and `b` have the labels for `costs`. */
static void
CountNodes(const MappedTrees *trees, MappedTree *side, const TedCosts *costs, const TedTree *a,
		   const TedTree *b)
{
	const MappedTree *other = side == &trees->a ? &trees->b : &trees->a;
	int32 size = side->tree.size;
	Size bytes = sizeof(int32) * ((Size) size + 1);

	side->mapped = palloc_extended(bytes, MCXT_ALLOC_HUGE);
	side->kept = palloc_extended(bytes, MCXT_ALLOC_HUGE);
	side->paid = palloc_extended(bytes, MCXT_ALLOC_HUGE);
	side->mapped[0] = side->kept[0] = side->paid[0] = 0;
	for (int32 x = 0; x < size; x++)
	{
		int32 partner = side->map[x];
		bool is_mapped = partner >= 0;
		bool is_paid;
		int32 cost;

		CHECK_FOR_INTERRUPTS();
		if (side == &trees->a)
			cost = is_mapped ? ted_rename_cost(costs, a->label[x], b->label[partner])
							 : ted_delete_cost(costs, a->label[x]);
		else
			cost = is_mapped ? ted_rename_cost(costs, a->label[partner], b->label[x])
							 : ted_insert_cost(costs, b->label[x]);
		is_paid = cost > 0;

		/* equal numbers with other digits; with a cost model, they cost nothing */
		if (side->exact != NULL && !trees->has_model && is_mapped &&
			side->tree.label[x] == other->tree.label[partner] &&
			side->exact[x] != other->exact[partner])
			is_paid = true;
		side->mapped[x + 1] = side->mapped[x] + is_mapped;
		side->kept[x + 1] = side->kept[x] + (is_mapped && !is_paid);
		side->paid[x + 1] = side->paid[x] + is_paid;
	}
}

void
CountMappedNodes(MappedTrees *trees, const TedCosts *costs, const TedTree *a, const TedTree *b)
{
	CountNodes(trees, &trees->a, costs, a, b);
	CountNodes(trees, &trees->b, costs, a, b);
}

/* Removes the partners of ignored nodes, which are ignored nodes as well. */
static void
UnmapIgnored(int32 *map, const TedTree *relabelled, const ModelCosts *costs)
{
	for (int32 x = 0; x < relabelled->size; x++)
	{
		CHECK_FOR_INTERRUPTS();
		if (TraitsOfLabel(costs, relabelled->label[x]).is_ignored)
			map[x] = -1;
	}
}

/* Sets the traits of the nodes of a side; `relabelled` has the labels for the costs. */
static void
FindTraits(MappedTree *side, const TedTree *relabelled, const CostModel *model,
		   const ModelCosts *costs)
{
	Size size = (Size) side->tree.size;

	side->traits = palloc_extended(size, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	if (model == NULL)
		return;
	if (model->has_unordered)
		side->key = palloc_extended(sizeof(int32) * size, MCXT_ALLOC_HUGE);
	for (int32 x = 0; x < side->tree.size; x++)
	{
		LabelTraits traits = TraitsOfLabel(costs, relabelled->label[x]);
		NodeKind kind = (NodeKind) side->kind[x];

		CHECK_FOR_INTERRUPTS();
		if (traits.is_ignored)
			side->traits[x] |= NODE_IS_IGNORED;
		if (traits.has_tolerance)
			side->traits[x] |= NODE_IS_NEAR;
		if ((traits.is_unordered && (kind == NODE_ARRAY || kind == NODE_ELEMENT)) ||
			(kind == NODE_ARRAY && model->arrays == ARRAYS_UNORDERED))
			side->traits[x] |= NODE_IS_UNORDERED;
		if (side->key != NULL)
			side->key[x] = traits.key;
	}
}

int
CompareNodeNames(const MappedTrees *trees, int32 name, int32 other)
{
	return CompareSiblings(LabelTableGet(trees->labels, name), LabelTableGet(trees->labels, other));
}

/* Returns the name in the label of a member, an attribute or an element. */
static Label
NameInLabel(const MappedTrees *trees, int32 name)
{
	Label label = LabelTableGet(trees->labels, name);

	if (trees->syntax == SYNTAX_JSON && IsJsonMember(label))
		return (Label){label.bytes + 1, label.length - 3};
	label = PlainLabel(label, MarksOf(trees->syntax), KIND_ELEMENT);
	if (label.length > 0 && label.bytes[0] == ATTRIBUTE_MARK)
		return (Label){label.bytes + 1, label.length - 1};
	return label;
}

/*
 * Returns how similar two names are: the part of the longer one that its beginning and its
 * end have in common with the other one.
 */
int
LikenessOfNodeNames(const MappedTrees *trees, int32 name, int32 other)
{
	Label a = NameInLabel(trees, name);
	Label b = NameInLabel(trees, other);
	int longer = Max(a.length, b.length);
	int shorter = Min(a.length, b.length);
	int begin = 0;
	int end = 0;

	while (begin < shorter && a.bytes[begin] == b.bytes[begin])
		begin++;
	while (end < shorter - begin && a.bytes[a.length - 1 - end] == b.bytes[b.length - 1 - end])
		end++;
	return longer == 0 ? EQUAL_NAMES : (int) ((int64) EQUAL_NAMES * (begin + end) / longer);
}

/*
 * Lists the children of a node y of the second document from right to left, in the order of
 * their partners below x.  A member without a partner comes before the first such partner
 * whose name in the first document is greater; other nodes without a partner come last.
 * Attributes keep their order, before all others.
 */
static int32
OrderChildren(const MappedTrees *trees, int32 x, int32 y, int32 *children)
{
	const TedTree *a = &trees->a.tree;
	const TedTree *b = &trees->b.tree;
	bool has_names = trees->b.kind[y] == NODE_OBJECT;
	int32 first = y - b->subtree_size[y];
	int32 alone = y - 1;
	int32 count = 0;

	for (int32 c = y - 1; c > first && AreXml(trees); c -= b->subtree_size[c])
		if (trees->b.kind[c] == NODE_ATTRIBUTE)
		{
			first = c;
			break;
		}
	for (int32 c = x - 1; c > x - a->subtree_size[x]; c -= a->subtree_size[c])
	{
		CHECK_FOR_INTERRUPTS();
		if (trees->a.map[c] < 0 || trees->a.kind[c] == NODE_ATTRIBUTE)
			continue;
		for (; alone > first; alone -= b->subtree_size[alone])
		{
			CHECK_FOR_INTERRUPTS();
			if (trees->b.map[alone] >= 0)
				continue;
			if (has_names && CompareNodeNames(trees, b->label[alone], a->label[c]) < 0)
				break;
			children[count++] = alone;
		}
		children[count++] = trees->a.map[c];
	}
	for (; alone > first; alone -= b->subtree_size[alone])
		if (trees->b.map[alone] < 0)
			children[count++] = alone;
	for (int32 c = first; c > y - b->subtree_size[y]; c -= b->subtree_size[c])
		children[count++] = c;
	return count;
}

/* Moves numbers to the places that a permutation assigns to them. */
static void
Permute(int32 *numbers, const int32 *place, int32 count, int32 *scratch)
{
	memcpy(scratch, numbers, sizeof(int32) * (Size) count);
	for (int32 i = 0; i < count; i++)
		numbers[place[i]] = scratch[i];
}

/*
 * Reorders the children of the second document's objects, and of nodes whose children have no
 * order, in the order of their partners.
 */
static void
ReorderSecond(MappedTrees *trees, const TedTree *relabelled)
{
	MappedTree *b = &trees->b;
	TedTree *tree = &b->tree;
	int32 size = tree->size;
	int32 *stack = palloc_extended(sizeof(int32) * (Size) size, MCXT_ALLOC_HUGE);
	int32 *place = palloc_extended(sizeof(int32) * (Size) size, MCXT_ALLOC_HUGE);
	int32 height = 0;
	int32 next = 0;

	b->source = palloc_extended(sizeof(int32) * (Size) size, MCXT_ALLOC_HUGE);
	memcpy(b->source, b->preorder, sizeof(int32) * (Size) size);
	stack[height++] = size - 1;
	while (height > 0)
	{
		int32 y = stack[--height];
		int32 x = b->map[y];

		CHECK_FOR_INTERRUPTS();
		place[y] = next++ + tree->subtree_size[y] - 1 - tree->depth[y];
		if (x >= 0 && (b->kind[y] == NODE_OBJECT ||
					   (trees->a.traits[x] & b->traits[y] & NODE_IS_UNORDERED) != 0))
			height += OrderChildren(trees, x, y, stack + height);
		else
			for (int32 c = y - 1; c > y - tree->subtree_size[y]; c -= tree->subtree_size[c])
				stack[height++] = c;
	}
	for (int32 x = 0; x < trees->a.tree.size; x++)
		if (trees->a.map[x] >= 0)
			trees->a.map[x] = place[trees->a.map[x]];
	if (relabelled->label != tree->label)
		Permute(unconstify(int32 *, relabelled->label), place, size, stack);
	Permute(unconstify(int32 *, tree->label), place, size, stack);
	Permute(unconstify(int32 *, tree->subtree_size), place, size, stack);
	Permute(unconstify(int32 *, tree->depth), place, size, stack);
	memcpy(stack, b->kind, (size_t) size);
	for (int32 y = 0; y < size; y++)
		b->kind[place[y]] = ((const uint8 *) stack)[y];
	Permute(b->map, place, size, stack);
	Permute(b->source, place, size, stack);
	if (b->exact != NULL)
		Permute(b->exact, place, size, stack);
	TreeOrders(tree, b->preorder, b->postorder);
	pfree(stack);
	pfree(place);
}

/*
 * Maps two documents by names; `a` and `b` have the labels for the costs.  Returns whether
 * the mapping costs nothing, or all lists of children were compared as a whole.
 */
static bool
MapNames(MappedTrees *trees, const TedTree *a, const TedTree *b, const TedCosts *costs,
		 const CostModel *model, const ModelCosts *model_costs, const char *what)
{
	bool is_whole;

	if (MapAtNoCost(a, b, costs, trees->a.map, trees->b.map))
		return true;
	FindTraits(&trees->a, a, model, model_costs);
	FindTraits(&trees->b, b, model, model_costs);
	is_whole = MapByName(trees, a, b, costs, what);
	if (trees->syntax == SYNTAX_JSON || (model != NULL && model->has_unordered))
		ReorderSecond(trees, b);
	return is_whole;
}

/* Maps both decoded trees by a cost model, or by unit costs if `model` is NULL. */
static void
MapByModel(MappedTrees *trees, const CostModel *model, MappingKind kind, const char *what)
{
	ModelCosts *costs = NULL;
	const TedCosts *ted_costs = &TED_UNIT_COSTS;
	TedTree a = trees->a.tree;
	TedTree b = trees->b.tree;

	trees->has_model = model != NULL;
	trees->has_tolerance = model != NULL && CostModelHasTolerance(model);
	if (model != NULL)
	{
		costs = ModelCostsCreate(model, trees->labels, MarksOf(trees->syntax));
		ted_costs = ModelTedCosts(costs);
		WarnOfUnusedPatterns(costs, &trees->a.tree, &trees->b.tree);
		RelabelTree(costs, &trees->a.tree, &a);
		RelabelTree(costs, &trees->b.tree, &b);
	}
	if (kind == MAPPING_BY_NAME)
		trees->is_optimal = MapNames(trees, &a, &b, ted_costs, model, costs, what);
	else
		trees->is_optimal = MapTrees(&a, &b, ted_costs, kind, trees->a.map, trees->b.map);
	if (model != NULL)
	{
		UnmapIgnored(trees->a.map, &a, costs);
		UnmapIgnored(trees->b.map, &b, costs);
	}
	CountMappedNodes(trees, ted_costs, &a, &b);
}

/* Returns the label of a number without zeros at the end; of others, the label itself. */
static Label
TrimNumber(Label label)
{
	if (label.length == 0 || (label.bytes[0] != '-' && !isdigit((unsigned char) label.bytes[0])) ||
		memchr(label.bytes, '.', (size_t) label.length) == NULL)
		return label;
	while (label.bytes[label.length - 1] == '0')
		label.length--;
	if (label.bytes[label.length - 1] == '.')
		label.length--;
	return label;
}

/* Gives a side labels for the mapping, by their exact ids. */
static void
RelabelNumbers(MappedTree *side, const int32 *trimmed)
{
	int32 *label = palloc_array(int32, side->tree.size);

	for (int32 x = 0; x < side->tree.size; x++)
	{
		CHECK_FOR_INTERRUPTS();
		label[x] = trimmed[side->tree.label[x]];
	}
	side->exact = unconstify(int32 *, side->tree.label);
	side->tree.label = label;
}

/* Gives both trees labels for the mapping, unless no number has zeros at the end. */
static void
TrimNumbers(MappedTrees *trees, const char *what)
{
	int32 count = LabelTableCount(trees->labels);
	int32 *trimmed = palloc_array(int32, count);
	bool differs = false;

	for (int32 id = 0; id < count; id++)
	{
		Label label = LabelTableGet(trees->labels, id);
		Label without = TrimNumber(label);

		CHECK_FOR_INTERRUPTS();
		trimmed[id] = without.length == label.length
						  ? id
						  : LabelTableIntern(trees->labels, without.bytes, without.length);
		differs |= trimmed[id] != id;
	}
	if (differs)
	{
		CheckMemoryGrowth(CurrentMemoryContext,
						  sizeof(int32) * ((Size) trees->a.tree.size + trees->b.tree.size), what);
		RelabelNumbers(&trees->a, trimmed);
		RelabelNumbers(&trees->b, trimmed);
	}
	pfree(trimmed);
}

void
MapValues(MappedTrees *trees, const Tree *a, const Tree *b, const CostModel *model,
		  MappingKind kind, const char *what)
{
	Size bytes = MappedTreeBytes(a) + MappedTreeBytes(b);
	ComparedTrees compared;

	BeginComparison(&compared, PointerGetDatum(a), PointerGetDatum(b));
	if (model != NULL)
	{
		int64 nodes = (int64) TreeSize(PointerGetDatum(a)) + TreeSize(PointerGetDatum(b));

		bytes += RelabelBytes(model, nodes) + PatternCheckBytes(model, nodes);
	}
	if (kind == MAPPING_BY_NAME)
		bytes += NAME_MAPPING_NODE_BYTES *
				 ((Size) TreeSize(PointerGetDatum(a)) + (Size) TreeSize(PointerGetDatum(b)));
	CheckMemoryLimit(bytes, what);
	trees->labels = LabelTableCreate();
	DecodeMappedTree(trees, &trees->a, a);
	DecodeMappedTree(trees, &trees->b, b);
	if (trees->has_numbers)
		TrimNumbers(trees, what);
	MapByModel(trees, model, kind, what);
	if (trees->a.exact != NULL)
	{
		trees->a.tree.label = trees->a.exact;
		trees->b.tree.label = trees->b.exact;
	}
	EndComparison(&compared);
}

/* Returns the new numbers of the nodes of a side; a removed node has the number of the next one. */
static int32 *
NumberNodes(const MappedTree *side)
{
	int32 size = side->tree.size;
	int32 *number = palloc_array(int32, size);
	int32 next = 0;

	for (int32 x = 0; x < size; x++)
	{
		CHECK_FOR_INTERRUPTS();
		number[x] = next;
		next += x == size - 1 || !IsLeftAlone(side, x);
	}
	return number;
}

/*
 * Removes the nodes of a side that have no new number of their own.  The sums do not count
 * these.
 */
static void
TakeNodes(MappedTree *side, const int32 *number, const int32 *number_of_partner)
{
	TedTree *tree = &side->tree;
	int32 *label = unconstify(int32 *, tree->label);
	int32 *subtree_size = unconstify(int32 *, tree->subtree_size);
	int32 *depth = unconstify(int32 *, tree->depth);
	int32 size = tree->size;
	int32 stay = number[size - 1] + 1;

	for (int32 x = 0; x < size; x++)
	{
		int32 n = number[x];
		int32 y = side->map[x];

		CHECK_FOR_INTERRUPTS();
		if (x < size - 1 && number[x + 1] == n)
			continue;
		subtree_size[n] = n + 1 - number[x + 1 - tree->subtree_size[x]];
		label[n] = label[x];
		side->kind[n] = side->kind[x];
		depth[n] = depth[x];
		side->map[n] = y < 0 ? -1 : number_of_partner[y];
		side->mapped[n] = side->mapped[x];
		side->kept[n] = side->kept[x];
		side->paid[n] = side->paid[x];
	}
	side->mapped[stay] = side->mapped[size];
	side->kept[stay] = side->kept[size];
	side->paid[stay] = side->paid[size];
	tree->size = stay;
	TreeOrders(tree, side->preorder, side->postorder);
}

void
LeaveOutFreeSubtrees(MappedTrees *trees)
{
	int32 *a = NumberNodes(&trees->a);
	int32 *b = NumberNodes(&trees->b);

	TakeNodes(&trees->a, a, b);
	TakeNodes(&trees->b, b, a);
	pfree(a);
	pfree(b);
}

OperationCounts
CountOperations(const MappedTrees *trees)
{
	const MappedTree *a = &trees->a;
	const MappedTree *b = &trees->b;
	int32 equal = a->kept[a->tree.size];
	int32 renamed = a->mapped[a->tree.size] - equal;

	return (OperationCounts){.equal = equal,
							 .renamed = renamed,
							 .deleted = a->paid[a->tree.size] - renamed,
							 .inserted = b->paid[b->tree.size] - renamed};
}

bool
CostsNothing(const MappedTrees *trees, int32 x, int32 y)
{
	const MappedTree *a = &trees->a;
	const MappedTree *b = &trees->b;

	if (SumOfSubtree(a, a->paid, x) > 0 || SumOfSubtree(b, b->paid, y) > 0 ||
		SumOfSubtree(a, a->mapped, x) != SumOfSubtree(b, b->mapped, y))
		return false;
	for (int32 node = x; node > x - a->tree.subtree_size[x]; node--)
	{
		CHECK_FOR_INTERRUPTS();
		if (a->map[node] >= 0 && !InSubtree(b, a->map[node], y))
			return false;
	}
	return true;
}

/* Sets the members from `parent` to `hash` of a tree. */
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

void
IndexTrees(MappedTrees *trees, const char *what)
{
	Size nodes = (Size) trees->a.tree.size + trees->b.tree.size;

	CheckMemoryLimit(nodes * (3 * sizeof(int32) + sizeof(uint64)), what);
	IndexSide(&trees->a);
	IndexSide(&trees->b);
}

bool
SubtreesEqual(const MappedTrees *trees, int32 x, int32 y)
{
	return trees->a.hash[x] == trees->b.hash[y] &&
		   HaveEqualNodes(&trees->a.tree, x, &trees->b.tree, y);
}

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

int32 *
ListPatchedChildren(const MappedTree *side, int32 node, int32 *count)
{
	int32 *children = ListChildren(side, node);

	*count = 0;
	for (int32 i = 0; i < side->children[node]; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!IsLeftAlone(side, children[i]))
			children[(*count)++] = children[i];
	}
	return children;
}
