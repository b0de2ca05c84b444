/*
 * shared_trees.h
 *	  The distinct trees that the members of a team have read, and the lists in which a threshold
 *	  join finds them; all members build them together.
 *
 * Each phase (team.h) uses the results of the previous one:
 *
 *	  read           each member decodes its own trees, and publishes them with their labels
 *	  labels         by part of the hashes: equal labels (shared_labels.h)
 *	  order, merge   equal trees, with common numbers of labels (shared_documents.h)
 *	  reserve        one process allocates the arrays of all trees
 *	  collect        by range of places: signatures and postings of the rarest labels
 *	  lists          by part of the labels: their lists (candidates.h)
 *
 * Trees are not moved; only data that are sorted are copied.
 */
#ifndef TED_SHARED_TREES_H
#define TED_SHARED_TREES_H

#include "postgres.h"

#include "common/hashfn.h"

#include "../../core/tree/filters/candidates.h"
#include "../../tree/distance/threshold.h"
#include "shared_documents.h"

/* Slots of the team, by part, or with number 0 only. */
enum
{
	TEAM_POSTINGS = TEAM_DOCUMENT_SLOTS, /* by part of the places */
	TEAM_LISTS,                          /* by part of the labels */
	TEAM_ALL_TREES,
	TEAM_SIGNATURES
};

/* Publishes trees, which are in the memory of the team, and the table of their labels. */
extern void SharedTreesPublish(Team *team, const dsa_pointer *trees, int32 count,
							   const LabelTable *labels);

/* Whether two trees are equal. */
static inline bool
EqualTrees(const TedTree *a, const TedTree *b)
{
	Size bytes = sizeof(int32) * (Size) a->size;

	return a->size == b->size && memcmp(a->label, b->label, bytes) == 0 &&
		   memcmp(a->subtree_size, b->subtree_size, bytes) == 0;
}

/* Returns the hash of a tree's labels and shape. */
static inline uint32
HashJoinTree(const TedTree *tree)
{
	int bytes = (int) sizeof(int32) * tree->size;

	return hash_combine(hash_bytes((const unsigned char *) tree->label, bytes),
						hash_bytes((const unsigned char *) tree->subtree_size, bytes));
}

/* Sets the pointers of a tree to its arrays, which are stored one after another. */
extern void SharedTreeArrays(TedTree *tree, const int32 *arrays);

/* The trees that all members have built, and the lists, if they were wanted. */
typedef struct SharedTrees
{
	SharedLabels *labels;
	int32 count;
	TedTree *trees; /* by place */
	TedLabelLists *lists;
	int parts;
	const uint64_t *signature;
} SharedTrees;

/*
 * Builds the trees and, if `lists` is true, the lists, together with the other members, after all
 * have read their trees.  `table` decides which labels are equal.  The limits of trees follow from
 * the threshold, which is the same in all processes.  The result is in the current memory context.
 */
extern SharedTrees *SharedTreesBuild(Team *team, const LabelTable *table,
									 const DocumentThreshold *threshold, bool lists);

#endif /* TED_SHARED_TREES_H */
