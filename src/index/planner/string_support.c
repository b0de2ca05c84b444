/*
 * string_support.c
 *	  Answers to the planner about longest common subsequences: costs and selectivity.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "../../compat.h"
#include "../../string/lcs_threshold.h"
#include "../../string/strings.h"
#include "clause.h"
#include "../lcs/lcs_range.h"
#include "string_statistics.h"
#include "string_support.h"
#include "support.h"

/* Nanoseconds that a call takes, a symbol read, and one compared with 64 others; measured. */
#define CALL_NANOSECONDS 150.0
#define SYMBOL_NANOSECONDS 2.0
#define WORD_NANOSECONDS 2.0

/* Symbols of a string where nothing is known, and a string that is as good as any then. */
#define DEFAULT_LENGTH 20

/* Approximate bytes of an array besides its elements, and of an element such as a text. */
#define ARRAY_BYTES 24
#define VARIABLE_ELEMENT_BYTES 12

/*
 * Share of pairs within a threshold that allows few symbols to differ, and shares of
 * symbols between which it rises to all pairs.
 */
#define NARROW_SHARE 1e-5
#define NARROW_CHANGE 0.25
#define WIDE_CHANGE 0.6

/* Length of a string that is known. */
static int32
KnownLength(DocumentType type, Datum value)
{
	return type == DOCUMENT_TEXT    ? TextLength(value)
		   : type == DOCUMENT_BYTEA ? ByteaLength(value)
									: ArrayLength(value);
}

/* Approximate length of a string that takes this number of bytes. */
static double
LengthOfWidth(DocumentType type, Oid array_type, int32 width)
{
	Oid element = type == DOCUMENT_ARRAY ? get_element_type(array_type) : InvalidOid;
	int16 length = OidIsValid(element) ? get_typlen(element) : -1;

	if (type != DOCUMENT_ARRAY)
		return Max(width - VARHDRSZ_SHORT, 0);
	return Max(width - ARRAY_BYTES, 0) / (double) (length > 0 ? length : VARIABLE_ELEMENT_BYTES);
}

/* Symbols of the strings of a type that an expression yields, on average. */
double
TypicalStringLength(PlannerInfo *root, DocumentType type, Node *string)
{
	Node *value = root == NULL ? string : estimate_expression_value(root, string);
	VariableStatData variable;
	double length = DEFAULT_LENGTH;

	if (IsA(value, Const))
		return ((Const *) value)->constisnull ? 0
											  : KnownLength(type, ((Const *) value)->constvalue);
	if (!IsOfTables(root, string))
		return length;
	examine_variable(root, string, 0, &variable);
	if (HeapTupleIsValid(variable.statsTuple))
		length = LengthOfWidth(type, exprType(string),
							   ((Form_pg_statistic) GETSTRUCT(variable.statsTuple))->stawidth);
	ReleaseVariableStats(variable);
	return length;
}

/* Share of pairs that are within a threshold because they are equal, and of those that are not
 * NULL. */
static double
EqualShare(PlannerInfo *root, Node *string, double *filled)
{
	VariableStatData variable;
	double distinct;
	bool is_default;

	examine_variable(root, string, 0, &variable);
	distinct = get_variable_numdistinct(&variable, &is_default);
	if (HeapTupleIsValid(variable.statsTuple))
		*filled *= 1 - ((Form_pg_statistic) GETSTRUCT(variable.statsTuple))->stanullfrac;
	ReleaseVariableStats(variable);
	return is_default ? 0 : 1 / Max(distinct, 1);
}

/*
 * Which part of all pairs is within a threshold, by statistics; without any, those
 * that are equal, and of the others few, or all where more than half of their symbols
 * may differ.
 */
Selectivity
EstimateStringPairs(PlannerInfo *root, Node *a, Node *b, const DocumentThreshold *threshold)
{
	double total = 2 * DEFAULT_LENGTH;
	double change = 1 - 2 * (double) LeastCommon(threshold, (int64) total) / total;
	double way = (change - NARROW_CHANGE) / (WIDE_CHANGE - NARROW_CHANGE);
	double filled = 1;
	double share;
	double known;

	if (MatchesNothing(threshold))
		return 0;
	share = Min(EqualShare(root, a, &filled), EqualShare(root, b, &filled));
	share = Max(share, pow(NARROW_SHARE, 1 - Min(Max(way, 0), 1)));
	known = EstimateFromStatistics(root, a, b, threshold);
	share = (known < 0 ? share : known) * filled;
	CLAMP_PROBABILITY(share);
	return share;
}

/* Processor cost of reading a string. */
Cost
StringReadCost(double length)
{
	return NanosecondsCost(SYMBOL_NANOSECONDS * length);
}

/* Processor cost of comparing two strings. */
Cost
StringPairCost(double length_a, double length_b)
{
	double shorter = Min(length_a, length_b);

	return NanosecondsCost(WORD_NANOSECONDS * ceil((shorter + 1) / 64) * Max(length_a, length_b));
}

