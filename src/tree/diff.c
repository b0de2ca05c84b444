/*
 * diff.c
 *	  The SQL function tree_diff(): the differences of two documents, line by line.
 *
 * A line begins with "-" if only the first document has it, with "+" if only the
 * second one has it, and with "~" where labels differ: what they have in the first
 * document is in [-brackets-], what they have in the second one in {+braces+}.
 * Other lines are unchanged; of many in a row, only the first and the last one are
 * written.
 */
#include "postgres.h"

#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../common/host.h"
#include "../engine/string_session.h"
#include "convert.h"
#include "diff_lines.h"

/* Levels by which lines are indented, at most. */
#define MAX_INDENTATION 100

/* Bytes of a subtree that is written in one line, at most. */
#define MAX_SUBTREE_BYTES 160

/* Bytes from which on a label's words are told apart. */
#define LONG_LABEL 30

/* The writing of a line. */
typedef struct LineWriter
{
	StringInfo out;
	const MappedTrees *trees;
	TreeSyntax syntax;
	const MappedTree *side;
	const MappedTree *other; /* whose labels are written, too, where they differ; or NULL */
	bool brackets;           /* write a plain subtree, in bracket notation */
} LineWriter;

/* Writes bytes of a label, so that they stay on their line and stand for themselves. */
static void
AppendText(const LineWriter *writer, Label text)
{
	for (const char *p = text.bytes; p < text.bytes + text.length; p++)
	{
		if (*p == '\n')
			appendStringInfoString(writer->out, "\\n");
		else if (*p == '\r')
			appendStringInfoString(writer->out, "\\r");
		else if (writer->brackets && (*p == '{' || *p == '}' || *p == '\\'))
			appendStringInfo(writer->out, "\\%c", *p);
		else if (writer->syntax == SYNTAX_XML && *p == '&')
			appendStringInfoString(writer->out, "&amp;");
		else if (writer->syntax == SYNTAX_XML && *p == '<')
			appendStringInfoString(writer->out, "&lt;");
		else if (writer->syntax == SYNTAX_XML && *p == '>')
			appendStringInfoString(writer->out, "&gt;");
		else if (writer->syntax == SYNTAX_XML && *p == '"')
			appendStringInfoString(writer->out, "&quot;");
		else
			appendStringInfoCharMacro(writer->out, *p);
	}
}

/* Writes what both sides have in one place: bytes that follow each other in either label. */
static void
AppendBoth(const LineWriter *writer, Label before, Label after)
{
	if (before.length > 0)
	{
		appendStringInfoString(writer->out, "[-");
		AppendText(writer, before);
		appendStringInfoString(writer->out, "-]");
	}
	if (after.length > 0)
	{
		appendStringInfoString(writer->out, "{+");
		AppendText(writer, after);
		appendStringInfoString(writer->out, "+}");
	}
}

/* Whether a byte is part of a word. */
static inline bool
IsWordByte(char c)
{
	return IS_HIGHBIT_SET(c) || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
		   (c >= 'a' && c <= 'z') || c == '_';
}

/* The words of a label, as symbols; what is between them are words, too, of one byte each. */
typedef struct Words
{
	Symbols symbols;
	int32 *start; /* by word; behind the last one, the end of the label */
} Words;

/* The end of the word that begins at a byte of a label. */
static int32
EndOfWord(Label label, int32 from)
{
	int32 to = from + 1;

	while (IsWordByte(label.bytes[from]) && to < label.length && IsWordByte(label.bytes[to]))
		to++;
	return to;
}

/* Number of words of a label. */
static int32
CountWords(Label label)
{
	int32 count = 0;

	for (int32 from = 0; from < label.length; from = EndOfWord(label, from))
	{
		count++;
		CHECK_FOR_INTERRUPTS();
	}
	return count;
}

