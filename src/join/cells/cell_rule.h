/*
 * cell_rule.h
 *	  Assigns trees to cells, so that two trees within a threshold have one in common.
 *
 * In any order of nodes, the first node that two trees have in common is among the first k + 1 of
 * either tree, where k is the most operations that the threshold allows (prefix filter; Vernica,
 * Carey and Li, SIGMOD 2010).  So each node is assigned to a cell, and a tree belongs to the cells
 * of its k + 1 rarest nodes.  Near copies share most of these nodes.  The nodes of a tree that have
 * no cell yet are assigned to one that the tree already belongs to (streaming graph partitioning;
 * Stanton and Kliot, KDD 2012), so that most trees belong to one or two cells.
 *
 * A large tree, for which the threshold allows many operations, would belong to most cells.  It
 * belongs to the last cell only, to which all trees belong that may match a large one.
 *
 * A rule is in private memory, or in memory that processes share.
 */
#ifndef TED_CELL_RULE_H
#define TED_CELL_RULE_H

#include "postgres.h"

#include "port/pg_bitutils.h"

#include "../../tree/distance/threshold.h"
#include "../search/pipeline.h"

/* The most cells; the most operations for which a tree belongs to cells by its nodes. */
#define MOST_CELLS 250
#define MOST_KEYED_OPERATIONS 24

/* Words of a set of cells. */
#define CELL_WORDS 4

/* A set of cells, as bits. */
typedef struct CellSet
{
	uint64 words[CELL_WORDS];
} CellSet;

/* Whether a set has no cell. */
static inline bool
CellSetIsEmpty(const CellSet *set)
{
	return (set->words[0] | set->words[1] | set->words[2] | set->words[3]) == 0;
}

/* Whether a set contains a cell. */
static inline bool
CellSetHas(const CellSet *set, int cell)
{
	return (set->words[cell / 64] >> cell % 64 & 1) != 0;
}

/* Adds a cell to a set. */
static inline void
CellSetAdd(CellSet *set, int cell)
{
	set->words[cell / 64] |= UINT64CONST(1) << cell % 64;
}

/* Returns the first common cell of two sets; -1 if there is none. */
static inline int
FirstCommonCell(const CellSet *a, const CellSet *b)
{
	for (int i = 0; i < CELL_WORDS; i++)
		if ((a->words[i] & b->words[i]) != 0)
			return i * 64 + pg_rightmost_one_pos64(a->words[i] & b->words[i]);
	return -1;
}

/*
 * Counts of labels in some trees, by the lowest bits of the labels' hashes; the rule determines by
 * them which nodes are rare.  The second function adds the labels of a tree.
 */
#define LABEL_COUNTS 16384
extern void CountTreeLabels(int32 *counts, const DocumentKind *kind, Datum tree);

/*
 * Returns the least size of a tree for which a threshold allows more than MOST_KEYED_OPERATIONS,
 * and the least one of a tree that may match such a tree; sizes above that of any tree if there are
 * none.
 */
extern int32 LeastLargeTree(const DocumentThreshold *threshold, int32 *near);

/* The cell of each node. */
typedef struct CellRule CellRule;

/*
 * Returns the bytes of a rule that takes about `memory` bytes; initializes a rule there, with a
 * number of cells of at least 2, a threshold, and counts of labels.
 */
extern Size CellRuleBytes(Size memory);
extern void CellRuleInit(CellRule *rule, Size bytes, int cells, const DocumentThreshold *threshold,
						 const int32 *label_counts);

/*
 * Trees that a process has assigned: to each cell; in all; and to each cell by classes,
 * which are hashes of the trees' rarest nodes.
 */
#define RAREST_NODE_CLASSES 32
typedef struct CellLoads
{
	int64 of[MOST_CELLS];
	int64 all;
	uint32 classes[MOST_CELLS][RAREST_NODE_CLASSES];
} CellLoads;

/* Estimates the pairs of trees in a cell that have the same rarest node. */
extern double AlikePairs(const CellLoads *loads, int cell);

/*
 * Returns the cells of a tree of `size` nodes.  They are the same in all processes that share the
 * rule; each process has its own loads.  Allocates in the current memory context.
 */
extern CellSet CellsOfTree(CellRule *rule, CellLoads *loads, const DocumentKind *kind,
						   const DocumentThreshold *threshold, Datum tree, int32 size);

/* Returns the cells of a row without a document: the last one. */
extern CellSet CellsOfNothing(const CellRule *rule);

/* Returns the number of cells. */
extern int RuleCells(const CellRule *rule);

#endif /* TED_CELL_RULE_H */
