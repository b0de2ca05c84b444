/*
 * derived.c
 *	  Conditions that follow from clauses with thresholds, and that indexes support.
 *
 * tree_edit_distance(doc, tree) <= k implies tree_within(doc, tree, k).  Other clauses imply
 * tree_within() or tree_similar(); clauses by a cost model imply tree_within() by that
 * model; clauses about JSON documents imply json_within() or json_similar(), and those about
 * strings lcs_within() or lcs_similar().  A derived condition may be true of more documents
 * than its clause, and raises no errors: a limit that is not yet known is clamped to the
 * range of valid limits.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parse_coerce.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "../../compat.h"
#include "clause.h"
#include "derived.h"
#include "rights.h"
#include "../../catalog/identity.h"

/*
 * A similarity is lowered by this much, so that rounding does not refuse a document whose
 * normalized distance is equal to the limit.
 */
#define SIMILARITY_ROUNDING 1e-9

/*
 * A normalized distance x allows 2 x / (2 - x) operations for each node of the larger tree,
 * which is less than this multiple of x as long as the condition can refuse any pair.
 */
#define NORMALIZED_STEEPEST 1.6

/* A distance that no two strings reach; it is exact as a float4, and below 2^31. */
#define LARGEST_STRING_DISTANCE (PG_INT32_MAX - 127)

/* Returns a constant of type integer. */
static Node *
IntegerConst(int32 value)
{
	return (Node *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(value), false,
							  true);
}

/* Returns a constant of type float8. */
static Node *
FloatConst(float8 value)
{
	return (Node *) makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), Float8GetDatum(value),
							  false, FLOAT8PASSBYVAL);
}

/* Returns an expression cast to another numeric type. */
static Node *
AsType(Node *value, Oid type)
{
	return coerce_to_target_type(NULL, value, exprType(value), type, -1, COERCION_EXPLICIT,
								 COERCE_EXPLICIT_CAST, -1);
}

/* Returns the greater or the lesser one of two expressions of the same type that are not NULL. */
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

/*
 * Returns a limit that is not yet known, clamped to 0 and a greatest value.  Integer distances
 * cannot exceed the greatest distance of trees.
 */
static Node *
Clamped(Node *limit, int32 greatest)
{
	Oid type = exprType(limit);

	limit = GreaterOrLesser(IS_GREATEST, limit, AsType(IntegerConst(0), type));
	if ((type == INT2OID || type == INT4OID) && greatest >= LARGEST_DISTANCE)
		return limit;
	return GreaterOrLesser(IS_LEAST, limit, AsType(IntegerConst(greatest), type));
}

/*
 * Returns a call of a test with the documents of a clause, or NULL if there is no such test.  The
 * test is looked up in the schema of the function of the clause.
 */
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
	if (!OidIsValid(function))
		return NULL;
	return (Node *) makeFuncExpr(function, BOOLOID, arguments, InvalidOid, clause->collation,
								 COERCE_EXPLICIT_CALL);
}

/* Returns the greatest distance of two documents of a clause. */
static int32
LargestClauseDistance(const ThresholdClause *clause)
{
	return AreTrees(clause->documents) ? LARGEST_DISTANCE : LARGEST_STRING_DISTANCE;
}

/*
 * Returns the condition that follows from a clause whose limit is a constant; NULL if there is
 * none.
 */
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
				  FloatConst(Min(threshold.max_distance, LargestClauseDistance(clause))));
}

/*
 * Returns the condition that follows from a clause whose limit is not yet known; it may allow a
 * little more than the clause.
 */