/* Memory that finding the words that two labels have in common takes, at most. */
static Size
WordsMemory(Label before, Label after)
{
	int32 a = CountWords(before);
	int32 b = CountWords(after);

	return ((Size) a + b + 2) * (sizeof(uint32) + sizeof(int32) + LABEL_MAX_OVERHEAD) +
		   (Size) before.length + (Size) after.length + StringsSubsequenceMemory(a, b);
}

/* Reads the words of a label. */
static Words
ReadWords(LabelTable *table, Label label)
{
	int32 count = CountWords(label);
	Words words = {.symbols.symbol = palloc_array(uint32, count),
				   .start = palloc_array(int32, count + 1)};

	for (int32 from = 0, to; from < label.length; from = to)
	{
		to = EndOfWord(label, from);
		words.start[words.symbols.count] = from;
		words.symbols.symbol[words.symbols.count++] =
			LabelTableIntern(table, label.bytes + from, to - from);
		CHECK_FOR_INTERRUPTS();
	}
	words.start[words.symbols.count] = label.length;
	return words;
}

/* The bytes of some of a label's words. */
static Label
BytesOfWords(Label label, const Words *words, int32 from, int32 to)
{
	return (Label){label.bytes + words->start[from], words->start[to] - words->start[from]};
}

/* Writes two long labels, of which the words that they have in common are written once. */
static void
AppendWords(const LineWriter *writer, Label before, Label after)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted words", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	LabelTable *table = LabelTableCreate();
	Words a = ReadWords(table, before);
	Words b = ReadWords(table, after);
	CommonSubsequence common = StringsSubsequence(a.symbols, b.symbols, 0);
	int32 i = 0;
	int32 j = 0;

	MemoryContextSwitchTo(caller);
	for (int32 k = 0; k <= common.length; k++)
	{
		int32 end_a = k < common.length ? common.in_a[k] : a.symbols.count;
		int32 end_b = k < common.length ? common.in_b[k] : b.symbols.count;

		CHECK_FOR_INTERRUPTS();
		AppendBoth(writer, BytesOfWords(before, &a, i, end_a), BytesOfWords(after, &b, j, end_b));
		if (k < common.length)
			AppendText(writer, BytesOfWords(before, &a, end_a, end_a + 1));
		i = end_a + 1;
		j = end_b + 1;
	}
	MemoryContextDelete(context);
}

/* What is written of a label: without what only tells what kind its node is. */
static Label
WrittenLabel(Label label, NodeKind kind)
{
	if (kind == NODE_ATTRIBUTE || kind == NODE_TEXT)
		return (Label){label.bytes + 1, label.length - 1};
	if (kind == NODE_MEMBER)
		return (Label){label.bytes, label.length - 1};
	return label;
}

/* Writes the label of a node. */
static void
AppendNodeLabel(const LineWriter *writer, int32 node, NodeKind kind)
{
	Label label = WrittenLabel(NodeLabel(writer->trees, writer->side, node), kind);
	Label other;

	if (writer->other == NULL ||
		writer->side->tree.label[node] == writer->other->tree.label[writer->side->map[node]])
	{
		AppendText(writer, label);
		return;
	}
	other = WrittenLabel(NodeLabel(writer->trees, writer->other, writer->side->map[node]), kind);
	if (label.length < LONG_LABEL || other.length < LONG_LABEL ||
		WordsMemory(label, other) > (Size) ted_max_memory * 1024)
		AppendBoth(writer, label, other);
	else
		AppendWords(writer, label, other);
}

/* Writes what comes before the content of a node; for an element, what closes its start tag does.
 */
static void
AppendBegin(const LineWriter *writer, int32 node, NodeKind kind)
{
	switch (kind)
	{
		case NODE_OBJECT:
			appendStringInfoChar(writer->out, '{');
			return;
		case NODE_ARRAY:
			appendStringInfoChar(writer->out, '[');
			return;
		case NODE_ELEMENT:
			appendStringInfoChar(writer->out, '<');
			break;
		case NODE_ATTRIBUTE:
			appendStringInfoChar(writer->out, ' ');
			break;
		default:
			break;
	}
	AppendNodeLabel(writer, node, kind);
	if (kind == NODE_MEMBER)
		appendStringInfoString(writer->out, ": ");
	else if (kind == NODE_ATTRIBUTE)
		appendStringInfoString(writer->out, "=\"");
}

