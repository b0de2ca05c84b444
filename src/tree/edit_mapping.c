/*
 * edit_mapping.c
 *	  The SQL function tree_edit_mapping(): an optimal edit script, row by row.
 */
#include "postgres.h"

#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../engine/session.h"
#include "costs.h"
#include "../common/labels.h"
#include "../common/host.h"
#include "map_trees.h"
#include "tree.h"
#include "walk.h"

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

/* Whether the next node is there and has no partner. */
static bool
NextIsAlone(const Walk *walk)
{
	return walk->next < walk->tree.size && walk->map[walk->postorder[walk->next]] < 0;
}

/* Fills the three columns that describe the current node. */
static void
DescribeNode(const Walk *walk, const LabelTable *labels, Datum *values, bool *nulls)
{
	Label label = LabelTableGet(labels, walk->tree.label[walk->node]);

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

	while (left->next < left->tree.size || right->next < right->tree.size)
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
			equal = left->tree.label[left->node] == right->tree.label[right->node];
			EmitRow(result, equal ? "match" : "rename", left, right, labels, row_context);
		}
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
	CheckMemoryLimit(WalkBytes(PG_GETARG_DATUM(0)) + WalkBytes(PG_GETARG_DATUM(1)),
					 "tree edit mapping");
	WalkInit(&left, PG_GETARG_TREE(0), labels);
	WalkInit(&right, PG_GETARG_TREE(1), labels);
	CheckCostsFit(&costs, left.tree.size, right.tree.size);
	left.map = palloc_array(int32, left.tree.size);
	right.map = palloc_array(int32, right.tree.size);

	MapTrees(&left.tree, &right.tree, &costs, left.map, right.map);
	EmitMapping((ReturnSetInfo *) fcinfo->resultinfo, &left, &right, labels);
	return (Datum) 0;
}
