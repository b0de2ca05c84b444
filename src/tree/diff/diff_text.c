/*
 * diff_text.c
 *	  The SQL function tree_diff(): the differences of two documents, line by line.
 *
 * A line begins with "-" if only the first document has it, with "+" if only the second one
 * has it, and with "~" if labels differ: parts of the first document are in [-brackets-],
 * parts of the second one in {+braces+}.  A line with "." is written in the same way; the
 * cost model ignores its differences.  Other lines are unchanged.  Of consecutive unchanged
 * lines, only the first and the last one are written.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "diff.h"

/* The largest depth that is shown by indentation. */
#define MAX_INDENTATION 100

/* The state of writing a text. */
typedef struct TextWriter
{
	DiffWriter writer;
	const Diff *diff;
	StringInfoData out;
	LineContent content;
	bool has_marks; /* some lines differ */
} TextWriter;

/* Begins a line. */
static void
AppendMargin(StringInfo out, char mark, int32 depth)
{
	appendStringInfoChar(out, mark);
	appendStringInfoSpaces(out, 1 + 2 * Min(depth, MAX_INDENTATION));
}

/* Appends a number of nodes that are not shown. */
static void
AppendTextCount(StringInfo out, int32 nodes)
{
	appendStringInfo(out, "... %d node%s", nodes, nodes == 1 ? "" : "s");
}

/* Appends the pieces of a line, with marks around those of one document. */
static void
AppendPieces(StringInfo out, const LineContent *content, bool is_marked)
{
	static const char *const begin[] = {"", "[-", "{+"};
	static const char *const end[] = {"", "-]", "+}"};

	for (int i = 0; i < content->count; i++)
	{
		Label bytes = BytesOfPiece(content, i);
		PieceOf of =
			!is_marked || content->piece[i].is_separator ? PIECE_OF_BOTH : content->piece[i].of;

		if (content->piece[i].folded > 0)
			appendStringInfo(out, "... %d characters ...", content->piece[i].folded);
		if (bytes.length == 0 || content->piece[i].folded > 0)
			continue;
		appendStringInfoString(out, begin[of]);
		appendBinaryStringInfo(out, bytes.bytes, bytes.length);
		appendStringInfoString(out, end[of]);
	}
}

/* Writes the content of a row line by line, as the rows of its string. */
static void
WriteLines(StringInfo out, const LineContent *content, char mark, int32 depth)
{
	StringLines lines;

	DivideLines(content, mark, &lines);
	for (int i = 0; i < lines.count; i++)
	{
		char line_mark = lines.line[i].mark;
		int hidden = HiddenLines(&lines, i);
		LineContent line = ContentOfLine(&lines, i);

		if (i > 0)
			appendStringInfoChar(out, '\n');
		AppendMargin(out, hidden > 0 ? ' ' : line_mark, i == 0 ? depth : depth + 2);
		if (hidden > 0)
		{
			appendStringInfo(out, "... %d lines", hidden);
			i += hidden - 1;
		}
		else
			AppendPieces(out, &line, line_mark == '~');
	}
	FreeLines(&lines);
}

/* Writes a row. */
static void
WriteTextRow(DiffWriter *writer, const DiffRow *row)
{
	TextWriter *text = (TextWriter *) writer;
	const Diff *diff = text->diff;
	const DiffLine *line = row->after != NULL ? row->after : row->before;
	const MappedTree *side = row->after != NULL ? &diff->trees.b : &diff->trees.a;

	ReadRow(diff, row, &text->content);
	if (row->mark == '.' && row->after == NULL)
		text->content.piece[0].of = PIECE_OF_FIRST;
	else if (row->mark == '.' && row->before == NULL)
		text->content.piece[0].of = PIECE_OF_SECOND;
	text->has_marks |= row->mark != ' ';
	if (IsWrittenByLines(diff, row, &text->content))
		WriteLines(&text->out, &text->content, row->mark, line->depth);
	else
	{
		if (row->before != NULL && row->after != NULL)
			FoldPieces(&text->content, SHOWN_CHARACTERS);
		AppendMargin(&text->out, row->mark, line->depth);
		AppendPieces(&text->out, &text->content, true);
	}
	if (text->content.cut_nodes > 0)
	{
		appendStringInfoChar(&text->out, ' ');
		AppendTextCount(&text->out, text->content.cut_nodes);
	}
	else if (EndsInComma(&diff->trees, side, line))
		appendStringInfoChar(&text->out, ',');
	if (diff->trees.syntax != SYNTAX_PLAIN && line->form == LINE_WHOLE)
	{
		const int32 *moved = row->after != NULL ? diff->moved_b : diff->moved_a;

		if (moved[line->node] > 0)
			appendStringInfo(&text->out, "  # moved (%d)", moved[line->node]);
	}
	appendStringInfoChar(&text->out, '\n');
}

/* Writes the number of unchanged nodes of a fold. */
static void
WriteTextFold(DiffWriter *writer, const DiffFold *fold)
{
	TextWriter *text = (TextWriter *) writer;

	AppendMargin(&text->out, ' ', fold->after->depth);
	AppendTextCount(&text->out, fold->nodes);
	appendStringInfoChar(&text->out, '\n');
}

/* Returns the differences of the arguments of an SQL function as text, empty if there are none. */
static text *
WriteText(FunctionCallInfo fcinfo, DiffOfArguments *differences)
{
	Diff *diff = differences(fcinfo, PG_GETARG_BOOL(3) ? DIFF_IGNORED : 0);
	TextWriter text = {.writer = {.row = WriteTextRow, .fold = WriteTextFold}, .diff = diff};

	if (diff->is_empty && !diff->shows_ignored)
		return cstring_to_text("");
	InitLineContent(&text.content);
	initStringInfo(&text.out);
	if (!diff->trees.is_optimal)
		appendStringInfoString(&text.out, "# by an approximate mapping\n");
	WalkDiff(diff, &text.writer);
	if (!text.has_marks)
		return cstring_to_text("");
	return CopyToValue(text.out.data, text.out.len - 1);
}

DIFF_FUNCTION(tree_diff, DiffOfTrees, WriteText);
DIFF_FUNCTION(tree_diff_xml, DiffOfXml, WriteText);
DIFF_FUNCTION(tree_diff_json, DiffOfJson, WriteText);
DIFF_FUNCTION(tree_diff_jsonb, DiffOfJsonb, WriteText);
