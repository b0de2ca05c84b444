/*
 * shared_labels.h
 *	  The labels of the trees that the members of a team have read, or the elements of arrays,
 *	  numbered once for all.
 *
 * Rarer labels have smaller numbers, so that a tree's rarest labels are its least ones
 * (rare_labels.h).  Of elements it is not counted how many there are.  Labels that are about as
 *frequent come in any order: the numbers of their nodes differ by an eighth or less.
 *
 * Each member publishes the labels of its own trees.  Labels are divided into parts by
 * their hashes.  Who claims a part finds which labels of it are equal, and how many nodes
 * have them.  The numbers of labels of each part and each frequency say where the numbers
 * of the others begin, so that each label is looked up once, and no lock is taken.
 */
#ifndef TED_SHARED_LABELS_H
#define TED_SHARED_LABELS_H

#include "postgres.h"

#include "../../common/labels.h"
#include "team.h"

/* Slots of labels, of which the second one is by part and the first one by member. */
enum
{
	TEAM_LABELS,
	TEAM_LABEL_PARTS,
	TEAM_LABEL_SLOTS
};

/*
 * Publishes the labels of a table, of which nodes[id] is the number of nodes that have them;
 * NULL for none.
 */
extern void SharedLabelsPublish(Team *team, const LabelTable *table, const int32 *nodes);

/* All labels. */
typedef struct SharedLabels SharedLabels;

/*
 * Finds the equal labels with the other members, once all have published theirs, in one phase;
 * a table says which are equal.  In the current memory context.
 */
extern SharedLabels *SharedLabelsBuild(Team *team, const LabelTable *table);
extern CommonLabels SharedLabelsCommon(const SharedLabels *all);

/* What the ids of labels that a member has published have become, in the current context. */
extern int32 *SharedLabelIds(const SharedLabels *all, int member);

#endif /* TED_SHARED_LABELS_H */
