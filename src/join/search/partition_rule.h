/*
 * partition_rule.h
 *	  Which partitions trees belong to, so that trees within a threshold have one in common.
 *
 * In any order of nodes, the first node that two trees have in common is among the first
 * k + 1 of either tree, where k is the most operations that the threshold allows (prefix filter;
 * Vernica, Carey and Li, SIGMOD 2010).  So each node is assigned to a partition, and a tree
 * belongs to the partitions of its k + 1 rarest nodes.  Near copies share most of these nodes:
 * the nodes of a tree that have no partition yet are assigned to one that the tree belongs to
 * already (streaming graph partitioning; Stanton and Kliot, KDD 2012), so that most trees belong
 * to one or two partitions.
 *
 * Trees for which the threshold allows many operations would belong to most partitions.  These
 * large trees are left out, and all trees that may match them are joined with them otherwise.
 *
 * A rule lies in private memory, or in memory that processes share.
 */
#ifndef TED_PARTITION_RULE_H
#define TED_PARTITION_RULE_H

#include "postgres.h"

#include "port/pg_bitutils.h"

#include "../../tree/distance/threshold.h"
#include "pipeline.h"

/* The most partitions; and the most operations for which a tree belongs to some of them. */
#define MOST_PARTITIONS 250
#define MOST_PARTITION_OPERATIONS 24

/* Words of a set of partitions. */
#define PARTITION_WORDS 4

/* Partitions, as bits. */
typedef struct PartitionSet
{
	uint64 words[PARTITION_WORDS];
} PartitionSet;

/* Whether a set has a partition. */
static inline bool
PartitionSetHas(const PartitionSet *set, int partition)
{
	return (set->words[partition / 64] >> partition % 64 & 1) != 0;
}

/* Adds a partition. */
static inline void
PartitionSetAdd(PartitionSet *set, int partition)
{
	set->words[partition / 64] |= UINT64CONST(1) << partition % 64;
}

/* The first partition that two sets have in common; -1 if there is none. */
static inline int
FirstCommonPartition(const PartitionSet *a, const PartitionSet *b)
{
	for (int i = 0; i < PARTITION_WORDS; i++)
		if ((a->words[i] & b->words[i]) != 0)
			return i * 64 + pg_rightmost_one_pos64(a->words[i] & b->words[i]);
	return -1;
}

/*
 * Counts of labels in some trees, by the lowest bits of their hashes, by which the rule says what
 * nodes are rare.  Counts a tree's labels.
 */
#define LABEL_COUNTS 16384
extern int32 *LabelCountsCreate(void);
extern void CountTreeLabels(int32 *counts, const DocumentKind *kind, Datum tree);

/* The size from which on trees are large for a threshold; the least size that may match these. */
extern int32 LargeTreeSize(const DocumentThreshold *threshold);
extern int32 NearLargeSize(const DocumentThreshold *threshold);

typedef struct PartitionRule PartitionRule;

/*
 * Bytes of a rule that takes about this much memory; makes one there, with a number of
 * partitions, of counts of labels.
 */
extern Size PartitionRuleBytes(Size memory);
extern void PartitionRuleInit(PartitionRule *rule, Size bytes, int partitions,
							  const int32 *label_counts);

/*
 * Trees that a process has found to belong to partitions: in one, and in all together; and those
 * of one by their rarest nodes, into classes by hashes of these.
 */
#define RAREST_NODE_CLASSES 32
typedef struct PartitionLoads
{
	int64 of[MOST_PARTITIONS];
	int64 all;
	uint32 classes[MOST_PARTITIONS][RAREST_NODE_CLASSES];
} PartitionLoads;

/* About how many pairs of trees of a partition have the same rarest node. */
extern double AlikePairs(const PartitionLoads *loads, int partition);

/*
 * The partitions of a tree, which is not a large one, of a size; the same in all processes that
 * share the rule, each of which has its own loads.  Takes memory in the current memory context.
 */
extern PartitionSet PartitionsOfTree(PartitionRule *rule, PartitionLoads *loads,
									 const DocumentKind *kind, const DocumentThreshold *threshold,
									 Datum tree, int32 size);

/* How many partitions there are. */
extern int PartitionCount(const PartitionRule *rule);

#endif /* TED_PARTITION_RULE_H */
