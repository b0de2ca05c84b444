/*
 * shared_trees.h
 *	  The distinct trees that the members of a team have read, and the lists by which a
 *	  threshold join finds them, made by all members together.
 *
 * Each phase (team.h) goes through what the one before has made:
 *
 *	  read           each member decodes its own trees, and publishes them with their labels
 *	  labels         by part of the hashes: equal labels (shared_labels.h)
 *	  order, merge   equal trees, which get the numbers of labels (shared_documents.h)
 *	  reserve        one process makes room for all trees
 *	  collect        by range of places: signatures and postings of the rarest labels
 *	  lists          by part of the labels: their lists (candidates.h)
 *
 * Trees stay where they were decoded, and nothing is copied but what is sorted.
 */
#ifndef TED_SHARED_TREES_H
#define TED_SHARED_TREES_H

#include "postgres.h"

#include "../../core/tree/filters/candidates.h"
#include "../../tree/distance/threshold.h"
#include "shared_documents.h"

/* Slots, by part, or of number 0 alone. */
enum
{
	TEAM_POSTINGS = TEAM_DOCUMENT_SLOTS, /* by part of the places */
	TEAM_LISTS,                          /* by part of the labels */
	TEAM_ALL_TREES,
	TEAM_SIGNATURES
};

/* Publishes trees, which were taken from the memory of the team, and the labels of all of them. */
extern void SharedTreesPublish(Team *team, const dsa_pointer *trees, int32 count,
							   const LabelTable *labels);

/* Points a tree to its arrays, which follow one another. */
extern void SharedTreeArrays(TedTree *tree, const int32 *arrays);

/* What all members have built; lists only where they were wanted. */
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
 * Builds with the other members, once all have read; in the current memory context.  A table
 * says which labels are equal.  The limits of trees follow from the threshold, which is the same in
 * all processes.
 */
extern SharedTrees *SharedTreesBuild(Team *team, const LabelTable *table,
									 const DocumentThreshold *threshold, bool lists);

#endif /* TED_SHARED_TREES_H */
