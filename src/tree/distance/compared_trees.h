/*
 * compared_trees.h
 *	  The trees being compared, for the context of errors about memory.
 */
#ifndef TED_COMPARED_TREES_H
#define TED_COMPARED_TREES_H

#include "postgres.h"

#include "lib/stringinfo.h"

#include "../../common/labels.h"
#include "../../core/tree/ted.h"

/* Appends the beginning of a tree in bracket notation, in quotation marks. */
extern void AppendTreeStart(StringInfo text, Datum tree);

/* Appends the beginning of a decoded tree in bracket notation, in quotation marks. */
extern void AppendDecodedStart(StringInfo text, const TedTree *tree, const LabelTable *labels);

/* Two trees, as values or decoded.  They must stay valid until EndComparison(). */
typedef struct ComparedTrees
{
	ErrorContextCallback callback;
	Datum values[2];
	const TedTree *decoded[2]; /* NULL if the trees are values */
	const LabelTable *labels;
} ComparedTrees;

/* Add the beginnings of two trees to the context of errors about memory, until EndComparison(). */
extern void BeginComparison(ComparedTrees *compared, Datum a, Datum b);
extern void BeginDecodedComparison(ComparedTrees *compared, const TedTree *a, const TedTree *b,
								   const LabelTable *labels);
extern void EndComparison(const ComparedTrees *compared);

#endif /* TED_COMPARED_TREES_H */
