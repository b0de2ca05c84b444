/*
 * label_changes.h
 *	  The words and letters in which two labels, or two lines of text, differ.
 */
#ifndef TED_LABEL_CHANGES_H
#define TED_LABEL_CHANGES_H

#include "../../common/labels.h"

/* Bytes of the first label that the second one replaces; one of the ranges may be empty. */
typedef struct LabelChange
{
	int32 a_from;
	int32 a_to;
	int32 b_from;
	int32 b_to;
} LabelChange;

/*
 * Finds the changes from left to right, in an array of the current memory context.  Bytes
 * between two changes are equal in both labels.  Labels whose words take more memory than
 * ted.max_memory allows have one change.
 */
extern LabelChange *FindLabelChanges(Label before, Label after, int32 *count);

#endif /* TED_LABEL_CHANGES_H */
