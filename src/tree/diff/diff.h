/*
 * diff.h
 *	  The differences of two documents, row by row, for the functions that write them.
 */
#ifndef TED_DIFF_H
#define TED_DIFF_H

#include "fmgr.h"

#include "diff_content.h"

/* Two documents, and their lines from WalkDiff() on. */
typedef struct Diff
{
	MappedTrees trees;
	TreeSyntax syntax;
	DiffLines a;
	DiffLines b;
} Diff;

/* A line of one document, or the same line of both. */
typedef struct DiffRow
{
	char mark; /* '-': only the first has it; '+': only the second; '~': labels differ; ' ' */
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

/* The differences of the arguments of a SQL function. */
extern Diff *DiffOfTrees(FunctionCallInfo fcinfo);
extern Diff *DiffOfXml(FunctionCallInfo fcinfo);
extern Diff *DiffOfJson(FunctionCallInfo fcinfo);
extern Diff *DiffOfJsonb(FunctionCallInfo fcinfo);

/* Defines a SQL function that writes the differences of its arguments as text. */
#define DIFF_FUNCTION(name, differences, write)                                                    \
	PG_FUNCTION_INFO_V1(name);                                                                     \
	Datum name(PG_FUNCTION_ARGS)                                                                   \
	{                                                                                              \
		PG_RETURN_TEXT_P(write(differences(fcinfo)));                                              \
	}                                                                                              \
	extern int no_such_variable

/* A page of differences, side by side. */
extern text *WriteHtml(Diff *diff);

/* Whether no operation costs anything: the documents are at distance 0. */
extern bool IsDiffEmpty(const Diff *diff);

/* Lays out the lines of both documents, and makes a writer write the differences. */
extern void WalkDiff(Diff *diff, DiffWriter *writer);

/* Reads what a row says, with the labels of both documents where they differ. */
extern void ReadRow(const Diff *diff, const DiffRow *row, LineContent *content);

#endif /* TED_DIFF_H */
