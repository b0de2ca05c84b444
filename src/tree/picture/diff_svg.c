/*
 * diff_svg.c
 *	  The SQL function tree_diff_svg(): the differences of two documents, side by side,
 *	  in SVG.
 *
 * Each document is a column of rows without gaps, and links connect the rows of partners.
 * Columns clip their content.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../compat.h"
#include "diff_picture.h"

/*
 * Sizes in pixels: height of a row, width of a character, left margin of text, width of the
 * space for links, height of a row above the columns.
 */
#define ROW_HEIGHT 18
#define CHARACTER_WIDTH 8
#define MARGIN 28
#define LINKS_WIDTH 60
#define HEADER_ROW_HEIGHT 22

/* The most characters of a row, and the largest depth that is shown by indentation. */
#define MAX_CHARACTERS 72
#define MAX_INDENTATION 20

/*
 * The characters at the ends of what is folded in a row, so few that the differences after it
 * are in sight.
 */
#define SHOWN_OF_LINE 10

/* The most characters of the legend, and of a number of nodes. */
#define LEGEND_CHARACTERS 60
#define COUNT_CHARACTERS 18

static const char picture_style[] =
	"<style>"
	".ted-diff { --back: #fff; --text: #1f2328; --dim: #59636e; --line: #b4bcc6; --old: #ffedd9;"
	" --old-sign: #8a4300; --new: #e1efff; --new-sign: #0a4a9e; background: var(--back) } "
	"@media (prefers-color-scheme: dark) { .ted-diff { --back: #0d1117; --text: #e6edf3;"
	" --dim: #9198a1; --line: #4b535d; --old: #3b2507; --old-sign: #ffb366; --new: #0b2a52;"
	" --new-sign: #8ec2ff } } "
	".ted-diff text { fill: var(--text); white-space: pre;"
	" font: 13px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace } "
	".ted-diff .back { fill: var(--back) } "
	".ted-diff .n { fill: var(--dim) } "
	".ted-diff .old { fill: var(--old) } .ted-diff .new { fill: var(--new) } "
	".ted-diff .d { fill: var(--old-sign); font-weight: bold } "
	".ted-diff .i { fill: var(--new-sign); font-weight: bold } "
	".ted-diff path { fill: none; stroke: var(--line) } "
	".ted-diff path.c { stroke: var(--text); stroke-dasharray: 5 3 }"
	"</style>\n";

/* The column of a document. */
typedef struct SvgColumn
{
	StringInfoData rows;
	int32 count;
	int characters; /* characters of the widest row */
} SvgColumn;

/* The state of writing a picture. */
typedef struct SvgWriter
{
	DiffWriter writer;
	const Diff *diff;
	LineContent content;
	SvgColumn a;
	SvgColumn b;
	StringInfoData links;
	int32 rows;
} SvgWriter;

/* Returns the baseline of the text of the last row. */
static int32
Baseline(const SvgColumn *column)
{
	return column->count * ROW_HEIGHT - 5;
}

/* Begins a row: its background and sign, if it has a mark, and the tag of its text. */
static void
BeginRow(SvgColumn *column, char mark, const char *sign, bool is_old, int32 depth)
{
	int indent = 2 * Min(depth, MAX_INDENTATION);

	MarkupReserve(&column->rows);
	column->count++;
	if (mark != ' ')
		appendStringInfo(&column->rows,
						 "<rect class=\"%s\" y=\"%d\" width=\"100%%\" height=\"%d\"/>"
						 "<text x=\"8\" y=\"%d\">%s</text>",
						 is_old ? "old" : "new", (column->count - 1) * ROW_HEIGHT, ROW_HEIGHT,
						 Baseline(column), sign);
	appendStringInfo(&column->rows, "<text x=\"%d\" y=\"%d\"", MARGIN + indent * CHARACTER_WIDTH,
					 Baseline(column));
}

/* Ends a row with `characters` characters. */
static void
EndRow(SvgColumn *column, int32 depth, int characters)
{
	MarkupReserve(&column->rows);
	appendStringInfoString(&column->rows, "</text>\n");
	column->characters = Max(column->characters, 2 * Min(depth, MAX_INDENTATION) + characters);
}

/* Whether a document contains a piece of a line. */
static bool
HasPiece(const LineContent *content, int piece, PieceOf own)
{
	return content->piece[piece].of == own || content->piece[piece].of == PIECE_OF_BOTH;
}

