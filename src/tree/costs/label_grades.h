/*
 * label_grades.h
 *	  How far apart two labels are, for costs that depend on it.
 */
#ifndef TED_LABEL_GRADES_H
#define TED_LABEL_GRADES_H

#include "../../common/labels.h"
#include "../../engine/string_session.h"
#include "cost_model.h"

/* A text to be compared, and its characters, which are read once. */
typedef struct GradedText
{
	Label label;
	Symbols symbols;
	uint32 read; /* of the grader, when they were read; 0 before */
} GradedText;

/* Compares texts, and keeps some of them from one comparison to the next. */
typedef struct TextGrader TextGrader;

/* Makes a grader in the current memory context. */
extern TextGrader *TextGraderCreate(void);

/*
 * The part of a cost that is due for the difference of two texts.  It is fastest if the
 * first one stays the same while the second one changes.
 */
extern int32 GradeTexts(TextGrader *grader, GradedText *a, GradedText *b, TedTextMeasure measure,
						int32 cost);

/* The characters of a text, which stay until others are asked for. */
extern Symbols GradedSymbols(TextGrader *grader, GradedText *text);

#endif /* TED_LABEL_GRADES_H */
