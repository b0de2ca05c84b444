/*
 * walk.c
 *	  Walks a tree in preorder and writes the paths of its nodes.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "json_pointer.h"
#include "json_labels.h"
#include "walk.h"

/* The longest path in bytes. */
#define MAX_PATH_BYTES (2 * TREE_MAX_LABEL_BYTES)

/* The longest path in a message, in bytes. */
#define MAX_MESSAGE_PATH 200

/* A node, for sorting siblings by label; all numbers are preorder numbers. */
typedef struct Sibling
{
	int32 parent; /* preorder number, or -1 at the root */
	int32 label;
	int32 node;
} Sibling;

/* Orders siblings by parent, label and position. */
static int
CompareWalkedSiblings(const Sibling *a, const Sibling *b)
{
	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->label != b->label)
		return a->label < b->label ? -1 : 1;
	return a->node < b->node ? -1 : 1;
}

#define ST_SORT SortWalkedSiblings
#define ST_ELEMENT_TYPE Sibling
#define ST_COMPARE(a, b) CompareWalkedSiblings(a, b)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* Numbers the nodes that have siblings with the same label. */
static void
NumberSiblings(Walk *walk)
{
	const TedTree *decoded = &walk->tree;
	Sibling *siblings = palloc_array(Sibling, decoded->size);
	int32 *ancestor = palloc_array(int32, decoded->size); /* current node by depth */

	for (int32 node = 0; node < decoded->size; node++)
	{
		int32 x = walk->postorder[node];
		int32 depth = decoded->depth[x];

		CHECK_FOR_INTERRUPTS();
		ancestor[depth] = node;
		siblings[node] = (Sibling){.parent = depth == 0 ? -1 : ancestor[depth - 1],
								   .label = decoded->label[x],
								   .node = node};
	}
	SortWalkedSiblings(siblings, (size_t) decoded->size);
	walk->ordinal = palloc0_array(int32, decoded->size);
	for (int32 i = 1; i < decoded->size; i++)
	{
		const Sibling *before = &siblings[i - 1];
		const Sibling *sibling = &siblings[i];

		CHECK_FOR_INTERRUPTS();
		if (before->parent != sibling->parent || before->label != sibling->label)
			continue;
		if (walk->ordinal[before->node] == 0)
			walk->ordinal[before->node] = 1;
		walk->ordinal[sibling->node] = walk->ordinal[before->node] + 1;
	}
	pfree(siblings);
	pfree(ancestor);
}

Size
WalkBytes(Datum tree)
{
	Size node = sizeof(Sibling) + 3 * sizeof(int32) + sizeof(WalkLevel);

	return TreeDecodedBytes(tree) + node * (Size) TreeSize(tree);
}

void
WalkInit(Walk *walk, const Tree *tree, bool is_json, LabelTable *labels)
{
	TreeDecode(tree, labels, &walk->tree);
	walk->postorder = palloc_array(int32, walk->tree.size);
	for (int32 x = 0; x < walk->tree.size; x++)
	{
		CHECK_FOR_INTERRUPTS();
		walk->postorder[x - walk->tree.subtree_size[x] + 1 + walk->tree.depth[x]] = x;
	}
	NumberSiblings(walk);
	walk->levels = palloc_array(WalkLevel, walk->tree.size);
	walk->is_json = is_json;
	initStringInfo(&walk->path);
	walk->next = 0;
}

void
WalkStep(Walk *walk, const LabelTable *labels)
{
	WalkLevel *level;
	Label label;
	int32 depth;

	walk->node = walk->postorder[walk->next];
	depth = walk->tree.depth[walk->node];
	level = &walk->levels[depth];
	label = LabelTableGet(labels, walk->tree.label[walk->node]);
	walk->path.len = depth == 0 ? 0 : walk->levels[depth - 1].path_length;
	walk->path.data[walk->path.len] = '\0';
	if (!walk->is_json)
	{
		int32 ordinal = walk->ordinal[walk->next];

		/* a backslash comes before characters with a special meaning */
		appendStringInfoChar(&walk->path, '/');
		for (int i = 0; i < label.length; i++)
		{
			if (strchr("/[]\\", label.bytes[i]) != NULL)
				appendStringInfoChar(&walk->path, '\\');
			appendStringInfoChar(&walk->path, label.bytes[i]);
		}
		if (ordinal > 0)
			appendStringInfo(&walk->path, "[%d]", ordinal);
	}
	else if (depth > 0)
	{
		WalkLevel *parent = level - 1;
		Label above = LabelTableGet(labels, walk->tree.label[parent->node]);
		Label key;

		/* the step from a key to its value is empty */
		if (IsJsonArray(above))
			AppendPointerIndex(&walk->path, parent->children++);
		else if (IsJsonObject(above) && JsonKeyOfLabel(label, &key))
		{
			AppendPointerKey(&walk->path, key);
			pfree(unconstify(char *, key.bytes));
		}
	}
	if (walk->path.len > MAX_PATH_BYTES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("path of a node is too long"),
				 errdetail("The path has more than %d bytes.", MAX_PATH_BYTES),
				 errhint("Use shorter labels, or compare subtrees.")));
	*level = (WalkLevel){.node = walk->node, .path_length = walk->path.len};
	walk->next++;
}

char *
TreeNodePath(const Tree *tree, int32 node)
{
	LabelTable *labels = LabelTableCreate();
	Walk walk;
	int clipped;

	WalkInit(&walk, tree, false, labels);
	while (walk.next <= node)
	{
		CHECK_FOR_INTERRUPTS();
		WalkStep(&walk, labels);
	}
	clipped = pg_mbcliplen(walk.path.data, walk.path.len, MAX_MESSAGE_PATH);
	return psprintf("%.*s%s", clipped, walk.path.data, clipped < walk.path.len ? "..." : "");
}