/* The cost of a call. */
static Node *
AnswerStringCost(SupportRequestCost *request)
{
	DocumentType type = WhichFunction(request->funcid).documents;
	List *args = request->node == NULL ? NIL : CallArguments(request->node);
	double a;
	double b;

	if (list_length(args) < 2)
		return NULL;
	a = TypicalStringLength(request->root, type, linitial(args));
	b = TypicalStringLength(request->root, type, lsecond(args));
	request->startup = 0;
	request->per_tuple = NanosecondsCost(CALL_NANOSECONDS) + StringReadCost(a) + StringReadCost(b) +
						 StringPairCost(a, b);
	return (Node *) request;
}

/* The selectivity of a call as a condition. */
static Node *
AnswerSelectivity(SupportRequestSelectivity *request, ThresholdKind kind)
{
	DocumentThreshold threshold;

	if (list_length(request->args) != 3)
		return NULL;
	threshold = EstimateThreshold(request->root, kind, lthird(request->args));
	request->selectivity =
		EstimateMatched(request->root, request->sjinfo,
						EstimateStringPairs(request->root, linitial(request->args),
											lsecond(request->args), &threshold));
	return (Node *) request;
}

PG_FUNCTION_INFO_V1(lcs_support);

/* Planner support of measures and tests of strings: their cost, selectivity and index conditions.
 */
Datum
lcs_support(PG_FUNCTION_ARGS)
{
	Node *node = (Node *) PG_GETARG_POINTER(0);
	Node *result = NULL;

	if (IsA(node, SupportRequestCost) &&
		!AreTrees(WhichFunction(((SupportRequestCost *) node)->funcid).documents))
		result = AnswerStringCost((SupportRequestCost *) node);
	else if (IsA(node, SupportRequestSelectivity))
	{
		SupportRequestSelectivity *request = (SupportRequestSelectivity *) node;
		PlannedFunction function = WhichFunction(request->funcid);

		if (!AreTrees(function.documents) && IsThresholdTest(function.role))
			result = AnswerSelectivity(request, function.role == ROLE_SIMILAR ? THRESHOLD_SIMILAR
																			  : THRESHOLD_WITHIN);
	}
	else if (IsA(node, SupportRequestIndexCondition))
	{
		SupportRequestIndexCondition *request = (SupportRequestIndexCondition *) node;

		result = MakeIndexCondition(request, WhichFunction(request->funcid));
	}
	PG_RETURN_POINTER(result);
}

/* Whether an expression calls a function that makes a range of a string and a threshold. */
static bool
IsStringRangeConstructor(Node *expression)
{
	PlannedFunction function;

	if (!IsA(expression, FuncExpr))
		return false;
	function = WhichFunction(((FuncExpr *) expression)->funcid);
	return !AreTrees(function.documents) &&
		   (function.role == ROLE_RANGE || function.role == ROLE_SIMILARITY_RANGE);
}

/*
 * Selectivity of string <~ range.  The estimators can be those of any operator, of
 * which nothing is known here.
 */
static double
StringRangeSelectivity(PlannerInfo *root, Oid operator_id, List *args)
{
	Node *range = list_length(args) == 2 ? lsecond(args) : NULL;
	PlannedFunction function =
		WhichFunction(OidIsValid(operator_id) ? get_opcode(operator_id) : InvalidOid);
	LcsRange known;

	if (range == NULL || function.role != ROLE_MAY_BE_WITHIN || AreTrees(function.documents))
		return NARROW_SHARE;
	if (IsStringRangeConstructor(range))
	{
		Node *limit = lsecond(((FuncExpr *) range)->args);
		DocumentThreshold threshold = EstimateThreshold(
			root, exprType(limit) == FLOAT8OID ? THRESHOLD_SIMILAR : THRESHOLD_WITHIN, limit);

		return EstimateStringPairs(root, linitial(args), linitial(((FuncExpr *) range)->args),
								   &threshold);
	}
	if (!IsA(range, Const))
		return NARROW_SHARE;
	if (((Const *) range)->constisnull || !ReadLcsRange(((Const *) range)->constvalue, &known))
		return 0;
	return EstimateStringPairs(root, linitial(args), linitial(args), &known.threshold);
}

PG_FUNCTION_INFO_V1(lcs_range_sel);

/* Restriction selectivity of <~. */
Datum
lcs_range_sel(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(StringRangeSelectivity((PlannerInfo *) PG_GETARG_POINTER(0), PG_GETARG_OID(1),
											(List *) PG_GETARG_POINTER(2)));
}

PG_FUNCTION_INFO_V1(lcs_range_joinsel);

/* Join selectivity of <~. */
Datum
lcs_range_joinsel(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(StringRangeSelectivity((PlannerInfo *) PG_GETARG_POINTER(0), PG_GETARG_OID(1),
											(List *) PG_GETARG_POINTER(2)));
}
