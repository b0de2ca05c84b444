/*
 * diff_html.c
 *	  The SQL function tree_diff_html(): the differences of two documents, side by side,
 *	  in HTML.
 *
 * A row is a grid of three columns: a line of the first document, a sign or the connection
 * between partners, and a line of the second document.  Unchanged parts, and subtrees of
 * one document only, are folded in <details>.  The page is also well-formed XML.  Its script
 * goes to the next and the previous change; its policy allows no other one, and no loading.
 * Without the page around it, its body is a <section>, without a script.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../compat.h"
#include "diff_picture.h"

/* The most nodes of a page in folds that can be opened. */
#define MAX_FOLDED_NODES 20000

/* The largest depth that is shown by indentation. */
#define MAX_INDENTATION 100

/* The hash of the script by which the policy of the page allows it. */
#define SCRIPT_HASH "sha256-0tDyzUUdmL58oRTCjWZ6JeGLbQO41N7VV+iXGj4l7YI="

/* The script, which runs at the end of the page.  As the page is XML, it has no "<" and no "&". */
static const char script[] =
	"const nav = document.querySelector(\"nav\");\n"
	"const line = row => row.matches(\"details\") ? row.firstElementChild : row;\n"
	"const differs = row => row === null ? false : /\\b[dic]$/.test(line(row).className);\n"
	"const changes = [...document.querySelectorAll(\"main > *\")]\n"
	"  .filter(row => differs(row) ? !differs(row.previousElementSibling) : false);\n"
	"let at = -1;\n"
	"const go = step => {\n"
	"  if (at >= 0) changes[at].classList.remove(\"at\");\n"
	"  at = at >= 0 ? (at + step + changes.length) % changes.length : step > 0 ? 0 : "
	"changes.length - 1;\n"
	"  changes[at].classList.add(\"at\");\n"
	"  changes[at].scrollIntoView({block: \"center\"});\n"
	"  nav.querySelector(\"output\").value = `${at + 1} of ${changes.length}`;\n"
	"};\n"
	"if (changes.length > 0) {\n"
	"  nav.hidden = false;\n"
	"  nav.addEventListener(\"click\", event => event.target.matches(\"button\") ? "
	"go(Number(event.target.value)) : null);\n"
	"  document.addEventListener(\"keydown\", event => {\n"
	"    if (event.ctrlKey || event.altKey || event.metaKey) return;\n"
	"    if (event.key === \"n\") go(1);\n"
	"    if (event.key === \"p\") go(-1);\n"
	"  });\n"
	"}\n";

/* The buttons that the script shows. */
static const char navigation[] =
	"<nav hidden=\"\"><button value=\"-1\" title=\"previous change (key p)\">&#x2191;</button>"
	"<button value=\"1\" title=\"next change (key n)\">&#x2193;</button>"
	" <output></output></nav>\n";

/* The beginning of the page up to its title, and from there to its style. */
static const char page_begin[] = "<!DOCTYPE html>\n"
								 "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n"
								 "<head>\n"
								 "<meta charset=\"UTF-8\"/>\n"
								 "<meta http-equiv=\"Content-Security-Policy\""
								 " content=\"default-src 'none'; style-src 'unsafe-inline';"
								 " script-src '" SCRIPT_HASH "'\"/>\n"
								 "<meta name=\"viewport\" content=\"width=device-width\"/>\n"
								 "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
								 "<title>";
static const char page_style[] =
	"</title>\n"
	"<style>\n"
	"body.ted-diff { margin: 0; padding-bottom: 2em }\n"
	"body.ted-diff header { position: sticky; top: 0; z-index: 1; background: var(--back) }\n"
	"body.ted-diff nav { position: absolute; top: .6em; right: .6em }\n"
	"body.ted-diff nav button { font: inherit; min-width: 2.5em }\n"
	"body.ted-diff main > * { content-visibility: auto; contain-intrinsic-size: auto 1.5em }\n"
	"body.ted-diff main > .at { outline: 2px solid var(--new-sign); outline-offset: -2px }\n"
	"</style>\n";