/* Returns the text that stands for a piece of a line. */
static Label
ShownPiece(const LineContent *content, int piece)
{
	char *text;

	if (content->piece[piece].folded == 0)
		return BytesOfPiece(content, piece);
	text = psprintf("... %d characters ...", content->piece[piece].folded);
	return (Label){text, (int) strlen(text)};
}

/* Appends as much of a piece of a line as `characters` allows, and reduces that number. */
static void
AppendPiece(StringInfo out, Label bytes, PieceOf of, int *characters)
{
	MarkupReserve(out);
	if (of != PIECE_OF_BOTH)
		appendStringInfo(out, "<tspan class=\"%c\">", of == PIECE_OF_FIRST ? 'd' : 'i');
	MarkupText(out, (Label){bytes.bytes, MarkupFit(bytes, characters)});
	MarkupReserve(out);
	if (of != PIECE_OF_BOTH)
		appendStringInfoString(out, "</tspan>");
}

/*
 * Returns the number of pieces of a line, from the first one on, that fit in a row of a
 * document.
 */
static int
FittingPieces(const LineContent *content, PieceOf own)
{
	int left = MAX_CHARACTERS;
	int i = 0;

	for (; i < content->count; i++)
	{
		Label bytes = ShownPiece(content, i);

		if (HasPiece(content, i, own) && MarkupFit(bytes, &left) < bytes.length)
			break;
	}
	return i;
}

/*
 * Appends the number of nodes of a subtree whose end is cut off.  Returns an upper bound on
 * the characters.
 */
static int
AppendCut(StringInfo out, const LineContent *content)
{
	if (content->cut_nodes == 0)
		return 0;
	appendStringInfo(out, " &#x2026; %d nodes", content->cut_nodes);
	return COUNT_CHARACTERS;
}

/* A row of a column: a line of a document, or of a string in it. */
typedef struct SvgRow
{
	const LineContent *content;
	char mark;
	const char *sign;
	int32 depth;
	bool ends_in_comma;
} SvgRow;

/* Appends a row of one document. */
static void
AppendSvgRow(SvgColumn *column, const SvgRow *row, PieceOf own)
{
	const LineContent *content = row->content;
	StringInfo out = &column->rows;
	int fitting = FittingPieces(content, own);
	int left = MAX_CHARACTERS;
	int added = 0;
	bool is_whole = fitting == content->count;

	for (int i = 0; i < content->count; i++)
		is_whole &= content->piece[i].folded == 0;
	BeginRow(column, row->mark, row->sign, own == PIECE_OF_FIRST, row->depth);
	appendStringInfoChar(out, '>');
	if (!is_whole)
	{
		/* the whole line, which is shown when the mouse points at the row */
		appendStringInfoString(out, "<title>");
		for (int i = 0; i < content->count; i++)
			if (HasPiece(content, i, own))
				MarkupText(out, BytesOfPiece(content, i));
		MarkupReserve(out);
		AppendCut(out, content);
		appendStringInfoString(out, "</title>");
	}
	for (int i = 0; i <= Min(fitting, content->count - 1); i++)
		if (HasPiece(content, i, own))
			AppendPiece(out, ShownPiece(content, i), content->piece[i].of, &left);
	if (fitting < content->count && content->cut_nodes == 0)
	{
		appendStringInfoString(out, "&#x2026;");
		added = 1;
	}
	added += AppendCut(out, content);
	if (content->cut_nodes == 0 && row->ends_in_comma)
	{
		appendStringInfoChar(out, ',');
		added++;
	}
	EndRow(column, row->depth, MAX_CHARACTERS - left + added);
}

/* Appends the link between the last rows of both columns. */
static void
AppendLink(SvgWriter *svg, char mark)
{
	int32 from = svg->a.count * ROW_HEIGHT - ROW_HEIGHT / 2;
	int32 to = svg->b.count * ROW_HEIGHT - ROW_HEIGHT / 2;

	MarkupReserve(&svg->links);
	appendStringInfo(&svg->links, "<path class=\"%c\" d=\"M0 %dC%d %d %d %d %d %d\"/>\n",
					 MarkClass(mark), from, LINKS_WIDTH / 2, from, LINKS_WIDTH / 2, to, LINKS_WIDTH,
					 to);
}

/* Appends a number of nodes, or of lines, that are not shown to a column. */
static void
AppendSvgCount(SvgColumn *column, int32 depth, int32 count, const char *what)
{
	BeginRow(column, ' ', "", false, depth);
	appendStringInfo(&column->rows, " class=\"n\">&#x2026; %d %s%s", count, what,
					 count == 1 ? "" : "s");
	EndRow(column, depth, COUNT_CHARACTERS);
}

