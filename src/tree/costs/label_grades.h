/*
 * label_grades.h
 *	  Differences between texts of labels, for costs that depend on them.
 */
#ifndef TED_LABEL_GRADES_H
#define TED_LABEL_GRADES_H

#include "../../common/labels.h"
#include "../../engine/string_session.h"
#include "cost_model.h"

/* A text to compare, and its characters, which are read once. */
typedef struct GradedText
{
	Label label;
	Symbols symbols;
	uint32 read; /* value of the grader's `read` when they were read; 0 before */
} GradedText;

/* Compares texts, and caches the characters of some texts from one comparison to the next. */
typedef struct TextGrader TextGrader;

/* Makes a grader in the current memory context. */
extern TextGrader *TextGraderCreate(void);

/*
 * Returns the share of a cost that is due for the difference of two texts.  It is fastest
 * if the first text stays the same from call to call.
 */
extern int32 GradeTexts(TextGrader *grader, GradedText *a, GradedText *b, TedTextMeasure measure,
						int32 cost);

/* Returns the characters of a text.  They are valid until the next call with the same grader. */
extern Symbols GradedSymbols(TextGrader *grader, GradedText *text);

#endif /* TED_LABEL_GRADES_H */
