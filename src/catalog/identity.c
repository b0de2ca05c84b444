/*
 * identity.c
 *	  Recognises the extension's own types and functions.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/tupdesc.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/acl.h"
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
extern Datum tree_range(PG_FUNCTION_ARGS);
extern Datum tree_range_model(PG_FUNCTION_ARGS);
extern Datum tree_similarity_range(PG_FUNCTION_ARGS);
extern Datum tree_may_be_within(PG_FUNCTION_ARGS);
extern Datum tree_costs_in(PG_FUNCTION_ARGS);
extern Datum tree_edit_distance_model(PG_FUNCTION_ARGS);
extern Datum tree_similarity_model(PG_FUNCTION_ARGS);
extern Datum tree_normalized_distance_model(PG_FUNCTION_ARGS);
extern Datum tree_within_model(PG_FUNCTION_ARGS);
extern Datum tree_similar_model(PG_FUNCTION_ARGS);
extern Datum tree_edit_distance_less_equal_model(PG_FUNCTION_ARGS);
extern Datum json_edit_distance(PG_FUNCTION_ARGS);
extern Datum json_similarity(PG_FUNCTION_ARGS);
extern Datum json_within(PG_FUNCTION_ARGS);
extern Datum json_similar(PG_FUNCTION_ARGS);
extern Datum json_edit_distance_less_equal(PG_FUNCTION_ARGS);
extern Datum xml_tree(PG_FUNCTION_ARGS);
extern Datum json_tree(PG_FUNCTION_ARGS);
extern Datum jsonb_tree(PG_FUNCTION_ARGS);

/* Declares the code of a function for all types of strings. */
#define DECLARE_STRING_FUNCTION(name)                                                              \
	extern Datum name##_text(PG_FUNCTION_ARGS);                                                    \
	extern Datum name##_bytea(PG_FUNCTION_ARGS);                                                   \
	extern Datum name##_array(PG_FUNCTION_ARGS)

DECLARE_STRING_FUNCTION(lcs_length);
DECLARE_STRING_FUNCTION(lcs_distance);
DECLARE_STRING_FUNCTION(lcs_similarity);
DECLARE_STRING_FUNCTION(lcs_within);
DECLARE_STRING_FUNCTION(lcs_similar);
DECLARE_STRING_FUNCTION(lcs_distance_less_equal);
DECLARE_STRING_FUNCTION(lcs_distance_op);
DECLARE_STRING_FUNCTION(lcs_dissimilarity);
DECLARE_STRING_FUNCTION(lcs_range);
DECLARE_STRING_FUNCTION(lcs_similarity_range);
DECLARE_STRING_FUNCTION(lcs_may_be_within);

/* A function that planning knows, by its code. */
typedef struct Known
{
	PlannedFunction function;
	const char *name; /* in SQL */
	const char *symbol;
	PGFunction address;
	const char *arguments; /* a letter each, see IsArgumentType() */
} Known;

#define KNOWN_AS(function, name, symbol, arguments)                                                \
	{                                                                                              \
		function, #name, #symbol, symbol, arguments                                                \
	}
