/*
 * diff_lines.c
 *	  The lines of two documents, and the pairs of lines that correspond to each other.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../compat.h"
#include "diff_lines.h"
#include "tagged_text.h"

int32
NodesOfLine(const MappedTree *side, int32 node, LineForm form)
{
	int32 first = side->preorder[node];
	int32 end = first + side->tree.subtree_size[node];
	int32 next = first + 1;

	if (form == LINE_WHOLE)
		return end - first;
	switch (side->kind[node])
	{
		case NODE_MEMBER:
			return Min(2, end - first);
		case NODE_ELEMENT:
			while (next < end && side->kind[side->postorder[next]] == NODE_ATTRIBUTE)
				next += side->tree.subtree_size[side->postorder[next]];
			return next - first;
		default:
			return 1;
	}
}

/* Whether all nodes of a subtree fit on the line of its first nodes. */
static bool
FitsOneLine(const MappedTree *side, int32 node)
{
	int32 size = side->tree.subtree_size[node];
	int32 nodes = NodesOfLine(side, node, LINE_OPEN);

	return nodes == size ||
		   (nodes + 1 == size && side->kind[NodeAfter(side, node, nodes)] == NODE_TEXT);
}

/* The state of a search for lines. */
typedef struct LineSearch
{
	const MappedTrees *trees;
	const MappedTree *other; /* the other document; NULL if whole subtrees are not one line */
	DiffLines *lines;
	int32 *open;  /* by depth: first node of each open line */
	int32 depth;  /* number of open lines */
	int32 around; /* number of lines open around the subtree */
} LineSearch;

/*
 * Whether the partner of a node fits on one line, too.  An element of XML is one line only if
 * its partner is, so that the lines of both are partners.
 */
static bool
PartnerFits(const LineSearch *search, int32 node)
{
	int32 partner = search->lines->side->map[node];

	return search->trees->syntax != SYNTAX_XML || search->other == NULL || partner < 0 ||
		   FitsOneLine(search->other, partner);
}

/* Adds a line. */
static void
AddLine(LineSearch *search, int32 node, LineForm form, bool is_plain)
{
	search->lines->line[search->lines->count++] =
		(DiffLine){.node = node,
				   .depth = search->around + search->depth,
				   .form = form,
				   .is_plain = is_plain,
				   .partner = -1};
}

/* Closes the lines that end before the node with preorder number `next`. */
static void
CloseLines(LineSearch *search, int32 next)
{
	const MappedTree *side = search->lines->side;

	while (search->depth > 0)
	{
		int32 node = search->open[search->depth - 1];

		if (next < side->preorder[node] + side->tree.subtree_size[node])
			return;
		search->depth--;
		if (search->trees->syntax != SYNTAX_PLAIN)
			AddLine(search, node, LINE_CLOSE, true);
	}
}

/* Whether a node of the other document is the value of a member, and so on the member's line. */
static bool
IsValueOfMember(const LineSearch *search, int32 node)
{
	const MappedTree *other = search->other;
	int32 before = other->preorder[node] - 1;

	return before >= 0 && other->kind[other->postorder[before]] == NODE_MEMBER;
}

/* Whether a subtree is one line because it has no partners or is unchanged. */
static bool
IsOneLine(const LineSearch *search, int32 node)
{
	const MappedTree *side = search->lines->side;

	return search->other != NULL &&
		   (IsUnmapped(side, node) ||
			(IsUnchanged(side, search->other, node) && !IsValueOfMember(search, side->map[node])));
}

/* Finds the lines of a subtree. */
static void
FindLines(LineSearch *search, int32 root)
{
	const MappedTree *side = search->lines->side;
	int32 size = side->tree.subtree_size[root];
	int32 end = side->preorder[root] + size;
	bool is_text = search->trees->syntax == SYNTAX_TEXT && root == side->tree.size - 1;
	int32 next = end - size + is_text;

	search->lines->line = palloc_extended(sizeof(DiffLine) * 2 * (Size) size, MCXT_ALLOC_HUGE);
	search->open = palloc_array(int32, size);
	while (next < end)
	{
		int32 node = side->postorder[next];
		bool fits = IsTagged(side, node) || (FitsOneLine(side, node) && PartnerFits(search, node));

		CHECK_FOR_INTERRUPTS();
		CloseLines(search, next);
		if (fits || IsOneLine(search, node))
		{
			AddLine(search, node, LINE_WHOLE, fits);
			next += side->tree.subtree_size[node];
		}
		else
		{
			AddLine(search, node, LINE_OPEN, true);
			search->open[search->depth++] = node;
			next += NodesOfLine(side, node, LINE_OPEN);
		}
	}
	CloseLines(search, end);
	pfree(search->open);
}

