/*
 * label_grades.h
 *	  How far apart two labels are, for costs that depend on it.
 */
#ifndef TED_TREE_LABEL_GRADES_H
#define TED_TREE_LABEL_GRADES_H

#include "../common/labels.h"
#include "cost_model.h"

/* The part of a cost that is due for the difference of two texts. */
extern int32 GradeTexts(Label a, Label b, TextMeasure measure, int32 cost);

/* The same for two numbers. */
extern int32 GradeNumbers(float8 a, float8 b, int32 cost);

#endif /* TED_TREE_LABEL_GRADES_H */
