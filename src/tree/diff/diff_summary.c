/*
 * diff_summary.c
 *	  The SQL function tree_diff_summary(): the number of differing parts of two
 *	  documents, as a sentence.
 *
 * A subtree of one document only counts once, by its root.  A value that replaces another
 * one counts as changed, however the nodes below are mapped.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "diff.h"
#include "tagged_text.h"

/* The parts of documents. */
typedef enum PartKind
{
	PART_VALUE,
	PART_MEMBER,
	PART_ELEMENT,
	PART_ATTRIBUTE,
	PART_TEXT,
	PART_NODE,
	PART_SUBTREE,
	PART_LINE,
	PART_KINDS
} PartKind;

static const char *const part_names[] = {"value", "member", "element", "attribute",
										 "text",  "node",   "subtree", "line"};

/* The ways in which parts change. */
typedef enum PartChange
{
	PART_CHANGED,
	PART_ADDED,
	PART_REMOVED,
	PART_RENAMED,
	PART_MOVED,
	PART_CHANGES
} PartChange;

static const char *const change_names[] = {"changed", "added", "removed", "renamed", "moved"};

/* The numbers of parts that differ. */
typedef struct PartCounts
{
	const Diff *diff;
	int32 count[PART_CHANGES][PART_KINDS];
} PartCounts;

/* Returns the kind of part that a node begins. */
static PartKind
PartOf(const Diff *diff, const MappedTree *side, int32 node)
{
	int32 parent = side->parent[node];

	switch (side->kind[node])
	{
		case NODE_PLAIN:
			if (diff->trees.syntax == SYNTAX_TEXT)
				return PART_LINE;
			return IsUnmapped(side, node) && side->tree.subtree_size[node] > 1 ? PART_SUBTREE
																			   : PART_NODE;
		case NODE_MEMBER:
			return PART_MEMBER;
		case NODE_OBJECT:
		case NODE_ARRAY:
		case NODE_LITERAL:
			return parent >= 0 && side->kind[parent] == NODE_ARRAY ? PART_ELEMENT : PART_VALUE;
		case NODE_ELEMENT:
			return PART_ELEMENT;
		case NODE_ATTRIBUTE:
			return PART_ATTRIBUTE;
		case NODE_VALUE:
			return PART_VALUE;
		case NODE_TEXT:
			return PART_TEXT;
		default:
			return PART_NODE;
	}
}

/* Whether a node is a text that stays the same, though it is divided by other tags. */
static bool
IsTextOfTagged(const MappedTree *side, int32 node)
{
	return IsTagged(side, node) && side->kind[node] == NODE_TEXT;
}

/*
 * Whether a node is deleted or inserted at a cost, and neither in a larger such subtree nor
 * moved.
 */
static bool
IsPartAlone(const MappedTree *side, const int32 *moved, int32 node)
{
	int32 parent = side->parent[node];

	return side->map[node] < 0 && !IsFree(side, node) && moved[node] == 0 &&
		   (parent < 0 || side->map[parent] >= 0 || IsFree(side, parent));
}

/* Counts a changed value.  A changed value of an attribute counts as a changed attribute. */
static void
CountChange(PartCounts *counts, PartKind part)
{
	if (part == PART_VALUE && counts->diff->trees.syntax == SYNTAX_XML)
		part = PART_ATTRIBUTE;
	counts->count[PART_CHANGED][part]++;
}

/* Counts a node whose partner has another label. */
static void
CountRename(PartCounts *counts, int32 x, int32 y)
{
	const Diff *diff = counts->diff;
	PartKind before = PartOf(diff, &diff->trees.a, x);
	PartKind after = PartOf(diff, &diff->trees.b, y);
	bool is_json = diff->trees.syntax == SYNTAX_JSON;

	if (is_json && before != PART_MEMBER && after != PART_MEMBER)
		CountChange(counts, PART_VALUE);
	else if (before != after)
	{
		counts->count[PART_REMOVED][before]++;
		counts->count[PART_ADDED][after]++;
	}
	else if (before == PART_VALUE || before == PART_TEXT || before == PART_LINE)
		CountChange(counts, before);
	else
		counts->count[PART_RENAMED][before]++;
}

