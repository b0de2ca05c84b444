/*
 * tree_svg.c
 *	  The SQL function tree_svg(): a tree as a picture in SVG.
 *
 * The root is on the left, and nodes of the same depth begin at the same x.  Each leaf has
 * a row of its own, and an inner node is in the middle of its children, so labels do not
 * overlap.  Of a large tree, the nodes nearest to the root are shown.  Children that are
 * not shown are represented by the number of nodes.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "markup.h"
#include "../value/tree.h"

/* The most nodes of a picture, which browsers show without delay. */
#define MAX_SHOWN_NODES 5000

/* Sizes in pixels: height of a row, width of a character, space between columns, margin. */
#define ROW_HEIGHT 20
#define CHARACTER_WIDTH 8
#define GAP 32
#define MARGIN 8

/* The most characters of a label, and of a number of nodes. */
#define MAX_CHARACTERS 32
#define COUNT_CHARACTERS 18

static const char picture_style[] =
	"<style>"
	".ted-tree { --back: #fff; --text: #1f2328; --dim: #59636e; --line: #b4bcc6;"
	" background: var(--back) } "
	"@media (prefers-color-scheme: dark) { .ted-tree { --back: #0d1117; --text: #e6edf3;"
	" --dim: #9198a1; --line: #4b535d } } "
	".ted-tree text { fill: var(--text); white-space: pre;"
	" font: 13px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace } "
	".ted-tree .back { fill: var(--back) } "
	".ted-tree .n { fill: var(--dim) } "
	".ted-tree path { fill: none; stroke: var(--line) }"
	"</style>\n";

/* The nodes of one depth; y and `descendant` concern the children of the next parent. */
typedef struct Level
{
	int32 count;      /* number of nodes; later, of nodes visited so far */
	int32 shown;      /* the first nodes that are shown */
	int characters;   /* characters of the widest label */
	int32 x;          /* x of the labels */
	int32 first;      /* y of the first child */
	int32 last;       /* y of the last child; 0 without a child */
	int32 descendant; /* nodes in the subtrees of the children */
} Level;

/* The state of writing a picture. */
typedef struct TreePicture
{
	const TedTree *tree;
	const LabelTable *labels;
	StringInfoData nodes;
	Level *level; /* by depth */
	int32 depths; /* number of depths shown */
	int32 rows;
} TreePicture;

/* Chooses the nodes that are shown: the first MAX_SHOWN_NODES nodes, level by level. */
static void
ChooseNodes(TreePicture *picture)
{
	const TedTree *tree = picture->tree;
	int32 left = MAX_SHOWN_NODES;

	picture->depths = Min(tree->height + 1, MAX_SHOWN_NODES);
	/* one more level for children that are not shown, and one below */
	picture->level = palloc0(sizeof(Level) * (picture->depths + 2));
	for (int32 x = 0; x < tree->size; x++)
	{
		CHECK_FOR_INTERRUPTS();
		if (tree->depth[x] < picture->depths)
			picture->level[tree->depth[x]].count++;
	}
	for (int32 depth = 0; depth < picture->depths; depth++)
	{
		Level *level = &picture->level[depth];

		level->shown = Min(level->count, left);
		level->count = 0;
		left -= level->shown;
	}
}

/* Returns the characters of a label, which is cut if it is too long. */
static int
LabelCharacters(Label label)
{
	int left = MAX_CHARACTERS;
	bool cut = MarkupFit(label, &left) < label.length;

	return MAX_CHARACTERS - left + cut;
}

/* Sets the x of the labels of each depth. */
static void
PlaceLevels(TreePicture *picture)
{
	const TedTree *tree = picture->tree;
	int32 x = MARGIN;

	for (int32 node = 0; node < tree->size; node++)
	{
		Level *level;

		CHECK_FOR_INTERRUPTS();
		if (tree->depth[node] >= picture->depths)
			continue;
		level = &picture->level[tree->depth[node]];
		if (level->count++ >= level->shown)
		{
			level->characters = Max(level->characters, COUNT_CHARACTERS);
			continue;
		}
		level->characters = Max(level->characters,
								LabelCharacters(LabelTableGet(picture->labels, tree->label[node])));
	}
	for (int32 depth = 0; depth <= picture->depths; depth++)
	{
		picture->level[depth].x = x;
		picture->level[depth].count = 0;
		x += picture->level[depth].characters * CHARACTER_WIDTH + GAP;
	}
}

/* Records a child of a later node. */
static void
NoteChild(Level *level, int32 y, int32 nodes)
{
	if (level->first == 0)
		level->first = y;
	level->last = y;
	level->descendant += nodes;
}

/* Returns the y of the middle of the next row. */
static int32
NextRow(TreePicture *picture)
{
	return MARGIN + picture->rows++ * ROW_HEIGHT + ROW_HEIGHT / 2;
}

