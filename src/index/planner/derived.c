/*
 * derived.c
 *	  Conditions that follow from clauses with thresholds, and that indexes can serve.
 *
 * tree_edit_distance(doc, tree) <= k implies tree_within(doc, tree, k), and other
 * clauses imply that or tree_similar(); those by a model of costs, tree_within() by it;
 * those about JSON documents, json_within() or json_similar(); those about strings,
 * lcs_within() or lcs_similar().  What is derived may be true of more trees than the clause, and
 *raises no errors: a limit that is not known yet is moved into the range of distances.
 */
#include "postgres.h"

#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parse_coerce.h"
#include "utils/acl.h"
#include "utils/fmgroids.h"

#include "../../compat.h"
#include "clause.h"
#include "derived.h"
#include "../../catalog/identity.h"

/*
 * The number by which a similarity is lowered, so that rounding does not refuse a normalized
 * distance.
 */
#define SIMILARITY_ROUNDING 1e-9

/*
 * A normalized distance x allows 2 x / (2 - x) operations per node of the larger
 * tree, which is less than this multiple of it as far as it can refuse any pair.
 */
#define NORMALIZED_STEEPEST 1.6

/* A distance that two strings do not reach; it is exact as a float4, and below 2^31. */
#define LARGEST_STRING_DISTANCE (PG_INT32_MAX - 127)

/* A constant of type integer or float8. */
static Node *
IntegerConst(int32 value)
{
	return (Node *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(value), false,
							  true);
}

static Node *
FloatConst(float8 value)
{
	return (Node *) makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), Float8GetDatum(value),
							  false, FLOAT8PASSBYVAL);
}

/* A value as one of another type of numbers. */
static Node *
AsType(Node *value, Oid type)
{
	return coerce_to_target_type(NULL, value, exprType(value), type, -1, COERCION_EXPLICIT,
								 COERCE_EXPLICIT_CAST, -1);
}

/* The greater or the lesser one of two values of the same type, neither of which is NULL. */
static Node *
GreaterOrLesser(MinMaxOp which, Node *a, Node *b)
{
	MinMaxExpr *expression = makeNode(MinMaxExpr);

	expression->minmaxtype = exprType(a);
	expression->op = which;
	expression->args = list_make2(a, b);
	expression->location = -1;
	return (Node *) expression;
}

/* A limit that is not known yet, moved into a range; distances of small types cannot be too large.
 */
static Node *
Clamped(Node *limit, int32 least, int32 greatest)
{
	Oid type = exprType(limit);

	limit = GreaterOrLesser(IS_GREATEST, limit, AsType(IntegerConst(least), type));
	if ((type == INT2OID || type == INT4OID) && greatest >= LARGEST_DISTANCE)
		return limit;
	return GreaterOrLesser(IS_LEAST, limit, AsType(IntegerConst(greatest), type));
}

/* Calls a test of ours, from the schema of another function, on what a clause compares. */
static Node *
CallOn(FunctionRole test, const ThresholdClause *clause, Node *limit)
{
	List *arguments = list_make3(clause->a, clause->b, limit);
	Oid types[4] = {DeclaredType(clause->documents, exprType(clause->a)),
					DeclaredType(clause->documents, exprType(clause->b)), exprType(limit)};
	Oid function;

	if (clause->model != NULL)
	{
		types[3] = exprType(clause->model);
		arguments = lappend(arguments, clause->model);
	}
	function = FindFunction((PlannedFunction){test, clause->documents}, clause->function, types,
							list_length(arguments));
	if (!OidIsValid(function) || FunctionAclCheck(function, GetUserId()) != ACLCHECK_OK)
		return NULL;
	return (Node *) makeFuncExpr(function, BOOLOID, arguments, InvalidOid, clause->collation,
								 COERCE_EXPLICIT_CALL);
}

/* The greatest distance of two documents of a clause. */
static int32
LargestClauseDistance(const ThresholdClause *clause)
{
	return AreTrees(clause->documents) ? LARGEST_DISTANCE : LARGEST_STRING_DISTANCE;
}

/* The condition that a known threshold makes. */
static Node *
KnownCondition(const ThresholdClause *clause, const Const *limit)
{
	DocumentThreshold threshold;
	float8 normalized;

	if (limit->constisnull)
		return NULL;
	threshold = ClauseThreshold(clause->kind, limit->constvalue, limit->consttype);
	normalized = threshold.max_normalized;
	if (MatchesNothing(&threshold))
		return NULL;
	if (threshold.min_similarity > 0)
		return CallOn(ROLE_SIMILAR, clause, FloatConst(threshold.min_similarity));
	if (normalized < 1)
		return CallOn(
			ROLE_SIMILAR, clause,
			FloatConst(Max(1 - 2 * normalized / (2 - normalized) - SIMILARITY_ROUNDING, 0)));
	return CallOn(ROLE_WITHIN, clause,
				  IntegerConst(Min(threshold.max_distance, LargestClauseDistance(clause))));
}