/*
 * Writes the content of a row, further indented than its line, in the columns of the documents
 * that have it.
 */
static void
WriteSvgContent(SvgWriter *svg, const DiffRow *row, SvgRow *shown, int32 indent, bool is_last)
{
	const MappedTrees *trees = &svg->diff->trees;
	bool in_first = row->before != NULL && shown->mark != '+';
	bool in_second = row->after != NULL && shown->mark != '-';

	CountPictureRow(&svg->rows);
	if (in_first)
	{
		shown->depth = row->before->depth + indent;
		shown->ends_in_comma = is_last && EndsInComma(trees, &trees->a, row->before);
		AppendSvgRow(&svg->a, shown, PIECE_OF_FIRST);
	}
	if (in_second)
	{
		shown->depth = row->after->depth + indent;
		shown->ends_in_comma = is_last && EndsInComma(trees, &trees->b, row->after);
		AppendSvgRow(&svg->b, shown, PIECE_OF_SECOND);
	}
	if (in_first && in_second)
		AppendLink(svg, shown->mark);
}

/* Writes the lines of a string.  The first one that differs has the sign of the row. */
static void
WriteSvgLines(SvgWriter *svg, const DiffRow *row)
{
	StringLines lines;
	const char *sign = RowSign(svg->diff, row);

	DivideLines(&svg->content, row->mark, &lines);
	for (int i = 0; i < lines.count; i++)
	{
		int hidden = HiddenLines(&lines, i);
		LineContent content = ContentOfLine(&lines, i);
		SvgRow shown = {.content = &content, .mark = lines.line[i].mark, .sign = sign};

		CHECK_FOR_INTERRUPTS();
		if (hidden == 0)
		{
			WriteSvgContent(svg, row, &shown, i == 0 ? 0 : 2, i == lines.count - 1);
			if (shown.mark != ' ')
				sign = "";
			continue;
		}
		CountPictureRow(&svg->rows);
		AppendSvgCount(&svg->a, row->before->depth + 2, hidden, "line");
		AppendSvgCount(&svg->b, row->after->depth + 2, hidden, "line");
		AppendLink(svg, ' ');
		i += hidden - 1;
	}
	FreeLines(&lines);
}

/* Writes a row. */
static void
WriteSvgRow(DiffWriter *writer, const DiffRow *row)
{
	SvgWriter *svg = (SvgWriter *) writer;

	ReadRow(svg->diff, row, &svg->content);
	if (IsWrittenByLines(svg->diff, row, &svg->content))
		WriteSvgLines(svg, row);
	else
	{
		SvgRow shown = {
			.content = &svg->content, .mark = row->mark, .sign = RowSign(svg->diff, row)};

		if (row->before != NULL && row->after != NULL &&
			(FittingPieces(&svg->content, PIECE_OF_FIRST) < svg->content.count ||
			 FittingPieces(&svg->content, PIECE_OF_SECOND) < svg->content.count))
			FoldPieces(&svg->content, SHOWN_OF_LINE);
		WriteSvgContent(svg, row, &shown, 0, true);
	}
}

/* Writes the number of unchanged nodes of a fold. */
static void
WriteSvgFold(DiffWriter *writer, const DiffFold *fold)
{
	SvgWriter *svg = (SvgWriter *) writer;

	CountPictureRow(&svg->rows);
	AppendSvgCount(&svg->a, fold->before->depth, fold->nodes, "node");
	AppendSvgCount(&svg->b, fold->after->depth, fold->nodes, "node");
	AppendLink(svg, ' ');
}

/* Returns the width of a column in pixels. */
static int
ColumnWidth(const SvgColumn *column)
{
	return MARGIN + (column->characters + 1) * CHARACTER_WIDTH;
}

/* Appends a column, or the links between the columns, at its place. */
static void
AppendColumn(StringInfo out, const StringInfoData *rows, int x, int y, int width, int height)
{
	MarkupReserve(out);
	appendStringInfo(out, "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\">\n", x, y, width,
					 height);
	MarkupAppend(out, rows);
	MarkupReserve(out);
	appendStringInfoString(out, "</svg>\n");
}

