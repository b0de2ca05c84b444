/*
 * text_diff.c
 *	  The SQL function text_diff(): the differences of two texts, line by line.
 *
 * The result is the body of a unified diff: hunks with CONTEXT_LINES unchanged lines around
 * each change, and headers that number lines from 1.  A line that changes begins with "~"
 * and has the changes marked as in tree_diff().
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"

#include "../compat.h"
#include "../common/host.h"
#include "../tree/diff/label_changes.h"
#include "text_lines.h"

/* The unchanged lines that are written before and after a change. */
#define CONTEXT_LINES 3

/* Writes bytes of a line. */
static void
AppendLineBytes(StringInfo out, Label line, int32 from, int32 to)
{
	appendBinaryStringInfo(out, line.bytes + from, to - from);
}

/* Writes two similar lines as one, with the changes marked. */
static void
AppendSimilarLines(StringInfo out, Label before, Label after)
{
	int32 count;
	LabelChange *change = FindLabelChanges(before, after, &count);
	int32 at = 0;

	for (int32 i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AppendLineBytes(out, before, at, change[i].a_from);
		if (change[i].a_from < change[i].a_to)
		{
			appendStringInfoString(out, "[-");
			AppendLineBytes(out, before, change[i].a_from, change[i].a_to);
			appendStringInfoString(out, "-]");
		}
		if (change[i].b_from < change[i].b_to)
		{
			appendStringInfoString(out, "{+");
			AppendLineBytes(out, after, change[i].b_from, change[i].b_to);
			appendStringInfoString(out, "+}");
		}
		at = change[i].a_to;
	}
	AppendLineBytes(out, before, at, before.length);
	pfree(change);
}

/* Writes a row. */
static void
AppendLineRow(StringInfo out, const LineRows *rows, const LineRow *row)
{
	const TextLines *lines = row->mark == '+' ? &rows->b : &rows->a;
	int32 line = row->mark == '+' ? row->after : row->before;

	CHECK_FOR_INTERRUPTS();
	appendStringInfoChar(out, row->mark);
	if (row->mark == '~')
		AppendSimilarLines(out, LineBytes(&rows->a, row->before), LineBytes(&rows->b, row->after));
	else
	{
		Label bytes = LineBytes(lines, line);

		AppendLineBytes(out, bytes, 0, bytes.length);
	}
	appendStringInfoChar(out, '\n');
	if (!EndsInNewline(lines, line))
		appendStringInfoString(out, NO_NEWLINE);
}

/* Writes the range of lines of one text in the header of a hunk. */
static void
AppendRange(StringInfo out, char mark, int32 from, int32 count)
{
	appendStringInfo(out, "%c%d", mark, count > 0 ? from + 1 : from);
	if (count != 1)
		appendStringInfo(out, ",%d", count);
}

/* Writes a hunk: its header and its rows. */
static void
AppendHunk(StringInfo out, const LineRows *rows, int32 from, int32 to)
{
	const LineRow *first = &rows->row[from];
	int32 before = 0;
	int32 after = 0;

	for (int32 i = from; i < to; i++)
	{
		CHECK_FOR_INTERRUPTS();
		before += rows->row[i].mark != '+';
		after += rows->row[i].mark != '-';
	}
	appendStringInfoString(out, "@@ ");
	AppendRange(out, '-', first->before, before);
	appendStringInfoChar(out, ' ');
	AppendRange(out, '+', first->after, after);
	appendStringInfoString(out, " @@\n");
	for (int32 i = from; i < to; i++)
		AppendLineRow(out, rows, &rows->row[i]);
}

/* Returns the differences of two texts as a unified diff. */
PG_FUNCTION_INFO_V1(text_diff);
Datum
text_diff(PG_FUNCTION_ARGS)
{
	LineRows *rows = CompareLines(TextLabel(PG_GETARG_DATUM(0)), TextLabel(PG_GETARG_DATUM(1)));
	int32 written = 0; /* rows up to the end of the last hunk */
	int32 i = 0;
	StringInfoData out;

	initStringInfo(&out);
	for (; i < rows->count; i++)
	{
		int32 from = Max(written, i - CONTEXT_LINES);
		int32 last = i; /* last row of the hunk that differs */

		CHECK_FOR_INTERRUPTS();
		if (rows->row[i].mark == ' ')
			continue;
		for (; i < rows->count && i - last <= 2 * CONTEXT_LINES + 1; i++)
			if (rows->row[i].mark != ' ')
				last = i;
		written = Min(rows->count, last + 1 + CONTEXT_LINES);
		AppendHunk(&out, rows, from, written);
		i = written - 1;
	}
	if (out.len > 0)
		out.len--; /* the last newline */
	PG_RETURN_TEXT_P(CopyToValue(out.data, out.len));
}
