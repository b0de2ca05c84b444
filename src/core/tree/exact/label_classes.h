/*
 * label_classes.h
 *	  Two trees by classes of labels that have the same costs.
 *
 * Replaces shared_labels.h where costs differ by label: labels of one tree that are
 * inserted or deleted for the same, and renamed for the same to or from each label of
 * the other tree, may all be the same one.  The labels of a tree become numbers from
 * 0, those of the other tree others, and a matrix says what renaming costs: the cost
 * of each pair of labels is asked once.
 */
#ifndef TED_LABEL_CLASSES_H
#define TED_LABEL_CLASSES_H

#include "../ted.h"

typedef struct TedLabelClasses
{
	int32_t count_a;
	int32_t count_b;
	int32_t *delete_; /* by class of a */
	int32_t *insert;  /* by class of b */
	int32_t *rename;  /* [count_a][count_b], less what inserting costs, and at most deleting;
					   * label -1, of no node, may be looked up, too */
} TedLabelClasses;

/* Replaces the labels of two trees, or of several in a row, by their classes. */
extern size_t ted_label_classes_memory(int32_t size_a, int32_t size_b);
extern TedStatus ted_label_classes(TedTree *a, TedTree *b, const TedCosts *costs, TedArena *arena,
								   const TedInterrupt *interrupt, TedLabelClasses *classes);

#endif /* TED_LABEL_CLASSES_H */
