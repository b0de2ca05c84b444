/*
 * label_changes.h
 *	  Finds the words and letters in which two labels, or two lines of text, differ.
 */
#ifndef TED_LABEL_CHANGES_H
#define TED_LABEL_CHANGES_H

#include "../../common/labels.h"

/*
 * A range of the first label and the range of the second one that replaces it, in bytes;
 * one of them may be empty.
 */
typedef struct LabelChange
{
	int32 a_from;
	int32 a_to;
	int32 b_from;
	int32 b_to;
} LabelChange;

/* Returns the end of what a reader takes for one character, from its first byte on. */
extern int32 EndOfCharacter(Label label, int32 from);

/*
 * Finds the changes from left to right.  Returns an array in the current memory context.
 * Bytes between two changes are equal in both labels.  If the comparison would exceed
 * ted.max_memory, there is one change for the whole labels.
 */
extern LabelChange *FindLabelChanges(Label before, Label after, int32 *count);

#endif /* TED_LABEL_CHANGES_H */
