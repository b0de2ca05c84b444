/*
 * measures.c
 *	  Expressions whose value is known for a match of a TedJoin.
 */
#include "postgres.h"

#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "../../compat.h"
#include "../../catalog/identity.h"
#include "join_plan.h"

/* Returns calls of a measure for the documents of a clause, in both orders. */
static List *
CallsOf(FunctionRole role, Oid type, const ThresholdClause *clause)
{
	PlannedFunction measure = {role, clause->documents};
	Node *a = clause->a;
	Node *b = clause->b;
	Oid types[3] = {DeclaredType(clause->documents, exprType(a)),
					DeclaredType(clause->documents, exprType(b)), exprType(clause->model)};
	Oid function = FindFunction(measure, clause->function, types, clause->model == NULL ? 2 : 3);
	List *arguments = list_make2(a, b);

	if (!OidIsValid(function))
		return NIL;
	/* a distance by a cost model may differ in the other order */
	if (clause->model != NULL)
		return list_make1(makeFuncExpr(function, FLOAT8OID, lappend(arguments, clause->model),
									   InvalidOid, clause->collation, COERCE_EXPLICIT_CALL));
	return list_make2(makeFuncExpr(function, type, arguments, InvalidOid, clause->collation,
								   COERCE_EXPLICIT_CALL),
					  makeFuncExpr(function, type, list_make2(b, a), InvalidOid, clause->collation,
								   COERCE_EXPLICIT_CALL));
}

/* Applies an operator to two documents, as the parser does. */
static Expr *
Operation(Oid operator_id, Oid collation, Node *a, Node *b)
{
	Expr *operation =
		make_opclause(operator_id, FLOAT8OID, false, (Expr *) a, (Expr *) b, InvalidOid, collation);

	set_opfuncid((OpExpr *) operation);
	return operation;
}

/* Returns both orders of an operator; NIL if the documents have no operator of this name. */
static List *
OperationsOf(const char *name, FunctionRole role, const ThresholdClause *clause)
{
	PlannedFunction measure = {role, clause->documents};
	Oid type = DeclaredType(clause->documents, exprType(clause->a));
	Oid operator_id = GetSysCacheOid4(OPERNAMENSP, Anum_pg_operator_oid, CStringGetDatum(name),
									  ObjectIdGetDatum(type), ObjectIdGetDatum(type),
									  ObjectIdGetDatum(get_func_namespace(clause->function)));

	if (!OidIsValid(operator_id) ||
		!IsSameFunction(WhichFunction(get_opcode(operator_id)), measure))
		return NIL;
	return list_make2(Operation(operator_id, clause->collation, clause->a, clause->b),
					  Operation(operator_id, clause->collation, clause->b, clause->a));
}

List *
MeasureExpressions(const ThresholdClause *clause)
{
	List *measures = CallsOf(ROLE_DISTANCE, INT4OID, clause);

	measures = list_concat(measures, CallsOf(ROLE_SIMILARITY, FLOAT8OID, clause));
	measures = list_concat(measures, CallsOf(ROLE_NORMALIZED_DISTANCE, FLOAT8OID, clause));
	measures = list_concat(measures, CallsOf(ROLE_COMMON_LENGTH, INT4OID, clause));
	measures = list_concat(measures, OperationsOf("<->", ROLE_DISTANCE_OP, clause));
	measures = list_concat(measures, OperationsOf("<~>", ROLE_DISTANCE_OP, clause));
	measures = list_concat(measures, OperationsOf("<%>", ROLE_DISSIMILARITY, clause));
	return list_concat(measures, OperationsOf("<=>", ROLE_NORMALIZED_DISTANCE, clause));
}
