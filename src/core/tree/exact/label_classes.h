/*
 * label_classes.h
 *	  Replaces labels that have the same costs by classes of labels.
 *
 * Replaces common_labels.h where costs differ by label.  Labels of one tree form a class where the
 * costs of inserting or deleting them are equal, and so are the costs of renaming them to or from
 * each label of the other tree.  Classes are numbered from 0 in each tree, and a matrix holds the
 * costs of renaming.  The cost of each pair of labels is computed once.
 */
#ifndef TED_LABEL_CLASSES_H
#define TED_LABEL_CLASSES_H

#include "../ted.h"

/* The classes of two trees, and their costs. */
typedef struct TedLabelClasses
{
	int32_t count_a;
	int32_t count_b;
	int32_t *delete_; /* cost of deleting, by class of a */
	int32_t *insert;  /* cost of inserting, by class of b */
	int32_t *rename;  /* [count_a][count_b]: cost of renaming less that of inserting, at most
					   * that of deleting; index -1 of any row, for columns without a node, may
					   * be read */
} TedLabelClasses;

/* Replaces the labels of two trees, or of several in a row, by their classes. */
extern size_t ted_label_classes_memory(int32_t size_a, int32_t size_b);
extern TedStatus ted_label_classes(TedTree *a, TedTree *b, const TedCosts *costs, TedArena *arena,
								   const TedInterrupt *interrupt, TedLabelClasses *classes);

#endif /* TED_LABEL_CLASSES_H */
