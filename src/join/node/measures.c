/*
 * measures.c
 *	  Expressions whose value a match of a TedJoin provides.
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

/* Calls of a measure beside the clause's function, of the documents in both orders. */
static List *
CallsOf(PlannedFunction measure, Oid type, const ThresholdClause *clause)
{
	Node *a = clause->a;
	Node *b = clause->b;
	Oid collation = clause->collation;
	Oid types[2] = {DeclaredType(clause->documents, exprType(a)),
					DeclaredType(clause->documents, exprType(b))};
	Oid function = FindFunction(measure, clause->function, types, lengthof(types));

	if (!OidIsValid(function))
		return NIL;
	return list_make2(
		makeFuncExpr(function, type, list_make2(a, b), InvalidOid, collation, COERCE_EXPLICIT_CALL),
		makeFuncExpr(function, type, list_make2(b, a), InvalidOid, collation,
					 COERCE_EXPLICIT_CALL));
}

/* The same of a measure by the model of the clause; the other way round, it may be another. */
static List *
CallByModel(PlannedFunction measure, const ThresholdClause *clause)
{
	Oid types[3] = {exprType(clause->a), exprType(clause->b), exprType(clause->model)};
	Oid function = FindFunction(measure, clause->function, types, lengthof(types));

	if (!OidIsValid(function))
		return NIL;
	return list_make1(makeFuncExpr(function, FLOAT8OID,
								   list_make3(clause->a, clause->b, clause->model), InvalidOid,
								   clause->collation, COERCE_EXPLICIT_CALL));
}

/* An operator applied to two documents, as the parser makes it. */
static Expr *
Operation(Oid operator_id, Oid collation, Node *a, Node *b)
{
	Expr *operation =
		make_opclause(operator_id, FLOAT8OID, false, (Expr *) a, (Expr *) b, InvalidOid, collation);

	set_opfuncid((OpExpr *) operation);
	return operation;
}

/* The same by an operator. */
static List *
OperationsOf(const char *name, PlannedFunction measure, const ThresholdClause *clause)
{
	Oid type = DeclaredType(clause->documents, exprType(clause->a));
	Oid operator_id = GetSysCacheOid4(OPERNAMENSP, Anum_pg_operator_oid, CStringGetDatum(name),
									  ObjectIdGetDatum(type), ObjectIdGetDatum(type),
									  ObjectIdGetDatum(get_func_namespace(clause->function)));

	if (!OidIsValid(operator_id) || WhichFunction(get_opcode(operator_id)) != measure)
		return NIL;
	return list_make2(Operation(operator_id, clause->collation, clause->a, clause->b),
					  Operation(operator_id, clause->collation, clause->b, clause->a));
}

/* All expressions that measure the documents of a clause. */
List *
MeasureExpressions(const ThresholdClause *clause)
{
	List *measures;

	if (clause->documents == DOCUMENT_JSON)
		return list_concat(CallsOf(JSON_EDIT_DISTANCE, INT4OID, clause),
						   CallsOf(JSON_SIMILARITY, FLOAT8OID, clause));
	if (clause->documents == DOCUMENT_BY_MODEL)
	{
		measures = CallByModel(TREE_EDIT_DISTANCE_MODEL, clause);
		measures = list_concat(measures, CallByModel(TREE_SIMILARITY_MODEL, clause));
		return list_concat(measures, CallByModel(TREE_NORMALIZED_DISTANCE_MODEL, clause));
	}
	if (clause->documents != DOCUMENT_TREE)
	{
		measures = CallsOf(LCS_DISTANCE, INT4OID, clause);
		measures = list_concat(measures, CallsOf(LCS_SIMILARITY, FLOAT8OID, clause));
		measures = list_concat(measures, CallsOf(LCS_LENGTH, INT4OID, clause));
		measures = list_concat(measures, OperationsOf("<~>", LCS_DISTANCE_OP, clause));
		return list_concat(measures, OperationsOf("<%>", LCS_DISSIMILARITY, clause));
	}
	measures = CallsOf(TREE_EDIT_DISTANCE, INT4OID, clause);
	measures = list_concat(measures, CallsOf(TREE_SIMILARITY, FLOAT8OID, clause));
	measures = list_concat(measures, CallsOf(TREE_NORMALIZED_DISTANCE, FLOAT8OID, clause));
	measures = list_concat(measures, OperationsOf("<->", TREE_DISTANCE_OP, clause));
	measures = list_concat(measures, OperationsOf("<%>", TREE_DISSIMILARITY, clause));
	return list_concat(measures, OperationsOf("<=>", TREE_NORMALIZED_DISTANCE, clause));
}
