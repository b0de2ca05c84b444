/*
 * edit_mapping.c
 *	  The SQL function tree_edit_mapping(): an edit script, row by row.
 */
#include "postgres.h"

#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../../catalog/row_type.h"
#include "../distance/compared_trees.h"
#include "../costs/cost_type.h"
#include "../../common/labels.h"
#include "../../common/host.h"
#include "tree_mapping.h"
#include "../costs/model_costs.h"
#include "../value/tree.h"
#include "../convert/json_labels.h"
#include "../convert/walk.h"

#define MAPPING "tree edit mapping"

/* Copies of a row's paths and labels: values, a tuple in memory, and a tuple in the tuplestore. */
#define ROW_COPIES 3

/* Attributes of a row of tree_edit_mapping(). */
enum
{
	OPERATION,
	LEFT_NODE,
	LEFT_PATH,
	LEFT_LABEL,
	RIGHT_NODE,
	RIGHT_PATH,
	RIGHT_LABEL,
	COST,
	ATTRIBUTES
};

/* The state of writing a mapping. */
typedef struct Output
{
	ReturnSetInfo *result;
	const LabelTable *labels;
	ModelCosts *costs;
	TedTree left; /* relabelled by `costs` */
	TedTree right;
	MemoryContext row_context;
} Output;

/* Whether there is a next node and it has no partner. */
static bool
NextIsAlone(const Walk *walk)
{
	return walk->next < walk->tree.size && walk->map[walk->postorder[walk->next]] < 0;
}

/* Sets the three columns of a side for the current node. */
static void
DescribeWalkedNode(const Walk *walk, const LabelTable *labels, Datum *values, bool *nulls)
{
	Label label = LabelTableGet(labels, walk->tree.label[walk->node]);

	values[0] = Int32GetDatum(walk->next);
	values[1] = PointerGetDatum(cstring_to_text_with_len(walk->path.data, walk->path.len));
	values[2] = PointerGetDatum(cstring_to_text_with_len(label.bytes, label.length));
	nulls[0] = nulls[1] = nulls[2] = false;
}

/* Returns the bytes of the path and the label of the current node; 0 if `walk` is NULL. */
static Size
DescribedBytes(const Walk *walk, const LabelTable *labels)
{
	if (walk == NULL)
		return 0;
	return (Size) walk->path.len + LabelTableGet(labels, walk->tree.label[walk->node]).length;
}

/* Returns the cost of an operation. */
static float8
OperationCost(const Output *output, const Walk *left, const Walk *right)
{
	const TedCosts *costs = ModelTedCosts(output->costs);
	int32 from = left != NULL ? output->left.label[left->node] : -1;
	int32 to = right != NULL ? output->right.label[right->node] : -1;

	if (left == NULL)
		return CostInModel(output->costs, ted_insert_cost(costs, to));
	if (right == NULL)
		return CostInModel(output->costs, ted_delete_cost(costs, from));
	return CostInModel(output->costs, ted_rename_cost(costs, from, to));
}

/* Writes the row of the current nodes; NULL stands for a side without a node. */
static void
EmitTreeRow(const Output *output, const char *operation, const Walk *left, const Walk *right)
{
	MemoryContext caller = MemoryContextSwitchTo(output->row_context);
	Datum values[ATTRIBUTES] = {0};
	bool nulls[ATTRIBUTES];

	CHECK_FOR_INTERRUPTS();
	CheckMemoryLimit(
		ROW_COPIES * (DescribedBytes(left, output->labels) + DescribedBytes(right, output->labels)),
		MAPPING);
	memset(nulls, true, sizeof(nulls));
	values[OPERATION] = PointerGetDatum(cstring_to_text(operation));
	nulls[OPERATION] = false;
	if (left != NULL)
		DescribeWalkedNode(left, output->labels, &values[LEFT_NODE], &nulls[LEFT_NODE]);
	if (right != NULL)
		DescribeWalkedNode(right, output->labels, &values[RIGHT_NODE], &nulls[RIGHT_NODE]);
	values[COST] = Float8GetDatum(OperationCost(output, left, right));
	nulls[COST] = false;
	tuplestore_putvalues(output->result->setResult, output->result->setDesc, values, nulls);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(output->row_context);
}

/* Writes all rows: both trees in preorder, deletions before insertions at the same place. */
static void
EmitTreeMapping(const Output *output, Walk *left, Walk *right)
{
	const LabelTable *labels = output->labels;

	while (left->next < left->tree.size || right->next < right->tree.size)
	{
		if (NextIsAlone(left))
		{
			WalkStep(left, labels);
			EmitTreeRow(output, "delete", left, NULL);
		}
		else if (NextIsAlone(right))
		{
			WalkStep(right, labels);
			EmitTreeRow(output, "insert", NULL, right);
		}
		else
		{
			bool equal;

			WalkStep(left, labels);
			WalkStep(right, labels);
			equal = left->tree.label[left->node] == right->tree.label[right->node];
			EmitTreeRow(output, equal ? "match" : "rename", left, right);
		}
	}
}

PG_FUNCTION_INFO_V1(tree_edit_mapping);

/* Returns an edit mapping between two trees; the cost of an optimal one is their distance. */
Datum
tree_edit_mapping(PG_FUNCTION_ARGS)
{
	const CostModel *model = ArgumentCostModel(fcinfo, 2);
	MappingKind kind = PG_GETARG_BOOL(3) ? MAPPING_APPROXIMATE : MAPPING_OPTIMAL;
	LabelTable *labels = LabelTableCreate();
	int64 nodes = (int64) TreeSize(PG_GETARG_DATUM(0)) + TreeSize(PG_GETARG_DATUM(1));
	Output output = {.labels = labels};
	ComparedTrees compared;
	Walk left;
	Walk right;

	InitRows(fcinfo, "sississd");
	BeginComparison(&compared, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1));
	CheckMemoryLimit(WalkBytes(PG_GETARG_DATUM(0)) + WalkBytes(PG_GETARG_DATUM(1)) +
						 RelabelBytes(model, nodes),
					 MAPPING);
	WalkInit(&left, PG_GETARG_TREE(0), IsJsonTree(PG_GETARG_TREE(0)), labels);
	WalkInit(&right, PG_GETARG_TREE(1), IsJsonTree(PG_GETARG_TREE(1)), labels);
	left.map = palloc_array(int32, left.tree.size);
	right.map = palloc_array(int32, right.tree.size);
	output.costs = ModelCostsCreate(model, labels, NO_MARKS);
	RelabelTree(output.costs, &left.tree, &output.left);
	RelabelTree(output.costs, &right.tree, &output.right);
	MapTrees(&output.left, &output.right, ModelTedCosts(output.costs), kind, left.map, right.map);
	EndComparison(&compared);

	output.result = (ReturnSetInfo *) fcinfo->resultinfo;
	output.row_context =
		AllocSetContextCreate(CurrentMemoryContext, "edit mapping row", ALLOCSET_DEFAULT_SIZES);
	EmitTreeMapping(&output, &left, &right);
	return (Datum) 0;
}
