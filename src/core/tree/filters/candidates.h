/*
 * candidates.h
 *	  Finds pairs of trees that can be within k edit operations of each other.
 *
 * Such trees have one of their rarest labels in common, by which they are found (rare_labels.h),
 * and their sizes differ by no more than k.  The trees found are first compared by signatures
 * (signature.h), which do not need the trees themselves, and then by labels (overlap.h), once for
 * all equivalent trees (equivalence.h).
 *
 * k may depend on sizes: every tree has a limit, which is k for pairs with trees that are not
 * larger, and the k of a pair is the greater of its two limits.  From one size to the next, limits
 * grow by 0 or 1.  So the smaller tree of a pair has no more nodes without an equal one than its
 * own limit either, and each tree's prefix depends on its own limit only.
 */
#ifndef TED_CANDIDATES_H
#define TED_CANDIDATES_H

#include "rare_labels.h"

/* An index of trees in ascending order of their sizes, by the labels of their prefixes. */
typedef struct TedCandidateIndex TedCandidateIndex;

/* The sizes on which the memory of an index depends; all 0 for no trees. */
typedef struct TedIndexedTrees
{
	int32_t count;
	int64_t prefix_nodes;
	size_t prefix_memory; /* bytes of the largest prefix */
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
 * Builds an index of trees with labels below `labels` in the arena.  The array of trees must
 * outlive the index.
 */
extern size_t ted_candidate_index_memory(const TedIndexedTrees *trees, int32_t labels);
extern TedStatus ted_candidate_index(const TedIndexedTree *trees, int32_t count, int32_t labels,
									 TedArena *arena, const TedInterrupt *interrupt,
									 TedCandidateIndex **index);

/* A tree in the list of a label, with the short signature, by which most trees are ruled out. */
typedef struct TedPosting
{
	int32_t number;
	uint32_t signature;
} TedPosting;

/*
 * The lists of the labels of one part.  The lists are divided into parts: the list of the label
 * with a given rank is list rank / parts of part rank % parts, so that each part can be made by
 * another process.  The trees of a list are in the order of their numbers.
 */
typedef struct TedLabelLists
{
	const int64_t *begin; /* by list: index of its first posting; one more entry at the end */
	const TedPosting *postings;
} TedLabelLists;

/* A posting before it is put into its list. */
typedef struct TedRankedPosting
{
	int32_t rank;
	TedPosting posting;
} TedRankedPosting;

/* Arrays for the signatures and postings of consecutive trees. */
typedef struct TedCollected
{
	uint64_t *signature; /* by tree */
	int64_t *begin;      /* by part: index of its first posting; one more entry at the end */
	TedRankedPosting *postings;
} TedCollected;

/* Collects the postings of consecutive trees, which are numbered from `first`, sorted by part. */
extern size_t ted_collect_postings_memory(const TedIndexedTrees *trees, int32_t parts);
extern TedStatus ted_collect_postings(const TedIndexedTree *trees, int32_t count, int32_t first,
									  const TedRareLabels *rare, int32_t parts, TedArena *arena,
									  const TedInterrupt *interrupt, const TedCollected *collected);

/* Postings of one part that were collected from consecutive trees. */
typedef struct TedPostings
{
	const TedRankedPosting *postings;
	int64_t count;
} TedPostings;

/*
 * Makes the lists of a part from its postings, in `runs` runs that are in the order of the trees
 * that they were collected from.  `postings` has room for all of them, and `begin` for
 * ted_label_lists_entries() entries.
 */
extern size_t ted_label_lists_entries(int32_t labels, int32_t parts);
extern TedStatus ted_label_lists(const TedPostings *collected, int32_t runs, int32_t labels,
								 int32_t parts, const TedInterrupt *interrupt, int64_t *begin,
								 TedPosting *postings);

/*
 * Builds an index from existing lists and signatures, of trees whose label ids are in the order of
 * rarity, the rarest first.  Lists, signatures and trees must outlive the index.
 */
extern size_t ted_candidate_index_of_lists_memory(int32_t trees, int32_t labels);
extern TedStatus ted_candidate_index_of_lists(const TedIndexedTree *trees, int32_t count,
											  int32_t labels, const TedLabelLists *lists,
											  int32_t parts, const uint64_t *signature,
											  TedArena *arena, TedCandidateIndex **index);

/* Numbers of pairs that have passed each filter, over all searches. */
typedef struct TedCandidateCounts
{
	int64_t window; /* pairs whose sizes allow a distance within k */
	int64_t prefix; /* pairs that share a label of their prefixes and have passed the filter by
					 * signatures */
	int64_t label;  /* pairs that share enough labels */
} TedCandidateCounts;

/* Sets a function that the index calls to exclude trees that are too far from the searched one. */
typedef TedStatus (*TedRefuse)(void *context, int32_t number, bool *refused);

extern void ted_candidates_refuse(TedCandidateIndex *index, TedRefuse refuse, void *context);

/* A tree that a search has found. */
typedef struct TedCandidate
{
	int32_t number; /* of the tree, in the order in which the index has them */
	int32_t limit;  /* k of the pair */
	int32_t bound;  /* lower bound on the distance */
	int32_t like;   /* index of the first tree found that certainly has the same distance
					 * (equivalence.h),  or of this one */
} TedCandidate;

/*
 * Finds the trees with numbers from `first` to before `end` that can be within k of a tree, which
 * need not be indexed; `limit` is its limit.  `found` must have room for all of these trees, and
 * gets them in any order.
 */
extern size_t ted_candidates_memory(int32_t size, int32_t limit);
extern TedStatus ted_candidates(TedCandidateIndex *index, const TedTree *tree, int32_t limit,
								int32_t first, int32_t end, TedArena *arena,
								const TedInterrupt *interrupt, TedCandidate *found, int32_t *count,
								TedCandidateCounts *counts);

#endif /* TED_CANDIDATES_H */
