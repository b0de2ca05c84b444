/*
 * partition_rule.h
 *	  Assigns trees to partitions, so that two trees within a threshold have one in common.
 *
 * In any order of nodes, the first node that two trees have in common is among the first k + 1 of
 * either tree, where k is the most operations that the threshold allows (prefix filter; Vernica,
 * Carey and Li, SIGMOD 2010).  So each node is assigned to a partition, and a tree belongs to the
 * partitions of its k + 1 rarest nodes.  Near copies share most of these nodes.  The nodes of a
 * tree that have no partition yet are assigned to one that the tree already belongs to (streaming
 * graph partitioning; Stanton and Kliot, KDD 2012), so that most trees belong to one or two
 * partitions.
 *
 * Trees for which the threshold allows many operations would belong to most partitions.  These
 * large trees belong to none; all trees that may match them are joined with them separately.
 *
 * A rule is in private memory, or in memory that processes share.
 */
#ifndef TED_PARTITION_RULE_H
#define TED_PARTITION_RULE_H

#include "postgres.h"

#include "port/pg_bitutils.h"

#include "../../tree/distance/threshold.h"
#include "pipeline.h"

/* The most partitions; the most operations for which a tree belongs to partitions. */
#define MOST_PARTITIONS 250
#define MOST_PARTITION_OPERATIONS 24

/* Words of a set of partitions. */
#define PARTITION_WORDS 4

/* A set of partitions, as bits. */
typedef struct PartitionSet
{
	uint64 words[PARTITION_WORDS];
} PartitionSet;

/* Whether a set contains a partition. */
static inline bool
PartitionSetHas(const PartitionSet *set, int partition)
{
	return (set->words[partition / 64] >> partition % 64 & 1) != 0;
}

/* Adds a partition to a set. */
static inline void
PartitionSetAdd(PartitionSet *set, int partition)
{
	set->words[partition / 64] |= UINT64CONST(1) << partition % 64;
}

/* Returns the first common partition of two sets; -1 if there is none. */
static inline int
FirstCommonPartition(const PartitionSet *a, const PartitionSet *b)
{
	for (int i = 0; i < PARTITION_WORDS; i++)
		if ((a->words[i] & b->words[i]) != 0)
			return i * 64 + pg_rightmost_one_pos64(a->words[i] & b->words[i]);
	return -1;
}

/*
 * Counts of labels in some trees, by the lowest bits of the labels' hashes; the rule determines by
 * them which nodes are rare.  The second function adds the labels of a tree.
 */
#define LABEL_COUNTS 16384
extern int32 *LabelCountsCreate(void);
extern void CountTreeLabels(int32 *counts, const DocumentKind *kind, Datum tree);

/*
 * Returns the least size of a large tree for a threshold; the least size of a tree that may match a
 * large tree.
 */
extern int32 LargeTreeSize(const DocumentThreshold *threshold);
extern int32 NearLargeSize(const DocumentThreshold *threshold);

/* The partition of each node. */
typedef struct PartitionRule PartitionRule;

/*
 * Returns the bytes of a rule that takes about `memory` bytes; initializes a rule there, with a
 * number of partitions and counts of labels.
 */
extern Size PartitionRuleBytes(Size memory);
extern void PartitionRuleInit(PartitionRule *rule, Size bytes, int partitions,
							  const int32 *label_counts);

/*
 * Trees that a process has assigned: to each partition; in all; and to each partition by classes,
 * which are hashes of the trees' rarest nodes.
 */
#define RAREST_NODE_CLASSES 32
typedef struct PartitionLoads
{
	int64 of[MOST_PARTITIONS];
	int64 all;
	uint32 classes[MOST_PARTITIONS][RAREST_NODE_CLASSES];
} PartitionLoads;

/* Estimates the pairs of trees in a partition that have the same rarest node. */
extern double AlikePairs(const PartitionLoads *loads, int partition);

/*
 * Returns the partitions of a tree of `size` nodes, which is not large.  They are the same in all
 * processes that share the rule; each process has its own loads.  Allocates in the current memory
 * context.
 */
extern PartitionSet PartitionsOfTree(PartitionRule *rule, PartitionLoads *loads,
									 const DocumentKind *kind, const DocumentThreshold *threshold,
									 Datum tree, int32 size);

/* Returns the number of partitions. */
extern int PartitionCount(const PartitionRule *rule);

#endif /* TED_PARTITION_RULE_H */