/* Writes what comes after the content of a node, if it has any. */
static void
AppendEnd(const LineWriter *writer, int32 node, NodeKind kind, bool has_content)
{
	switch (kind)
	{
		case NODE_OBJECT:
			appendStringInfoChar(writer->out, '}');
			return;
		case NODE_ARRAY:
			appendStringInfoChar(writer->out, ']');
			return;
		case NODE_VALUE:
			appendStringInfoChar(writer->out, '"');
			return;
		case NODE_ELEMENT:
			if (!has_content)
			{
				appendStringInfoString(writer->out, "/>");
				return;
			}
			appendStringInfoString(writer->out, "</");
			AppendNodeLabel(writer, node, kind);
			appendStringInfoChar(writer->out, '>');
			return;
		default:
			return;
	}
}

/* A node that is being written. */
typedef struct OpenNode
{
	int32 node;
	NodeKind kind;
	bool has_content;
} OpenNode;

/* Writes the ends of open nodes from a level on. */
static void
CloseNodes(const LineWriter *writer, const OpenNode *open, int32 *depth, int32 level)
{
	while (*depth > level)
	{
		const OpenNode *last = &open[--*depth];

		AppendEnd(writer, last->node, last->kind, last->has_content);
		if (writer->brackets)
			appendStringInfoChar(writer->out, '}');
	}
}

/* Writes what separates a node from what is before it in its parent. */
static void
AppendSeparator(const LineWriter *writer, OpenNode *parent, NodeKind kind)
{
	bool is_container = parent->kind == NODE_OBJECT || parent->kind == NODE_ARRAY;

	if (kind == NODE_ATTRIBUTE)
		return;
	if (is_container && parent->has_content)
		appendStringInfoString(writer->out, ", ");
	else if (parent->kind == NODE_ELEMENT && !parent->has_content)
		appendStringInfoChar(writer->out, '>');
	parent->has_content = true;
}

/*
 * Writes nodes that follow each other in preorder, the first one above all others, until
 * the line has this number of bytes; returns whether all are written.
 */
static bool
AppendNodes(const LineWriter *writer, const DiffLine *line, int32 nodes, int max_bytes)
{
	const MappedTree *side = writer->side;
	int start = writer->out->len;
	OpenNode open[MAX_SUBTREE_BYTES + 1]; /* a byte each; lines without a limit open at most 3 */
	NodeKind kind = NODE_PLAIN;
	int32 depth = 0;

	for (int32 k = 0; k < nodes && writer->out->len - start <= max_bytes; k++)
	{
		int32 node = side->postorder[side->preorder[line->node] + k];

		CHECK_FOR_INTERRUPTS();
		CloseNodes(writer, open, &depth, side->tree.depth[node] - side->tree.depth[line->node]);
		kind = KindOfNode(writer->syntax, NodeLabel(writer->trees, side, node), kind);
		if (depth > 0)
			AppendSeparator(writer, &open[depth - 1], kind);
		if (writer->brackets)
			appendStringInfoChar(writer->out, '{');
		AppendBegin(writer, node, kind);
		Assert(depth < (int32) lengthof(open));
		open[depth++] = (OpenNode){.node = node, .kind = kind};
	}
	if (writer->out->len - start > max_bytes)
		return false;
	if (line->form == LINE_WHOLE)
		CloseNodes(writer, open, &depth, 0);
	else if (writer->syntax == SYNTAX_XML)
	{
		CloseNodes(writer, open, &depth, 1);
		appendStringInfoChar(writer->out, '>');
	}
	return true;
}

/* Whether something follows a line's nodes in their parent, as JSON tells by a comma. */
static bool
HasNextSibling(const MappedTree *side, int32 node)
{
	int32 next = side->preorder[node] + side->tree.subtree_size[node];

	return next < side->tree.size &&
		   side->tree.depth[side->postorder[next]] == side->tree.depth[node];
}