/* The style of differences, both in their own page and in another page. */
static const char style[] =
	"<style>\n"
	".ted-diff { color-scheme: light dark; --back: #fff; --text: #1f2328; --dim: #59636e;"
	" --line: #b4bcc6; --old: #ffedd9; --old-part: #ffc285; --old-sign: #8a4300;"
	" --new: #e1efff; --new-part: #a3cfff; --new-sign: #0a4a9e;"
	" background: var(--back); color: var(--text);"
	" font: 13px/1.5 ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace }\n"
	"@media (prefers-color-scheme: dark) { .ted-diff { --back: #0d1117; --text: #e6edf3;"
	" --dim: #9198a1; --line: #4b535d; --old: #3b2507; --old-part: #7d4a0c; --old-sign: #ffb366;"
	" --new: #0b2a52; --new-part: #1d5aa8; --new-sign: #8ec2ff } }\n"
	".ted-diff header { padding: .6em; border-bottom: 1px solid var(--line) }\n"
	".ted-diff header > * { margin: 0 }\n"
	".ted-diff h1, .ted-diff h2 { font-size: 1.3em }\n"
	".ted-diff .r, .ted-diff .captions { display: grid;"
	" grid-template-columns: minmax(0, 1fr) 3em minmax(0, 1fr) }\n"
	".ted-diff .r { min-height: 1.5em }\n"
	".ted-diff .captions { font-weight: bold; overflow-wrap: anywhere }\n"
	".ted-diff .r > span { white-space: pre-wrap; overflow-wrap: anywhere;"
	" padding: 0 .6em 0 calc(.6em + min(var(--i, 0) * 1.5ch, 50%)) }\n"
	".ted-diff .r > b { text-align: center }\n"
	".ted-diff .u > b, .ted-diff .c > b, .ted-diff .g > b {"
	" background: linear-gradient(var(--line), var(--line)) 0 100% / 100% 1px no-repeat }\n"
	".ted-diff .u > b { background-position: 0 50% }\n"
	".ted-diff .d > :first-child, .ted-diff .c > :first-child, .ted-diff .d > b"
	" { background: var(--old) }\n"
	".ted-diff .i > :last-child, .ted-diff .c > :last-child, .ted-diff .i > b"
	" { background: var(--new) }\n"
	".ted-diff .d > b { color: var(--old-sign) }\n"
	".ted-diff .i > b { color: var(--new-sign) }\n"
	".ted-diff del, .ted-diff ins { text-decoration: none; font-weight: bold;"
	" border-radius: 2px }\n"
	".ted-diff del { background: var(--old-part) }\n"
	".ted-diff ins { background: var(--new-part) }\n"
	".ted-diff i, .ted-diff .legend, .ted-diff .g { color: var(--dim); font-style: normal }\n"
	".ted-diff .g del, .ted-diff .g ins { background: none; font-weight: normal;"
	" text-decoration: underline dotted }\n"
	".ted-diff summary { cursor: pointer }\n"
	".ted-diff summary > b::after { content: ' \\25B8 '; background: var(--back);"
	" color: var(--text) }\n"
	".ted-diff .d > b::after, .ted-diff .i > b::after { background: none }\n"
	".ted-diff details[open] > summary > b::after { content: ' \\25BE ' }\n"
	".ted-diff summary:focus-visible { outline: 2px solid var(--new-sign);"
	" outline-offset: -2px }\n"
	".ted-diff summary:hover { box-shadow: inset 0 0 0 1px var(--line) }\n"
	".ted-diff details > div:last-child { border-bottom: 1px dotted var(--line) }\n"
	".ted-diff span > details, .ted-diff span > details > summary { display: inline }\n"
	".ted-diff span > details > summary { color: var(--dim) }\n"
	".ted-diff span > details[open] > summary { display: none }\n"
	"</style>\n";