/* Counts the nodes of the first document that are deleted, renamed or moved. */
static void
CountFirst(PartCounts *counts)
{
	const Diff *diff = counts->diff;
	const MappedTree *side = &diff->trees.a;

	for (int32 x = 0; x < side->tree.size; x++)
	{
		CHECK_FOR_INTERRUPTS();
		if (IsTextOfTagged(side, x))
			continue;
		if (side->map[x] >= 0 && !KeepsLabel(side, x))
			CountRename(counts, x, side->map[x]);
		else if (diff->moved_a[x] > 0)
			counts->count[PART_MOVED][PartOf(diff, side, x)]++;
		else if (IsPartAlone(side, diff->moved_a, x))
		{
			PartKind part = PartOf(diff, side, x);

			if (part == PART_VALUE)
				CountChange(counts, part);
			else
				counts->count[PART_REMOVED][part]++;
		}
	}
}

/* Whether a node of the second document replaces a value that has been counted. */
static bool
ReplacesValue(const PartCounts *counts, int32 y)
{
	const MappedTree *a = &counts->diff->trees.a;
	int32 parent = counts->diff->trees.b.parent[y];
	int32 before = parent < 0 ? a->tree.size : counts->diff->trees.b.map[parent];

	return before > 0 && IsPartAlone(a, counts->diff->moved_a, before - 1) &&
		   (parent < 0 || a->parent[before - 1] == before);
}

/* Counts the nodes of the second document that are inserted. */
static void
CountSecond(PartCounts *counts)
{
	const Diff *diff = counts->diff;
	const MappedTree *side = &diff->trees.b;

	for (int32 y = 0; y < side->tree.size; y++)
	{
		PartKind part;

		CHECK_FOR_INTERRUPTS();
		if (!IsPartAlone(side, diff->moved_b, y) || IsTextOfTagged(side, y))
			continue;
		part = PartOf(diff, side, y);
		if (part != PART_VALUE)
			counts->count[PART_ADDED][part]++;
		else if (!ReplacesValue(counts, y))
			CountChange(counts, part);
	}
}

char *
SummarizeDiff(Diff *diff)
{
	PartCounts counts = {.diff = diff};
	StringInfoData out;

	IndexTrees(&diff->trees, DIFFERENCES);
	CountFirst(&counts);
	CountSecond(&counts);

	initStringInfo(&out);
	for (int change = 0; change < PART_CHANGES; change++)
		for (int part = 0; part < PART_KINDS; part++)
		{
			int32 count = counts.count[change][part];

			if (count > 0)
				appendStringInfo(&out, "%s%d %s%s %s", out.len > 0 ? ", " : "", count,
								 part_names[part], count == 1 ? "" : "s", change_names[change]);
		}
	if (out.len == 0)
		appendStringInfoString(&out, "no differences");
	if (!diff->trees.is_optimal)
		appendStringInfoString(&out, ", by an approximate mapping");
	return out.data;
}

/* Returns the summary of the differences of the arguments of an SQL function. */
static text *
WriteSummary(FunctionCallInfo fcinfo, DiffOfArguments *differences)
{
	return cstring_to_text(differences(fcinfo, DIFF_SUMMARY)->summary);
}

DIFF_FUNCTION(tree_diff_summary, DiffOfTrees, WriteSummary);
DIFF_FUNCTION(tree_diff_summary_xml, DiffOfXml, WriteSummary);
DIFF_FUNCTION(tree_diff_summary_json, DiffOfJson, WriteSummary);
DIFF_FUNCTION(tree_diff_summary_jsonb, DiffOfJsonb, WriteSummary);
