/*
 * edit_mapping.c
 *	  The SQL function tree_edit_mapping(): an optimal edit script, row by row.
 */
#include "postgres.h"

#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "compat.h"
#include "core/bounds.h"
#include "costs.h"
#include "engine/session.h"
#include "tree/labels.h"
#include "tree/host.h"
#include "tree/tree.h"

/* Attributes of a row. */
enum
{
	OPERATION,
	LEFT_NODE,
	LEFT_PATH,
	LEFT_LABEL,
	RIGHT_NODE,
	RIGHT_PATH,
	RIGHT_LABEL,
	ATTRIBUTES
};

/* Longest path that is shown. */
#define MAX_PATH_BYTES (2 * TREE_MAX_LABEL_BYTES)

/* A node among the children of its parent that have its label. */
typedef struct Sibling
{
	int32 parent; /* preorder numbers */
	int32 label;
	int32 node;
} Sibling;

/* One of the two trees, walked in preorder. */
typedef struct Walk
{
	TedTree view;
	int32 *postorder;    /* by preorder number */
	int32 *ordinal;      /* among siblings with the same label, from 1; 0 where it is alone */
	int32 *map;          /* partner by postorder number, or -1 */
	StringInfoData path; /* of the current node */
	int *path_length;    /* by depth: length of the path of the node at that depth */
	int32 next;          /* preorder number of the next node to come */
	int32 node;          /* postorder number of the current node */
} Walk;

/* Orders siblings by parent, label and position. */
static int
CompareSiblings(const Sibling *a, const Sibling *b)
{
	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->label != b->label)
		return a->label < b->label ? -1 : 1;
	return a->node < b->node ? -1 : 1;
}

#define ST_SORT SortSiblings
#define ST_ELEMENT_TYPE Sibling
#define ST_COMPARE(a, b) CompareSiblings(a, b)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* Numbers the nodes that have siblings with the same label. */
static void
NumberSiblings(Walk *walk)
{
	const TedTree *view = &walk->view;
	Sibling *siblings = palloc_array(Sibling, view->size);
	int32 *ancestor = palloc_array(int32, view->size); /* by depth */

	for (int32 node = 0; node < view->size; node++)
	{
		int32 x = walk->postorder[node];
		int32 depth = view->depth[x];

		ancestor[depth] = node;
		siblings[node] = (Sibling){
			.parent = depth == 0 ? -1 : ancestor[depth - 1], .label = view->label[x], .node = node};
	}
	SortSiblings(siblings, (size_t) view->size);
	walk->ordinal = palloc0_array(int32, view->size);
	for (int32 i = 1; i < view->size; i++)
	{
		const Sibling *before = &siblings[i - 1];
		const Sibling *sibling = &siblings[i];

		if (before->parent != sibling->parent || before->label != sibling->label)
			continue;
		if (walk->ordinal[before->node] == 0)
			walk->ordinal[before->node] = 1;
		walk->ordinal[sibling->node] = walk->ordinal[before->node] + 1;
	}
	pfree(siblings);
	pfree(ancestor);
}

/* Prepares a tree to be walked. */
static void
WalkInit(Walk *walk, const Tree *tree, LabelTable *labels)
{
	TreeUnfold(tree, labels, &walk->view);
	walk->postorder = palloc_array(int32, walk->view.size);
	for (int32 x = 0; x < walk->view.size; x++)
		walk->postorder[x - walk->view.subtree_size[x] + 1 + walk->view.depth[x]] = x;
	NumberSiblings(walk);
	walk->map = palloc_array(int32, walk->view.size);
	walk->path_length = palloc_array(int, walk->view.size);
	initStringInfo(&walk->path);
	walk->next = 0;
}

/* Appends a step to a path, with the characters escaped that have a meaning there. */
static void
AppendStep(StringInfo path, Label label, int32 ordinal)
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
static void
WalkStep(Walk *walk, const LabelTable *labels)
{
	int32 depth;

	walk->node = walk->postorder[walk->next];
	depth = walk->view.depth[walk->node];
	walk->path.len = depth == 0 ? 0 : walk->path_length[depth - 1];
	AppendStep(&walk->path, LabelTableGet(labels, walk->view.label[walk->node]),
			   walk->ordinal[walk->next]);
	if (walk->path.len > MAX_PATH_BYTES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("path of a node is too long"),
				 errdetail("The path has more than %d bytes.", MAX_PATH_BYTES),
				 errhint("Use shorter labels, or compare subtrees.")));
	walk->path_length[depth] = walk->path.len;
	walk->next++;
}

/* Whether the next node is there and has no partner. */
static bool
NextIsAlone(const Walk *walk)
{
	return walk->next < walk->view.size && walk->map[walk->postorder[walk->next]] < 0;
}

/* Fills the three columns that describe the current node. */
static void
DescribeNode(const Walk *walk, const LabelTable *labels, Datum *values, bool *nulls)
{
	Label label = LabelTableGet(labels, walk->view.label[walk->node]);

	values[0] = Int32GetDatum(walk->next);
	values[1] = PointerGetDatum(cstring_to_text_with_len(walk->path.data, walk->path.len));
	values[2] = PointerGetDatum(cstring_to_text_with_len(label.bytes, label.length));
	nulls[0] = nulls[1] = nulls[2] = false;
}