#define KNOWN(function, name, arguments) KNOWN_AS(function, name, name, arguments)
#define KNOWN_BY_MODEL(function, name, arguments) KNOWN_AS(function, name, name##_model, arguments)
#define KNOWN_STRINGS_AS(function, name, symbol, more)                                             \
	KNOWN_AS(function, name, symbol##_text, "ss" more),                                            \
		KNOWN_AS(function, name, symbol##_bytea, "yy" more),                                       \
		KNOWN_AS(function, name, symbol##_array, "AA" more)
#define KNOWN_STRINGS(function, name, more) KNOWN_STRINGS_AS(function, name, name, more)
#define KNOWN_OF_STRING(function, name, symbol, more)                                              \
	KNOWN_AS(function, name, symbol##_text, "s" more),                                             \
		KNOWN_AS(function, name, symbol##_bytea, "y" more),                                        \
		KNOWN_AS(function, name, symbol##_array, "A" more)

static const Known known[] = {
	KNOWN(TREE_EDIT_DISTANCE, tree_edit_distance, "tt"),
	KNOWN(TREE_SIMILARITY, tree_similarity, "tt"),
	KNOWN_AS(TREE_DISTANCE_OP, ted_distance_op, tree_distance_op, "tt"),
	KNOWN(TREE_NORMALIZED_DISTANCE, tree_normalized_distance, "tt"),
	KNOWN_AS(TREE_DISSIMILARITY, ted_dissimilarity, tree_dissimilarity, "tt"),
	KNOWN(TREE_WITHIN, tree_within, "tti"),
	KNOWN(TREE_SIMILAR, tree_similar, "ttd"),
	KNOWN(TREE_EDIT_DISTANCE_LESS_EQUAL, tree_edit_distance_less_equal, "tti"),
	KNOWN(TREE_RANGE, tree_range, "ti"),
	KNOWN(TREE_SIMILARITY_RANGE, tree_similarity_range, "td"),
	KNOWN_AS(TREE_MAY_BE_WITHIN, ted_may_be_within, tree_may_be_within, "tr"),
	KNOWN_BY_MODEL(TREE_RANGE_MODEL, tree_range, "tdm"),
	KNOWN_BY_MODEL(TREE_EDIT_DISTANCE_MODEL, tree_edit_distance, "ttm"),
	KNOWN_BY_MODEL(TREE_SIMILARITY_MODEL, tree_similarity, "ttm"),
	KNOWN_BY_MODEL(TREE_NORMALIZED_DISTANCE_MODEL, tree_normalized_distance, "ttm"),
	KNOWN_BY_MODEL(TREE_WITHIN_MODEL, tree_within, "ttdm"),
	KNOWN_BY_MODEL(TREE_SIMILAR_MODEL, tree_similar, "ttdm"),
	KNOWN_BY_MODEL(TREE_EDIT_DISTANCE_LESS_EQUAL_MODEL, tree_edit_distance_less_equal, "ttdm"),
	KNOWN(JSON_EDIT_DISTANCE, json_edit_distance, "tt"),
	KNOWN(JSON_SIMILARITY, json_similarity, "tt"),
	KNOWN(JSON_WITHIN, json_within, "tti"),
	KNOWN(JSON_SIMILAR, json_similar, "ttd"),
	KNOWN(JSON_EDIT_DISTANCE_LESS_EQUAL, json_edit_distance_less_equal, "tti"),
	KNOWN(XML_TREE, xml_tree, "X"),
	KNOWN(JSON_TREE, json_tree, "J"),
	KNOWN(JSONB_TREE, jsonb_tree, "B"),
	KNOWN_STRINGS(LCS_LENGTH, lcs_length, ""),
	KNOWN_STRINGS(LCS_DISTANCE, lcs_distance, ""),
	KNOWN_STRINGS(LCS_SIMILARITY, lcs_similarity, ""),
	KNOWN_STRINGS(LCS_WITHIN, lcs_within, "i"),
	KNOWN_STRINGS(LCS_SIMILAR, lcs_similar, "d"),
	KNOWN_STRINGS(LCS_DISTANCE_LESS_EQUAL, lcs_distance_less_equal, "i"),
	KNOWN_STRINGS_AS(LCS_DISTANCE_OP, ted_distance_op, lcs_distance_op, ""),
	KNOWN_STRINGS_AS(LCS_DISSIMILARITY, ted_dissimilarity, lcs_dissimilarity, ""),
	KNOWN_OF_STRING(LCS_RANGE, lcs_range, lcs_range, "i"),
	KNOWN_OF_STRING(LCS_SIMILARITY_RANGE, lcs_similarity_range, lcs_similarity_range, "d"),
	KNOWN_OF_STRING(LCS_MAY_BE_WITHIN, ted_may_be_within, lcs_may_be_within, "R"),
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
 * Whether a function of this symbol runs the code of another one.  The symbol is
 * compared first, so that libraries of other extensions are not loaded to find out.
 */
static bool
RunsCode(Oid function, const text *symbol, const char *known_symbol, PGFunction address)
{
	FmgrInfo info;

	if (symbol == NULL || VARSIZE_ANY_EXHDR(symbol) != strlen(known_symbol) ||
		memcmp(VARDATA_ANY(symbol), known_symbol, strlen(known_symbol)) != 0)
		return false;
	fmgr_info(function, &info);
	return info.fn_addr == address;
}

static bool IsTreeCostsType(Oid type);

/* Whether a type is what a letter of the arguments stands for. */
static bool
IsArgumentType(char letter, Oid type)
{
	switch (letter)
	{
		case 't':
			return IsTreeType(type);
		case 'm':
			return IsTreeCostsType(type);
		case 'r':
			return IsTreeRangeType(type);
		case 'R':
			return IsLcsRangeType(type);
		case 's':
			return type == TEXTOID;
		case 'y':
			return type == BYTEAOID;
		case 'A':
			return type == ANYARRAYOID;
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
static const Known *
FindKnown(Oid function)
{
	HeapTuple tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	const Known *found = NULL;
	const text *symbol;

	if (!HeapTupleIsValid(tuple))
		return NULL;
	symbol = CSymbol(tuple);
	for (Size i = 0; found == NULL && i < lengthof(known); i++)
		if (RunsCode(function, symbol, known[i].symbol, known[i].address) &&
			TakesArguments(tuple, known[i].arguments))
			found = &known[i];
	ReleaseSysCache(tuple);
	return found;
}

/* The same by its number. */
PlannedFunction
WhichFunction(Oid function)
{
	const Known *found = FindKnown(function);

	return found == NULL ? OTHER_FUNCTION : found->function;
}

/* Whether a function takes trees for JSON documents. */
static bool
TakesJson(PlannedFunction function)
{
	return function >= JSON_EDIT_DISTANCE && function <= JSON_EDIT_DISTANCE_LESS_EQUAL;
}

/* Whether a function takes a model of costs. */
bool
TakesModel(PlannedFunction function)
{
	return function >= TREE_EDIT_DISTANCE_MODEL && function <= TREE_EDIT_DISTANCE_LESS_EQUAL_MODEL;
}

/* What a function compares, by the type of its first argument. */
DocumentType
DocumentsOf(Oid function)
{
	const Known *found = FindKnown(function);

	switch (found == NULL ? 't' : found->arguments[0])
	{
		case 's':
			return DOCUMENT_TEXT;
		case 'y':
			return DOCUMENT_BYTEA;
		case 'A':
			return DOCUMENT_ARRAY;
		default:
			return found == NULL                 ? DOCUMENT_TREE
				   : TakesJson(found->function)  ? DOCUMENT_JSON
				   : TakesModel(found->function) ? DOCUMENT_BY_MODEL
												 : DOCUMENT_TREE;
	}
}

/* The type that functions declare documents of a type to be of. */
Oid
DeclaredType(DocumentType documents, Oid actual)
{
	return documents == DOCUMENT_ARRAY ? ANYARRAYOID : actual;
}

/* The name of a function that planning knows. */
static const char *
NameOf(PlannedFunction which)
{
	Size i = 0;

	while (known[i].function != which)
		i++;
	return known[i].name;
}

/* Finds a function in the schema of another one. */
Oid
FindFunction(PlannedFunction which, Oid sibling, const Oid *types, int count)
{
	Oid found = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(NameOf(which)),
								PointerGetDatum(buildoidvector(types, count)),
								ObjectIdGetDatum(get_func_namespace(sibling)));

	return OidIsValid(found) && WhichFunction(found) == which ? found : InvalidOid;
}

/* Whether a function is an exact distance of two trees, or follows from one. */
bool
IsExactDistance(PlannedFunction function)
{
	return function >= TREE_EDIT_DISTANCE && function <= TREE_DISSIMILARITY;
}

/* The same by a model. */
bool
IsExactDistanceByModel(PlannedFunction function)
{
	return function >= TREE_EDIT_DISTANCE_MODEL && function <= TREE_NORMALIZED_DISTANCE_MODEL;
}

/* Whether a function takes two trees and a threshold. */
bool
IsBoundedDistance(PlannedFunction function)
{
	return (function >= TREE_WITHIN && function <= TREE_EDIT_DISTANCE_LESS_EQUAL) ||
		   (function >= JSON_WITHIN && function <= JSON_EDIT_DISTANCE_LESS_EQUAL);
}

/* Whether a function gives a number of two documents that a limit can be set on. */
bool
IsMeasure(PlannedFunction function)
{
	return IsExactDistance(function) || function == TREE_EDIT_DISTANCE_LESS_EQUAL ||
		   function == TREE_EDIT_DISTANCE_MODEL || function == TREE_SIMILARITY_MODEL ||
		   function == TREE_NORMALIZED_DISTANCE_MODEL ||
		   function == TREE_EDIT_DISTANCE_LESS_EQUAL_MODEL || function == JSON_EDIT_DISTANCE ||
		   function == JSON_SIMILARITY || function == JSON_EDIT_DISTANCE_LESS_EQUAL ||
		   function == LCS_DISTANCE || function == LCS_SIMILARITY ||
		   function == LCS_DISTANCE_LESS_EQUAL || function == LCS_DISTANCE_OP ||
		   function == LCS_DISSIMILARITY;
}

/* Whether a function tests whether two documents are within a threshold. */
bool
IsThresholdTest(PlannedFunction function)
{
	return function == TREE_WITHIN || function == TREE_SIMILAR || function == TREE_WITHIN_MODEL ||
		   function == JSON_WITHIN || function == JSON_SIMILAR || function == LCS_WITHIN ||
		   function == LCS_SIMILAR;
}

/* Whether a function makes a tree of a document. */
bool
IsConversion(Oid function)
{
	PlannedFunction which = WhichFunction(function);

	return which == XML_TREE || which == JSON_TREE || which == JSONB_TREE;
}

/* Whether a type is one of ours: its input function is. */
static bool
IsReadBy(Oid type, const char *symbol, PGFunction address)
{
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
	same = RunsCode(function, CSymbol(tuple), symbol, address);
	ReleaseSysCache(tuple);
	return same;
}

/* Whether a type is tree. */
bool
IsTreeType(Oid type)
{
	return IsReadBy(type, "tree_in", tree_in);
}

/* Whether a type is tree_costs. */
static bool
IsTreeCostsType(Oid type)
{
	return IsReadBy(type, "tree_costs_in", tree_costs_in);
}

/* The columns of a row type, to be released; NULL for other types. */
static TupleDesc
ColumnsOf(Oid type)
{
	if (get_typtype(type) != TYPTYPE_COMPOSITE)
		return NULL;
	return lookup_rowtype_tupdesc_noerror(type, -1, true);
}

/* Whether a type is a row of a tree, a distance and costs. */
bool
IsTreeRangeType(Oid type)
{
	TupleDesc row = ColumnsOf(type);
	bool same;

	if (row == NULL)
		return false;
	same = row->natts == 3 && IsTreeType(TupleDescAttr(row, 0)->atttypid) &&
		   TupleDescAttr(row, 1)->atttypid == FLOAT8OID &&
		   IsTreeCostsType(TupleDescAttr(row, 2)->atttypid);
	ReleaseTupleDesc(row);
	return same;
}

/* Whether a type is a row of a profile, a distance and a similarity. */
bool
IsLcsRangeType(Oid type)
{
	TupleDesc row = ColumnsOf(type);
	bool same;

	if (row == NULL)
		return false;
	same = row->natts == 3 && TupleDescAttr(row, 0)->atttypid == BYTEAOID &&
		   TupleDescAttr(row, 1)->atttypid == INT4OID &&
		   TupleDescAttr(row, 2)->atttypid == FLOAT8OID;
	ReleaseTupleDesc(row);
	return same;
}

/* Raises an error unless the user may execute a function. */
void
CheckExecutable(Oid function)
{
	AclResult allowed = FunctionAclCheck(function, GetUserId());

	if (allowed != ACLCHECK_OK)
		aclcheck_error(allowed, OBJECT_FUNCTION, get_func_name(function));
	InvokeFunctionExecuteHook(function);
}
