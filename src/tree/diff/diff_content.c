/*
 * diff_content.c
 *	  The text of the lines of two documents, with marks on the differences within
 *	  labels.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "diff_content.h"
#include "label_changes.h"
#include "references.h"
#include "tagged_text.h"

/* The most bytes of a subtree on one line. */
#define MAX_SUBTREE_BYTES 160

/* A piece is folded if it has more characters than LEAST_FOLDED times those that stay shown. */
#define LEAST_FOLDED 4

/* A string is written line by line from this number of lines on. */
#define LEAST_LINES 3

/* The state of writing a line. */
typedef struct LineWriter
{
	LineContent *content;
	StringInfo out; /* bytes of `content` */
	const MappedTrees *trees;
	const MappedTree *side;
	const MappedTree *other; /* partners' labels in it are written, too; or NULL */
	bool brackets;           /* write a plain subtree in bracket notation */
} LineWriter;

/* Appends bytes of a label without references, with line ends and special characters escaped. */
static void
AppendEscaped(const LineWriter *writer, Label text)
{
	for (const char *p = text.bytes; p < text.bytes + text.length; p++)
	{
		CHECK_FOR_INTERRUPTS();
		if (*p == '\n')
			appendStringInfoString(writer->out, "\\n");
		else if (*p == '\r')
			appendStringInfoString(writer->out, "\\r");
		else if (writer->brackets && (*p == '{' || *p == '}' || *p == '\\'))
			appendStringInfo(writer->out, "\\%c", *p);
		else
			appendStringInfoCharMacro(writer->out, *p);
	}
}

/* Appends bytes of the label of a node of a document. */
static void
AppendLabelText(const LineWriter *writer, const MappedTree *side, NodeKind kind, Label text)
{
	if (writer->trees->syntax == SYNTAX_XML)
		AppendWithReferences(writer->out, side->references, text, kind == NODE_TEXT);
	else
		AppendEscaped(writer, text);
}

/* Begins a piece of a line. */
static void
BeginPiece(LineContent *content, PieceOf of)
{
	Piece *last = &content->piece[content->count - 1];

	if (last->start == content->bytes.len)
		*last = (Piece){.start = last->start, .of = of};
	else
	{
		RESERVE(CurrentMemoryContext, content->piece, content->capacity, content->count + 1);
		content->piece[content->count++] = (Piece){.start = content->bytes.len, .of = of};
	}
}

/* Appends the different parts of two labels in the same place: first that of the first document. */
static void
AppendBoth(const LineWriter *writer, NodeKind kind, Label before, Label after)
{
	if (before.length > 0)
	{
		BeginPiece(writer->content, PIECE_OF_FIRST);
		AppendLabelText(writer, &writer->trees->a, kind, before);
	}
	if (after.length > 0)
	{
		BeginPiece(writer->content, PIECE_OF_SECOND);
		AppendLabelText(writer, &writer->trees->b, kind, after);
	}
	BeginPiece(writer->content, PIECE_OF_BOTH);
}

/* An escaped line end in a JSON string. */
#define LINE_END "\\n"
#define LINE_END_BYTES 2

/* Whether a line end is at a byte of a label. */
static bool
IsLineEnd(Label label, int32 at)
{
	return at + LINE_END_BYTES <= label.length &&
		   memcmp(label.bytes + at, LINE_END, LINE_END_BYTES) == 0;
}

/*
 * Moves a change behind the line end with which it begins, if it only adds or removes, and a line
 * end follows it, too, before byte `before_end` of the first label.  So it has whole lines.
 */
static void
AlignWithLines(Label before, int32 before_end, Label after, LabelChange *change)
{
	Label label = change->a_from < change->a_to ? before : after;
	int32 from = label.bytes == before.bytes ? change->a_from : change->b_from;
	int32 to = label.bytes == before.bytes ? change->a_to : change->b_to;

	if ((change->a_from < change->a_to && change->b_from < change->b_to) ||
		!IsLineEnd(label, from) || !IsLineEnd(label, to) ||
		change->a_to + LINE_END_BYTES > before_end)
		return;
	change->a_from += LINE_END_BYTES;
	change->a_to += LINE_END_BYTES;
	change->b_from += LINE_END_BYTES;
	change->b_to += LINE_END_BYTES;
}

