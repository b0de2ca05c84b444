/*
 * identity.c
 *	  Recognises the extension's own types and functions.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/tupdesc.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "../compat.h"
#include "identity.h"

extern Datum tree_in(PG_FUNCTION_ARGS);
extern Datum tree_edit_distance(PG_FUNCTION_ARGS);
extern Datum tree_similarity(PG_FUNCTION_ARGS);
extern Datum tree_distance_op(PG_FUNCTION_ARGS);
extern Datum tree_normalized_distance(PG_FUNCTION_ARGS);
extern Datum tree_dissimilarity(PG_FUNCTION_ARGS);
extern Datum tree_within(PG_FUNCTION_ARGS);
extern Datum tree_similar(PG_FUNCTION_ARGS);
extern Datum tree_edit_distance_less_equal(PG_FUNCTION_ARGS);
extern Datum tree_edit_distance_costs(PG_FUNCTION_ARGS);
extern Datum tree_edit_distance_less_equal_costs(PG_FUNCTION_ARGS);
extern Datum tree_range(PG_FUNCTION_ARGS);
extern Datum tree_similarity_range(PG_FUNCTION_ARGS);
extern Datum tree_may_be_within(PG_FUNCTION_ARGS);
extern Datum xml_tree(PG_FUNCTION_ARGS);
extern Datum json_tree(PG_FUNCTION_ARGS);
extern Datum jsonb_tree(PG_FUNCTION_ARGS);

/* C code by its symbol, and the arguments that it takes. */
typedef struct Code
{
	const char *symbol;
	PGFunction address;
	const char
		*arguments; /* t: tree, r: tree_range, i: integer, d: float8, X, J, B: xml, json, jsonb */
} Code;

static const Code known[] = {
	[TREE_EDIT_DISTANCE] = {"tree_edit_distance", tree_edit_distance, "tt"},
	[TREE_SIMILARITY] = {"tree_similarity", tree_similarity, "tt"},
	[TREE_DISTANCE_OP] = {"tree_distance_op", tree_distance_op, "tt"},
	[TREE_NORMALIZED_DISTANCE] = {"tree_normalized_distance", tree_normalized_distance, "tt"},
	[TREE_DISSIMILARITY] = {"tree_dissimilarity", tree_dissimilarity, "tt"},
	[TREE_WITHIN] = {"tree_within", tree_within, "tti"},
	[TREE_SIMILAR] = {"tree_similar", tree_similar, "ttd"},
	[TREE_EDIT_DISTANCE_LESS_EQUAL] = {"tree_edit_distance_less_equal",
									   tree_edit_distance_less_equal, "tti"},
	[TREE_EDIT_DISTANCE_COSTS] = {"tree_edit_distance_costs", tree_edit_distance_costs, "ttiii"},
	[TREE_EDIT_DISTANCE_LESS_EQUAL_COSTS] = {"tree_edit_distance_less_equal_costs",
											 tree_edit_distance_less_equal_costs, "ttiiii"},
	[TREE_RANGE] = {"tree_range", tree_range, "ti"},
	[TREE_SIMILARITY_RANGE] = {"tree_similarity_range", tree_similarity_range, "td"},
	[TREE_MAY_BE_WITHIN] = {"tree_may_be_within", tree_may_be_within, "tr"},
	[XML_TREE] = {"xml_tree", xml_tree, "X"},
	[JSON_TREE] = {"json_tree", json_tree, "J"},
	[JSONB_TREE] = {"jsonb_tree", jsonb_tree, "B"},
};

/* Symbol of a function written in C, NULL for others. */
static const text *
CSymbol(HeapTuple function)
{
	if (((Form_pg_proc) GETSTRUCT(function))->prolang != ClanguageId)
		return NULL;
	return DatumGetTextPP(SysCacheGetAttrNotNull(PROCOID, function, Anum_pg_proc_prosrc));
}

/*
 * Whether a function of this symbol runs this code.  The symbol is compared
 * first, so that libraries of other extensions are not loaded to find out.
 */
static bool
RunsCode(Oid function, const text *symbol, const Code *code)
{
	FmgrInfo info;

	if (symbol == NULL || VARSIZE_ANY_EXHDR(symbol) != strlen(code->symbol) ||
		memcmp(VARDATA_ANY(symbol), code->symbol, strlen(code->symbol)) != 0)
		return false;
	fmgr_info(function, &info);
	return info.fn_addr == code->address;
}

