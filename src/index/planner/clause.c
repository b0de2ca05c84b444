/*
 * clause.c
 *	  Reads clauses that set a threshold on the distance or similarity of two documents.
 *
 * A clause can set a threshold by a test, such as tree_within(), or by comparing a measure,
 * such as tree_edit_distance() or <->, with a limit.  A function is recognized by the C
 * function that it runs, and a comparison by its strategy in PostgreSQL's btree operator
 * families.
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "nodes/nodeFuncs.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "../../compat.h"
#include "clause.h"
#include "../../catalog/identity.h"

Oid
CalledFunction(Node *expression)
{
	return IsA(expression, FuncExpr) ? ((FuncExpr *) expression)->funcid
		   : IsA(expression, OpExpr) ? get_opcode(((OpExpr *) expression)->opno)
									 : InvalidOid;
}

List *
CallArguments(Node *expression)
{
	return IsA(expression, FuncExpr) ? ((FuncExpr *) expression)->args
		   : IsA(expression, OpExpr) ? ((OpExpr *) expression)->args
									 : NIL;
}

/*
 * Returns the integer below a cast to a wider type or to one with a fraction; such a cast
 * changes no comparison.
 */
static Node *
WithoutCast(Node *expression)
{
	if (IsA(expression, FuncExpr))
	{
		const FuncExpr *cast = (FuncExpr *) expression;

		if (cast->funcid == F_INT8_INT4 || cast->funcid == F_FLOAT8_INT4 ||
			cast->funcid == F_NUMERIC_INT4)
			return linitial(cast->args);
	}
	return expression;
}

/* Reads a measure of two documents, and the limit that the measure itself takes, if any. */
static bool
ReadPlannedMeasure(Node *expression, ThresholdClause *clause, FunctionRole *role, Node **own_limit)
{
	Node *call = WithoutCast(expression);
	List *arguments = CallArguments(call);
	PlannedFunction measure = WhichFunction(CalledFunction(call));

	*role = measure.role;
	if (!IsMeasure(measure.role))
		return false;
	clause->function = CalledFunction(call);
	clause->documents = measure.documents;
	clause->collation = exprInputCollation(call);
	clause->a = linitial(arguments);
	clause->b = lsecond(arguments);
	clause->model = AreByModel(measure.documents) ? llast(arguments) : NULL;
	clause->exact = measure.role != ROLE_NORMALIZED_DISTANCE || clause->model != NULL;
	*own_limit = measure.role == ROLE_DISTANCE_LESS_EQUAL ? lthird(arguments) : NULL;
	return true;
}

/* Whether a limit has a type that can be read; limits of costs have a fraction. */
static bool
IsLimitType(Oid type, const ThresholdClause *clause)
{
	if (clause->model != NULL)
		return type == FLOAT4OID || type == FLOAT8OID;
	return type == INT2OID || type == INT4OID || type == INT8OID || type == FLOAT4OID ||
		   type == FLOAT8OID || type == NUMERICOID;
}

/*
 * Reads how an operator compares a measure with a limit, where `type` is the type of the
 * measure.
 */
static bool
ReadOperator(Oid operator_id, Oid type, FunctionRole role, ThresholdClause *clause)
{
	Oid order = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	bool normalized = role == ROLE_NORMALIZED_DISTANCE;
	bool dissimilarity = role == ROLE_DISSIMILARITY;
	bool similarity = role == ROLE_SIMILARITY;

	switch (get_op_opfamily_strategy(operator_id, order))
	{
		case BTLessStrategyNumber:
			clause->kind = normalized      ? THRESHOLD_NORMALIZED_LESS
						   : dissimilarity ? THRESHOLD_DISSIMILAR_LESS
										   : THRESHOLD_LESS;
			return !similarity;
		case BTLessEqualStrategyNumber:
			clause->kind = normalized      ? THRESHOLD_NORMALIZED_LESS_EQUAL
						   : dissimilarity ? THRESHOLD_DISSIMILAR_LESS_EQUAL
										   : THRESHOLD_LESS_EQUAL;
			return !similarity;
		case BTEqualStrategyNumber:
			clause->kind = similarity      ? THRESHOLD_GREATER_EQUAL
						   : normalized    ? THRESHOLD_NORMALIZED_LESS_EQUAL
						   : dissimilarity ? THRESHOLD_DISSIMILAR_LESS_EQUAL
										   : THRESHOLD_LESS_EQUAL;
			clause->exact = false;
			return true;
		case BTGreaterEqualStrategyNumber:
			clause->kind = THRESHOLD_GREATER_EQUAL;
			return similarity;
		case BTGreaterStrategyNumber:
			clause->kind = THRESHOLD_GREATER;
			return similarity;
		default:
			return false;
	}
}