/* The condition that a threshold makes whose limit is not known yet; it may be a little wider. */
static Node *
UnknownCondition(const ThresholdClause *clause)
{
	Node *limit = clause->limit;

	switch (clause->kind)
	{
		case THRESHOLD_SIMILAR:
		case THRESHOLD_GREATER_EQUAL:
		case THRESHOLD_GREATER:
			return CallOn(ROLE_SIMILAR, clause, AsType(Clamped(limit, 0, 1), FLOAT8OID));
		case THRESHOLD_NORMALIZED_LESS_EQUAL:
		case THRESHOLD_NORMALIZED_LESS:
			limit = AsType(Clamped(limit, 0, 1), FLOAT8OID);
			limit = (Node *) makeFuncExpr(F_FLOAT8MUL, FLOAT8OID,
										  list_make2(FloatConst(NORMALIZED_STEEPEST), limit),
										  InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
			limit = (Node *) makeFuncExpr(F_FLOAT8MI, FLOAT8OID, list_make2(FloatConst(1), limit),
										  InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
			return CallOn(ROLE_SIMILAR, clause, GreaterOrLesser(IS_GREATEST, limit, FloatConst(0)));
		case THRESHOLD_DISSIMILAR_LESS_EQUAL:
		case THRESHOLD_DISSIMILAR_LESS:
			limit = AsType(Clamped(limit, 0, 1), FLOAT8OID);
			limit = (Node *) makeFuncExpr(F_FLOAT8MI, FLOAT8OID,
										  list_make2(FloatConst(1 - SIMILARITY_ROUNDING), limit),
										  InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
			return CallOn(ROLE_SIMILAR, clause, GreaterOrLesser(IS_GREATEST, limit, FloatConst(0)));
		default:
			return CallOn(ROLE_WITHIN, clause,
						  AsType(Clamped(limit, 0, LargestClauseDistance(clause)), INT4OID));
	}
}

/*
 * The condition that a threshold by a model makes; a limit with a fraction may be a float4,
 * too.  A similarity makes none: what it allows depends on what both trees cost.
 */
static Node *
ModelCondition(const ThresholdClause *clause)
{
	const Const *limit = (const Const *) clause->limit;
	Node *zero = AsType(FloatConst(0), exprType(clause->limit));

	if (clause->kind >= THRESHOLD_SIMILAR)
		return NULL;
	if (IsA(limit, Const))
	{
		if (limit->constisnull ||
			(limit->consttype == FLOAT4OID ? DatumGetFloat4(limit->constvalue)
										   : DatumGetFloat8(limit->constvalue)) < 0)
			return NULL;
		return CallOn(ROLE_WITHIN, clause, AsType(clause->limit, FLOAT8OID));
	}
	return CallOn(ROLE_WITHIN, clause,
				  AsType(GreaterOrLesser(IS_GREATEST, clause->limit, zero), FLOAT8OID));
}

static Node *Derive(Node *clause);

/* AND or OR of what follows from its arms, and of those that nothing follows from. */
static Node *
DeriveFromArms(const BoolExpr *clause)
{
	List *arms = NIL;
	bool any = false;
	ListCell *cell;

	foreach (cell, clause->args)
	{
		Node *derived = Derive(lfirst(cell));

		any = any || derived != NULL;
		arms = lappend(arms, derived != NULL ? derived : lfirst(cell));
	}
	return any ? (Node *) makeBoolExpr(clause->boolop, arms, -1) : NULL;
}

/* The condition that follows from a clause; NULL if none does. */
static Node *
Derive(Node *clause)
{
	ThresholdClause threshold;

	check_stack_depth();
	if (IsA(clause, BoolExpr) && ((BoolExpr *) clause)->boolop != NOT_EXPR)
		return DeriveFromArms((BoolExpr *) clause);
	if ((!IsA(clause, OpExpr) && !IsA(clause, FuncExpr)) ||
		!ReadThresholdClause(clause, &threshold))
		return NULL;
	if (IsA(clause, FuncExpr))
		return NULL;
	if (threshold.model != NULL)
		return ModelCondition(&threshold);
	return IsA(threshold.limit, Const) ? KnownCondition(&threshold, (Const *) threshold.limit)
									   : UnknownCondition(&threshold);
}

/* The condition that follows from a clause, which is evaluated once more for it. */
Node *
DerivedCondition(PlannerInfo *root, Node *clause)
{
	Node *derived;

	if (contain_volatile_functions(clause) || contain_subplans(clause))
		return NULL;
	derived = Derive(clause);
	return derived == NULL ? NULL : eval_const_expressions(root, copyObject(derived));
}