/* Appends a text above the columns, shortened if it is long.  Returns its characters. */
static int
AppendAbove(StringInfo out, Label bytes, const char *attributes, int x, int row)
{
	int left = MAX_CHARACTERS;
	int fitting = MarkupFit(bytes, &left);

	MarkupReserve(out);
	appendStringInfo(out, "<text%s x=\"%d\" y=\"%d\">", attributes, x, row * HEADER_ROW_HEIGHT - 4);
	MarkupText(out, (Label){bytes.bytes, fitting});
	MarkupReserve(out);
	appendStringInfo(out, "%s</text>\n", fitting < bytes.length ? "&#x2026;" : "");
	return MAX_CHARACTERS - left + 1;
}

/* Assembles the picture. */
static void
AppendDiffPicture(StringInfo out, SvgWriter *svg, const PictureNames *names)
{
	Label summary = {svg->diff->summary, (int) strlen(svg->diff->summary)};
	StringInfoData above;
	int characters = Max(summary.length, LEGEND_CHARACTERS);
	int header = 0;
	int a_width;
	int b_width;
	int width;
	int height;

	initStringInfo(&above);
	if (names->title.length > 0)
	{
		int title = AppendAbove(&above, names->title, " style=\"font-weight: bold\"", 8, ++header);

		characters = Max(characters, title);
	}
	MarkupReserve(&above);
	appendStringInfo(&above, "<text x=\"8\" y=\"%d\">%s</text>\n", ++header * HEADER_ROW_HEIGHT - 4,
					 summary.bytes);
	appendStringInfo(&above, "<text class=\"n\" x=\"8\" y=\"%d\">",
					 ++header * HEADER_ROW_HEIGHT - 4);
	AppendLegend(&above, svg->diff);
	appendStringInfoString(&above, "</text>\n");
	a_width = ColumnWidth(&svg->a);
	if (names->has_captions)
	{
		int first = AppendAbove(&above, names->captions[0], "", MARGIN, ++header);
		int second;

		svg->a.characters = Max(svg->a.characters, first);
		a_width = ColumnWidth(&svg->a);
		second =
			AppendAbove(&above, names->captions[1], "", a_width + LINKS_WIDTH + MARGIN, header);
		svg->b.characters = Max(svg->b.characters, second);
	}
	b_width = ColumnWidth(&svg->b);
	header = header * HEADER_ROW_HEIGHT + 6;
	width = Max(a_width + LINKS_WIDTH + b_width, (characters + 2) * CHARACTER_WIDTH);
	height = Max(svg->a.count, svg->b.count) * ROW_HEIGHT;

	MarkupReserve(out);
	appendStringInfo(out,
					 "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ted-diff\" role=\"img\""
					 " width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n<title>",
					 width, header + height + 8, width, header + height + 8);
	AppendPictureTitle(out, names);
	appendStringInfoString(out, "</title>\n");
	appendStringInfoString(out, picture_style);
	appendStringInfoString(out, "<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n");
	MarkupAppend(out, &above);
	AppendColumn(out, &svg->a.rows, 0, header, a_width, height);
	AppendColumn(out, &svg->links, a_width, header, LINKS_WIDTH, height);
	AppendColumn(out, &svg->b.rows, a_width + LINKS_WIDTH, header, b_width, height);
	MarkupReserve(out);
	appendStringInfoString(out, "</svg>\n");
}

/* Returns the SVG picture of the differences of the arguments of an SQL function. */
static text *
WriteSvg(FunctionCallInfo fcinfo, DiffOfArguments *differences)
{
	PictureNames names = ReadPictureNames(fcinfo, 3);
	Diff *diff = differences(fcinfo, DIFF_SUMMARY);
	SvgWriter svg = {.writer = {.row = WriteSvgRow, .fold = WriteSvgFold}, .diff = diff};
	StringInfoData out;

	MarkupBegin();
	InitLineContent(&svg.content);
	initStringInfo(&svg.a.rows);
	initStringInfo(&svg.b.rows);
	initStringInfo(&svg.links);
	initStringInfo(&out);
	WalkDiff(diff, &svg.writer);
	AppendDiffPicture(&out, &svg, &names);
	return MarkupFinish(&out);
}

DIFF_FUNCTION(tree_diff_svg, DiffOfTrees, WriteSvg);
DIFF_FUNCTION(tree_diff_svg_xml, DiffOfXml, WriteSvg);
DIFF_FUNCTION(tree_diff_svg_json, DiffOfJson, WriteSvg);
DIFF_FUNCTION(tree_diff_svg_jsonb, DiffOfJsonb, WriteSvg);
