/*
 * candidates.h
 *	  Which pairs of many trees can be within k edit operations of each other.
 *
 * Such trees have one of their rarest labels in common, by which they are found
 * (rare_labels.h), and their sizes differ by no more than k.  What is found so is
 * compared by signatures (signature.h), before the trees themselves are looked at,
 * and then by labels (overlap.h), once for all that are equivalent
 * (equivalence.h).
 *
 * k may depend on sizes: every tree has a limit, which is k of the pairs whose
 * larger tree it is, and a pair's k is the greater one of its two limits.  From
 * one size to the next, limits grow by 0 or 1.  So the smaller tree of a pair does
 * not lack more labels than its own limit either, and each tree's limit says
 * what its prefix is.
 */
#ifndef TED_CANDIDATES_H
#define TED_CANDIDATES_H

#include "rare_labels.h"

/* Trees in ascending order of their sizes, to be found by the labels of their prefixes. */
typedef struct TedCandidateIndex TedCandidateIndex;

/* The sizes on which the memory of an index depends; all 0 for no trees. */
typedef struct TedIndexedTrees
{
	int32_t count;
	int64_t prefix_nodes;
	size_t prefix_memory; /* most memory that one prefix takes */
} TedIndexedTrees;

/* Counts one more tree. */
static inline void
ted_count_tree(TedIndexedTrees *trees, int32_t size, int32_t limit)
{
	size_t memory = ted_prefix_memory(size, limit);

	trees->count++;
	trees->prefix_nodes += ted_prefix_nodes(size, limit);
	trees->prefix_memory = trees->prefix_memory > memory ? trees->prefix_memory : memory;
}

/*
 * Indexes trees with labels below a number; the array stays in use.  The index
 * stays in the arena.
 */
extern size_t ted_candidate_index_memory(const TedIndexedTrees *trees, int32_t labels);
extern TedStatus ted_candidate_index(const TedIndexedTree *trees, int32_t count, int32_t labels,
									 TedArena *arena, const TedInterrupt *interrupt,
									 TedCandidateIndex **index);

/* A tree in the list of a label, with its short signature, all that most searches ask for. */
typedef struct TedPosting
{
	int32_t number;
	uint32_t signature;
} TedPosting;

/*
 * The lists of labels are divided into parts: that of a label with a certain rank is list
 * number rank / parts of part rank % parts, so that each part can be made by another process.
 * Trees in a list come in the order of their numbers.
 */
typedef struct TedLabelLists
{
	const int64_t *begin; /* by list: where its postings begin; one more entry at the end */
	const TedPosting *postings;
} TedLabelLists;

/* A posting before it comes into its list. */
typedef struct TedRankedPosting
{
	int32_t rank;
	TedPosting posting;
} TedRankedPosting;

/*
 * Collects the postings of trees in a row, the first of which has the number `first`, sorted
 * by the parts of the lists that they belong to: begin[part] is where those of a part begin,
 * with one more entry at the end.  Fills in the signatures of these trees.
 */
extern size_t ted_collect_postings_memory(const TedIndexedTrees *trees, int32_t parts);
extern TedStatus ted_collect_postings(const TedIndexedTree *trees, int32_t count, int32_t first,
									  const TedRareLabels *rare, int32_t parts, TedArena *arena,
									  const TedInterrupt *interrupt, uint64_t *signature,
									  TedRankedPosting *postings, int64_t *begin);

/* Postings of one part that were collected from trees in a row. */
typedef struct TedPostings
{
	const TedRankedPosting *postings;
	int64_t count;
} TedPostings;

/*
 * Makes the lists of a part from its postings, all of which there is room for, in the order of
 * the trees that they were collected from.  `begin` has room for this number of entries.
 */
extern size_t ted_label_lists_entries(int32_t labels, int32_t parts);
extern TedStatus ted_label_lists(const TedPostings *collected, int32_t runs, int32_t labels,
								 int32_t parts, const TedInterrupt *interrupt, int64_t *begin,
								 TedPosting *postings);

/*
 * Makes an index of lists and signatures that are there, of trees whose labels have smaller
 * ids the rarer they are; all of them stay in use.
 */
extern size_t ted_candidate_index_of_lists_memory(int32_t trees, int32_t labels);
extern TedStatus ted_candidate_index_of_lists(const TedIndexedTree *trees, int32_t count,
											  int32_t labels, const TedLabelLists *lists,
											  int32_t parts, const uint64_t *signature,
											  TedArena *arena, TedCandidateIndex **index);

/* Numbers of pairs that have passed the filters, over all searches. */
typedef struct TedCandidateCounts
{
	int64_t window; /* pairs whose sizes allow a distance within k */
	int64_t prefix; /* that share a label of their prefixes, and whose signatures allow it, too */
	int64_t label;  /* that share enough labels */
} TedCandidateCounts;

/* Makes the index also ask a function which trees are too far from the one under search. */
typedef TedStatus (*TedRefuse)(void *context, int32_t number, bool *refused);

extern void ted_candidates_refuse(TedCandidateIndex *index, TedRefuse refuse, void *context);

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
 * need not be indexed; its limit is given.  `found` has room for all of them, in
 * any order.
 */
extern size_t ted_candidates_memory(int32_t size, int32_t limit);
extern TedStatus ted_candidates(TedCandidateIndex *index, const TedTree *tree, int32_t limit,
								int32_t end, TedArena *arena, const TedInterrupt *interrupt,
								TedCandidate *found, int32_t *count, TedCandidateCounts *counts);

#endif /* TED_CANDIDATES_H */
