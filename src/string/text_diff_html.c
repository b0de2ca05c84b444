/*
 * text_diff_html.c
 *	  The SQL function text_diff_html(): the differences of two texts, side by side, in
 *	  HTML.
 *
 * Each text becomes a tree: its lines are the children of a root without a label.  The
 * mapping of the trees is the mapping of the lines.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../common/host.h"
#include "../tree/picture/diff_picture.h"
#include "text_lines.h"

/* Name of the computation in errors about memory. */
#define PAGE_OF_LINES "page of differences"

/* Returns an argument.  If its last line has no newline, a line that says so is appended. */
static Label
ReadTextWithEnd(Datum value)
{
	Label read = TextLabel(value);
	StringInfoData out;

	if (read.length == 0 || read.bytes[read.length - 1] == '\n')
		return read;
	initStringInfo(&out);
	AppendBlock(&out, read.bytes, read.length);
	appendStringInfoString(&out, "\n" NO_NEWLINE);
	return (Label){out.data, out.len};
}

/* Makes the tree of the lines of a text; no node has a partner yet. */
static void
MakeSide(MappedTree *side, const TextLines *lines, LabelTable *table)
{
	int32 *label;

	if (lines->count >= TREE_MAX_NODES)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("text has too many lines"),
						errdetail("A text on a page can have %d lines.", TREE_MAX_NODES - 1),
						errhint("Use text_diff().")));
	CheckMemoryLimit((sizeof(int32) + FLAT_TREE_NODE_BYTES) * ((Size) lines->count + 2),
					 PAGE_OF_LINES);
	label = palloc_extended(sizeof(int32) * ((Size) lines->count + 1), MCXT_ALLOC_HUGE);
	for (int32 x = 0; x < lines->count; x++)
	{
		Label line = LineBytes(lines, x);

		CHECK_FOR_INTERRUPTS();
		label[x] = LabelTableIntern(table, line.bytes, line.length);
	}
	label[lines->count] = LabelTableIntern(table, "", 0);
	MakeFlatTree(side, label, lines->count);
}

/* Makes two nodes partners. */
static void
PairNodes(MappedTrees *trees, int32 x, int32 y)
{
	trees->a.map[x] = y;
	trees->b.map[y] = x;
}

/* Returns an HTML page of the differences of two texts. */
PG_FUNCTION_INFO_V1(text_diff_html);
Datum
text_diff_html(PG_FUNCTION_ARGS)
{
	LineRows *rows =
		CompareLines(ReadTextWithEnd(PG_GETARG_DATUM(0)), ReadTextWithEnd(PG_GETARG_DATUM(1)));
	Diff diff = {.trees.syntax = SYNTAX_TEXT, .trees.is_optimal = true};
	MappedTrees *trees = &diff.trees;
	PictureNames names = ReadPictureNames(fcinfo, 2);

	trees->labels = LabelTableCreate();
	LabelTableLimit(trees->labels, LabelTableContext(trees->labels), PAGE_OF_LINES);
	MakeSide(&trees->a, &rows->a, trees->labels);
	MakeSide(&trees->b, &rows->b, trees->labels);
	for (int32 i = 0; i < rows->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (rows->row[i].mark == ' ' || rows->row[i].mark == '~')
			PairNodes(trees, rows->row[i].before, rows->row[i].after);
	}
	PairNodes(trees, trees->a.tree.size - 1, trees->b.tree.size - 1);
	CountMappedNodes(trees, &TED_UNIT_COSTS, &trees->a.tree, &trees->b.tree);
	FindDiffMoves(&diff);
	diff.summary = SummarizeDiff(&diff);
	PG_RETURN_TEXT_P(WriteDiffPage(&diff, &names, PG_GETARG_BOOL(4)));
}