/* Begins a text, with the line on its left. */
static void
BeginText(StringInfo out, int32 x, int32 y)
{
	MarkupReserve(out);
	if (x > MARGIN)
		appendStringInfo(out, "<path d=\"M%d %dh%d\"/>", x - GAP / 2, y, GAP / 2 - 4);
	appendStringInfo(out, "<text x=\"%d\" y=\"%d\"", x, y + 4);
}

/* Appends the number of nodes below a node that are not shown. */
static void
AppendHidden(TreePicture *picture, Level *below, int32 nodes)
{
	int32 y = NextRow(picture);

	BeginText(&picture->nodes, below->x, y);
	appendStringInfo(&picture->nodes, " class=\"n\">&#x2026; %d node%s</text>\n", nodes,
					 nodes == 1 ? "" : "s");
	NoteChild(below, y, nodes);
}

/* Appends the label of a node. */
static void
AppendLabel(StringInfo out, Label label)
{
	int left = MAX_CHARACTERS;
	int fitting = MarkupFit(label, &left);

	appendStringInfoChar(out, '>');
	if (fitting < label.length)
	{
		appendStringInfoString(out, "<title>");
		MarkupText(out, label);
		MarkupReserve(out);
		appendStringInfoString(out, "</title>");
	}
	MarkupText(out, (Label){label.bytes, fitting});
	MarkupReserve(out);
	appendStringInfo(out, "%s</text>\n", fitting < label.length ? "&#x2026;" : "");
}

/* Appends a node.  Its children have been written. */
static void
AppendNode(TreePicture *picture, int32 node)
{
	const TedTree *tree = picture->tree;
	Label label = LabelTableGet(picture->labels, tree->label[node]);
	Level *level = &picture->level[tree->depth[node]];
	Level *below = level + 1;
	StringInfo out = &picture->nodes;
	int32 hidden = tree->subtree_size[node] - 1 - below->descendant;
	int32 y;

	if (hidden > 0)
		AppendHidden(picture, below, hidden);
	y = below->first == 0 ? NextRow(picture) : (below->first + below->last) / 2;
	BeginText(out, level->x, y);
	AppendLabel(out, label);
	if (below->first != 0)
		appendStringInfo(out, "<path d=\"M%d %dH%dM%d %dV%d\"/>\n",
						 level->x + LabelCharacters(label) * CHARACTER_WIDTH + 4, y,
						 below->x - GAP / 2, below->x - GAP / 2, below->first, below->last);
	below->first = below->last = below->descendant = 0;
	NoteChild(level, y, tree->subtree_size[node]);
}

/* Appends all nodes that are shown. */
static void
AppendShownNodes(TreePicture *picture)
{
	const TedTree *tree = picture->tree;

	for (int32 node = 0; node < tree->size; node++)
	{
		CHECK_FOR_INTERRUPTS();
		if (tree->depth[node] < picture->depths)
		{
			Level *level = &picture->level[tree->depth[node]];

			if (level->count++ < level->shown)
				AppendNode(picture, node);
		}
	}
}

/* Assembles the picture. */
static void
AppendTreePicture(StringInfo out, const TreePicture *picture)
{
	const Level *last = &picture->level[picture->depths];
	int32 width = last->x + COUNT_CHARACTERS * CHARACTER_WIDTH;
	int32 height = 2 * MARGIN + picture->rows * ROW_HEIGHT;

	MarkupReserve(out);
	appendStringInfo(out,
					 "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ted-tree\" role=\"img\""
					 " width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
					 "<title>Tree of %d node%s</title>\n",
					 width, height, width, height, picture->tree->size,
					 picture->tree->size == 1 ? "" : "s");
	appendStringInfoString(out, picture_style);
	appendStringInfoString(out, "<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n");
	MarkupAppend(out, &picture->nodes);
	MarkupReserve(out);
	appendStringInfoString(out, "</svg>\n");
}

PG_FUNCTION_INFO_V1(tree_svg);

/* Returns a tree as an SVG picture. */
Datum
tree_svg(PG_FUNCTION_ARGS)
{
	LabelTable *labels;
	TedTree tree;
	TreePicture picture = {.tree = &tree};
	StringInfoData out;

	MarkupBegin();
	CheckMemoryLimit(TreeDecodedBytes(PG_GETARG_DATUM(0)), DRAWING_A_PICTURE);
	labels = LabelTableCreate();
	TreeDecode(PG_GETARG_TREE(0), labels, &tree);
	picture.labels = labels;
	initStringInfo(&picture.nodes);
	initStringInfo(&out);
	ChooseNodes(&picture);
	PlaceLevels(&picture);
	AppendShownNodes(&picture);
	AppendTreePicture(&out, &picture);
	PG_RETURN_TEXT_P(MarkupFinish(&out));
}