/* Finds the lines of a tree that is compared with another tree. */
static void
FindComparedLines(const MappedTrees *trees, const MappedTree *side, const MappedTree *other,
				  DiffLines *lines)
{
	LineSearch search = {.trees = trees, .other = other, .lines = lines};

	*lines = (DiffLines){.side = side};
	FindLines(&search, side->tree.size - 1);
}

void
FindLinesOfLine(const MappedTrees *trees, const MappedTree *side, const DiffLine *line,
				DiffLines *lines)
{
	LineSearch search = {.trees = trees, .lines = lines, .around = line->depth};

	*lines = (DiffLines){.side = side};
	FindLines(&search, line->node);
}

/* Whether two nodes look the same except for their labels. */
static bool
AreAlike(const MappedTrees *trees, int32 x, int32 y)
{
	bool container = trees->a.kind[x] == NODE_OBJECT || trees->a.kind[x] == NODE_ARRAY;

	return trees->a.kind[x] == trees->b.kind[y] &&
		   (!container ||
			(trees->a.tree.subtree_size[x] > 1) == (trees->b.tree.subtree_size[y] > 1));
}

/* How the nodes of two lines correspond. */
typedef enum LineMatch
{
	LINES_DIFFER,
	LINES_BUT_FOR_FREE_NODES, /* free nodes are deleted or inserted; nothing else has a cost */
	LINES_RENAMED,
	LINES_RENAMED_FREELY,
	LINES_EQUAL
} LineMatch;

/* What differs between two lines of XML. */
typedef struct LineDifference
{
	bool any;
	bool paid; /* at a cost */
} LineDifference;

/* Adds what differs in a line of one document from the partners' line of the other one. */
static void
AddDifferences(LineDifference *difference, const MappedTree *side, const DiffLine *line,
			   int32 nodes, const MappedTree *other, const DiffLine *partner, int32 partners)
{
	for (int32 k = 0; k < nodes; k++)
	{
		int32 x = NodeAfter(side, line->node, k);
		int32 place =
			side->map[x] < 0 ? -1 : other->preorder[side->map[x]] - other->preorder[partner->node];
		bool is_in_both = place >= 0 && place < partners;

		CHECK_FOR_INTERRUPTS();
		if (is_in_both && KeepsLabel(side, x))
			continue;
		difference->any = true;
		difference->paid |= is_in_both ? side->paid[x + 1] > side->paid[x] : !IsFree(side, x);
	}
}

/*
 * Compares the nodes of two lines of XML.  Their first nodes are partners; attributes and a
 * text may be in one of them only.
 */
static LineMatch
MatchLinesOfXml(const MappedTrees *trees, const DiffLine *line, const DiffLine *partner)
{
	const MappedTree *a = &trees->a;
	const MappedTree *b = &trees->b;
	int32 nodes_a = NodesOfLine(a, line->node, line->form);
	int32 nodes_b = NodesOfLine(b, partner->node, partner->form);
	LineDifference difference = {0};

	AddDifferences(&difference, a, line, nodes_a, b, partner, nodes_b);
	AddDifferences(&difference, b, partner, nodes_b, a, line, nodes_a);
	if (!difference.any)
		return LINES_EQUAL;
	return difference.paid ? LINES_RENAMED : LINES_RENAMED_FREELY;
}

/* Compares the nodes of two lines of a plain tree, of JSON or of text. */
static LineMatch
MatchLines(const MappedTrees *trees, const DiffLine *line, const DiffLine *partner)
{
	const MappedTree *a = &trees->a;
	const MappedTree *b = &trees->b;
	int32 next_a = a->preorder[line->node];
	int32 next_b = b->preorder[partner->node];
	int32 end_a = next_a + NodesOfLine(a, line->node, line->form);
	int32 end_b = next_b + NodesOfLine(b, partner->node, partner->form);
	bool renamed = false;
	bool paid = false;
	bool free = false;

	if (trees->syntax != SYNTAX_PLAIN && line->form != partner->form)
		return LINES_DIFFER;
	for (;; next_a++, next_b++)
	{
		int32 x;
		int32 y;

		CHECK_FOR_INTERRUPTS();
		for (; next_a < end_a && IsFree(a, a->postorder[next_a]); next_a++)
			free = true;
		for (; next_b < end_b && IsFree(b, b->postorder[next_b]); next_b++)
			free = true;
		if (next_a == end_a && next_b == end_b)
			break;
		if (next_a == end_a || next_b == end_b)
			return LINES_DIFFER;
		x = a->postorder[next_a];
		y = b->postorder[next_b];
		if (a->map[x] != y || !AreAlike(trees, x, y))
			return LINES_DIFFER;
		renamed |= !KeepsLabel(a, x);
		paid |= a->paid[x + 1] > a->paid[x];
	}
	if (free)
		return paid ? LINES_DIFFER : LINES_BUT_FOR_FREE_NODES;
	if (!renamed)
		return LINES_EQUAL;
	return paid ? LINES_RENAMED : LINES_RENAMED_FREELY;
}