/* Writes a number of nodes that are not shown. */
static void
AppendCount(StringInfo out, int32 nodes)
{
	appendStringInfo(out, "... %d node%s", nodes, nodes == 1 ? "" : "s");
}

/* Writes the content of a line. */
static void
AppendContent(const LineWriter *writer, const DiffLine *line)
{
	const MappedTree *side = writer->side;
	int32 size = side->tree.subtree_size[line->node];
	int start = writer->out->len;

	if (line->form == LINE_CLOSE)
	{
		int32 first = side->preorder[line->node];
		int32 last =
			first + NodesOfLine(writer->trees, side, writer->syntax, line->node, LINE_OPEN);
		int32 node = writer->syntax == SYNTAX_JSON ? side->postorder[last - 1] : line->node;

		AppendEnd(writer, node,
				  KindOfNode(writer->syntax, NodeLabel(writer->trees, side, node), NODE_PLAIN),
				  true);
	}
	else
	{
		int32 nodes = NodesOfLine(writer->trees, side, writer->syntax, line->node, line->form);
		int max_bytes = line->is_plain ? PG_INT32_MAX : MAX_SUBTREE_BYTES;

		if (!AppendNodes(writer, line, nodes, max_bytes))
		{
			writer->out->len = start + pg_mbcliplen(writer->out->data + start,
													writer->out->len - start, max_bytes);
			appendStringInfoChar(writer->out, ' ');
			AppendCount(writer->out, size);
			return;
		}
	}
	if (writer->syntax == SYNTAX_JSON && line->form != LINE_OPEN &&
		(writer->other == NULL ? HasNextSibling(side, line->node)
							   : HasNextSibling(writer->other, side->map[line->node])))
		appendStringInfoChar(writer->out, ',');
}

/* Begins a line. */
static void
AppendMargin(StringInfo out, char mark, int32 depth)
{
	appendStringInfoChar(out, mark);
	appendStringInfoSpaces(out, 1 + 2 * Min(depth, MAX_INDENTATION));
}

/* A text of differences that is being written. */
typedef struct Diff
{
	StringInfoData out;
	const MappedTrees *trees;
	TreeSyntax syntax;
	DiffLines a;
	DiffLines b;
} Diff;

/* Writes a line of a document; with its partner's labels for the mark "~". */
static void
AppendLine(Diff *diff, const DiffLines *lines, const DiffLine *line, char mark)
{
	const MappedTrees *trees = diff->trees;
	LineWriter writer = {.out = &diff->out,
						 .trees = trees,
						 .syntax = diff->syntax,
						 .side = lines->side,
						 .other = mark == '~' ? &trees->b : NULL,
						 .brackets = diff->syntax == SYNTAX_PLAIN && line->form == LINE_WHOLE &&
									 lines->side->tree.subtree_size[line->node] > 1};
	int32 depth = mark == '~' ? diff->b.line[line->partner].depth : line->depth;

	CHECK_FOR_INTERRUPTS();
	AppendMargin(&diff->out, mark, depth);
	AppendContent(&writer, line);
	appendStringInfoChar(&diff->out, '\n');
}

/* Writes unchanged lines that follow each other in the second document, all of them whole. */
static void
AppendUnchanged(Diff *diff, int32 from, int32 to)
{
	const DiffLines *b = &diff->b;
	int32 first = from;
	int32 last = to;
	int32 nodes = 0;

	if (first < last && b->line[first].is_plain)
		AppendLine(diff, b, &b->line[first++], ' ');
	if (first < last && b->line[last - 1].is_plain)
		last--;
	if (last - first == 1 && b->line[first].is_plain)
		AppendLine(diff, b, &b->line[first++], ' ');
	for (int32 i = first; i < last; i++)
		nodes += b->side->tree.subtree_size[b->line[i].node];
	if (nodes > 0)
	{
		AppendMargin(&diff->out, ' ', b->line[first].depth);
		AppendCount(&diff->out, nodes);
		appendStringInfoChar(&diff->out, '\n');
	}
	if (last < to)
		AppendLine(diff, b, &b->line[last], ' ');
}

