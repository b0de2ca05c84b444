/*
 * diff.h
 *	  The differences of two documents, row by row, for the functions that write them.
 */
#ifndef TED_DIFF_H
#define TED_DIFF_H

#include "fmgr.h"

#include "diff_content.h"
#include "moved_subtrees.h"

/* Name of the computation in errors about memory. */
#define DIFFERENCES "finding the differences"

/* Two documents, and their lines from WalkDiff() on. */
typedef struct Diff
{
	MappedTrees trees;
	TreeSyntax syntax;
	bool is_empty;       /* no operation costs anything: the documents are at distance 0 */
	bool shows_ignored;  /* nodes that cost nothing are there, too */
	const char *summary; /* or NULL */
	int32 *moved_a;      /* with moves: see FindMovedSubtrees() */
	int32 *moved_b;
	DiffLines a;
	DiffLines b;
} Diff;

/* A line of one document, or the same line of both. */
typedef struct DiffRow
{
	char mark; /* '-': only the first has it; '+': only the second; '~': labels differ; '.': what
				* differs is ignored; ' ' */
	const DiffLine *before; /* of the first document, or NULL */
	const DiffLine *after;  /* of the second document, or NULL */
} DiffRow;

/* Unchanged lines that follow each other in both documents, all of them LINE_WHOLE. */
typedef struct DiffFold
{
	const DiffLine *before;
	const DiffLine *after;
	int32 lines;
	int32 nodes;
} DiffFold;

/* A writer of differences; the struct of a writer begins with this, its state follows. */
typedef struct DiffWriter
{
	void (*row)(struct DiffWriter *writer, const DiffRow *row);
	void (*fold)(struct DiffWriter *writer, const DiffFold *fold);
} DiffWriter;

/* Parts of the differences that not all writers need. */
#define DIFF_SUMMARY 1
#define DIFF_IGNORED 2
#define DIFF_MOVES 4 /* also with a summary */

/* The differences of the arguments of a SQL function, with these parts. */
typedef Diff *DiffOfArguments(FunctionCallInfo fcinfo, int parts);
extern DiffOfArguments DiffOfTrees;
extern DiffOfArguments DiffOfXml;
extern DiffOfArguments DiffOfJson;
extern DiffOfArguments DiffOfJsonb;

/* Defines a SQL function that writes the differences of its arguments as text. */
#define DIFF_FUNCTION(name, differences, write)                                                    \
	PG_FUNCTION_INFO_V1(name);                                                                     \
	Datum name(PG_FUNCTION_ARGS)                                                                   \
	{                                                                                              \
		PG_RETURN_TEXT_P(write(fcinfo, differences));                                              \
	}                                                                                              \
	extern int no_such_variable

/* Finds moved subtrees. */
extern void FindDiffMoves(Diff *diff);

/* The same, and writes in a sentence how many parts differ. */
extern char *SummarizeDiff(Diff *diff);

/* Lays out the lines of both documents, and makes a writer write the differences. */
extern void WalkDiff(Diff *diff, DiffWriter *writer);

/* Reads what a row says, with the labels of both documents where they differ. */
extern void ReadRow(const Diff *diff, const DiffRow *row, LineContent *content);

#endif /* TED_DIFF_H */
