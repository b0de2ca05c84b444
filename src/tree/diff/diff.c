/*
 * diff.c
 *	  The differences of two documents, row by row.
 *
 * The lines of both documents are merged: lines of the first one only come before lines of
 * the second one only.  Of consecutive unchanged lines, only the first and the last one are
 * written, with a fold for those in between.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../costs/cost_type.h"
#include "../convert/convert.h"
#include "diff.h"
#include "references.h"
#include "tagged_text.h"

/* Passes a row to the writer. */
static void
WriteRow(DiffWriter *writer, char mark, const DiffLine *before, const DiffLine *after)
{
	CHECK_FOR_INTERRUPTS();
	writer->row(writer, &(DiffRow){.mark = mark, .before = before, .after = after});
}

/*
 * Passes consecutive unchanged lines to the writer, which are the lines `from` to `to` - 1
 * of the second document, all of form LINE_WHOLE.
 */
static void
WriteUnchanged(const Diff *diff, DiffWriter *writer, int32 from, int32 to)
{
	const DiffLine *after = diff->b.line;
	const DiffLine *before = diff->a.line + (after[from].partner - from);
	int32 first = from;
	int32 last = to;
	int32 nodes = 0;

	if (first < last && after[first].is_plain)
	{
		WriteRow(writer, ' ', &before[first], &after[first]);
		first++;
	}
	if (first < last && after[last - 1].is_plain)
		last--;
	if (last - first == 1 && after[first].is_plain)
	{
		WriteRow(writer, ' ', &before[first], &after[first]);
		first++;
	}
	for (int32 i = first; i < last; i++)
		nodes += diff->trees.b.tree.subtree_size[after[i].node];
	if (nodes > 0)
		writer->fold(writer, &(DiffFold){.before = &before[first],
										 .after = &after[first],
										 .lines = last - first,
										 .nodes = nodes});
	if (last < to)
		WriteRow(writer, ' ', &before[last], &after[last]);
}

/* Whether all nodes that begin or end on a line are deleted or inserted at no cost. */
static bool
IsFreeLine(const MappedTree *side, const DiffLine *line)
{
	LineForm form = line->form == LINE_CLOSE ? LINE_OPEN : line->form;
	int32 nodes = NodesOfLine(side, line->node, form);

	for (int32 k = 0; k < nodes; k++)
		if (!IsFree(side, NodeAfter(side, line->node, k)))
			return false;
	return true;
}

/*
 * Passes a line of one document only to the writer.  A line that costs nothing is passed
 * only if ignored nodes are shown.
 */
static void
WriteLine(const Diff *diff, DiffWriter *writer, const MappedTree *side, const DiffLine *line)
{
	bool is_first = side == &diff->trees.a;
	bool is_free = (diff->shows_ignored && line->is_free) || IsFreeLine(side, line);

	if (!is_free || diff->shows_ignored)
		WriteRow(writer,
				 is_free    ? '.'
				 : is_first ? '-'
							: '+',
				 is_first ? line : NULL, is_first ? NULL : line);
}

/* Whether a line of the second document and its partner are equal whole subtrees. */
static bool
IsUnchangedWhole(const Diff *diff, int32 j)
{
	const DiffLine *line = &diff->b.line[j];
	const DiffLine *partner = &diff->a.line[line->partner];

	return line->form == LINE_WHOLE && partner->form == LINE_WHOLE && !partner->is_renamed;
}

void
WalkDiff(Diff *diff, DiffWriter *writer)
{
	const DiffLines *a = &diff->a;
	const DiffLines *b = &diff->b;
	int32 i = 0;
	int32 j = 0;

	CheckMemoryLimit(DiffLinesMemory(&diff->trees), DIFFERENCES);
	FindDiffLines(&diff->trees, &diff->a, &diff->b);
	while (i < a->count || j < b->count)
	{
		if (i < a->count && a->line[i].partner < 0)
			WriteLine(diff, writer, a->side, &a->line[i++]);
		else if (j < b->count && b->line[j].partner < 0)
			WriteLine(diff, writer, b->side, &b->line[j++]);
		else if (IsUnchangedWhole(diff, j))
		{
			int32 from = j;

			while (i < a->count && a->line[i].partner == j &&
				   b->line[j].depth == b->line[from].depth && IsUnchangedWhole(diff, j))
			{
				CHECK_FOR_INTERRUPTS();
				i++;
				j++;
			}
			WriteUnchanged(diff, writer, from, j);
		}
		else
		{
			WriteRow(writer,
					 !a->line[i].is_renamed ? ' '
					 : a->line[i].is_free   ? '.'
											: '~',
					 &a->line[i], &b->line[j]);
			i++;
			j++;
		}
	}
}

void
ReadRow(const Diff *diff, const DiffRow *row, LineContent *content)
{
	const MappedTrees *trees = &diff->trees;

	if (row->mark != ' ' && row->before != NULL && row->after != NULL)
		ReadLineContent(trees, &trees->a, &trees->b, row->before, content);
	else if (row->after != NULL)
		ReadLineContent(trees, &trees->b, NULL, row->after, content);
	else
		ReadLineContent(trees, &trees->a, NULL, row->before, content);
}

void
ReadFoldedRow(const Diff *diff, const DiffRow *row, int shown, LineContent *content)
{
	ReadRow(diff, row, content);
	if (row->before != NULL && row->after != NULL)
		FoldPieces(content, shown);
}

