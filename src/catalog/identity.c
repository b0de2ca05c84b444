/*
 * identity.c
 *	  Recognises the extension's own types and functions.
 */
#include "postgres.h"

#include "access/htup_details.h"
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

#include "../compat.h"
#include "identity.h"
#include "row_type.h"

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
extern Datum json_edit_distance_model(PG_FUNCTION_ARGS);
extern Datum json_within_model(PG_FUNCTION_ARGS);
extern Datum xml_tree(PG_FUNCTION_ARGS);
extern Datum json_tree(PG_FUNCTION_ARGS);
extern Datum jsonb_tree(PG_FUNCTION_ARGS);
extern Datum tree_pqgram_distance_op(PG_FUNCTION_ARGS);

/* Declares the C functions of an SQL function for all types of strings. */
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

/* A function that the planner's code knows, and how to recognise it. */
typedef struct Known
{
	PlannedFunction function;
	const char *name; /* in SQL */
	const char *symbol;
	PGFunction address;
	const char *arguments; /* types of the arguments, one letter each, see IsOfType() */
} Known;

#define KNOWN(role, documents, name, symbol, arguments)                                            \
	{                                                                                              \
		{role, documents}, #name, #symbol, symbol, arguments                                       \
	}
#define TREES(role, name, arguments) KNOWN(role, DOCUMENT_TREE, name, name, arguments)
#define BY_MODEL(role, name, arguments)                                                            \
	KNOWN(role, DOCUMENT_BY_MODEL, name, name##_model, arguments)
#define JSON(role, name, arguments) KNOWN(role, DOCUMENT_JSON, name, name, arguments)
#define JSON_BY_MODEL(role, name, arguments)                                                       \
	KNOWN(role, DOCUMENT_JSON_BY_MODEL, name, name##_model, arguments)
#define STRINGS(role, name, symbol, more)                                                          \
	KNOWN(role, DOCUMENT_TEXT, name, symbol##_text, "ss" more),                                    \
		KNOWN(role, DOCUMENT_BYTEA, name, symbol##_bytea, "yy" more),                              \
		KNOWN(role, DOCUMENT_ARRAY, name, symbol##_array, "AA" more)
#define ONE_STRING(role, name, symbol, more)                                                       \
	KNOWN(role, DOCUMENT_TEXT, name, symbol##_text, "s" more),                                     \
		KNOWN(role, DOCUMENT_BYTEA, name, symbol##_bytea, "y" more),                               \
		KNOWN(role, DOCUMENT_ARRAY, name, symbol##_array, "A" more)

static const Known known[] = {
	TREES(ROLE_DISTANCE, tree_edit_distance, "tt"),
	KNOWN(ROLE_DISTANCE_OP, DOCUMENT_TREE, ted_distance_op, tree_distance_op, "tt"),
	TREES(ROLE_SIMILARITY, tree_similarity, "tt"),
	KNOWN(ROLE_DISSIMILARITY, DOCUMENT_TREE, ted_dissimilarity, tree_dissimilarity, "tt"),
	TREES(ROLE_NORMALIZED_DISTANCE, tree_normalized_distance, "tt"),
	TREES(ROLE_DISTANCE_LESS_EQUAL, tree_edit_distance_less_equal, "ttd"),
	TREES(ROLE_WITHIN, tree_within, "ttd"),
	TREES(ROLE_SIMILAR, tree_similar, "ttd"),
	TREES(ROLE_RANGE, tree_range, "td"),
	TREES(ROLE_SIMILARITY_RANGE, tree_similarity_range, "td"),
	KNOWN(ROLE_MAY_BE_WITHIN, DOCUMENT_TREE, ted_may_be_within, tree_may_be_within, "tr"),
	TREES(ROLE_CONVERSION, xml_tree, "X"),
	TREES(ROLE_CONVERSION, json_tree, "J"),
	TREES(ROLE_CONVERSION, jsonb_tree, "B"),
	KNOWN(ROLE_PQGRAM_DISTANCE, DOCUMENT_TREE, tree_pqgram_distance, tree_pqgram_distance_op, "tt"),

	BY_MODEL(ROLE_DISTANCE, tree_edit_distance, "ttm"),
	BY_MODEL(ROLE_SIMILARITY, tree_similarity, "ttm"),
	BY_MODEL(ROLE_NORMALIZED_DISTANCE, tree_normalized_distance, "ttm"),
	BY_MODEL(ROLE_DISTANCE_LESS_EQUAL, tree_edit_distance_less_equal, "ttdm"),
	BY_MODEL(ROLE_WITHIN, tree_within, "ttdm"),
	BY_MODEL(ROLE_SIMILAR, tree_similar, "ttdm"),
	BY_MODEL(ROLE_RANGE, tree_range, "tdm"),

	JSON(ROLE_DISTANCE, json_edit_distance, "tt"),
	JSON(ROLE_SIMILARITY, json_similarity, "tt"),
	JSON(ROLE_DISTANCE_LESS_EQUAL, json_edit_distance_less_equal, "ttd"),
	JSON(ROLE_WITHIN, json_within, "ttd"),
	JSON(ROLE_SIMILAR, json_similar, "ttd"),

	JSON_BY_MODEL(ROLE_DISTANCE, json_edit_distance, "ttm"),
	JSON_BY_MODEL(ROLE_WITHIN, json_within, "ttdm"),

	STRINGS(ROLE_DISTANCE, lcs_distance, lcs_distance, ""),
	STRINGS(ROLE_DISTANCE_OP, ted_distance_op, lcs_distance_op, ""),
	STRINGS(ROLE_SIMILARITY, lcs_similarity, lcs_similarity, ""),
	STRINGS(ROLE_DISSIMILARITY, ted_dissimilarity, lcs_dissimilarity, ""),
	STRINGS(ROLE_DISTANCE_LESS_EQUAL, lcs_distance_less_equal, lcs_distance_less_equal, "d"),
	STRINGS(ROLE_COMMON_LENGTH, lcs_length, lcs_length, ""),
	STRINGS(ROLE_WITHIN, lcs_within, lcs_within, "d"),
	STRINGS(ROLE_SIMILAR, lcs_similar, lcs_similar, "d"),
	ONE_STRING(ROLE_RANGE, lcs_range, lcs_range, "d"),
	ONE_STRING(ROLE_SIMILARITY_RANGE, lcs_similarity_range, lcs_similarity_range, "d"),
	ONE_STRING(ROLE_MAY_BE_WITHIN, ted_may_be_within, lcs_may_be_within, "R"),
};

/* Returns the link symbol of a C function; NULL for functions in other languages. */
static const text *
CSymbol(HeapTuple function)
{
	if (((Form_pg_proc) GETSTRUCT(function))->prolang != ClanguageId)
		return NULL;
	return DatumGetTextPP(SysCacheGetAttrNotNull(PROCOID, function, Anum_pg_proc_prosrc));
}

/*
 * Whether a function with link symbol `symbol` runs the code of a known function.  Compares the
 * symbols first, so that libraries of other extensions need not be loaded.
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

/* Types of PostgreSQL and their letters, see IsOfType(). */
static const struct
{
	char letter;
	Oid type;
} letters[] = {{'b', BOOLOID},        {'c', CHAROID},      {'i', INT4OID},
			   {'l', INT8OID},        {'d', FLOAT8OID},    {'o', OIDOID},
			   {'s', TEXTOID},        {'y', BYTEAOID},     {'X', XMLOID},
			   {'J', JSONOID},        {'B', JSONBOID},     {'v', INTERVALOID},
			   {'z', TIMESTAMPTZOID}, {'I', INT4ARRAYOID}, {'D', FLOAT8ARRAYOID},
			   {'S', TEXTARRAYOID},   {'A', ANYARRAYOID}};

bool
IsOfType(char letter, Oid type)
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
		case '*':
			return OidIsValid(type);
		default:
			for (Size i = 0; i < lengthof(letters); i++)
				if (letters[i].letter == letter)
					return letters[i].type == type;
			elog(ERROR, "no type has the letter \"%c\"", letter);
	}
}

/* Whether a function takes arguments of the types in `arguments`, see Known. */
static bool
TakesArguments(HeapTuple function, const char *arguments)
{
	const oidvector *types = &((Form_pg_proc) GETSTRUCT(function))->proargtypes;

	if (types->dim1 != (int) strlen(arguments))
		return false;
	for (int i = 0; i < types->dim1; i++)
		if (!IsOfType(arguments[i], types->values[i]))
			return false;
	return true;
}

PlannedFunction
WhichFunction(Oid function)
{
	HeapTuple tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	PlannedFunction found = {NO_ROLE, DOCUMENT_TREE};
	const text *symbol;

	if (!HeapTupleIsValid(tuple))
		return found;
	symbol = CSymbol(tuple);
	for (Size i = 0; found.role == NO_ROLE && i < lengthof(known); i++)
		if (RunsCode(function, symbol, known[i].symbol, known[i].address) &&
			TakesArguments(tuple, known[i].arguments))
			found = known[i].function;
	ReleaseSysCache(tuple);
	return found;
}

Oid
DeclaredType(DocumentType documents, Oid actual)
{
	return documents == DOCUMENT_ARRAY ? ANYARRAYOID : actual;
}

Oid
FindFunction(PlannedFunction which, Oid sibling, const Oid *types, int count)
{
	for (Size i = 0; i < lengthof(known); i++)
		if (IsSameFunction(known[i].function, which))
		{
			Oid found =
				GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(known[i].name),
								PointerGetDatum(buildoidvector(types, count)),
								ObjectIdGetDatum(get_func_namespace(sibling)));

			return OidIsValid(found) && IsSameFunction(WhichFunction(found), which) ? found
																					: InvalidOid;
		}
	return InvalidOid;
}

/* Whether the input function of a base type runs the code at `address`. */
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

bool
IsTreeType(Oid type)
{
	return IsReadBy(type, "tree_in", tree_in);
}

bool
IsTreeCostsType(Oid type)
{
	return IsReadBy(type, "tree_costs_in", tree_costs_in);
}

void
CheckExecutable(Oid function)
{
	AclResult allowed = FunctionAclCheck(function, GetUserId());

	if (allowed != ACLCHECK_OK)
		aclcheck_error(allowed, OBJECT_FUNCTION, get_func_name(function));
	InvokeFunctionExecuteHook(function);
}