/* Whether a line of the second document, which has a partner, is unchanged, and whole. */
static bool
IsUnchangedWhole(const Diff *diff, int32 j)
{
	const DiffLine *line = &diff->b.line[j];
	const DiffLine *partner = &diff->a.line[line->partner];

	return line->form == LINE_WHOLE && partner->form == LINE_WHOLE && !partner->is_renamed;
}

/* Writes all lines. */
static void
AppendDiff(Diff *diff)
{
	DiffLines *a = &diff->a;
	DiffLines *b = &diff->b;
	int32 i = 0;
	int32 j = 0;

	while (i < a->count || j < b->count)
	{
		if (i < a->count && a->line[i].partner < 0)
			AppendLine(diff, a, &a->line[i++], '-');
		else if (j < b->count && b->line[j].partner < 0)
			AppendLine(diff, b, &b->line[j++], '+');
		else if (IsUnchangedWhole(diff, j))
		{
			int32 from = j;

			while (i < a->count && a->line[i].partner == j &&
				   b->line[j].depth == b->line[from].depth && IsUnchangedWhole(diff, j))
			{
				i++;
				j++;
			}
			AppendUnchanged(diff, from, j);
		}
		else
		{
			if (a->line[i].is_renamed)
				AppendLine(diff, a, &a->line[i], '~');
			else
				AppendLine(diff, b, &b->line[j], ' ');
			i++;
			j++;
		}
	}
}

/* The differences of two trees in a syntax; nothing where they are equal. */
static text *
DiffTrees(const Tree *a, const Tree *b, TreeSyntax syntax)
{
	MappedTrees trees;
	Diff diff = {.trees = &trees, .syntax = syntax};

	MapValues(&trees, a, b);
	if (trees.a.tree.size == trees.b.tree.size &&
		trees.a.equal[trees.a.tree.size] == trees.a.tree.size)
		return cstring_to_text("");
	CheckMemoryLimit(DiffLinesMemory(&trees), "telling the differences");
	FindDiffLines(&trees, syntax, &diff.a, &diff.b);
	initStringInfo(&diff.out);
	if (!trees.is_optimal)
		appendStringInfoString(&diff.out, "# by an approximate mapping\n");
	AppendDiff(&diff);
	return cstring_to_text_with_len(diff.out.data, diff.out.len - 1);
}

PG_FUNCTION_INFO_V1(tree_diff);

/* The differences of two trees. */
Datum
tree_diff(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(DiffTrees(PG_GETARG_TREE(0), PG_GETARG_TREE(1), SYNTAX_PLAIN));
}

PG_FUNCTION_INFO_V1(tree_diff_xml);

/* The differences of two XML documents. */
Datum
tree_diff_xml(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(DiffTrees(MarkedXmlTree(PG_GETARG_DATUM(0)), MarkedXmlTree(PG_GETARG_DATUM(1)),
							   SYNTAX_XML));
}

/* The differences of two JSON documents, which a function converts. */
static Datum
DiffJson(FunctionCallInfo fcinfo, PGFunction convert)
{
	Datum a = DirectFunctionCall1(convert, PG_GETARG_DATUM(0));
	Datum b = DirectFunctionCall1(convert, PG_GETARG_DATUM(1));

	PG_RETURN_TEXT_P(DiffTrees(DatumGetTree(a), DatumGetTree(b), SYNTAX_JSON));
}

PG_FUNCTION_INFO_V1(tree_diff_json);

/* The differences of two documents of type json. */
Datum
tree_diff_json(PG_FUNCTION_ARGS)
{
	return DiffJson(fcinfo, json_tree);
}

PG_FUNCTION_INFO_V1(tree_diff_jsonb);

/* The differences of two documents of type jsonb. */
Datum
tree_diff_jsonb(PG_FUNCTION_ARGS)
{
	return DiffJson(fcinfo, jsonb_tree);
}
