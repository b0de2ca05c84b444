/*
 * compared_trees.h
 *	  The trees that are being compared, for errors about memory: which ones they are.
 */
#ifndef TED_COMPARED_TREES_H
#define TED_COMPARED_TREES_H

#include "postgres.h"

#include "lib/stringinfo.h"

#include "../../common/labels.h"
#include "../../core/tree/ted.h"

/* Appends the beginning of a tree in bracket notation, in quotation marks. */
extern void AppendTreeStart(StringInfo text, Datum tree);

/* The same for a tree that was decoded with a table of labels. */
extern void AppendDecodedStart(StringInfo text, const TedTree *tree, const LabelTable *labels);

/* Two trees, as values or decoded, which outlast their comparison. */
typedef struct ComparedTrees
{
	ErrorContextCallback callback;
	Datum values[2];
	const TedTree *decoded[2]; /* NULL: they are values */
	const LabelTable *labels;
} ComparedTrees;

/* From here on, until the end, errors about memory show the beginnings of these trees. */
extern void BeginComparison(ComparedTrees *compared, Datum a, Datum b);
extern void BeginDecodedComparison(ComparedTrees *compared, const TedTree *a, const TedTree *b,
								   const LabelTable *labels);
extern void EndComparison(const ComparedTrees *compared);

#endif /* TED_COMPARED_TREES_H */