/* Returns the integer of which a limit of type float8 is made, or the limit itself. */
static Node *
LimitWithoutCast(Node *limit)
{
	const FuncExpr *cast = (FuncExpr *) limit;

	if (IsA(cast, FuncExpr) && (cast->funcid == F_FLOAT8_INT2 || cast->funcid == F_FLOAT8_INT4 ||
								cast->funcid == F_FLOAT8_INT8))
		return linitial(cast->args);
	return limit;
}

/*
 * Whether a measure with a limit of its own is exact up to the limit that it is compared with.
 * Beyond its own limit it returns any larger number, which may be within the other limit.  It
 * is exact if both limits are the same expression.
 */
static bool
IsExactUpToLimit(Node *own_limit, ThresholdClause *clause)
{
	const Const *own = (Const *) own_limit;
	const Const *limit = (Const *) clause->limit;

	if (IsA(own, Const) && IsA(limit, Const) && !own->constisnull && !limit->constisnull)
	{
		DocumentThreshold threshold;

		if (clause->model != NULL)
			return DatumGetFloat8(own->constvalue) >=
				   CostLimitValue(limit->constvalue, limit->consttype);
		threshold = ClauseThreshold(clause->kind, limit->constvalue, limit->consttype);
		return DatumGetFloat8(own->constvalue) >=
			   Max(Min(threshold.max_distance,
					   AreTrees(clause->documents) ? LARGEST_DISTANCE : ANY_DISTANCE),
				   0);
	}
	if (clause->kind != THRESHOLD_LESS_EQUAL ||
		!equal(LimitWithoutCast(own_limit), LimitWithoutCast(clause->limit)))
		return false;
	clause->kind = THRESHOLD_WITHIN;
	return true;
}

/* Reads an operator expression that compares a measure with a limit. */
static bool
ReadLimitComparison(OpExpr *comparison, ThresholdClause *clause)
{
	Node *measured = linitial(comparison->args);
	Oid operator_id = comparison->opno;
	FunctionRole role;
	Node *own_limit;

	clause->limit = lsecond(comparison->args);
	if (!ReadPlannedMeasure(measured, clause, &role, &own_limit))
	{
		measured = lsecond(comparison->args);
		clause->limit = linitial(comparison->args);
		operator_id = get_commutator(operator_id);
		if (!ReadPlannedMeasure(measured, clause, &role, &own_limit))
			return false;
	}
	return IsLimitType(exprType(clause->limit), clause) &&
		   ReadOperator(operator_id, exprType(measured), role, clause) &&
		   (own_limit == NULL || IsExactUpToLimit(own_limit, clause));
}

bool
ReadThresholdClause(Node *expression, ThresholdClause *clause)
{
	List *arguments = CallArguments(expression);
	PlannedFunction function;

	if (IsA(expression, OpExpr))
		return list_length(arguments) == 2 && ReadLimitComparison((OpExpr *) expression, clause);
	clause->function = CalledFunction(expression);
	function = WhichFunction(clause->function);
	if (!IsThresholdTest(function.role))
		return false;
	clause->kind = function.role == ROLE_WITHIN ? THRESHOLD_WITHIN : THRESHOLD_SIMILAR;
	clause->documents = function.documents;
	clause->collation = exprInputCollation(expression);
	clause->a = linitial(arguments);
	clause->b = lsecond(arguments);
	clause->limit = lthird(arguments);
	clause->model = AreByModel(function.documents) ? llast(arguments) : NULL;
	clause->exact = true;
	return true;
}
