/*
 * partition_rule.c
 *	  Assigns trees to partitions, so that two trees within a threshold have one in common.
 */
#include "postgres.h"

#include "port/atomics.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "../../core/tree/filters/label_pairs.h"
#include "../../tree/value/tree.h"
#include "partition_rule.h"
#include "search.h"

/* Nodes in a word, which the lowest bits of their hashes select. */
#define NODES_PER_WORD 4

/*
 * A partition gets no new nodes when it has more than this multiple of the average number of trees.
 */
#define LARGEST_PARTITION 2

/* A size above that of any tree. */
#define NO_LARGE_TREE (TREE_MAX_NODES + 1)

struct PartitionRule
{
	int partitions;
	uint32 mask; /* for the index of a word */
	int32 label_count[LABEL_COUNTS];
	pg_atomic_uint32 words[FLEXIBLE_ARRAY_MEMBER]; /* one byte for each node: its partition + 1, or
													* 0 */
};

/* Makes label counts, all 0. */
int32 *
LabelCountsCreate(void)
{
	return palloc0_array(int32, LABEL_COUNTS);
}

/* Counts the labels of a tree. */
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

/* Returns the least size of a large tree. */
int32
LargeTreeSize(const DocumentThreshold *threshold)
{
	int32 low = 0;
	int32 high = NO_LARGE_TREE;

	while (low < high)
	{
		int32 middle = low + (high - low) / 2;

		if (DistanceAllowedAround(threshold, middle) > MOST_PARTITION_OPERATIONS)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Returns the least size of a tree that may match a large tree. */
int32
NearLargeSize(const DocumentThreshold *threshold)
{
	int32 large = LargeTreeSize(threshold);

	return large == NO_LARGE_TREE ? large : Max(large - DistanceAllowedAround(threshold, large), 0);
}

/* Returns the bytes of a rule. */
Size
PartitionRuleBytes(Size memory)
{
	Size words = 1024;

	while (words < UINT64CONST(1) << 28 && words * 2 * sizeof(pg_atomic_uint32) <= memory)
		words *= 2;
	return offsetof(PartitionRule, words) + sizeof(pg_atomic_uint32) * words;
}

/* Initializes a rule. */
void
PartitionRuleInit(PartitionRule *rule, Size bytes, int partitions, const int32 *label_counts)
{
	memset(rule, 0, bytes);
	rule->partitions = partitions;
	rule->mask = (uint32) ((bytes - offsetof(PartitionRule, words)) / sizeof(pg_atomic_uint32)) - 1;
	memcpy(rule->label_count, label_counts, sizeof(rule->label_count));
}

/* Returns the partition of a node; -1 if it has none. */
static int
PartitionOfNode(PartitionRule *rule, uint32 node)
{
	uint32 word = pg_atomic_read_u32(&rule->words[node / NODES_PER_WORD & rule->mask]);

	return (int) (word >> 8 * (node % NODES_PER_WORD) & 0xFF) - 1;
}

/* Assigns a node to a partition, unless another process has assigned it; returns its partition. */
static int
AssignNode(PartitionRule *rule, uint32 node, int partition)
{
	pg_atomic_uint32 *word = &rule->words[node / NODES_PER_WORD & rule->mask];
	uint32 shift = 8 * (node % NODES_PER_WORD);
	uint32 old = pg_atomic_read_u32(word);

	while ((old >> shift & 0xFF) == 0)
		if (pg_atomic_compare_exchange_u32(word, &old, old | (uint32) (partition + 1) << shift))
			return partition;
	return (int) (old >> shift & 0xFF) - 1;
}

/* Returns the partition with the fewest trees, of a set or of all; -1 if the set is empty. */
static int
LeastPartition(const PartitionRule *rule, const PartitionLoads *loads, const PartitionSet *set)
{
	int least = -1;

	for (int i = 0; i < rule->partitions; i++)
		if ((set == NULL || PartitionSetHas(set, i)) &&
			(least < 0 || loads->of[i] < loads->of[least]))
			least = i;
	return least;
}

/* Returns the partition for the new nodes of a tree, which belongs to the partitions in `set`. */
static int
PartitionForNewNodes(const PartitionRule *rule, const PartitionLoads *loads,
					 const PartitionSet *set)
{
	int least = LeastPartition(rule, loads, set);
	int64 usual = loads->all / rule->partitions + 1;

	return least >= 0 && loads->of[least] <= LARGEST_PARTITION * usual
			   ? least
			   : LeastPartition(rule, loads, NULL);
}

/* Returns the partitions of a tree, after assigning its new nodes. */
PartitionSet
PartitionsOfTree(PartitionRule *rule, PartitionLoads *loads, const DocumentKind *kind,
				 const DocumentThreshold *threshold, Datum tree, int32 size)
{
	TedLabelFrequencies frequencies = {.count = rule->label_count, .mask = LABEL_COUNTS - 1};
	int32 limit = DistanceAllowedAround(threshold, size);
	uint32 node[MOST_PARTITION_OPERATIONS + 1];
	PartitionSet set = {0};
	int32 *label;
	int32 *occurrence;
	int32 nodes = kind->list_nodes(tree, &label, &occurrence);
	int32 count;
	int32 unassigned = 0;
	uint32 rarest;

	CheckStatus(ted_rarest_nodes(label, occurrence, nodes, &frequencies, limit + 1, &PgInterrupt,
								 node, &count));
	/* small trees may match without a common node, so all of them get one more node, the same */
	if (count <= limit)
		node[count++] = 0;
	rarest = node[0] % RAREST_NODE_CLASSES;
	for (int32 i = 0; i < count; i++)
	{
		int partition = PartitionOfNode(rule, node[i]);

		if (partition >= 0)
			PartitionSetAdd(&set, partition);
		else
			node[unassigned++] = node[i];
	}
	if (unassigned > 0)
	{
		int partition = PartitionForNewNodes(rule, loads, &set);

		for (int32 i = 0; i < unassigned; i++)
			PartitionSetAdd(&set, AssignNode(rule, node[i], partition));
	}
	for (int i = 0; i < rule->partitions; i++)
		if (PartitionSetHas(&set, i))
		{
			loads->of[i]++;
			loads->all++;
			loads->classes[i][rarest]++;
		}
	return set;
}

/* Estimates the pairs of trees in a partition that have the same rarest node. */
double
AlikePairs(const PartitionLoads *loads, int partition)
{
	double pairs = 0;

	for (int i = 0; i < RAREST_NODE_CLASSES; i++)
		pairs += (double) loads->classes[partition][i] * loads->classes[partition][i];
	return pairs;
}

/* Returns the number of partitions. */
int
PartitionCount(const PartitionRule *rule)
{
	return rule->partitions;
}