/* Appends two labels, with their common parts once. */
static void
AppendChanges(const LineWriter *writer, NodeKind kind, Label before, Label after)
{
	int32 count;
	LabelChange *change = FindLabelChanges(before, after, &count);
	int32 at = 0;

	for (int32 i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (writer->trees->syntax == SYNTAX_JSON)
			AlignWithLines(before, i + 1 < count ? change[i + 1].a_from : before.length, after,
						   &change[i]);
		AppendLabelText(writer, writer->side, kind,
						(Label){before.bytes + at, change[i].a_from - at});
		AppendBoth(writer, kind,
				   (Label){before.bytes + change[i].a_from, change[i].a_to - change[i].a_from},
				   (Label){after.bytes + change[i].b_from, change[i].b_to - change[i].b_from});
		at = change[i].a_to;
	}
	AppendLabelText(writer, writer->side, kind, (Label){before.bytes + at, before.length - at});
	pfree(change);
}

/* Returns the part of a label that is written, without a mark of the node's kind. */
static Label
WrittenLabel(Label label, NodeKind kind)
{
	if (kind == NODE_ATTRIBUTE || kind == NODE_TEXT)
		return (Label){label.bytes + 1, label.length - 1};
	if (kind == NODE_MEMBER)
		return (Label){label.bytes, label.length - 1};
	return label;
}

/* Whether a JSON literal is a string. */
static bool
IsJsonString(Label literal)
{
	return literal.length > 0 && literal.bytes[0] == '"';
}

/* Appends the label of a node, and that of its partner if it differs. */
static void
AppendNodeLabel(const LineWriter *writer, int32 node)
{
	NodeKind kind = (NodeKind) writer->side->kind[node];
	Label label = WrittenLabel(NodeLabel(writer->trees, writer->side, node), kind);
	Label other;

	if (writer->other == NULL || KeepsLabel(writer->side, node))
	{
		AppendLabelText(writer, writer->side, kind, label);
		return;
	}
	other = WrittenLabel(NodeLabel(writer->trees, writer->other, writer->side->map[node]), kind);
	if (kind == NODE_LITERAL && IsJsonString(label) != IsJsonString(other))
		AppendBoth(writer, kind, label, other);
	else
		AppendChanges(writer, kind, label, other);
}

/* Appends the beginning of a node.  The start tag of an element is left open. */
static void
AppendBegin(const LineWriter *writer, int32 node)
{
	NodeKind kind = (NodeKind) writer->side->kind[node];

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
	AppendNodeLabel(writer, node);
	if (kind == NODE_MEMBER)
		appendStringInfoString(writer->out, ": ");
	else if (kind == NODE_ATTRIBUTE)
		appendStringInfoString(writer->out, "=\"");
}

