/*
 * cell_rule.c
 *	  Assigns trees to cells, so that two trees within a threshold have one in common.
 */
#include "postgres.h"

#include "port/atomics.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "../../core/tree/filters/label_pairs.h"
#include "../../tree/value/tree.h"
#include "cell_rule.h"
#include "../search/search.h"

/* Nodes in a word, which the lowest bits of their hashes select. */
#define NODES_PER_WORD 4

/*
 * A cell gets no new nodes when it has more than this multiple of the average number of trees.
 */
#define LARGEST_CELL 2

/* A size above that of any tree. */
#define NO_LARGE_TREE (TREE_MAX_NODES + 1)

struct CellRule
{
	int cells;             /* with the last one, which has large trees */
	int32 large_size;      /* least size of a large tree */
	int32 near_large_size; /* least size of a tree that may match a large one */
	uint32 mask;           /* for the index of a word */
	int32 label_count[LABEL_COUNTS];
	pg_atomic_uint32 words[FLEXIBLE_ARRAY_MEMBER]; /* one byte for each node: its cell + 1, or
													* 0 */
};

void
CountTreeLabels(int32 *counts, const DocumentKind *kind, Datum tree)
{
	int32 *label;
	int32 *occurrence;
	int32 size = kind->list_nodes(tree, &label, &occurrence);

	for (int32 x = 0; x < size; x++)
		if (occurrence[x] == 1)
			counts[(uint32) label[x] % LABEL_COUNTS]++;
}

int32
LeastLargeTree(const DocumentThreshold *threshold, int32 *near)
{
	int32 low = 0;
	int32 high = NO_LARGE_TREE;

	while (low < high)
	{
		int32 middle = low + (high - low) / 2;

		if (DistanceAllowedAround(threshold, middle) > MOST_KEYED_OPERATIONS)
			high = middle;
		else
			low = middle + 1;
	}
	*near = low < NO_LARGE_TREE ? Max(low - DistanceAllowedAround(threshold, low), 0) : low;
	return low;
}

Size
CellRuleBytes(Size memory)
{
	Size words = 1024;

	while (words < UINT64CONST(1) << 28 && words * 2 * sizeof(pg_atomic_uint32) <= memory)
		words *= 2;
	return offsetof(CellRule, words) + sizeof(pg_atomic_uint32) * words;
}

void
CellRuleInit(CellRule *rule, Size bytes, int cells, const DocumentThreshold *threshold,
			 const int32 *label_counts)
{
	memset(rule, 0, bytes);
	rule->cells = cells;
	rule->large_size = LeastLargeTree(threshold, &rule->near_large_size);
	rule->mask = (uint32) ((bytes - offsetof(CellRule, words)) / sizeof(pg_atomic_uint32)) - 1;
	memcpy(rule->label_count, label_counts, sizeof(rule->label_count));
}

/* Returns the cell of a node; -1 if it has none. */
static int
CellOfNode(CellRule *rule, uint32 node)
{
	uint32 word = pg_atomic_read_u32(&rule->words[node / NODES_PER_WORD & rule->mask]);

	return (int) (word >> 8 * (node % NODES_PER_WORD) & 0xFF) - 1;
}

/* Assigns a node to a cell, unless another process has assigned it; returns its cell. */
static int
AssignNode(CellRule *rule, uint32 node, int cell)
{
	pg_atomic_uint32 *word = &rule->words[node / NODES_PER_WORD & rule->mask];
	uint32 shift = 8 * (node % NODES_PER_WORD);
	uint32 old = pg_atomic_read_u32(word);

	while ((old >> shift & 0xFF) == 0)
		if (pg_atomic_compare_exchange_u32(word, &old, old | (uint32) (cell + 1) << shift))
			return cell;
	return (int) (old >> shift & 0xFF) - 1;
}

/* Returns the cell with the fewest trees, of a set or of all; -1 if the set is empty. */
static int
LeastCell(const CellRule *rule, const CellLoads *loads, const CellSet *set)
{
	int least = -1;

	for (int i = 0; i < rule->cells - 1; i++)
		if ((set == NULL || CellSetHas(set, i)) && (least < 0 || loads->of[i] < loads->of[least]))
			least = i;
	return least;
}

CellSet
CellsOfTree(CellRule *rule, CellLoads *loads, const DocumentKind *kind,
			const DocumentThreshold *threshold, Datum tree, int32 size)
{
	TedLabelFrequencies frequencies = {.count = rule->label_count, .mask = LABEL_COUNTS - 1};
	int32 limit = DistanceAllowedAround(threshold, size);
	uint32 node[MOST_KEYED_OPERATIONS + 1];
	CellSet set = {0};
	int32 *label;
	int32 *occurrence;
	int32 nodes;
	int32 count;
	int32 unassigned = 0;
	uint32 rarest;

	if (size >= rule->near_large_size)
		CellSetAdd(&set, rule->cells - 1);
	if (size >= rule->large_size)
		return set; /* such trees are few, and do not count as load */
	nodes = kind->list_nodes(tree, &label, &occurrence);
	CheckStatus(ted_rarest_nodes(label, occurrence, nodes, &frequencies, limit + 1, &PgInterrupt,
								 node, &count));
	/* small trees may match without a common node, so all of them get one more node, the same */
	if (count <= limit)
		node[count++] = 0;
	rarest = node[0] % RAREST_NODE_CLASSES;
	for (int32 i = 0; i < count; i++)
	{
		int cell = CellOfNode(rule, node[i]);

		if (cell >= 0)
			CellSetAdd(&set, cell);
		else
			node[unassigned++] = node[i];
	}
	if (unassigned > 0)
	{
		int least = LeastCell(rule, loads, &set);
		int64 usual = loads->all / rule->cells + 1;
		int cell = least >= 0 && loads->of[least] <= LARGEST_CELL * usual
					   ? least
					   : LeastCell(rule, loads, NULL);
		for (int32 i = 0; i < unassigned; i++)
			CellSetAdd(&set, AssignNode(rule, node[i], cell));
	}
	for (int i = 0; i < rule->cells; i++)
		if (CellSetHas(&set, i))
		{
			loads->of[i]++;
			loads->all++;
			loads->classes[i][rarest]++;
		}
	return set;
}

CellSet
CellsOfNothing(const CellRule *rule)
{
	CellSet set = {0};

	CellSetAdd(&set, rule->cells - 1);
	return set;
}

double
AlikePairs(const CellLoads *loads, int cell)
{
	double pairs = 0;

	for (int i = 0; i < RAREST_NODE_CLASSES; i++)
		pairs += (double) loads->classes[cell][i] * loads->classes[cell][i];
	return pairs;
}

int
RuleCells(const CellRule *rule)
{
	return rule->cells;
}
