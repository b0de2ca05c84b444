/*
 * shared_labels.h
 *	  Common numbers for the labels of the trees, or the elements of the arrays, that the members of
 *	  a team have read.
 *
 * Rarer labels have smaller numbers, so that the rarest labels of a tree are those with the
 * smallest numbers (rare_labels.h).  The frequency of elements is not counted.  Labels of about the
 * same frequency, which differs by at most an eighth, are in any order.
 *
 * Each member publishes the labels of its own trees.  Labels are divided into parts by their
 * hashes.  The member that claims a part finds equal labels in it, and sums their nodes.  The
 * numbers of labels of each part and each frequency determine where the numbers of the others
 * begin, so that each label is looked up once, and no lock is needed.
 */
#ifndef TED_SHARED_LABELS_H
#define TED_SHARED_LABELS_H

#include "postgres.h"

#include "../../common/labels.h"
#include "team.h"

/* Slots of the team: labels by member, and by part. */
enum
{
	TEAM_LABELS,
	TEAM_LABEL_PARTS,
	TEAM_LABEL_SLOTS
};

/*
 * Publishes the labels of a table; nodes[id] is the number of nodes with the label.  `nodes` is
 * NULL for elements of arrays.
 */
extern void SharedLabelsPublish(Team *team, const LabelTable *table, const int32 *nodes);

/* The labels of all members. */
typedef struct SharedLabels SharedLabels;

/*
 * Build merges the labels in one phase, together with the other members, after all have published
 * theirs; `table` decides which labels are equal.  The result is in the current memory context.
 * Common returns the functions by which a label table uses these labels.
 */
extern SharedLabels *SharedLabelsBuild(Team *team, const LabelTable *table);
extern CommonLabels SharedLabelsCommon(const SharedLabels *all);

/* Returns the common numbers of a member's labels, by their ids, in the current memory context. */
extern int32 *SharedLabelIds(const SharedLabels *all, int member);

#endif /* TED_SHARED_LABELS_H */