/* The state of writing a page. */
typedef struct HtmlWriter
{
	DiffWriter writer;
	const Diff *diff;
	StringInfo out;
	LineContent content;
	int32 rows;
	int32 foldable; /* nodes that can still be put into folds that can be opened */
} HtmlWriter;

/* Appends a number of nodes that are not shown. */
static void
AppendHtmlCount(HtmlWriter *html, int32 nodes)
{
	appendStringInfo(html->out, "<i>&#x2026; %d %s%s</i>", nodes,
					 html->diff->trees.syntax == SYNTAX_TEXT ? "line" : "node",
					 nodes == 1 ? "" : "s");
}

/* Appends the bytes of a piece; the line ends of a string of several lines break the line. */
static void
AppendBytes(HtmlWriter *html, Label bytes, bool has_lines)
{
	Label line;

	while (has_lines && TakeJsonLine(&bytes, &line))
	{
		MarkupText(html->out, line);
		MarkupReserve(html->out);
		appendStringInfoString(html->out, "<br/>");
		CHECK_FOR_INTERRUPTS();
	}
	MarkupText(html->out, has_lines ? line : bytes);
}

/* Appends the pieces of a line that one document contains. */
static void
AppendPieces(HtmlWriter *html, PieceOf own)
{
	bool has_lines = html->diff->trees.syntax == SYNTAX_JSON && HasLines(&html->content);
	const char *element = own == PIECE_OF_FIRST ? "del" : "ins";

	for (int i = 0; i < html->content.count; i++)
	{
		PieceOf of = html->content.piece[i].of;
		bool is_marked = of == own && !html->content.piece[i].is_separator;

		MarkupReserve(html->out);
		if (html->content.piece[i].folded > 0)
			appendStringInfo(html->out,
							 "<details><summary>&#x2026; %d characters &#x2026;</summary>",
							 html->content.piece[i].folded);
		if (is_marked)
			appendStringInfo(html->out, "<%s>", element);
		if (of == own || of == PIECE_OF_BOTH)
			AppendBytes(html, BytesOfPiece(&html->content, i), has_lines);
		MarkupReserve(html->out);
		if (is_marked)
			appendStringInfo(html->out, "</%s>", element);
		if (html->content.piece[i].folded > 0)
			appendStringInfoString(html->out, "</details>");
	}
}

/* Begins a column of a row. */
static void
BeginTableCell(StringInfo out, int32 depth)
{
	if (depth > 0)
		appendStringInfo(out, "<span style=\"--i:%d\">", Min(depth, MAX_INDENTATION));
	else
		appendStringInfoString(out, "<span>");
}

/* Appends the column of one document in a row; it is empty if the document lacks the line. */
static void
AppendTableCell(HtmlWriter *html, const DiffLine *line, PieceOf own)
{
	const MappedTrees *trees = &html->diff->trees;
	const MappedTree *side = own == PIECE_OF_FIRST ? &trees->a : &trees->b;
	const int32 *moved = own == PIECE_OF_FIRST ? html->diff->moved_a : html->diff->moved_b;

	if (line == NULL)
	{
		appendStringInfoString(html->out, "<span></span>");
		return;
	}
	BeginTableCell(html->out, line->depth);
	AppendPieces(html, own);
	if (html->content.cut_nodes > 0)
	{
		appendStringInfoChar(html->out, ' ');
		AppendHtmlCount(html, html->content.cut_nodes);
	}
	else if (EndsInComma(trees, side, line))
		appendStringInfoChar(html->out, ',');
	if (line->form == LINE_WHOLE && moved[line->node] > 0)
		appendStringInfo(html->out, " <i>moved (%d)</i>", moved[line->node]);
	appendStringInfoString(html->out, "</span>");
}

