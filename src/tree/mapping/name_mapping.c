/*
 * name_mapping.c
 *	  A mapping of two documents by the names of their nodes.
 *
 * The gain of a pair of nodes is the cost of deleting one subtree and inserting the other,
 * minus the cost of turning one into the other; of equal gains, the one with more unchanged
 * nodes is greater.  Lists of children are paired for the greatest sum of gains.  The gains
 * of pairs of inner nodes are cached, since each is needed several times.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "../../core/tree/json/assignment.h"
#include "name_mapping.h"

/*
 * Nodes with different names are partners if their content costs at most 1 /
 * PARTS_OF_A_RENAME of its replacement.
 */
#define PARTS_OF_A_RENAME 4

/* Names are similar from this likeness on. */
#define SIMILAR_NAMES (EQUAL_NAMES / 2)

/* Of equal contents, names are all compared with each other up to this number of pairs. */
#define MOST_NAME_PAIRS (64 * 1024)

/* Elements of lists are partners if at least 1 / PARTS_OF_A_PAIR of the smaller one stays. */
#define PARTS_OF_A_PAIR 2

/*
 * Weights of equal elements for choosing those that keep their order.  Other pairs weigh
 * less than EQUAL_ELEMENTS, by similarity, and texts of XML, which may be white space,
 * almost nothing.
 */
#define EQUAL_ELEMENTS (INT64_C(1) << 20)
#define EQUAL_TEXTS (INT64_C(1) << 10)

/*
 * Nodes at this level of the trees or below have only partners in equal subtrees.  The pairs above
 * them are found by a recursion of as many levels, which take about 1 kB each.
 */
#define MOST_LEVELS 1000

/* Of nodes with different names, the likeness of names decides between equal weights. */
#define WEIGHT_OF_GAIN (INT64_C(1) << 20)

/* Gains are cached for pairs of subtrees that are both larger than this. */
#define LARGEST_NOT_KEPT 4

/*
 * Two lists are compared as a whole if the product of their nodes and the product of their
 * children are within these limits, and as long as the sum of all products of nodes is
 * within the last one.
 */
#define MOST_NODE_PAIRS (16 * 1024 * 1024)
#define MOST_CHILD_PAIRS (1024 * 1024)
#define MOST_NODE_PAIRS_IN_ALL (INT64_C(64) * 1024 * 1024)

/* The gain of two nodes that cannot be partners. */
#define NO_GAIN (-1)

/* A gain has the cost in its high bits and the number of unchanged nodes in its low 25 bits. */
#define GAIN_OF_COST (INT64_C(1) << 25)
#define COST_OF_GAIN(gain) ((gain) >> 25)
#define UNCHANGED_NODES(gain) ((gain) & (GAIN_OF_COST - 1))

/* One of the documents, and data by postorder number. */
typedef struct NameSide
{
	const MappedTree *doc;
	const TedTree *tree; /* with the labels for the costs */
	int64 *weight;       /* cost of deleting, or inserting, all nodes before it */
	uint64 *hash;        /* hash of the subtree, without ignored nodes */
	uint64 *marks;       /* of the subtree: a bit for each leaf, by its and its parent's label */
	int32 *child;        /* children that are not ignored, node by node, from left to right */
	int32 *first;        /* index of the first child in `child`; one more entry for the end */
	int32 *only;         /* by original label: the only leaf with it, or -1; see IndexLeaves() */
} NameSide;

/* Returns a hash of a number; each bit depends on all bits of the number. */
static inline uint64
HashNumber(uint64 number)
{
	number = (number ^ number >> 32) * UINT64CONST(0x9E3779B97F4A7C15);
	number = (number ^ number >> 29) * UINT64CONST(0xBF58476D1CE4E5B9);
	return number ^ number >> 32;
}

/* An entry of the cache of gains. */
typedef struct KeptGain
{
	uint64 pair; /* postorder numbers of both nodes, 32 bits each */
	int64 gain;
	char status;
} KeptGain;

#define SH_PREFIX gains
#define SH_ELEMENT_TYPE KeptGain
#define SH_KEY_TYPE uint64
#define SH_KEY pair
#define SH_HASH_KEY(tb, key) ((uint32) HashNumber(key))
#define SH_EQUAL(tb, a, b) ((a) == (b))
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* The state of a mapping. */
typedef struct NameMapping
{
	NameSide a;
	NameSide b;
	const MappedTrees *trees;
	const TedCosts *costs;
	const char *what;
	MemoryContext context;
	gains_hash *gains;
	int64 asked;      /* pairs added to the cache since the last memory check */
	int64 node_pairs; /* rest of MOST_NODE_PAIRS_IN_ALL; nodes searched for anchors count as well */
	bool is_xml;
	bool is_whole;
} NameMapping;

/* Consecutive children of a node, and their partners: nodes of the other list, or -1. */
typedef struct ChildList
{
	const NameSide *side;
	const int32 *node;
	int32 count;
	int32 *partner;
} ChildList;

/* Returns the cost of deleting, or of inserting, a subtree. */
static inline int64
Weight(const NameSide *side, int32 node)
{
	return side->weight[node + 1] - side->weight[node + 1 - side->tree->subtree_size[node]];
}

/* Returns the cost of deleting, or of inserting, all nodes below a node. */
static inline int64
WeightBelow(const NameSide *side, int32 node)
{
	return side->weight[node] - side->weight[node + 1 - side->tree->subtree_size[node]];
}

/* Returns the number of children of a node that are not ignored. */
static inline int32
ChildCount(const NameSide *side, int32 node)
{
	return side->first[node + 1] - side->first[node];
}

/* Whether a node is a member or an attribute.  These have no order. */
static inline bool
IsKeyed(const NameSide *side, int32 node)
{
	return side->doc->kind[node] == NODE_MEMBER || side->doc->kind[node] == NODE_ATTRIBUTE;
}

/* Whether a node is a literal or a text. */
static inline bool
IsText(const NameSide *side, int32 node)
{
	NodeKind kind = (NodeKind) side->doc->kind[node];

	return kind == NODE_LITERAL || kind == NODE_VALUE || kind == NODE_TEXT;
}

/* Whether nodes of the kind of a node have names. */
static inline bool
HasName(const NameSide *side, int32 node)
{
	return IsKeyed(side, node) || side->doc->kind[node] == NODE_ELEMENT;
}

/* Whether a node is ignored, with all nodes below it. */
static inline bool
IsIgnored(const NameSide *side, int32 node)
{
	return (side->doc->traits[node] & NODE_IS_IGNORED) != 0;
}

/* Whether a node is a number that may be the same as another one, with another hash. */
static inline bool
IsNear(const NameSide *side, int32 node)
{
	return (side->doc->traits[node] & NODE_IS_NEAR) != 0;
}

/* Whether the children of a node have no order; where both partners say so, they have none. */
static inline bool
IsUnordered(const NameSide *side, int32 node)
{
	return (side->doc->traits[node] & NODE_IS_UNORDERED) != 0;
}