/* Appends the end of a node. */
static void
AppendEnd(const LineWriter *writer, int32 node, bool has_content)
{
	switch (writer->side->kind[node])
	{
		case NODE_OBJECT:
			appendStringInfoChar(writer->out, '}');
			return;
		case NODE_ARRAY:
			appendStringInfoChar(writer->out, ']');
			return;
		case NODE_MEMBER:
			if (!has_content)
				appendStringInfoString(writer->out, "...");
			return;
		case NODE_ATTRIBUTE:
			appendStringInfoString(writer->out, has_content ? "\"" : "...\"");
			return;
		case NODE_ELEMENT:
			if (!has_content)
			{
				appendStringInfoString(writer->out, "/>");
				return;
			}
			appendStringInfoString(writer->out, "</");
			AppendNodeLabel(writer, node);
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
	bool has_content;
} OpenNode;

/* Appends the ends of all open nodes from a level on. */
static void
CloseNodes(const LineWriter *writer, const OpenNode *open, int32 *depth, int32 level)
{
	while (*depth > level)
	{
		const OpenNode *last = &open[--*depth];

		AppendEnd(writer, last->node, last->has_content);
		if (writer->brackets)
			appendStringInfoChar(writer->out, '}');
	}
}

/* Appends the separator between a node and its parent's previous content. */
static void
AppendSeparator(const LineWriter *writer, OpenNode *parent, int32 node)
{
	NodeKind kind = (NodeKind) writer->side->kind[parent->node];

	if (writer->side->kind[node] == NODE_ATTRIBUTE)
		return;
	if ((kind == NODE_OBJECT || kind == NODE_ARRAY) && parent->has_content)
		appendStringInfoString(writer->out, ", ");
	else if (kind == NODE_ELEMENT && !parent->has_content)
		appendStringInfoChar(writer->out, '>');
	parent->has_content = true;
}

/*
 * Appends consecutive nodes in preorder, all in the subtree of the first one, until the
 * line has more than `max_bytes` bytes.  Returns whether the line fits.
 */
static bool
AppendNodesOfLine(const LineWriter *writer, const DiffLine *line, int32 nodes, int max_bytes)
{
	const MappedTree *side = writer->side;
	int start = writer->out->len;
	OpenNode open[MAX_SUBTREE_BYTES + 1]; /* one per byte; at most 3 in lines without a limit */
	int32 depth = 0;
	bool fits;

	for (int32 k = 0; k < nodes && writer->out->len - start <= max_bytes; k++)
	{
		int32 node = NodeAfter(side, line->node, k);

		CHECK_FOR_INTERRUPTS();
		CloseNodes(writer, open, &depth, side->tree.depth[node] - side->tree.depth[line->node]);
		if (depth > 0)
			AppendSeparator(writer, &open[depth - 1], node);
		if (writer->brackets)
			appendStringInfoChar(writer->out, '{');
		AppendBegin(writer, node);
		Assert(depth < (int32) lengthof(open));
		open[depth++] = (OpenNode){.node = node};
	}
	fits = writer->out->len - start <= max_bytes;
	if (fits && line->form == LINE_WHOLE)
		CloseNodes(writer, open, &depth, 0);
	else if (fits && writer->trees->syntax == SYNTAX_XML)
	{
		CloseNodes(writer, open, &depth, 1);
		appendStringInfoChar(writer->out, '>');
	}
	return fits;
}

bool
EndsInComma(const MappedTrees *trees, const MappedTree *side, const DiffLine *line)
{
	int32 next = side->preorder[line->node] + side->tree.subtree_size[line->node];

	return trees->syntax == SYNTAX_JSON && line->form != LINE_OPEN && next < side->tree.size &&
		   side->tree.depth[side->postorder[next]] == side->tree.depth[line->node];
}

void
InitLineContent(LineContent *content)
{
	initStringInfo(&content->bytes);
	content->capacity = 8;
	content->piece = palloc_array(Piece, content->capacity);
}

/* Returns the number of nodes of the attribute that has a preorder number, or 0 if none has. */
static int32
AttributeSize(const MappedTree *side, int32 next, int32 end)
{
	int32 node = next < end ? side->postorder[next] : -1;

	return node >= 0 && side->kind[node] == NODE_ATTRIBUTE ? side->tree.subtree_size[node] : 0;
}

/* Appends an attribute, a value or a text that only one document has. */
static void
AppendAlone(const LineWriter *writer, const MappedTree *side, int32 node)
{
	LineWriter alone = *writer;
	PieceOf of = side == &writer->trees->a ? PIECE_OF_FIRST : PIECE_OF_SECOND;
	bool has_value = side->tree.subtree_size[node] > 1;
	bool is_attribute = side->kind[node] == NODE_ATTRIBUTE;

	alone.side = side;
	alone.other = NULL;
	BeginPiece(writer->content, of);
	if (is_attribute)
	{
		appendStringInfoChar(writer->out, ' ');
		writer->content->piece[writer->content->count - 1].is_separator = true;
		BeginPiece(writer->content, of);
	}
	AppendNodeLabel(&alone, node);
	if (is_attribute)
		appendStringInfoString(writer->out, "=\"");
	if (has_value)
		AppendNodeLabel(&alone, node - 1);
	AppendEnd(&alone, node, has_value);
	BeginPiece(writer->content, PIECE_OF_BOTH);
}

/* Appends a value or a text of each document, or of one if the other number is -1. */
static void
AppendTexts(const LineWriter *writer, int32 x, int32 y)
{
	if (x >= 0 && y >= 0 && writer->side->map[x] == y)
	{
		AppendNodeLabel(writer, x);
		return;
	}
	if (x >= 0)
		AppendAlone(writer, writer->side, x);
	if (y >= 0)
		AppendAlone(writer, writer->other, y);
}

/*
 * Appends the start tag of two elements that are partners, without its end, with the attributes
 * that either of them has.  Returns the number of nodes of each element in it.
 */
static void
AppendStartTag(const LineWriter *writer, int32 x, int32 *nodes_a, int32 *nodes_b)
{
	const MappedTree *a = writer->side;
	const MappedTree *b = writer->other;
	int32 y = a->map[x];
	int32 next_a = a->preorder[x] + 1;
	int32 next_b = b->preorder[y] + 1;
	int32 end_a = next_a - 1 + a->tree.subtree_size[x];
	int32 end_b = next_b - 1 + b->tree.subtree_size[y];

	AppendBegin(writer, x);
	for (;;)
	{
		int32 size_a = AttributeSize(a, next_a, end_a);
		int32 size_b = AttributeSize(b, next_b, end_b);
		int32 attribute_a = size_a > 0 ? a->postorder[next_a] : -1;
		int32 attribute_b = size_b > 0 ? b->postorder[next_b] : -1;

		CHECK_FOR_INTERRUPTS();
		if (size_a == 0 && size_b == 0)
			break;
		if (size_a > 0 && (size_b == 0 || a->map[attribute_a] < 0))
		{
			AppendAlone(writer, a, attribute_a);
			size_b = 0;
		}
		else if (size_a == 0 || b->map[attribute_b] < 0)
		{
			AppendAlone(writer, b, attribute_b);
			size_a = 0;
		}
		else
		{
			int32 value_a = size_a > 1 ? attribute_a - 1 : -1;
			int32 value_b = size_b > 1 ? attribute_b - 1 : -1;

			AppendBegin(writer, attribute_a);
			AppendTexts(writer, value_a, value_b);
			AppendEnd(writer, attribute_a, value_a >= 0 || value_b >= 0);
		}
		next_a += size_a;
		next_b += size_b;
	}
	*nodes_a = next_a - a->preorder[x];
	*nodes_b = next_b - b->preorder[y];
}

/* Appends a tag that only one document has. */
static void
AppendTagAlone(const LineWriter *writer, const MappedTree *side, int32 node, TagKind kind)
{
	LineWriter alone = *writer;
	DiffLine line = {.node = node, .form = kind == TAG_EMPTY ? LINE_WHOLE : LINE_OPEN};

	alone.side = side;
	alone.other = NULL;
	BeginPiece(writer->content, side == &writer->trees->a ? PIECE_OF_FIRST : PIECE_OF_SECOND);
	if (kind == TAG_END)
		AppendEnd(&alone, node, true);
	else
		AppendNodesOfLine(&alone, &line, NodesOfLine(side, node, line.form), PG_INT32_MAX);
	BeginPiece(writer->content, PIECE_OF_BOTH);
}

/* Appends the text of two elements that are partners, with the tags that either of them has. */
static void
AppendTaggedText(const LineWriter *writer, int32 x)
{
	StringInfoData text;
	Tag *tags;
	int count;
	int at = 0;

	initStringInfo(&text);
	count = ReadTaggedText(writer->trees, x, writer->side->map[x], &text, &tags);
	for (int i = 0; i < count; i++)
	{
		const Tag *tag = &tags[i];
		int32 nodes_a;
		int32 nodes_b;

		CHECK_FOR_INTERRUPTS();
		AppendLabelText(writer, writer->side, NODE_TEXT, (Label){text.data + at, tag->at - at});
		at = tag->at;
		if (tag->y < 0)
			AppendTagAlone(writer, writer->side, tag->x, tag->kind);
		else if (tag->x < 0)
			AppendTagAlone(writer, writer->other, tag->y, tag->kind);
		else if (tag->kind == TAG_END)
			AppendEnd(writer, tag->x, true);
		else
		{
			AppendStartTag(writer, tag->x, &nodes_a, &nodes_b);
			appendStringInfoString(writer->out, tag->kind == TAG_EMPTY ? "/>" : ">");
		}
	}
	AppendLabelText(writer, writer->side, NODE_TEXT, (Label){text.data + at, text.len - at});
	pfree(tags);
	pfree(text.data);
}

/* Appends the lines of two elements that are partners, with what either of them has. */
static void
AppendElements(const LineWriter *writer, const DiffLine *line)
{
	const MappedTree *a = writer->side;
	const MappedTree *b = writer->other;
	int32 x = line->node;
	int32 y = a->map[x];
	int32 nodes_a;
	int32 nodes_b;

	AppendStartTag(writer, x, &nodes_a, &nodes_b);
	if (line->form == LINE_OPEN)
		appendStringInfoChar(writer->out, '>');
	else if (IsTagged(a, x))
	{
		appendStringInfoChar(writer->out, '>');
		AppendTaggedText(writer, x);
		AppendEnd(writer, x, true);
	}
	else
	{
		int32 text_a = nodes_a < a->tree.subtree_size[x] ? NodeAfter(a, x, nodes_a) : -1;
		int32 text_b = nodes_b < b->tree.subtree_size[y] ? NodeAfter(b, y, nodes_b) : -1;

		if (text_a >= 0 || text_b >= 0)
			appendStringInfoChar(writer->out, '>');
		AppendTexts(writer, text_a, text_b);
		AppendEnd(writer, x, text_a >= 0 || text_b >= 0);
	}
}

void
ReadLineContent(const MappedTrees *trees, const MappedTree *side, const MappedTree *other,
				const DiffLine *line, LineContent *content)
{
	int32 size = side->tree.subtree_size[line->node];
	int max_bytes = line->is_plain ? PG_INT32_MAX : MAX_SUBTREE_BYTES;
	LineWriter writer = {.content = content,
						 .out = &content->bytes,
						 .trees = trees,
						 .side = side,
						 .other = other,
						 .brackets =
							 trees->syntax == SYNTAX_PLAIN && line->form == LINE_WHOLE && size > 1};

	resetStringInfo(&content->bytes);
	content->piece[0] = (Piece){.of = PIECE_OF_BOTH};
	content->count = 1;
	content->cut_nodes = 0;
	if (line->form == LINE_CLOSE)
	{
		int32 node = line->node;

		/* the value of a member is on its line */
		if (trees->syntax == SYNTAX_JSON)
			node = NodeAfter(side, node, NodesOfLine(side, node, LINE_OPEN) - 1);
		AppendEnd(&writer, node, true);
	}
	else if (other != NULL && side->kind[line->node] == NODE_ELEMENT)
		AppendElements(&writer, line);
	else if (!AppendNodesOfLine(&writer, line, NodesOfLine(side, line->node, line->form),
								max_bytes))
	{
		content->bytes.len = pg_mbcliplen(content->bytes.data, content->bytes.len, max_bytes);
		content->bytes.data[content->bytes.len] = '\0';
		content->cut_nodes = size;
	}
}

bool
TakeJsonLine(Label *rest, Label *line)
{
	int length = 0;
	bool ends = false;

	while (!ends && length < rest->length)
	{
		CHECK_FOR_INTERRUPTS();
		ends = IsLineEnd(*rest, length);
		length += rest->bytes[length] == '\\' ? LINE_END_BYTES : 1;
	}
	length = Min(length, rest->length);
	*line = (Label){rest->bytes, length};
	*rest = (Label){rest->bytes + length, rest->length - length};
	return ends;
}

bool
HasLines(const LineContent *content)
{
	Label rest = {content->bytes.data, content->bytes.len};
	Label line;
	int lines = 1;

	while (lines < LEAST_LINES && TakeJsonLine(&rest, &line))
		lines++;
	return lines == LEAST_LINES;
}

void
DivideLines(const LineContent *content, char row_mark, StringLines *lines)
{
	const char marks[] = {row_mark == '~' ? ' ' : row_mark, '-', '+'};
	bool has_ended = true;

	*lines = (StringLines){.content = {.bytes = content->bytes}};
	for (int i = 0; i < content->count; i++)
	{
		Piece piece = content->piece[i];
		Label rest = BytesOfPiece(content, i);
		Label bytes;

		for (; rest.length > 0; piece.start += bytes.length)
		{
			LineContent *divided = &lines->content;
			StringLine *last;

			RESERVE(CurrentMemoryContext, lines->line, lines->capacity, lines->count + 1);
			RESERVE(CurrentMemoryContext, divided->piece, divided->capacity, divided->count + 1);
			if (has_ended)
				lines->line[lines->count++] =
					(StringLine){.mark = marks[piece.of], .piece = divided->count};
			last = &lines->line[lines->count - 1];
			if (last->mark != marks[piece.of])
				last->mark = '~';
			last->count++;
			divided->piece[divided->count++] = piece;
			has_ended = TakeJsonLine(&rest, &bytes);
		}
	}
}

/* Frees the lines of a string. */
void
FreeLines(StringLines *lines)
{
	pfree(lines->line);
	pfree(lines->content.piece);
}

LineContent
ContentOfLine(const StringLines *lines, int line)
{
	LineContent content = lines->content;
	int next = lines->line[line].piece + lines->line[line].count;

	if (next < content.count)
		content.bytes.len = content.piece[next].start;
	content.piece += lines->line[line].piece;
	content.count = lines->line[line].count;
	return content;
}

int
HiddenLines(const StringLines *lines, int line)
{
	int hidden = 0;

	for (int i = line; i > 0 && i < lines->count - 1 && lines->line[i - 1].mark == ' ' &&
					   lines->line[i].mark == ' ' && lines->line[i + 1].mark == ' ';
		 i++)
		hidden++;
	return hidden > 1 ? hidden : 0;
}

/* Returns the number of characters of a text. */
static int32
CountCharacters(Label text)
{
	int32 count = 0;

	for (int32 at = 0; at < text.length; at = EndOfCharacter(text, at))
	{
		CHECK_FOR_INTERRUPTS();
		count++;
	}
	return count;
}

/* Returns the place after some characters of a text. */
static int32
AfterCharacters(Label text, int32 at, int32 characters)
{
	while (characters-- > 0)
	{
		CHECK_FOR_INTERRUPTS();
		at = EndOfCharacter(text, at);
	}
	return at;
}

void
FoldPieces(LineContent *content, int shown)
{
	int count = content->count;
	Piece *pieces = palloc_array(Piece, count);

	memcpy(pieces, content->piece, sizeof(Piece) * (Size) count);
	content->count = 0;
	for (int i = 0; i < count; i++)
	{
		int end = i + 1 < count ? pieces[i + 1].start : content->bytes.len;
		Label bytes = {content->bytes.data + pieces[i].start, end - pieces[i].start};
		int32 characters = pieces[i].of == PIECE_OF_BOTH && bytes.length > LEAST_FOLDED * shown
							   ? CountCharacters(bytes)
							   : 0;

		RESERVE(CurrentMemoryContext, content->piece, content->capacity, content->count + 3);
		content->piece[content->count++] = pieces[i];
		if (characters > LEAST_FOLDED * shown)
		{
			int32 folded = characters - 2 * shown;
			int32 from = AfterCharacters(bytes, 0, shown);
			int32 to = AfterCharacters(bytes, from, folded);

			content->piece[content->count++] =
				(Piece){.start = pieces[i].start + from, .of = PIECE_OF_BOTH, .folded = folded};
			content->piece[content->count++] =
				(Piece){.start = pieces[i].start + to, .of = PIECE_OF_BOTH};
		}
	}
	pfree(pieces);
}

Label
BytesOfPiece(const LineContent *content, int piece)
{
	int start = content->piece[piece].start;
	int end = piece + 1 < content->count ? content->piece[piece + 1].start : content->bytes.len;

	return (Label){content->bytes.data + start, end - start};
}