/* Marks the lines of a subtree, from its first line on, as free. */
static void
SetFree(DiffLines *lines, int32 first)
{
	int32 root = lines->line[first].node;

	for (int32 i = first; i < lines->count && InSubtree(lines->side, lines->line[i].node, root);
		 i++)
	{
		CHECK_FOR_INTERRUPTS();
		lines->line[i].is_free = true;
	}
}

/*
 * Makes two lines partners if all their nodes are partners; their first nodes are.  If they
 * differ only at no cost, marks them as free.
 */
static void
PairLines(const MappedTrees *trees, DiffLines *a, DiffLines *b, int32 i, int32 j)
{
	DiffLine *line = &a->line[i];
	DiffLine *partner = &b->line[j];
	LineMatch match = trees->syntax == SYNTAX_XML ? MatchLinesOfXml(trees, line, partner)
												  : MatchLines(trees, line, partner);

	if (match == LINES_BUT_FOR_FREE_NODES)
		line->is_free = partner->is_free = true;
	else if (match == LINES_DIFFER)
	{
		if (!(line->is_free && partner->is_free) && CostsNothing(trees, line->node, partner->node))
		{
			SetFree(a, i);
			SetFree(b, j);
		}
	}
	else
	{
		line->is_renamed = match != LINES_EQUAL;
		line->is_free = match == LINES_RENAMED_FREELY;
		line->partner = j;
		partner->partner = i;
	}
}

/* Pairs the LINE_CLOSE lines of partners; in JSON, only if their LINE_OPEN lines are partners. */
static void
PairEnds(const MappedTrees *trees, DiffLines *a, DiffLines *b, const int32 *begin_of_a,
		 const int32 *end_of_b)
{
	for (int32 i = 0; i < a->count; i++)
	{
		DiffLine *end = &a->line[i];
		const DiffLine *begin = &a->line[begin_of_a[end->node]];
		int32 partner = trees->a.map[end->node];

		CHECK_FOR_INTERRUPTS();
		if (end->form != LINE_CLOSE || partner < 0 || end_of_b[partner] < 0)
			continue;
		if (trees->syntax == SYNTAX_JSON && begin->partner < 0)
		{
			end->is_free = b->line[end_of_b[partner]].is_free = begin->is_free;
			continue;
		}
		end->partner = end_of_b[partner];
		end->is_renamed = trees->syntax == SYNTAX_XML && !KeepsLabel(&trees->a, end->node);
		b->line[end->partner].partner = i;
	}
}

/* Sets the lines that each node begins and ends, or -1. */
static void
IndexLines(const DiffLines *lines, int32 *begin, int32 *end)
{
	Size bytes = sizeof(int32) * (Size) lines->side->tree.size;

	memset(begin, -1, bytes);
	memset(end, -1, bytes);
	for (int32 i = 0; i < lines->count; i++)
	{
		int32 *line = lines->line[i].form == LINE_CLOSE ? end : begin;

		line[lines->line[i].node] = i;
		CHECK_FOR_INTERRUPTS();
	}
}

Size
DiffLinesMemory(const MappedTrees *trees)
{
	Size nodes = (Size) trees->a.tree.size + trees->b.tree.size;

	return nodes * (2 * sizeof(DiffLine) + 3 * sizeof(int32));
}

void
FindDiffLines(const MappedTrees *trees, DiffLines *a, DiffLines *b)
{
	int32 *begin_of_a = palloc_array(int32, trees->a.tree.size);
	int32 *end_of_a = palloc_array(int32, trees->a.tree.size);
	int32 *begin_of_b = palloc_array(int32, trees->b.tree.size);
	int32 *end_of_b = palloc_array(int32, trees->b.tree.size);

	FindComparedLines(trees, &trees->a, &trees->b, a);
	FindComparedLines(trees, &trees->b, &trees->a, b);
	IndexLines(a, begin_of_a, end_of_a);
	IndexLines(b, begin_of_b, end_of_b);
	for (int32 i = 0; i < a->count; i++)
	{
		int32 partner = trees->a.map[a->line[i].node];

		if (a->line[i].form != LINE_CLOSE && partner >= 0 && begin_of_b[partner] >= 0)
			PairLines(trees, a, b, i, begin_of_b[partner]);
		CHECK_FOR_INTERRUPTS();
	}
	PairEnds(trees, a, b, begin_of_a, end_of_b);
	pfree(begin_of_a);
	pfree(end_of_a);
	pfree(begin_of_b);
	pfree(end_of_b);
}
