/*
 * candidates.h
 *	  Which pairs of many trees can be within k edit operations of each other.
 *
 * Two trees that k unit-cost operations turn into each other share all but k of
 * the larger one's labels, and a shared label only counts where some mapping
 * within k can map a node of the one to a node of the other.  Labels are ranked,
 * rare ones first: trees that share enough labels share one of their k + 1
 * rarest (prefix filter; Chaudhuri et al., ICDE 2006; for trees Huetter et al.,
 * TJoin, ICDE 2019).  Sizes must not differ by more than k either.
 *
 * k may depend on sizes: every tree has a limit, which is k of the pairs whose
 * larger tree it is, and a pair's k is the greater one of its two limits.  From
 * one size to the next, limits grow by 0 or 1.  So the smaller tree of a pair does
 * not lack more labels than its own limit either, and each tree's limit says
 * what its prefix is.
 */
#ifndef TED_CORE_TREE_CANDIDATES_H
#define TED_CORE_TREE_CANDIDATES_H

#include "ted.h"

/* A tree's nodes by their labels, rare labels first. */
typedef struct TedLabelGroups
{
	const TedTree *tree;
	int32_t *rank;  /* by group, ascending */
	int32_t *begin; /* by group: its first entry in `node`; one more entry at the end */
	int32_t *node;  /* postorder numbers, ascending in a group */
	int32_t count;  /* groups */
	int32_t limit;  /* k of pairs with trees that are not larger */
	int32_t prefix; /* groups that hold the k + 1 nodes with the rarest labels */
	uint32_t shape_hash;
} TedLabelGroups;

/*
 * Groups the nodes of some trees, whose limits are those of limit[].  rank[label]
 * is at least 0, less for rarer labels and different for each; -1 for labels of
 * no indexed tree, which make one group.  Scratch memory is given back, the
 * groups stay.
 */
extern size_t ted_label_groups_memory(const TedTree *const *trees, int32_t count);
extern TedStatus ted_label_groups(const TedTree *const *trees, int32_t count, const int32_t *rank,
								  const int32_t *limit, TedArena *arena,
								  const TedInterrupt *interrupt, TedLabelGroups *groups);

/* Trees in ascending order of their sizes, to be found by the labels of their prefixes. */
typedef struct TedCandidateIndex TedCandidateIndex;

/*
 * Indexes trees, whose groups stay in use; `ranks` is more than any rank and any
 * label of theirs.  The index stays in the arena.
 */
extern size_t ted_candidate_index_memory(const TedLabelGroups *trees, int32_t count, int32_t ranks);
extern TedStatus ted_candidate_index(const TedLabelGroups *trees, int32_t count, int32_t ranks,
									 TedArena *arena, const TedInterrupt *interrupt,
									 TedCandidateIndex **index);

/* Numbers of pairs that have passed the filters, over all searches. */
typedef struct TedCandidateCounts
{
	int64_t window; /* pairs whose sizes allow a distance within k */
	int64_t prefix; /* that share a label of their prefixes */
	int64_t label;  /* that share enough labels */
} TedCandidateCounts;

/* A tree that was found. */
typedef struct TedCandidate
{
	int32_t number;
	int32_t limit; /* k of the pair */
	int32_t bound; /* what the distance is at least */
	int32_t
		like; /* the first one found at the same distance for sure (equivalence.h), or this one */
} TedCandidate;

/*
 * Finds the trees with numbers below `end` that can be within k of a tree, which
 * need not be indexed; `found` has room for all of them, in any order.
 */
extern TedStatus ted_candidates(TedCandidateIndex *index, const TedLabelGroups *tree, int32_t end,
								const TedInterrupt *interrupt, TedCandidate *found, int32_t *count,
								TedCandidateCounts *counts);

#endif /* TED_CORE_TREE_CANDIDATES_H */