/* Appends a row, as an HTML element with a name. */
static void
AppendRow(HtmlWriter *html, const char *element, const DiffRow *row, const char *sign)
{
	ReadFoldedRow(html->diff, row, SHOWN_CHARACTERS, &html->content);
	MarkupReserve(html->out);
	appendStringInfo(html->out, "<%s class=\"r %c\">", element, MarkClass(row->mark));
	AppendTableCell(html, row->before, PIECE_OF_FIRST);
	appendStringInfo(html->out, "<b>%s</b>", sign);
	AppendTableCell(html, row->after, PIECE_OF_SECOND);
	appendStringInfo(html->out, "</%s>\n", element);
}

/* Whether `nodes` nodes can be put into a fold that can be opened; if so, counts them. */
static bool
TakeFoldable(HtmlWriter *html, int32 nodes)
{
	if (nodes > html->foldable)
		return false;
	html->foldable -= nodes;
	return true;
}

/* Appends the lines of a whole subtree, of one document or, if it is unchanged, of both. */
static void
AppendSubtree(HtmlWriter *html, const DiffRow *row)
{
	const Diff *diff = html->diff;
	DiffLines before = {0};
	DiffLines after = {0};

	if (row->before != NULL)
		FindLinesOfLine(&diff->trees, &diff->trees.a, row->before, &before);
	if (row->after != NULL)
		FindLinesOfLine(&diff->trees, &diff->trees.b, row->after, &after);
	for (int32 i = 0; i < Max(before.count, after.count); i++)
	{
		DiffRow part = {.mark = row->mark,
						.before = before.line != NULL ? &before.line[i] : NULL,
						.after = after.line != NULL ? &after.line[i] : NULL};

		AppendRow(html, "div", &part, "");
	}
	if (before.line != NULL)
		pfree(before.line);
	if (after.line != NULL)
		pfree(after.line);
}

/* Writes a row.  The row of a subtree of one document only is a fold that can be opened. */
static void
WriteHtmlRow(DiffWriter *writer, const DiffRow *row)
{
	HtmlWriter *html = (HtmlWriter *) writer;
	const DiffLine *line = row->after != NULL ? row->after : row->before;
	const MappedTree *side = row->after != NULL ? &html->diff->trees.b : &html->diff->trees.a;

	CountPictureRow(&html->rows);
	if (line->form == LINE_WHOLE && !line->is_plain &&
		TakeFoldable(html, side->tree.subtree_size[line->node]))
	{
		MarkupReserve(html->out);
		appendStringInfoString(html->out, "<details>");
		AppendRow(html, "summary", row, RowSign(html->diff, row));
		AppendSubtree(html, row);
		MarkupReserve(html->out);
		appendStringInfoString(html->out, "</details>\n");
	}
	else
		AppendRow(html, "div", row, RowSign(html->diff, row));
}

/* Appends the row of a fold, as an HTML element with a name. */
static void
AppendFoldRow(HtmlWriter *html, const char *element, const DiffFold *fold)
{
	MarkupReserve(html->out);
	appendStringInfo(html->out, "<%s class=\"r u\">", element);
	BeginTableCell(html->out, fold->before->depth);
	AppendHtmlCount(html, fold->nodes);
	appendStringInfoString(html->out, "</span><b></b>");
	BeginTableCell(html->out, fold->after->depth);
	AppendHtmlCount(html, fold->nodes);
	appendStringInfo(html->out, "</span></%s>\n", element);
}

/* Writes unchanged lines as a fold. */
static void
WriteHtmlFold(DiffWriter *writer, const DiffFold *fold)
{
	HtmlWriter *html = (HtmlWriter *) writer;

	CountPictureRow(&html->rows);
	if (!TakeFoldable(html, fold->nodes))
	{
		AppendFoldRow(html, "div", fold);
		return;
	}
	MarkupReserve(html->out);
	appendStringInfoString(html->out, "<details>");
	AppendFoldRow(html, "summary", fold);
	for (int32 i = 0; i < fold->lines; i++)
		AppendSubtree(
			html, &(DiffRow){.mark = ' ', .before = &fold->before[i], .after = &fold->after[i]});
	MarkupReserve(html->out);
	appendStringInfoString(html->out, "</details>\n");
}