static Node *
UnknownCondition(const ThresholdClause *clause)
{
	Node *limit = clause->limit;

	switch (clause->kind)
	{
		case THRESHOLD_SIMILAR:
		case THRESHOLD_GREATER_EQUAL:
		case THRESHOLD_GREATER:
			return CallOn(ROLE_SIMILAR, clause, AsType(Clamped(limit, 1), FLOAT8OID));
		case THRESHOLD_NORMALIZED_LESS_EQUAL:
		case THRESHOLD_NORMALIZED_LESS:
			limit = AsType(Clamped(limit, 1), FLOAT8OID);
			limit = (Node *) makeFuncExpr(F_FLOAT8MUL, FLOAT8OID,
										  list_make2(FloatConst(NORMALIZED_STEEPEST), limit),
										  InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
			limit = (Node *) makeFuncExpr(F_FLOAT8MI, FLOAT8OID, list_make2(FloatConst(1), limit),
										  InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
			return CallOn(ROLE_SIMILAR, clause, GreaterOrLesser(IS_GREATEST, limit, FloatConst(0)));
		case THRESHOLD_DISSIMILAR_LESS_EQUAL:
		case THRESHOLD_DISSIMILAR_LESS:
			limit = AsType(Clamped(limit, 1), FLOAT8OID);
			limit = (Node *) makeFuncExpr(F_FLOAT8MI, FLOAT8OID,
										  list_make2(FloatConst(1 - SIMILARITY_ROUNDING), limit),
										  InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
			return CallOn(ROLE_SIMILAR, clause, GreaterOrLesser(IS_GREATEST, limit, FloatConst(0)));
		default:
			/* a fraction is rounded: no distance has one */
			limit = AsType(Clamped(limit, LargestClauseDistance(clause)), INT4OID);
			return CallOn(ROLE_WITHIN, clause, AsType(limit, FLOAT8OID));
	}
}

/*
 * Returns the condition that follows from a clause by a cost model; the limit may be a float4.
 * Nothing follows from a similarity: the distance that it allows depends on the costs of both
 * trees.
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
		if (limit->constisnull || CostLimitValue(limit->constvalue, limit->consttype) < 0)
			return NULL;
		return CallOn(ROLE_WITHIN, clause, AsType(clause->limit, FLOAT8OID));
	}
	return CallOn(ROLE_WITHIN, clause,
				  AsType(GreaterOrLesser(IS_GREATEST, clause->limit, zero), FLOAT8OID));
}

/*
 * Takes the cast of a domain to its type out of a conversion: an index of the conversion does not
 * have it, as PostgreSQL needs no such cast.  Returns whether there was one.
 */
static bool
TakeDomainCastOut(Node **document)
{
	const FuncExpr *conversion = (FuncExpr *) *document;
	const RelabelType *cast;

	if (!IsA(conversion, FuncExpr) || WhichFunction(conversion->funcid).role != ROLE_CONVERSION)
		return false;
	cast = linitial(conversion->args);
	if (!IsA(cast, RelabelType) || getBaseType(exprType((Node *) cast->arg)) != cast->resulttype)
		return false;
	*document = copyObject(*document);
	linitial(((FuncExpr *) *document)->args) = copyObject(cast->arg);
	return true;
}

bool
IsTestOfDomain(Node *clause)
{
	ThresholdClause threshold;

	return IsA(clause, FuncExpr) && ReadThresholdClause(clause, &threshold) &&
		   (TakeDomainCastOut(&threshold.a) || TakeDomainCastOut(&threshold.b));
}

static Node *Derive(PlannerInfo *root, Node *clause);

/*
 * Returns the AND or OR of the conditions that follow from its arms, with the arm itself where
 * nothing follows; NULL if nothing follows from any arm.
 */
static Node *
DeriveFromArms(PlannerInfo *root, const BoolExpr *clause)
{
	List *arms = NIL;
	bool any = false;
	ListCell *cell;

	foreach (cell, clause->args)
	{
		Node *derived = Derive(root, lfirst(cell));

		any = any || derived != NULL;
		arms = lappend(arms, derived != NULL ? derived : lfirst(cell));
	}
	return any ? (Node *) makeBoolExpr(clause->boolop, arms, -1) : NULL;
}

/*
 * Returns the condition that follows from a clause; NULL if there is none, or the user may not
 * execute all of its functions.
 */
static Node *
Derive(PlannerInfo *root, Node *clause)
{
	ThresholdClause threshold;
	Node *derived = NULL;
	bool of_domain;

	check_stack_depth();
	if (IsA(clause, BoolExpr) && ((BoolExpr *) clause)->boolop != NOT_EXPR)
		return DeriveFromArms(root, (BoolExpr *) clause);
	if (!ReadThresholdClause(clause, &threshold))
		return NULL;
	of_domain = TakeDomainCastOut(&threshold.a);
	of_domain = TakeDomainCastOut(&threshold.b) || of_domain;
	if (IsA(clause, OpExpr) && threshold.model != NULL)
		derived = ModelCondition(&threshold);
	else if (IsA(clause, OpExpr) && IsA(threshold.limit, Const))
		derived = KnownCondition(&threshold, (Const *) threshold.limit);
	else if (IsA(clause, OpExpr))
		derived = UnknownCondition(&threshold);
	else if (of_domain)
		derived = CallOn(threshold.kind == THRESHOLD_WITHIN ? ROLE_WITHIN : ROLE_SIMILAR,
						 &threshold, threshold.limit);
	return derived != NULL && MayExecuteAll(root, derived) ? derived : NULL;
}

Node *
DerivedCondition(PlannerInfo *root, Node *clause)
{
	Node *derived;

	if (contain_volatile_functions(clause) || contain_subplans(clause))
		return NULL;
	derived = Derive(root, clause);
	return derived == NULL ? NULL : eval_const_expressions(root, copyObject(derived));
}
