/*
 * diff.h
 *	  The differences of two documents, row by row, for the functions that write them.
 */
#ifndef TED_DIFF_H
#define TED_DIFF_H

#include "fmgr.h"

#include "diff_content.h"

/* The name of the computation in errors about memory. */
#define DIFFERENCES "finding the differences"

/* The differences of two documents.  WalkDiff() sets the lines `a` and `b`. */
typedef struct Diff
{
	MappedTrees trees;
	bool is_empty;       /* no operation costs anything, so the distance is 0 */
	bool shows_ignored;  /* ignored nodes are shown, too */
	const char *summary; /* or NULL, without DIFF_SUMMARY */
	int32 *moved_a;      /* see FindMovedSubtrees() */
	int32 *moved_b;
	int32 moves; /* number of moved subtrees */
	DiffLines a;
	DiffLines b;
} Diff;

/* A line of one document, or a line of both that are partners. */
typedef struct DiffRow
{
	char mark; /* '-' only in the first document, '+' only in the second one, '~' labels differ,
				* '.' only ignored nodes differ, ' ' equal */
	const DiffLine *before; /* of the first document, or NULL */
	const DiffLine *after;  /* of the second document, or NULL */
} DiffRow;

/* Unchanged consecutive lines of both documents, all of form LINE_WHOLE, that are not shown. */
typedef struct DiffFold
{
	const DiffLine *before;
	const DiffLine *after;
	int32 lines;
	int32 nodes;
} DiffFold;

/* A writer of differences.  The struct of a writer begins with this one. */
typedef struct DiffWriter
{
	void (*row)(struct DiffWriter *writer, const DiffRow *row);
	void (*fold)(struct DiffWriter *writer, const DiffFold *fold);
} DiffWriter;

/* Parts of the differences that only some writers need. */
#define DIFF_SUMMARY 1
#define DIFF_IGNORED 2

/* A function that returns the differences of the arguments of an SQL function, with some parts. */
typedef Diff *DiffOfArguments(FunctionCallInfo fcinfo, int parts);
extern DiffOfArguments DiffOfTrees;
extern DiffOfArguments DiffOfXml;
extern DiffOfArguments DiffOfJson;
extern DiffOfArguments DiffOfJsonb;

/* Defines an SQL function that returns the differences of its arguments as text. */
#define DIFF_FUNCTION(name, differences, write)                                                    \
	extern PGDLLEXPORT Datum name(PG_FUNCTION_ARGS);                                               \
	Datum name(PG_FUNCTION_ARGS)                                                                   \
	{                                                                                              \
		PG_RETURN_TEXT_P(write(fcinfo, differences));                                              \
	}                                                                                              \
	PG_FUNCTION_INFO_V1(name)

/*
 * Pairs subtrees that are left alone with subtrees in the same place of the other tree, so that
 * they can be shown.  Their nodes count as keeping their labels only if the labels are equal; no
 * node costs anything.
 */
extern void PairIgnoredNodes(MappedTrees *trees);

/* Finds what has moved, and elements in which only tags come or go. */
extern void FindDiffMoves(Diff *diff);

/* Returns a sentence with the numbers of differing parts; needs FindDiffMoves(). */
extern char *SummarizeDiff(Diff *diff);

/* Lays out the lines of both documents, and passes all rows and folds to a writer. */
extern void WalkDiff(Diff *diff, DiffWriter *writer);

/* Reads the content of a row, with the labels of both documents where they differ. */
extern void ReadRow(const Diff *diff, const DiffRow *row, LineContent *content);

/* Reads the content of a row like ReadRow(); folds what is long and in both documents. */
extern void ReadFoldedRow(const Diff *diff, const DiffRow *row, int shown, LineContent *content);

/* Whether a row, whose content has been read, is written as the lines of a JSON string. */
extern bool IsWrittenByLines(const Diff *diff, const DiffRow *row, const LineContent *content);

/* The characters that text and pages show at the ends of what is folded. */
#define SHOWN_CHARACTERS 40

#endif /* TED_DIFF_H */