bool
IsWrittenByLines(const Diff *diff, const DiffRow *row, const LineContent *content)
{
	const DiffLine *line = row->after != NULL ? row->after : row->before;

	return strchr("~-+", row->mark) != NULL && diff->trees.syntax == SYNTAX_JSON &&
		   line->is_plain && HasLines(content);
}

/* Replaces the first document by the second one; their distance is 0. */
static void
ShowSecondOnly(MappedTrees *trees)
{
	trees->a = trees->b;
	for (int32 y = 0; y < trees->b.tree.size; y++)
	{
		CHECK_FOR_INTERRUPTS();
		trees->b.map[y] = y;
		trees->b.mapped[y + 1] = trees->b.kept[y + 1] = y + 1;
	}
}

void
FindDiffMoves(Diff *diff)
{
	Size nodes = (Size) diff->trees.a.tree.size + diff->trees.b.tree.size;

	CheckMemoryLimit(sizeof(int32) * nodes, DIFFERENCES);
	diff->moved_a = palloc_array(int32, diff->trees.a.tree.size);
	diff->moved_b = palloc_array(int32, diff->trees.b.tree.size);
	diff->moves = FindMovedSubtrees(&diff->trees, diff->moved_a, diff->moved_b, DIFFERENCES);
	if (diff->trees.syntax == SYNTAX_XML && !diff->is_empty)
		FindTaggedTexts(&diff->trees, diff->moved_a, diff->moved_b, DIFFERENCES);
}

/* Returns the differences of two trees in a syntax, by the costs in the third argument. */
static Diff *
MakeDiff(FunctionCallInfo fcinfo, const Tree *a, const Tree *b, TreeSyntax syntax, int parts)
{
	Diff *diff = palloc0_object(Diff);
	OperationCounts counts;

	diff->shows_ignored = (parts & DIFF_IGNORED) != 0;
	diff->trees.syntax = syntax;
	MapValues(&diff->trees, a, b,
			  syntax == SYNTAX_JSON  ? ArgumentJsonModelUnlessUnit(fcinfo, 2)
			  : syntax == SYNTAX_XML ? ArgumentXmlModelUnlessUnit(fcinfo, 2)
									 : ArgumentModelUnlessUnit(fcinfo, 2),
			  syntax == SYNTAX_PLAIN ? MAPPING_FITTING : MAPPING_BY_NAME, DIFFERENCES);
	counts = CountOperations(&diff->trees);
	diff->is_empty = counts.deleted + counts.inserted + counts.renamed == 0;
	if (!diff->shows_ignored)
		LeaveOutFreeSubtrees(&diff->trees);
	FindDiffMoves(diff);
	if (parts & DIFF_SUMMARY)
		diff->summary = SummarizeDiff(diff);
	if (diff->shows_ignored)
		PairIgnoredNodes(&diff->trees);
	else if (diff->is_empty)
		ShowSecondOnly(&diff->trees);
	return diff;
}

/* Returns the differences of two trees.  Trees of HTML pages are written as HTML. */
Diff *
DiffOfTrees(FunctionCallInfo fcinfo, int parts)
{
	const Tree *a = PG_GETARG_TREE(0);
	const Tree *b = PG_GETARG_TREE(1);
	const Tree *page_a = MarkedHtmlTree(a);
	const Tree *page_b = page_a == NULL ? NULL : MarkedHtmlTree(b);

	if (page_b != NULL)
	{
		Diff *diff = MakeDiff(fcinfo, page_a, page_b, SYNTAX_XML, parts);

		diff->trees.a.references = FindReferences((Label){"", 0}, DIFFERENCES);
		diff->trees.b.references = diff->trees.a.references;
		return diff;
	}
	return MakeDiff(fcinfo, a, b, SYNTAX_PLAIN, parts);
}

/* Returns the differences of two XML documents. */
Diff *
DiffOfXml(FunctionCallInfo fcinfo, int parts)
{
	Diff *diff = MakeDiff(fcinfo, MarkedXmlTree(PG_GETARG_DATUM(0)),
						  MarkedXmlTree(PG_GETARG_DATUM(1)), SYNTAX_XML, parts);

	diff->trees.a.references = FindReferences(TextLabel(PG_GETARG_DATUM(0)), DIFFERENCES);
	diff->trees.b.references = FindReferences(TextLabel(PG_GETARG_DATUM(1)), DIFFERENCES);
	return diff;
}

/* Returns the differences of two arguments after converting them from JSON. */
static Diff *
DiffOfConverted(FunctionCallInfo fcinfo, PGFunction convert, int parts)
{
	Datum a = DirectFunctionCall1(convert, PG_GETARG_DATUM(0));
	Datum b = DirectFunctionCall1(convert, PG_GETARG_DATUM(1));

	return MakeDiff(fcinfo, DatumGetTree(a), DatumGetTree(b), SYNTAX_JSON, parts);
}

/* Returns the differences of two json values. */
Diff *
DiffOfJson(FunctionCallInfo fcinfo, int parts)
{
	return DiffOfConverted(fcinfo, json_tree, parts);
}

/* Returns the differences of two jsonb values. */
Diff *
DiffOfJsonb(FunctionCallInfo fcinfo, int parts)
{
	return DiffOfConverted(fcinfo, jsonb_tree, parts);
}