/* Writes the row of the current nodes; NULL for a side that takes no part. */
static void
EmitRow(ReturnSetInfo *result, const char *operation, const Walk *left, const Walk *right,
		const LabelTable *labels, MemoryContext row_context)
{
	MemoryContext caller = MemoryContextSwitchTo(row_context);
	Datum values[ATTRIBUTES] = {0};
	bool nulls[ATTRIBUTES];

	CHECK_FOR_INTERRUPTS();
	memset(nulls, true, sizeof(nulls));
	values[OPERATION] = PointerGetDatum(cstring_to_text(operation));
	nulls[OPERATION] = false;
	if (left != NULL)
		DescribeNode(left, labels, &values[LEFT_NODE], &nulls[LEFT_NODE]);
	if (right != NULL)
		DescribeNode(right, labels, &values[RIGHT_NODE], &nulls[RIGHT_NODE]);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(row_context);
}

/* Writes all rows: both trees in preorder, deletions before insertions at the same place. */
static void
EmitMapping(ReturnSetInfo *result, Walk *left, Walk *right, const LabelTable *labels)
{
	MemoryContext row_context =
		AllocSetContextCreate(CurrentMemoryContext, "edit mapping row", ALLOCSET_DEFAULT_SIZES);

	while (left->next < left->view.size || right->next < right->view.size)
	{
		if (NextIsAlone(left))
		{
			WalkStep(left, labels);
			EmitRow(result, "delete", left, NULL, labels, row_context);
		}
		else if (NextIsAlone(right))
		{
			WalkStep(right, labels);
			EmitRow(result, "insert", NULL, right, labels, row_context);
		}
		else
		{
			bool equal;

			WalkStep(left, labels);
			WalkStep(right, labels);
			equal = left->view.label[left->node] == right->view.label[right->node];
			EmitRow(result, equal ? "match" : "rename", left, right, labels, row_context);
		}
	}
}

/* A lower bound of the distance up to a limit, else TED_BEYOND. */
static int32
BoundDistance(const Walk *left, const Walk *right, const TedCosts *costs, int32 limit)
{
	int32 size_a = left->view.size;
	int32 size_b = right->view.size;
	Size bytes = ted_bounds_index_memory(size_a) + ted_bounds_index_memory(size_b) +
				 ted_traversal_bound_memory(size_a, size_b, costs, limit);
	TedBoundsIndex a;
	TedBoundsIndex b;
	TedArena arena;
	int32 bound;

	CheckMemoryLimit(bytes, "tree edit mapping");
	ArenaInit(&arena, bytes);
	CheckStatus(ted_bounds_index(&left->view, &arena, &a));
	CheckStatus(ted_bounds_index(&right->view, &arena, &b));
	CheckStatus(ted_traversal_bound(&a, &b, costs, limit, &arena, &PgInterrupt, &bound));
	pfree(arena.base);
	return bound;
}

/*
 * Maps the trees to each other.  Where they are much alike, limits from a lower
 * bound of the distance on are doubled until the distance is within; others
 * take all distances at once.
 */
static void
MapTrees(Walk *left, Walk *right, const TedCosts *costs)
{
	const TedTree *a = &left->view;
	const TedTree *b = &right->view;
	int32 cheap = ted_mapping_limit(a, b, costs);
	int32 limit = cheap > 0 ? BoundDistance(left, right, costs, cheap) : TED_BEYOND;
	int32 distance = TED_BEYOND;

	while (distance == TED_BEYOND)
	{
		Size bytes;
		TedArena arena;

		if (limit > cheap)
			limit = TED_MAX_DISTANCE;
		bytes = ted_bounded_mapping_memory(a, b, costs, limit);
		CheckMemoryLimit(bytes, "tree edit mapping");
		ArenaInit(&arena, bytes);
		CheckStatus(ted_bounded_mapping(a, b, costs, limit, &arena, &PgInterrupt, left->map,
										right->map, &distance));
		pfree(arena.base);
		limit = 2 * limit + 1;
	}
}

PG_FUNCTION_INFO_V1(tree_edit_mapping);

/* An optimal edit mapping between two trees; its cost is their distance. */
Datum
tree_edit_mapping(PG_FUNCTION_ARGS)
{
	TedCosts costs = GetCosts(fcinfo, 2);
	LabelTable *labels = LabelTableCreate();
	Walk left;
	Walk right;

	InitMaterializedSRF(fcinfo, 0);
	CheckMemoryLimit(TreeUnfoldedBytes(PG_GETARG_DATUM(0)) + TreeUnfoldedBytes(PG_GETARG_DATUM(1)),
					 "tree edit mapping");
	WalkInit(&left, PG_GETARG_TREE(0), labels);
	WalkInit(&right, PG_GETARG_TREE(1), labels);
	CheckCostsFit(&costs, left.view.size, right.view.size);

	MapTrees(&left, &right, &costs);
	EmitMapping((ReturnSetInfo *) fcinfo->resultinfo, &left, &right, labels);
	return (Datum) 0;
}
