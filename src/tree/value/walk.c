/*
 * walk.c
 *	  Walks a tree in preorder and writes the paths of its nodes.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "../../compat.h"
#include "walk.h"

/* Longest path that is shown. */
#define MAX_PATH_BYTES (2 * TREE_MAX_LABEL_BYTES)

/* Longest path in a message. */
#define MAX_MESSAGE_PATH 200

/* A node among the children of its parent that have its label. */
typedef struct Sibling
{
	int32 parent; /* preorder numbers */
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
	int32 *ancestor = palloc_array(int32, decoded->size); /* by depth */

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

/* Memory that walking a tree takes: what it takes decoded, and what the walk knows of each node.
 */
Size
WalkBytes(Datum tree)
{
	Size node = sizeof(Sibling) + 4 * sizeof(int32);

	return TreeDecodedBytes(tree) + node * (Size) TreeSize(tree);
}

/* Prepares a tree to be walked. */
void
WalkInit(Walk *walk, const Tree *tree, LabelTable *labels)
{
	TreeDecode(tree, labels, &walk->tree);
	walk->postorder = palloc_array(int32, walk->tree.size);
	for (int32 x = 0; x < walk->tree.size; x++)
	{
		CHECK_FOR_INTERRUPTS();
		walk->postorder[x - walk->tree.subtree_size[x] + 1 + walk->tree.depth[x]] = x;
	}
	NumberSiblings(walk);
	walk->path_length = palloc_array(int, walk->tree.size);
	initStringInfo(&walk->path);
	walk->next = 0;
}

/* Appends a step to a path, with the characters escaped that have a meaning there. */
static void
AppendPathStep(StringInfo path, Label label, int32 ordinal)
{
	appendStringInfoChar(path, '/');
	for (int i = 0; i < label.length; i++)
	{
		if (strchr("/[]\\", label.bytes[i]) != NULL)
			appendStringInfoChar(path, '\\');
		appendStringInfoChar(path, label.bytes[i]);
	}
	if (ordinal > 0)
		appendStringInfo(path, "[%d]", ordinal);
}

/* Moves to the next node in preorder. */
void
WalkStep(Walk *walk, const LabelTable *labels)
{
	int32 depth;

	walk->node = walk->postorder[walk->next];
	depth = walk->tree.depth[walk->node];
	walk->path.len = depth == 0 ? 0 : walk->path_length[depth - 1];
	AppendPathStep(&walk->path, LabelTableGet(labels, walk->tree.label[walk->node]),
				   walk->ordinal[walk->next]);
	if (walk->path.len > MAX_PATH_BYTES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("path of a node is too long"),
				 errdetail("The path has more than %d bytes.", MAX_PATH_BYTES),
				 errhint("Use shorter labels, or compare subtrees.")));
	walk->path_length[depth] = walk->path.len;
	walk->next++;
}

/* Path of a node for a message. */
char *
TreeNodePath(const Tree *tree, int32 node)
{
	LabelTable *labels = LabelTableCreate();
	Walk walk;
	int clipped;

	WalkInit(&walk, tree, labels);
	while (walk.next <= node)
	{
		CHECK_FOR_INTERRUPTS();
		WalkStep(&walk, labels);
	}
	clipped = pg_mbcliplen(walk.path.data, walk.path.len, MAX_MESSAGE_PATH);
	return psprintf("%.*s%s", clipped, walk.path.data, clipped < walk.path.len ? "..." : "");
}