/* Returns the key of an element of an array, or 0. */
static inline int32
KeyOf(const NameSide *side, int32 node)
{
	return side->doc->key == NULL ? 0 : side->doc->key[node];
}

/* Sets the children, weights, hashes and marks of all nodes, and clears the map. */
static void
InitNameSide(NameSide *side, const MappedTree *doc, const TedTree *tree, const TedCosts *costs,
			 bool is_first)
{
	Size size = (Size) tree->size;

	side->doc = doc;
	side->tree = tree;
	side->weight = palloc_extended(sizeof(int64) * (size + 1), MCXT_ALLOC_HUGE);
	side->hash = palloc_extended(sizeof(uint64) * size, MCXT_ALLOC_HUGE);
	side->marks = palloc_extended(sizeof(uint64) * size, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	side->child = palloc_extended(sizeof(int32) * size, MCXT_ALLOC_HUGE);
	side->first = palloc_extended(sizeof(int32) * (size + 1), MCXT_ALLOC_HUGE);
	side->weight[0] = 0;
	side->first[0] = 0;
	for (int32 x = 0; x < tree->size; x++)
	{
		int32 label = tree->label[x];
		int32 end = side->first[x];
		bool any_order = IsUnordered(side, x);
		uint64 hash = HashNumber((uint64) (uint32) label + 1);

		CHECK_FOR_INTERRUPTS();
		side->weight[x + 1] = side->weight[x] + (IsIgnored(side, x) ? 0
												 : is_first         ? ted_delete_cost(costs, label)
															: ted_insert_cost(costs, label));
		for (int32 c = x - 1; c > x - tree->subtree_size[x]; c -= tree->subtree_size[c])
			if (!IsIgnored(side, c))
				side->child[end++] = c;
		side->first[x + 1] = end;
		for (int32 i = side->first[x], j = end - 1; i < j; i++, j--)
		{
			int32 swapped = side->child[i];

			side->child[i] = side->child[j];
			side->child[j] = swapped;
		}
		for (int32 i = side->first[x]; i < end; i++)
		{
			int32 child = side->child[i];
			uint64 below = side->hash[child];

			if (ChildCount(side, child) > 0)
				side->marks[x] |= side->marks[child];
			else
				side->marks[x] |=
					UINT64CONST(1)
					<< (HashNumber((IsNear(side, child) ? 0 : below) + (uint64) label) >> 58);
			hash = any_order ? hash + HashNumber(below) : hash_combine64(hash, below);
		}
		side->hash[x] = HashNumber(hash + (uint64) (end - side->first[x]));
		if (IsNear(side, x))
			side->marks[x] = 1;
		doc->map[x] = -1;
	}
}

/*
 * Whether two subtrees are probably equal, by their hashes.  If they are not, their gain is
 * overestimated.
 */
static inline bool
SeemEqual(const NameMapping *mapping, int32 x, int32 y)
{
	return mapping->a.hash[x] == mapping->b.hash[y] &&
		   mapping->a.doc->kind[x] == mapping->b.doc->kind[y];
}

static int64 GainOfChildren(NameMapping *mapping, int32 x, int32 y);

/*
 * Returns the gain of a pair of nodes, whatever their names, or NO_GAIN if their kinds or
 * keys differ or the gain is negative.
 */
static int64
GainOfNodes(NameMapping *mapping, int32 x, int32 y)
{
	const TedTree *a = mapping->a.tree;
	const TedTree *b = mapping->b.tree;
	int64 weight_x = Weight(&mapping->a, x);
	int64 weight_y = Weight(&mapping->b, y);
	int32 rename;
	int64 gain;
	KeptGain *kept = NULL;
	int32 key_x = KeyOf(&mapping->a, x);
	int32 key_y = KeyOf(&mapping->b, y);

	if (mapping->a.doc->kind[x] != mapping->b.doc->kind[y] ||
		(key_x != key_y && key_x > 0 && key_y > 0))
		return NO_GAIN;
	if (SeemEqual(mapping, x, y))
		return (weight_x + weight_y) * GAIN_OF_COST + a->subtree_size[x];
	if (a->subtree_size[x] > LARGEST_NOT_KEPT && b->subtree_size[y] > LARGEST_NOT_KEPT)
	{
		bool found;

		kept = gains_insert(mapping->gains, (uint64) x << 32 | (uint32) y, &found);
		if (found)
			return kept->gain;
		kept->gain = NO_GAIN;
		if (++mapping->asked >= 1024)
		{
			mapping->asked = 0;
			CHECK_FOR_INTERRUPTS();
			CheckMemoryGrowth(mapping->context, sizeof(KeptGain) * mapping->gains->size,
							  mapping->what);
		}
	}
	rename = ted_rename_cost(mapping->costs, a->label[x], b->label[y]);
	gain =
		(weight_x - WeightBelow(&mapping->a, x) + weight_y - WeightBelow(&mapping->b, y) - rename) *
		GAIN_OF_COST;
	gain += GainOfChildren(mapping, x, y);
	if (rename == 0 && IsNear(&mapping->a, x) && IsNear(&mapping->b, y))
		gain++;
	if (gain < 0)
		gain = NO_GAIN;
	if (kept != NULL)
		gains_lookup(mapping->gains, (uint64) x << 32 | (uint32) y)->gain = gain;
	return gain;
}

/* Whether two nodes of the same kind have equal names, or no names. */
static bool
HaveEqualNames(const NameMapping *mapping, int32 x, int32 y)
{
	return !HasName(&mapping->a, x) ||
		   mapping->a.doc->tree.label[x] == mapping->b.doc->tree.label[y];
}

/*
 * Returns the gain of a pair of elements with equal names, or NO_GAIN if most of the
 * smaller one differs.
 */
static int64
GainOfEqualNames(NameMapping *mapping, int32 x, int32 y)
{
	int64 gain = HaveEqualNames(mapping, x, y) ? GainOfNodes(mapping, x, y) : NO_GAIN;
	int64 smaller = Min(Weight(&mapping->a, x), Weight(&mapping->b, y));

	if (IsText(&mapping->a, x))
		return gain;
	return COST_OF_GAIN(gain) * PARTS_OF_A_PAIR >= 2 * smaller ? gain : NO_GAIN;
}

/* Returns the gain of GainOfEqualNames(), or NO_GAIN if no node is unchanged. */
static int64
GainOfUnchanged(NameMapping *mapping, int32 x, int32 y)
{
	int64 gain;

	if (!SeemEqual(mapping, x, y) && (mapping->a.marks[x] & mapping->b.marks[y]) == 0)
		return NO_GAIN;
	gain = GainOfEqualNames(mapping, x, y);
	return gain != NO_GAIN && UNCHANGED_NODES(gain) > 0 ? gain : NO_GAIN;
}

/*
 * Returns a hash of the value of a member or an attribute, or of the content of an element;
 * for other nodes, the hash of the subtree.
 */
static uint64
HashOfContent(const NameSide *side, int32 node)
{
	uint64 hash = 0;

	if (!HasName(side, node))
		return side->hash[node];
	for (int32 i = side->first[node]; i < side->first[node + 1]; i++)
		hash = hash_combine64(hash, side->hash[side->child[i]]);
	return hash;
}

/* Returns how similar the names of two nodes are. */
static int
Likeness(const NameMapping *mapping, int32 x, int32 y)
{
	return LikenessOfNodeNames(mapping->trees, mapping->a.doc->tree.label[x],
							   mapping->b.doc->tree.label[y]);
}

/* Finds the leaves of a side whose label no other leaf has. */
static void
IndexLeaves(NameMapping *mapping, NameSide *side)
{
	Size bytes = sizeof(int32) * (Size) LabelTableCount(mapping->trees->labels);

	CheckMemoryGrowth(mapping->context, bytes, mapping->what);
	side->only = MemoryContextAllocHuge(mapping->context, bytes);
	memset(side->only, -1, bytes);
	for (int32 x = 0; x < side->tree->size; x++)
	{
		int32 *only = &side->only[side->doc->tree.label[x]];

		CHECK_FOR_INTERRUPTS();
		if (ChildCount(side, x) == 0 && !IsIgnored(side, x))
			*only = *only == -1 ? x : -2;
	}
}

/* Whether two subtrees share a leaf whose label occurs nowhere else in either document. */
static bool
ShareUniqueLeaf(NameMapping *mapping, int32 x, int32 y)
{
	NameSide *a = &mapping->a;
	NameSide *b = &mapping->b;

	if (a->only == NULL)
	{
		IndexLeaves(mapping, a);
		IndexLeaves(mapping, b);
	}
	for (int32 leaf = x - 1; leaf > x - a->tree->subtree_size[x]; leaf--)
	{
		int32 label = a->doc->tree.label[leaf];
		int32 other = b->only[label];

		CHECK_FOR_INTERRUPTS();
		if (a->only[label] == leaf && other < y && other > y - b->tree->subtree_size[y])
			return true;
	}
	return false;
}

/*
 * Returns the gain of a pair of nodes with different names, or NO_GAIN if their contents
 * differ much.
 */
static int64
GainOfNewName(NameMapping *mapping, int32 x, int32 y)
{
	int64 below_x = WeightBelow(&mapping->a, x);
	int64 below_y = WeightBelow(&mapping->b, y);
	int64 most = (below_x + below_y) / PARTS_OF_A_RENAME;
	int64 gain;
	int64 cost;

	if (mapping->a.doc->kind[x] != mapping->b.doc->kind[y] || HaveEqualNames(mapping, x, y) ||
		below_x + below_y == 0 || Max(below_x - below_y, below_y - below_x) > most)
		return NO_GAIN;
	gain = GainOfNodes(mapping, x, y);
	cost = Weight(&mapping->a, x) + Weight(&mapping->b, y) - COST_OF_GAIN(gain) -
		   ted_rename_cost(mapping->costs, mapping->a.tree->label[x], mapping->b.tree->label[y]);
	if (gain == NO_GAIN || UNCHANGED_NODES(gain) == 0 || cost > most)
		return NO_GAIN;

	/* the names are similar, or a value says so, or all that is in an element of XML */
	if (Likeness(mapping, x, y) >= SIMILAR_NAMES ||
		(mapping->a.doc->kind[x] == NODE_ELEMENT &&
		 HashOfContent(&mapping->a, x) == HashOfContent(&mapping->b, y)) ||
		ShareUniqueLeaf(mapping, x, y))
		return gain;
	return NO_GAIN;
}

/* A function that returns the gain of a pair of nodes, or NO_GAIN. */
typedef int64 (*GainFunction)(NameMapping *mapping, int32 x, int32 y);

/* Makes two children partners. */
static void
PairChildren(ChildList *a, ChildList *b, int32 i, int32 j)
{
	a->partner[i] = b->node[j];
	b->partner[j] = a->node[i];
}

/* Makes two children partners, unless they have no gain.  Returns the gain, or 0. */
static int64
PairWithGain(NameMapping *mapping, ChildList *a, ChildList *b, int32 i, int32 j,
			 GainFunction gain_of)
{
	int64 gain = gain_of(mapping, a->node[i], b->node[j]);

	if (gain == NO_GAIN)
		return 0;
	PairChildren(a, b, i, j);
	return gain;
}

/* Returns a part of a list, which shares its arrays. */
static ChildList
PartOfList(const ChildList *list, int32 begin, int32 end)
{
	return (ChildList){list->side, list->node + begin, end - begin, list->partner + begin};
}

/* Returns the number of nodes in the subtrees of a list. */
static int64
NodesOfList(const ChildList *list)
{
	int64 nodes = 0;

	for (int32 i = 0; i < list->count; i++)
		nodes += list->side->tree->subtree_size[list->node[i]];
	return nodes;
}

/*
 * A banded table of the greatest sums of weights of pairs, with a row for each child of the
 * first list.
 */
typedef struct GainTable
{
	int32 columns;
	int32 width; /* number of columns on each side of the diagonal */
	int32 rows;
	Size stride; /* number of sums in a row, at most 2 * width + 1 */
	int64 *sum;  /* sums, row by row */
} GainTable;

/* Returns the first column of the band in a row. */
static inline int32
FirstColumn(const GainTable *table, int32 row)
{
	int32 middle = (int32) ((int64) row * table->columns / Max(table->rows, 1));

	return Max(middle - table->width, 0);
}

/* Returns the last column of the band in a row. */
static inline int32
LastColumn(const GainTable *table, int32 row)
{
	int32 middle = (int32) ((int64) row * table->columns / Max(table->rows, 1));

	return Min(middle + table->width, table->columns);
}

/*
 * Returns the greatest sum for the first rows and columns.  Columns after the band have the
 * sum of its last column.
 */
static inline int64
SumAt(const GainTable *table, int32 row, int32 column)
{
	int32 first = FirstColumn(table, row);

	column = Min(column, LastColumn(table, row));
	return table->sum[(Size) row * table->stride + (Size) (column - first)];
}

/*
 * Returns the weight of a pair of elements for choosing those that keep their order, or
 * NO_GAIN.  It is a similarity, since moving an element is one operation, whatever the
 * size.
 */
static int64
WeightOfPair(NameMapping *mapping, int32 x, int32 y, GainFunction gain_of)
{
	int64 gain = gain_of(mapping, x, y);
	int64 weight;

	if (gain == NO_GAIN)
		return NO_GAIN;
	if (SeemEqual(mapping, x, y))
		return mapping->is_xml && IsText(&mapping->a, x) ? EQUAL_TEXTS : EQUAL_ELEMENTS;
	weight = COST_OF_GAIN(gain) * (EQUAL_ELEMENTS - 1) /
			 Max(Weight(&mapping->a, x) + Weight(&mapping->b, y), 1);
	return gain_of == GainOfNewName ? weight * WEIGHT_OF_GAIN + Likeness(mapping, x, y) : weight;
}

/*
 * Pairs two lists in order, for the greatest sum of weights.  Pairs are at most `width`
 * places from the diagonal.  Returns the sum of gains.
 */
static int64
PairWithinBand(NameMapping *mapping, ChildList *a, ChildList *b, int32 width, GainFunction gain_of)
{
	Size stride = (Size) Min(2 * (int64) width, b->count) + 1;
	GainTable table = {.columns = b->count, .rows = a->count, .width = width, .stride = stride};
	int64 sum = 0;

	CheckMemoryGrowth(mapping->context, sizeof(int64) * stride * ((Size) a->count + 1),
					  mapping->what);
	table.sum = palloc_extended(sizeof(int64) * stride * ((Size) a->count + 1), MCXT_ALLOC_HUGE);
	for (int32 i = 0; i <= a->count; i++)
	{
		int32 first = FirstColumn(&table, i);
		int32 last = LastColumn(&table, i);

		CHECK_FOR_INTERRUPTS();
		for (int32 j = first; j <= last; j++)
		{
			int64 best = 0;

			if (i > 0)
				best = SumAt(&table, i - 1, j);
			if (j > first)
				best = Max(best, table.sum[(Size) i * stride + (Size) (j - 1 - first)]);
			if (i > 0 && j > 0 && j - 1 >= FirstColumn(&table, i - 1))
			{
				int64 weight = WeightOfPair(mapping, a->node[i - 1], b->node[j - 1], gain_of);

				if (weight != NO_GAIN)
					best = Max(best, SumAt(&table, i - 1, j - 1) + weight);
			}
			table.sum[(Size) i * stride + (Size) (j - first)] = best;
		}
	}
	for (int32 i = a->count, j = b->count; i > 0 && j > 0;)
	{
		int64 here = SumAt(&table, i, j);

		/* of equal sums, prefer partners for the first children */
		j = Min(j, LastColumn(&table, i));
		if (j > FirstColumn(&table, i) && here == SumAt(&table, i, j - 1))
			j--;
		else if (here == SumAt(&table, i - 1, j))
			i--;
		else
		{
			i--;
			j--;
			sum += PairWithGain(mapping, a, b, i, j, gain_of);
		}
	}
	pfree(table.sum);
	return sum;
}

/* A value in a child of one of two lists. */
typedef struct ValuePlace
{
	uint64 value; /* hash of the value and of its name */
	int32 side;
	int32 place;
} ValuePlace;

/* Orders values by hash, list and place. */
static int
CompareValuePlaces(const void *x, const void *y)
{
	const ValuePlace *a = x;
	const ValuePlace *b = y;

	CHECK_FOR_INTERRUPTS();
	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	if (a->side != b->side)
		return a->side - b->side;
	return (a->place > b->place) - (a->place < b->place);
}

/*
 * Lists the values with names in the children of a list, and the children themselves.
 * Returns their number.
 */
static int64
ListValues(const ChildList *list, int32 number, ValuePlace *values)
{
	const TedTree *tree = list->side->tree;
	int64 count = 0;

	for (int32 i = 0; i < list->count; i++)
	{
		int32 root = list->node[i];

		CHECK_FOR_INTERRUPTS();
		values[count++] = (ValuePlace){list->side->hash[root], number, i};
		for (int32 x = root - 1; x > root - tree->subtree_size[root]; x--)
		{
			/* a value is hashed together with its name */
			if (list->side->doc->kind[x] != NODE_MEMBER &&
				list->side->doc->kind[x] != NODE_ATTRIBUTE &&
				list->side->doc->kind[x] != NODE_ELEMENT)
				continue;
			values[count++] = (ValuePlace){list->side->hash[x], number, i};
		}
	}
	return count;
}

/* Two children that share values that occur in no other child of their lists. */
typedef struct Anchor
{
	int32 i;
	int32 j;
	int32 votes;  /* number of values that they share */
	int32 before; /* previous anchor of the longest sequence, or -1 */
} Anchor;

/* Orders anchors by their places. */
static int
CompareAnchors(const void *x, const void *y)
{
	const Anchor *a = x;
	const Anchor *b = y;

	if (a->i != b->i)
		return a->i < b->i ? -1 : 1;
	return (a->j > b->j) - (a->j < b->j);
}

/* Orders anchors by votes, most first, then by their places. */
static int
CompareVotes(const void *x, const void *y)
{
	const Anchor *a = x;
	const Anchor *b = y;

	if (a->votes != b->votes)
		return a->votes > b->votes ? -1 : 1;
	return CompareAnchors(x, y);
}

/*
 * Finds the pairs of children with a value that occurs once in each list, ordered by place
 * in the first list.  Returns their number.
 */
static int32
PairUniqueValues(ValuePlace *values, int64 count, Anchor *anchors)
{
	int32 found = 0;

	qsort(values, (size_t) count, sizeof(ValuePlace), CompareValuePlaces);
	for (int64 v = 0, next; v < count; v = next)
	{
		for (next = v + 1; next < count && values[next].value == values[v].value;)
			next++;
		if (next == v + 2 && values[v].side != values[v + 1].side)
			anchors[found++] = (Anchor){values[v].place, values[v + 1].place, 1, -1};
	}
	qsort(anchors, (size_t) found, sizeof(Anchor), CompareAnchors);
	return found;
}

/*
 * Finds pairs of children that share values that occur once in each list, ordered by place
 * in the first list.  Each child is in at most one pair; pairs with more such values take
 * precedence.  Returns the number of pairs.
 */
static int32
FindAnchors(NameMapping *mapping, const ChildList *a, const ChildList *b, Anchor **anchors)
{
	int64 most = NodesOfList(a) + NodesOfList(b);
	Size bytes = (Size) most * (sizeof(ValuePlace) + sizeof(Anchor));
	ValuePlace *values;
	int64 count;
	int32 found;
	int32 kept = 0;
	bool *taken_a;
	bool *taken_b;

	mapping->node_pairs -= most;
	CheckMemoryGrowth(mapping->context, bytes, mapping->what);
	values = palloc_extended(sizeof(ValuePlace) * (Size) most, MCXT_ALLOC_HUGE);
	*anchors = palloc_extended(sizeof(Anchor) * ((Size) most / 2 + 1), MCXT_ALLOC_HUGE);
	count = ListValues(a, 0, values);
	count += ListValues(b, 1, values + count);
	found = PairUniqueValues(values, count, *anchors);
	pfree(values);
	for (int32 k = 0; k < found; k++)
		if (kept > 0 && CompareAnchors(&(*anchors)[kept - 1], &(*anchors)[k]) == 0)
			(*anchors)[kept - 1].votes++;
		else
			(*anchors)[kept++] = (*anchors)[k];
	qsort(*anchors, (size_t) kept, sizeof(Anchor), CompareVotes);
	taken_a = palloc0_array(bool, a->count);
	taken_b = palloc0_array(bool, b->count);
	found = kept;
	kept = 0;
	for (int32 k = 0; k < found; k++)
	{
		Anchor anchor = (*anchors)[k];

		if (taken_a[anchor.i] || taken_b[anchor.j])
			continue;
		taken_a[anchor.i] = taken_b[anchor.j] = true;
		(*anchors)[kept++] = anchor;
	}
	pfree(taken_a);
	pfree(taken_b);
	qsort(*anchors, (size_t) kept, sizeof(Anchor), CompareAnchors);
	return kept;
}

/* Keeps a longest sequence of anchors whose places increase in both lists.  Returns its length. */
static int32
LongestSequence(Anchor *anchors, int32 count)
{
	int32 *last = palloc_array(int32, Max(count, 1)); /* by length: lowest last anchor */
	int32 length = 0;
	int32 next;

	for (int32 k = 0; k < count; k++)
	{
		int32 low = 0;
		int32 high = length;

		CHECK_FOR_INTERRUPTS();
		while (low < high)
		{
			int32 middle = low + (high - low) / 2;

			if (anchors[last[middle]].j < anchors[k].j)
				low = middle + 1;
			else
				high = middle;
		}
		anchors[k].before = low > 0 ? last[low - 1] : -1;
		last[low] = k;
		length = Max(length, low + 1);
	}
	next = length > 0 ? last[length - 1] : -1;
	for (int32 k = length - 1; k >= 0; k--)
	{
		last[k] = next;
		next = anchors[next].before;
	}
	for (int32 k = 0; k < length; k++)
		anchors[k] = anchors[last[k]];
	pfree(last);
	return length;
}

/*
 * Takes the pairs of nodes of two lists from those that may be compared; false if there are too
 * many, and the mapping is not of all pairs.
 */
static bool
TakeNodePairs(NameMapping *mapping, const ChildList *a, const ChildList *b)
{
	double pairs = (double) NodesOfList(a) * (double) NodesOfList(b);

	if (pairs > Min(MOST_NODE_PAIRS, mapping->node_pairs) ||
		(int64) a->count * b->count > MOST_CHILD_PAIRS)
	{
		mapping->is_whole = false;
		return false;
	}
	mapping->node_pairs -= (int64) pairs;
	return true;
}

/* Returns the width of the band for two lists that are too long to be compared as a whole. */
static int32
WidthOfBand(const NameMapping *mapping, const ChildList *a, const ChildList *b)
{
	double nodes = (double) NodesOfList(a) * (double) NodesOfList(b) / b->count;
	double most = Min(MOST_NODE_PAIRS, mapping->node_pairs);

	return Max(1, (int32) Min(most / nodes / 2, (double) MOST_CHILD_PAIRS / a->count / 2));
}

/*
 * Pairs two lists in order.  Returns the sum of gains.  `divided` says that the lists are
 * already parts between anchors.
 */
static int64
PairInOrder(NameMapping *mapping, ChildList a, ChildList b, bool divided, GainFunction gain_of)
{
	int64 sum = 0;
	int32 begin = 0;

	while (begin < a.count && begin < b.count && SeemEqual(mapping, a.node[begin], b.node[begin]))
	{
		sum += GainOfNodes(mapping, a.node[begin], b.node[begin]);
		PairChildren(&a, &b, begin, begin);
		begin++;
	}
	a = PartOfList(&a, begin, a.count);
	b = PartOfList(&b, begin, b.count);
	while (a.count > 0 && b.count > 0 &&
		   SeemEqual(mapping, a.node[a.count - 1], b.node[b.count - 1]))
	{
		a.count--;
		b.count--;
		sum += GainOfNodes(mapping, a.node[a.count], b.node[b.count]);
		PairChildren(&a, &b, a.count, b.count);
	}
	if (a.count == 0 || b.count == 0)
		return sum;
	if (a.count == 1 && b.count == 1)
		return sum + PairWithGain(mapping, &a, &b, 0, 0, gain_of);
	if (TakeNodePairs(mapping, &a, &b))
		return sum + PairWithinBand(mapping, &a, &b, b.count, gain_of);
	if (!divided)
	{
		Anchor *anchors;
		int32 count = FindAnchors(mapping, &a, &b, &anchors);
		int32 i = 0;
		int32 j = 0;

		count = LongestSequence(anchors, count);
		for (int32 k = 0; k <= count; k++)
		{
			int32 next_i = k < count ? anchors[k].i : a.count;
			int32 next_j = k < count ? anchors[k].j : b.count;

			sum += PairInOrder(mapping, PartOfList(&a, i, next_i), PartOfList(&b, j, next_j), true,
							   gain_of);
			if (k < count)
				sum += PairWithGain(mapping, &a, &b, next_i, next_j, gain_of);
			i = next_i + 1;
			j = next_j + 1;
		}
		pfree(anchors);
		return sum;
	}
	return sum + PairWithinBand(mapping, &a, &b, WidthOfBand(mapping, &a, &b), gain_of);
}

/* Two children with similar names. */
typedef struct SimilarNames
{
	int likeness;
	int32 i;
	int32 j;
} SimilarNames;

/* Orders pairs by likeness, most similar first, then by their places. */
static int
CompareLikeness(const void *x, const void *y)
{
	const SimilarNames *a = x;
	const SimilarNames *b = y;

	CHECK_FOR_INTERRUPTS();
	if (a->likeness != b->likeness)
		return b->likeness - a->likeness;
	if (a->i != b->i)
		return a->i < b->i ? -1 : 1;
	return (a->j > b->j) - (a->j < b->j);
}

/*
 * Makes children with equal contents partners, those with the most similar names first:
 * `count_a` children of one list, then `count_b` of the other one.  Returns the sum of gains.
 */
static int64
PairMostSimilar(NameMapping *mapping, ChildList *a, ChildList *b, const ValuePlace *values,
				int32 count_a, int32 count_b)
{
	SimilarNames *pairs = palloc_array(SimilarNames, Max((Size) count_a * count_b, 1));
	int32 count = 0;
	int64 sum = 0;

	for (int32 i = 0; i < count_a; i++)
		for (int32 j = 0; j < count_b; j++)
		{
			SimilarNames pair = {.i = values[i].place, .j = values[count_a + j].place};

			CHECK_FOR_INTERRUPTS();
			pair.likeness = Likeness(mapping, a->node[pair.i], b->node[pair.j]);
			if (pair.likeness >= SIMILAR_NAMES)
				pairs[count++] = pair;
		}
	qsort(pairs, (size_t) count, sizeof(SimilarNames), CompareLikeness);
	for (int32 k = 0; k < count; k++)
		if (a->partner[pairs[k].i] < 0 && b->partner[pairs[k].j] < 0)
			sum += PairWithGain(mapping, a, b, pairs[k].i, pairs[k].j, GainOfNewName);
	pfree(pairs);
	return sum;
}

/*
 * Makes children without partners partners if their contents are equal.  Returns the sum of
 * gains.
 */
static int64
PairEqualContents(NameMapping *mapping, ChildList *a, ChildList *b, GainFunction gain_of)
{
	ValuePlace *values = palloc_array(ValuePlace, (Size) a->count + (Size) b->count);
	ChildList *lists[2] = {a, b};
	int32 count = 0;
	int64 sum = 0;

	for (int32 n = 0; n < 2; n++)
		for (int32 i = 0; i < lists[n]->count; i++)
			if (lists[n]->partner[i] < 0)
				values[count++] =
					(ValuePlace){HashOfContent(lists[n]->side, lists[n]->node[i]), n, i};
	qsort(values, (size_t) count, sizeof(ValuePlace), CompareValuePlaces);
	for (int32 v = 0, next; v < count; v = next)
	{
		int32 other;

		for (next = v; next < count && values[next].value == values[v].value;)
			next++;
		for (other = v; other < next && values[other].side == 0;)
			other++;
		if (gain_of == GainOfNewName && next - v > 2 &&
			(int64) (other - v) * (next - other) <= MOST_NAME_PAIRS)
			sum += PairMostSimilar(mapping, a, b, values + v, other - v, next - other);
		else
			for (int32 i = v, j = other; i < other && j < next; i++, j++)
				sum += PairWithGain(mapping, a, b, values[i].place, values[j].place, gain_of);
	}
	pfree(values);
	return sum;
}

/* Returns the children of a list that have no partners, as a new list. */
static ChildList
ListRest(const ChildList *list)
{
	int32 *node = palloc_array(int32, Max(list->count, 1));
	ChildList rest = {list->side, node, 0, palloc_array(int32, Max(list->count, 1))};

	for (int32 i = 0; i < list->count; i++)
		if (list->partner[i] < 0)
		{
			rest.partner[rest.count] = -1;
			node[rest.count++] = list->node[i];
		}
	return rest;
}

/* Copies the partners of the rest of a list into the list, and frees the rest. */
static void
TakeRest(ChildList *list, ChildList *rest)
{
	int32 next = 0;

	for (int32 i = 0; i < list->count; i++)
		if (list->partner[i] < 0)
			list->partner[i] = rest->partner[next++];
	pfree(unconstify(int32 *, rest->node));
	pfree(rest->partner);
}

/* Returns the cost of deleting, or of inserting, all subtrees of a list. */
static int64
TotalWeight(const ChildList *list)
{
	int64 weight = 0;

	for (int32 i = 0; i < list->count; i++)
		weight += Weight(list->side, list->node[i]);
	return weight;
}

/*
 * Pairs two lists in any order for the greatest sum of gains; of equal sums of nodes with
 * different names, for the most similar names.  Returns the sum of gains.
 */
static int64
PairByAssignment(NameMapping *mapping, ChildList *a, ChildList *b, GainFunction gain_of)
{
	bool swapped = a->count > b->count;
	int32 rows = swapped ? b->count : a->count;
	int32 columns = swapped ? a->count : b->count;
	TedAssignment assignment;
	TedArena arena = {0};
	int64 steps = 0;
	int32 scale = 1;
	int32 sum;

	ted_assignment_arrays(&assignment, &arena, rows, columns);
	CheckMemoryGrowth(mapping->context, arena.used, mapping->what);
	ArenaInit(&arena, arena.used);
	ted_assignment_arrays(&assignment, &arena, rows, columns);
	assignment.rows = rows;
	assignment.columns = columns;
	if (gain_of == GainOfNewName &&
		TotalWeight(a) + TotalWeight(b) <= PG_INT32_MAX / (EQUAL_NAMES * (int64) rows + 1) - 1)
		scale = EQUAL_NAMES * rows + 1;
	for (int32 i = 0; i < a->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		for (int32 j = 0; j < b->count; j++)
		{
			int64 gain = gain_of(mapping, a->node[i], b->node[j]);
			Size cell = swapped ? (Size) j * (Size) columns + (Size) i
								: (Size) i * (Size) columns + (Size) j;

			assignment.weight[cell] = (int32) Max(COST_OF_GAIN(gain), 0) * scale;
			if (assignment.weight[cell] > 0 && scale > 1)
				assignment.weight[cell] += Likeness(mapping, a->node[i], b->node[j]);
		}
	}
	CheckStatus(ted_assignment(&assignment, -1, &PgInterrupt, &steps, &sum));
	for (int32 column = 0; column < columns; column++)
	{
		int32 row = assignment.partner[column];

		if (row >= 0 && assignment.weight[(Size) row * (Size) columns + (Size) column] > 0)
			PairChildren(a, b, swapped ? column : row, swapped ? row : column);
	}
	pfree(arena.base);
	return sum / scale * GAIN_OF_COST;
}

/*
 * Pairs the children of two lists that have no partners, in any order.  Returns the sum of
 * gains.
 */
static int64
PairInAnyOrder(NameMapping *mapping, ChildList *list_a, ChildList *list_b, GainFunction gain_of)
{
	int64 sum = 0;
	ChildList a;
	ChildList b;

	/* a number that is the same as two others may have to leave its equal to the other one */
	if (!mapping->trees->has_tolerance || !TakeNodePairs(mapping, list_a, list_b))
		sum = PairEqualContents(mapping, list_a, list_b, gain_of);
	a = ListRest(list_a);
	b = ListRest(list_b);

	if (a.count > 0 && b.count > 0)
	{
		if (TakeNodePairs(mapping, &a, &b))
			sum += PairByAssignment(mapping, &a, &b, gain_of);
		else
		{
			Anchor *anchors;
			int32 count = FindAnchors(mapping, &a, &b, &anchors);

			for (int32 k = 0; k < count; k++)
				sum += PairWithGain(mapping, &a, &b, anchors[k].i, anchors[k].j, gain_of);
			pfree(anchors);
		}
	}
	TakeRest(list_a, &a);
	TakeRest(list_b, &b);
	return sum;
}

/*
 * Pairs members or attributes with equal names.  Both lists are in the order of names.
 * Returns the sum of gains.
 */
static int64
PairEqualNames(NameMapping *mapping, ChildList *a, ChildList *b)
{
	int64 sum = 0;
	int32 i = 0;
	int32 j = 0;

	while (i < a->count && j < b->count)
	{
		int32 x = a->node[i];
		int32 y = b->node[j];
		int32 name_x = a->side->doc->tree.label[x];
		int32 name_y = b->side->doc->tree.label[y];

		CHECK_FOR_INTERRUPTS();
		if (name_x == name_y)
		{
			sum += Max(GainOfNodes(mapping, x, y), 0);
			PairChildren(a, b, i++, j++);
		}
		else if (CompareNodeNames(mapping->trees, name_x, name_y) < 0)
			i++;
		else
			j++;
	}
	return sum;
}

/* Lists the elements of a list that have a key.  Returns their number. */
static int32
ListElementKeys(const ChildList *list, int32 number, ValuePlace *keys)
{
	int32 count = 0;

	for (int32 i = 0; i < list->count; i++)
		if (KeyOf(list->side, list->node[i]) > 0)
			keys[count++] = (ValuePlace){(uint64) KeyOf(list->side, list->node[i]), number, i};
	return count;
}

/*
 * Pairs elements of arrays with equal keys, whatever their content; of several, the first ones.
 * Returns the sum of gains.
 */
static int64
PairEqualKeys(NameMapping *mapping, ChildList *a, ChildList *b)
{
	ValuePlace *keys = palloc_array(ValuePlace, (Size) a->count + (Size) b->count);
	int32 count = ListElementKeys(a, 0, keys);
	int64 sum = 0;

	count += ListElementKeys(b, 1, keys + count);
	qsort(keys, (size_t) count, sizeof(ValuePlace), CompareValuePlaces);
	for (int32 k = 0, next; k < count; k = next)
	{
		int32 other = k;

		for (next = k; next < count && keys[next].value == keys[k].value; next++)
			other += keys[next].side == 0;
		for (int32 i = k, j = other; i < other && j < next; i++, j++)
		{
			int32 x = a->node[keys[i].place];
			int32 y = b->node[keys[j].place];

			if (a->side->doc->kind[x] != b->side->doc->kind[y])
				continue;
			sum += Max(GainOfNodes(mapping, x, y), 0);
			PairChildren(a, b, keys[i].place, keys[j].place);
		}
	}
	pfree(keys);
	return sum;
}

/* A function that processes a gap, consecutive children of each list without partners. */
typedef int64 (*GapFunction)(NameMapping *mapping, ChildList *a, ChildList *b);

/*
 * Calls a function for each gap between two partners of both lists, from left to right.
 * Returns the sum of the results.
 */
static int64
ForEachGap(NameMapping *mapping, ChildList *a, ChildList *b, GapFunction function)
{
	int64 sum = 0;
	int32 i = 0;
	int32 j = 0;

	while (i < a->count && j < b->count)
	{
		int32 end_i = i;
		int32 end_j = j;

		while (end_i < a->count && a->partner[end_i] < 0)
			end_i++;
		while (end_j < b->count && b->partner[end_j] < 0)
			end_j++;
		if (end_i > i && end_j > j)
		{
			ChildList gap_a = PartOfList(a, i, end_i);
			ChildList gap_b = PartOfList(b, j, end_j);

			sum += function(mapping, &gap_a, &gap_b);
		}
		i = end_i + 1;
		j = end_j + 1;
	}
	return sum;
}

/* Pairs nodes with equal names in a gap.  Returns the sum of gains. */
static int64
PairChanged(NameMapping *mapping, ChildList *a, ChildList *b)
{
	return PairInOrder(mapping, *a, *b, false, GainOfEqualNames);
}

/*
 * Pairs elements of XML whose name occurs once on each side of a gap, whatever their
 * content.  Returns the sum of gains.
 */
static int64
PairOnlyNames(NameMapping *mapping, ChildList *a, ChildList *b)
{
	const ChildList *lists[2] = {a, b};
	Size most = (Size) a->count + (Size) b->count;
	ValuePlace *names = palloc_array(ValuePlace, most);
	Anchor *anchors = palloc_array(Anchor, most);
	int32 count = 0;
	int64 sum = 0;

	for (int32 n = 0; n < 2; n++)
		for (int32 i = 0; i < lists[n]->count; i++)
		{
			const MappedTree *doc = lists[n]->side->doc;
			int32 node = lists[n]->node[i];

			if (doc->kind[node] == NODE_ELEMENT)
				names[count++] = (ValuePlace){(uint64) doc->tree.label[node], n, i};
		}
	count = LongestSequence(anchors, PairUniqueValues(names, count, anchors));
	for (int32 k = 0; k < count; k++)
		sum += PairWithGain(mapping, a, b, anchors[k].i, anchors[k].j, GainOfNodes);
	pfree(names);
	pfree(anchors);
	return sum;
}

/* Pairs nodes with different names in a gap.  Returns the sum of gains. */
static int64
PairNewNames(NameMapping *mapping, ChildList *a, ChildList *b)
{
	return PairInOrder(mapping, *a, *b, false, GainOfNewName);
}

static void KeepPair(NameMapping *mapping, int32 x, int32 y);

/*
 * Returns the contents of a node as a new list: its children without attributes, and the
 * values of members instead of the members.
 */
static ChildList
ListContents(const NameSide *side, int32 node)
{
	int32 count = ChildCount(side, node);
	int32 *contents = palloc_array(int32, Max(count, 1));
	ChildList list = {side, contents, 0, palloc_array(int32, Max(count, 1))};

	for (int32 i = side->first[node]; i < side->first[node + 1]; i++)
	{
		int32 child = side->child[i];

		if (side->doc->kind[child] == NODE_MEMBER && ChildCount(side, child) > 0)
			child = side->child[side->first[child]];
		else if (IsKeyed(side, child))
			continue;
		list.partner[list.count] = -1;
		contents[list.count++] = child;
	}
	return list;
}

/*
 * Maps children of one list, from `begin` on, to the contents of a node of the other list
 * that is new around them.  Returns how many children of the first list this has used up.
 */
static int32
KeepInside(NameMapping *mapping, const ChildList *list, int32 begin, const NameSide *around,
		   int32 node, bool is_first)
{
	ChildList contents = ListContents(around, node);
	ChildList part = PartOfList(list, begin, list->count);
	int32 used = 0;
	int64 gain = 0;

	CHECK_FOR_INTERRUPTS();
	if (contents.count > 0 && part.count > 0)
		gain = is_first ? PairInOrder(mapping, part, contents, false, GainOfUnchanged)
						: PairInOrder(mapping, contents, part, false, GainOfUnchanged);
	if (gain > 0)
	{
		int64 weight = 0;
		bool keep;

		for (int32 i = 0; i < contents.count; i++)
			weight += Weight(around, contents.node[i]);
		for (int32 i = 0; i < part.count; i++)
			if (part.partner[i] >= 0)
				weight += Weight(list->side, part.node[i]);
		keep = (weight - COST_OF_GAIN(gain)) * PARTS_OF_A_RENAME <= weight;
		for (int32 i = 0; i < part.count; i++)
		{
			if (part.partner[i] < 0)
				continue;
			if (keep)
			{
				if (is_first)
					KeepPair(mapping, part.node[i], part.partner[i]);
				else
					KeepPair(mapping, part.partner[i], part.node[i]);
				used = i + 1;
			}
			part.partner[i] = -1;
		}
	}
	pfree(unconstify(int32 *, contents.node));
	pfree(contents.partner);
	return used;
}

/*
 * Maps nodes of a gap that have moved into a new node or out of a deleted one, as long as pairs may
 * be compared.  Returns 0, as gains of these are not added.
 */
static int64
KeepMoved(NameMapping *mapping, ChildList *a, ChildList *b)
{
	int32 next = 0;

	for (int32 j = 0; j < b->count && mapping->node_pairs > 0; j++)
		next += KeepInside(mapping, a, next, b->side, b->node[j], true);
	if (next > 0)
		return 0;
	for (int32 i = 0; i < a->count && mapping->node_pairs > 0; i++)
		next += KeepInside(mapping, b, next, a->side, a->node[i], false);
	return 0;
}

/* Returns the children of a node as a new list without partners. */
static ChildList
ListChildNodes(const NameSide *side, int32 node)
{
	int32 count = ChildCount(side, node);
	ChildList list = {side, side->child + side->first[node], count,
					  palloc_array(int32, Max(count, 1))};

	memset(list.partner, -1, sizeof(int32) * (Size) count);
	return list;
}

/* The children of two nodes, and where those begin that are neither members nor attributes. */
typedef struct PairedChildren
{
	ChildList a;
	ChildList b;
	int32 keyed_a;
	int32 keyed_b;
	bool is_unordered;
} PairedChildren;

/*
 * Pairs the children of two nodes, which the caller frees.  Returns the sum of gains.  Too deep in
 * the documents, it pairs none, and returns what could be gained at most, so that the nodes above
 * become partners.
 */
static int64
PairAllChildren(NameMapping *mapping, int32 x, int32 y, PairedChildren *children)
{
	const NameSide *side_a = &mapping->a;
	const NameSide *side_b = &mapping->b;
	ChildList a;
	ChildList b;
	ChildList names_a;
	ChildList names_b;
	int32 keyed_a = 0;
	int32 keyed_b = 0;
	bool is_unordered = IsUnordered(side_a, x) && IsUnordered(side_b, y);
	int64 sum = 0;

	check_stack_depth();
	if (side_a->tree->depth[x] >= MOST_LEVELS || side_b->tree->depth[y] >= MOST_LEVELS)
	{
		mapping->is_whole = false;
		*children = (PairedChildren){0};
		/* at most, all of the smaller one stays, which is neither deleted nor inserted */
		return 2 * Min(WeightBelow(side_a, x), WeightBelow(side_b, y)) * GAIN_OF_COST;
	}
	a = ListChildNodes(side_a, x);
	b = ListChildNodes(side_b, y);
	while (keyed_a < a.count && IsKeyed(side_a, a.node[keyed_a]))
		keyed_a++;
	while (keyed_b < b.count && IsKeyed(side_b, b.node[keyed_b]))
		keyed_b++;
	*children = (PairedChildren){a, b, keyed_a, keyed_b, is_unordered};

	/* members or attributes */
	names_a = PartOfList(&a, 0, keyed_a);
	names_b = PartOfList(&b, 0, keyed_b);
	if (keyed_a > 0 && keyed_b > 0)
	{
		sum += PairEqualNames(mapping, &names_a, &names_b);
		if (side_a->doc->kind[a.node[0]] == NODE_MEMBER)
			sum += PairInAnyOrder(mapping, &names_a, &names_b, GainOfNewName);
		else
			sum += ForEachGap(mapping, &names_a, &names_b, PairNewNames);
	}

	/* the others */
	a = PartOfList(&a, keyed_a, a.count);
	b = PartOfList(&b, keyed_b, b.count);
	if (a.count == 0 || b.count == 0)
		return sum;
	if (is_unordered)
	{
		sum += PairEqualKeys(mapping, &a, &b);
		return sum + PairInAnyOrder(mapping, &a, &b, GainOfEqualNames);
	}
	if (side_a->doc->kind[x] == NODE_MEMBER)
		return sum + PairInOrder(mapping, a, b, false, GainOfNodes);
	sum += PairInOrder(mapping, a, b, false, GainOfUnchanged);
	sum += ForEachGap(mapping, &a, &b, PairChanged);
	if (mapping->is_xml)
	{
		sum += ForEachGap(mapping, &a, &b, PairOnlyNames);
		sum += ForEachGap(mapping, &a, &b, PairNewNames);
	}
	return sum;
}

/* Frees the lists of children. */
static void
FreeChildren(PairedChildren *children)
{
	if (children->a.partner == NULL)
		return;
	pfree(children->a.partner);
	pfree(children->b.partner);
}

/* Returns the gain of pairing the children of two nodes. */
static int64
GainOfChildren(NameMapping *mapping, int32 x, int32 y)
{
	PairedChildren children;
	int64 sum;

	if (ChildCount(&mapping->a, x) == 0 || ChildCount(&mapping->b, y) == 0)
		return 0;
	sum = PairAllChildren(mapping, x, y, &children);
	FreeChildren(&children);
	return sum;
}

bool
HaveEqualNodes(const TedTree *a, int32 x, const TedTree *b, int32 y)
{
	int32 size = a->subtree_size[x];
	Size bytes = sizeof(int32) * (Size) size;

	return size == b->subtree_size[y] &&
		   memcmp(a->label + x + 1 - size, b->label + y + 1 - size, bytes) == 0 &&
		   memcmp(a->subtree_size + x + 1 - size, b->subtree_size + y + 1 - size, bytes) == 0;
}

/* Maps two nodes to each other, and the nodes below them. */
static void
KeepPair(NameMapping *mapping, int32 x, int32 y)
{
	const TedTree *a = mapping->a.tree;
	int32 *map_a = mapping->a.doc->map;
	int32 *map_b = mapping->b.doc->map;
	PairedChildren children;

	CHECK_FOR_INTERRUPTS();
	if (!mapping->trees->has_model && mapping->a.hash[x] == mapping->b.hash[y] &&
		HaveEqualNodes(a, x, mapping->b.tree, y))
	{
		for (int32 k = 0; k < a->subtree_size[x]; k++)
		{
			map_a[x - k] = y - k;
			map_b[y - k] = x - k;
		}
		return;
	}
	map_a[x] = y;
	map_b[y] = x;
	if (ChildCount(&mapping->a, x) == 0 || ChildCount(&mapping->b, y) == 0)
		return;
	PairAllChildren(mapping, x, y, &children);
	for (int32 i = 0; i < children.a.count; i++)
		if (children.a.partner[i] >= 0)
			KeepPair(mapping, children.a.node[i], children.a.partner[i]);
	if (!children.is_unordered)
	{
		ChildList rest_a = PartOfList(&children.a, children.keyed_a, children.a.count);
		ChildList rest_b = PartOfList(&children.b, children.keyed_b, children.b.count);

		ForEachGap(mapping, &rest_a, &rest_b, KeepMoved);
	}
	FreeChildren(&children);
}

bool
MapByName(const MappedTrees *trees, const TedTree *a, const TedTree *b, const TedCosts *costs,
		  const char *what)
{
	int32 x = a->size - 1;
	int32 y = b->size - 1;
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "mapping by names", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	NameMapping mapping = {.trees = trees,
						   .costs = costs,
						   .what = what,
						   .context = context,
						   .node_pairs = MOST_NODE_PAIRS_IN_ALL,
						   .is_xml = trees->syntax != SYNTAX_JSON,
						   .is_whole = true};

	InitNameSide(&mapping.a, &trees->a, a, costs, true);
	InitNameSide(&mapping.b, &trees->b, b, costs, false);
	mapping.gains = gains_create(context, 256, NULL);
	if (IsIgnored(&mapping.a, x) || IsIgnored(&mapping.b, y))
		;
	else if (GainOfNodes(&mapping, x, y) != NO_GAIN)
		KeepPair(&mapping, x, y);
	else
	{
		int32 partners[2] = {-1, -1};
		ChildList root_a = {&mapping.a, &x, 1, &partners[0]};
		ChildList root_b = {&mapping.b, &y, 1, &partners[1]};

		KeepMoved(&mapping, &root_a, &root_b);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	return mapping.is_whole;
}
