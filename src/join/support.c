/*
 * support.c
 *	  What the planner is told of tree_edit_distance() and tree_within().
 *
 * Being called at planning, the support function also has this library loaded
 * before any join with one of these functions is planned.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "../compat.h"
#include "support.h"

/* What is assumed of a threshold that is not known before execution. */
#define DEFAULT_MAX_DISTANCE 3

/* Bytes that a node takes, in a stored tree or a document, about. */
#define BYTES_PER_NODE 6.0

PG_FUNCTION_INFO_V1(tree_distance_support);

/* The value of a threshold, which is of one of the integer types. */
int64
ThresholdValue(Datum value, Oid type)
{
	return type == INT2OID   ? DatumGetInt16(value)
		   : type == INT4OID ? DatumGetInt32(value)
							 : DatumGetInt64(value);
}

/* Whether a function is tree_edit_distance(tree, tree) or tree_within(tree, tree, integer). */
bool
IsTreeDistance(Oid function)
{
	Oid support = get_func_support(function);
	FmgrInfo info;

	if (!OidIsValid(support))
		return false;
	fmgr_info(support, &info);
	return info.fn_addr == tree_distance_support;
}

/* Width of a column: as the planner has found it, as ANALYZE has, or a guess. */
static int32
ColumnWidth(PlannerInfo *root, Var *var)
{
	RangeTblEntry *table = planner_rt_fetch(var->varno, root);
	RelOptInfo *rel = root->simple_rel_array == NULL ? NULL : root->simple_rel_array[var->varno];
	int32 width = 0;

	if (rel != NULL && var->varattno >= rel->min_attr && var->varattno <= rel->max_attr)
		width = rel->attr_widths[var->varattno - rel->min_attr];
	if (width <= 0 && table->rtekind == RTE_RELATION)
		width = get_attavgwidth(table->relid, var->varattno);
	return width > 0 ? width : get_typavgwidth(var->vartype, var->vartypmod);
}

/* Nodes of the trees that an expression yields, by the width of its columns. */
double
EstimateTreeSize(PlannerInfo *root, Node *document)
{
	List *vars = pull_var_clause(document, PVC_RECURSE_PLACEHOLDERS | PVC_RECURSE_AGGREGATES |
											   PVC_RECURSE_WINDOWFUNCS);
	double width = 0;
	ListCell *cell;

	foreach (cell, vars)
		width += ColumnWidth(root, lfirst_node(Var, cell));
	return Max(width / BYTES_PER_NODE, 1.0);
}

/* The value of a threshold, or a guess at it; all negative ones are alike. */
double
EstimateMaxDistance(PlannerInfo *root, Node *max_distance)
{
	Node *value = estimate_expression_value(root, max_distance);

	if (!IsA(value, Const) || ((Const *) value)->constisnull)
		return DEFAULT_MAX_DISTANCE;
	return (double) Max(ThresholdValue(((Const *) value)->constvalue, exprType(value)), -1);
}

/* Distinct values of an expression; one for a constant. */
static double
DistinctTrees(PlannerInfo *root, Node *document)
{
	VariableStatData stats;
	bool is_default;
	double count;

	if (bms_is_empty(pull_varnos(root, document)))
		return 1;
	examine_variable(root, document, 0, &stats);
	count = get_variable_numdistinct(&stats, &is_default);
	ReleaseVariableStats(stats);
	return count;
}

/* Which part of all pairs is within a distance: those that are equal, and as many for each step. */
Selectivity
EstimatePairsWithin(PlannerInfo *root, Node *a, Node *b, double max_distance)
{
	Selectivity part = (1.0 + max_distance) / Max(DistinctTrees(root, a), DistinctTrees(root, b));

	CLAMP_PROBABILITY(part);
	return part;
}

/* Processor cost of reading a tree. */
Cost
TreeReadCost(double size)
{
	return cpu_operator_cost * (100 + 10 * size);
}

/* Processor cost of a distance bounded by a threshold, between trees that have been read. */
Cost
BoundedDistanceCost(double size, double max_distance)
{
	return cpu_operator_cost * (10 + size * Min(size, max_distance + 1));
}

/* Cost of a call. */
static Cost
CallCost(PlannerInfo *root, FuncExpr *call)
{
	double a = EstimateTreeSize(root, linitial(call->args));
	double b = EstimateTreeSize(root, lsecond(call->args));
	double limit = Max(a, b);

	if (list_length(call->args) == 3)
		limit = EstimateMaxDistance(root, lthird(call->args));
	return TreeReadCost(a) + TreeReadCost(b) + BoundedDistanceCost(Min(a, b), limit);
}

/* Answers the planner's questions about tree_edit_distance() and tree_within(). */
Datum
tree_distance_support(PG_FUNCTION_ARGS)
{
	Node *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSelectivity))
	{
		SupportRequestSelectivity *question = (SupportRequestSelectivity *) request;

		question->selectivity =
			EstimatePairsWithin(question->root, linitial(question->args), lsecond(question->args),
								EstimateMaxDistance(question->root, lthird(question->args)));
		PG_RETURN_POINTER(request);
	}
	if (IsA(request, SupportRequestCost))
	{
		SupportRequestCost *question = (SupportRequestCost *) request;

		if (question->root != NULL && question->node != NULL && IsA(question->node, FuncExpr))
		{
			question->startup = 0;
			question->per_tuple = CallCost(question->root, (FuncExpr *) question->node);
			PG_RETURN_POINTER(request);
		}
	}
	PG_RETURN_POINTER(NULL);
}
