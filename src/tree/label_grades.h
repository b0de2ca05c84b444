/*
 * label_grades.h
 *	  How far apart two labels are, for costs that depend on it.
 */
#ifndef TED_TREE_LABEL_GRADES_H
#define TED_TREE_LABEL_GRADES_H

#include "../common/labels.h"
#include "../core/string/byte_word.h"
#include "cost_model.h"

/* A text to be compared. */
typedef struct GradedText
{
	Label label;
	int32 id;      /* another one for each text, at least 0 */
	bool is_bytes; /* each character is one byte */
} GradedText;

/* The text that is prepared, which in turn is compared with many. */
typedef struct TextGrader
{
	int32 id; /* -1 where none is */
	TedByteWord word;
} TextGrader;

extern GradedText MakeGradedText(Label label, int32 id);

/* The part of a cost that is due for the difference of two texts. */
extern int32 GradeTexts(TextGrader *grader, const GradedText *a, const GradedText *b,
						TextMeasure measure, int32 cost);

/* The same for two numbers. */
extern int32 GradeNumbers(float8 a, float8 b, int32 cost);

#endif /* TED_TREE_LABEL_GRADES_H */