/* Appends the title, the summary, the legend and the captions. */
static void
AppendHeader(StringInfo out, const Diff *diff, const PictureNames *names, bool is_page)
{
	MarkupReserve(out);
	appendStringInfoString(out, "<header>");
	if (names->title.length > 0)
	{
		appendStringInfoString(out, is_page ? "<h1>" : "<h2>");
		MarkupText(out, names->title);
		MarkupReserve(out);
		appendStringInfoString(out, is_page ? "</h1>\n" : "</h2>\n");
	}
	appendStringInfo(out, "<p>%s</p>\n<p class=\"legend\">", diff->summary);
	AppendLegend(out, diff);
	appendStringInfoString(out, "</p>");
	if (is_page)
		appendStringInfoString(out, navigation);
	if (names->has_captions)
	{
		appendStringInfoString(out, "\n<div class=\"captions\"><span>");
		MarkupText(out, names->captions[0]);
		MarkupReserve(out);
		appendStringInfoString(out, "</span><b></b><span>");
		MarkupText(out, names->captions[1]);
		MarkupReserve(out);
		appendStringInfoString(out, "</span></div>");
	}
	appendStringInfoString(out, "</header>\n");
}

/* Begins the page, or the section for another page. */
static void
BeginHtml(StringInfo out, const PictureNames *names, bool is_page)
{
	if (is_page)
	{
		MarkupReserve(out);
		appendStringInfoString(out, page_begin);
		AppendPictureTitle(out, names);
		appendStringInfoString(out, page_style);
	}
	else
		appendStringInfoString(out, "<section class=\"ted-diff\">\n");
	MarkupReserve(out);
	appendStringInfoString(out, style);
	MarkupReserve(out);
	if (is_page)
		appendStringInfo(out,
						 "<script type=\"module\">%s</script>\n</head>\n"
						 "<body class=\"ted-diff\">\n",
						 script);
}

text *
WriteDiffPage(Diff *diff, const PictureNames *names, bool is_page)
{
	StringInfoData out;
	HtmlWriter html = {.writer = {.row = WriteHtmlRow, .fold = WriteHtmlFold},
					   .diff = diff,
					   .out = &out,
					   .foldable = MAX_FOLDED_NODES};

	MarkupBegin();
	InitLineContent(&html.content);
	initStringInfo(&out);
	BeginHtml(&out, names, is_page);
	AppendHeader(&out, diff, names, is_page);
	appendStringInfo(&out, "<%s translate=\"no\">\n", is_page ? "main" : "div");
	WalkDiff(diff, &html.writer);
	MarkupReserve(&out);
	appendStringInfoString(&out, is_page ? "</main>\n</body>\n</html>\n" : "</div>\n</section>\n");
	return MarkupFinish(&out);
}

/* Returns the HTML page of the differences of the arguments of an SQL function. */
static text *
WriteHtml(FunctionCallInfo fcinfo, DiffOfArguments *differences)
{
	PictureNames names = ReadPictureNames(fcinfo, 3);
	Diff *diff = differences(fcinfo, DIFF_SUMMARY | (PG_GETARG_BOOL(6) ? DIFF_IGNORED : 0));

	return WriteDiffPage(diff, &names, PG_GETARG_BOOL(5));
}

DIFF_FUNCTION(tree_diff_html, DiffOfTrees, WriteHtml);
DIFF_FUNCTION(tree_diff_html_xml, DiffOfXml, WriteHtml);
DIFF_FUNCTION(tree_diff_html_json, DiffOfJson, WriteHtml);
DIFF_FUNCTION(tree_diff_html_jsonb, DiffOfJsonb, WriteHtml);