/* Whether a type is what a letter of the arguments stands for. */
static bool
IsArgumentType(char letter, Oid type)
{
	switch (letter)
	{
		case 't':
			return IsTreeType(type);
		case 'r':
			return IsTreeRangeType(type);
		case 'i':
			return type == INT4OID;
		case 'X':
			return type == XMLOID;
		case 'J':
			return type == JSONOID;
		case 'B':
			return type == JSONBOID;
		default:
			return type == FLOAT8OID;
	}
}

/* Whether a function takes these arguments. */
static bool
TakesArguments(HeapTuple function, const char *arguments)
{
	const oidvector *types = &((Form_pg_proc) GETSTRUCT(function))->proargtypes;

	if (types->dim1 != (int) strlen(arguments))
		return false;
	for (int i = 0; i < types->dim1; i++)
		if (!IsArgumentType(arguments[i], types->values[i]))
			return false;
	return true;
}

/* Which of the functions that planning knows a function is. */
TreeFunction
WhichTreeFunction(Oid function)
{
	HeapTuple tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	TreeFunction which = OTHER_FUNCTION;
	const text *symbol;

	if (!HeapTupleIsValid(tuple))
		return OTHER_FUNCTION;
	symbol = CSymbol(tuple);
	for (int i = TREE_EDIT_DISTANCE; i < (int) lengthof(known); i++)
		if (RunsCode(function, symbol, &known[i]) && TakesArguments(tuple, known[i].arguments))
			which = (TreeFunction) i;
	ReleaseSysCache(tuple);
	return which;
}

/* Finds a function in the schema of another one. */
Oid
FindTreeFunction(TreeFunction which, Oid sibling, const Oid *types, int count)
{
	Oid found =
		GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(known[which].symbol),
						PointerGetDatum(buildoidvector(types, count)),
						ObjectIdGetDatum(get_func_namespace(sibling)));

	return OidIsValid(found) && WhichTreeFunction(found) == which ? found : InvalidOid;
}

/* Whether a function is an exact distance of two trees, or follows from one. */
bool
IsExactDistance(TreeFunction function)
{
	return function >= TREE_EDIT_DISTANCE && function <= TREE_DISSIMILARITY;
}

/* Whether a function takes two trees and a threshold. */
bool
IsBoundedDistance(TreeFunction function)
{
	return function >= TREE_WITHIN && function <= TREE_EDIT_DISTANCE_LESS_EQUAL;
}

/* Whether a function gives a number of two trees that a limit can be set on. */
bool
IsMeasure(TreeFunction function)
{
	return (IsExactDistance(function) && function != TREE_DISSIMILARITY) ||
		   function == TREE_EDIT_DISTANCE_LESS_EQUAL || function == TREE_EDIT_DISTANCE_COSTS ||
		   function == TREE_EDIT_DISTANCE_LESS_EQUAL_COSTS;
}

/* Whether a function makes a tree of a document. */
bool
IsConversion(Oid function)
{
	TreeFunction which = WhichTreeFunction(function);

	return which == XML_TREE || which == JSON_TREE || which == JSONB_TREE;
}

/* Whether a type is tree: its input function is. */
bool
IsTreeType(Oid type)
{
	static const Code input = {"tree_in", tree_in, NULL};
	Oid function;
	Oid element;
	HeapTuple tuple;
	bool same;

	if (get_typtype(type) != TYPTYPE_BASE)
		return false;
	getTypeInputInfo(type, &function, &element);
	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	if (!HeapTupleIsValid(tuple))
		return false;
	same = RunsCode(function, CSymbol(tuple), &input);
	ReleaseSysCache(tuple);
	return same;
}

/* Whether a type is a row of a tree and a distance. */
bool
IsTreeRangeType(Oid type)
{
	TupleDesc row;
	bool same;

	if (get_typtype(type) != TYPTYPE_COMPOSITE)
		return false;
	row = lookup_rowtype_tupdesc_noerror(type, -1, true);
	if (row == NULL)
		return false;
	same = row->natts == 2 && IsTreeType(TupleDescAttr(row, 0)->atttypid) &&
		   TupleDescAttr(row, 1)->atttypid == INT4OID;
	ReleaseTupleDesc(row);
	return same;
}
