/*
 * string_support.c
 *	  Planner support of longest common subsequences: costs, selectivity, and index conditions.
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
#include "../profile/lcs_range.h"
#include "string_statistics.h"
#include "string_support.h"
#include "support.h"

/*
 * Measured nanoseconds for a call, for reading a symbol, and for comparing a symbol with a word
 * of 64 others.
 */
#define CALL_NANOSECONDS 150.0
#define SYMBOL_NANOSECONDS 2.0
#define WORD_NANOSECONDS 2.0

/* Length of a string without statistics, in symbols. */
#define DEFAULT_LENGTH 20

/* Approximate bytes of an array's header, and of an element of variable length, such as a text. */
#define ARRAY_BYTES 24
#define VARIABLE_ELEMENT_BYTES 12

/*
 * Share of pairs within a threshold that allows few symbols to differ, and the shares of
 * differing symbols between which it rises to 1.
 */
#define NARROW_SHARE 1e-5
#define NARROW_CHANGE 0.25
#define WIDE_CHANGE 0.6

/* Returns the approximate length of a string of this number of bytes, in symbols. */
static double
LengthOfWidth(DocumentType type, Oid array_type, int32 width)
{
	Oid element = type == DOCUMENT_ARRAY ? get_element_type(array_type) : InvalidOid;
	int16 length = OidIsValid(element) ? get_typlen(element) : -1;

	if (type != DOCUMENT_ARRAY)
		return Max(width - VARHDRSZ_SHORT, 0);
	return Max(width - ARRAY_BYTES, 0) / (double) (length > 0 ? length : VARIABLE_ELEMENT_BYTES);
}

double
TypicalStringLength(PlannerInfo *root, DocumentType type, Node *string)
{
	Node *value = root == NULL ? string : estimate_expression_value(root, string);
	VariableStatData variable;
	double length = DEFAULT_LENGTH;

	if (IsA(value, Const))
	{
		const Const *known = (const Const *) value;
		const StringType *known_type = StringTypeOf(known->consttype);

		if (known->constisnull)
			return 0;
		return known_type == NULL ? length : known_type->length(known->constvalue);
	}
	if (!IsOfTables(root, string))
		return length;
	examine_variable(root, string, 0, &variable);
	if (HeapTupleIsValid(variable.statsTuple))
		length = LengthOfWidth(type, exprType(string),
							   ((Form_pg_statistic) GETSTRUCT(variable.statsTuple))->stawidth);
	ReleaseVariableStats(variable);
	return length;
}

/*
 * Returns the share of pairs that are equal, and multiplies `filled` by the share of values
 * that are not NULL.
 */
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
 * Estimates the share of pairs within a threshold from statistics.  Without statistics of
 * strings, these are the equal pairs, or, if more, the share NARROW_SHARE, rising to 1 for
 * thresholds that allow most symbols to differ.
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

Cost
StringReadCost(double length)
{
	return NanosecondsCost(SYMBOL_NANOSECONDS * length);
}

Cost
StringPairCost(double length_a, double length_b)
{
	double shorter = Min(length_a, length_b);

	return NanosecondsCost(WORD_NANOSECONDS * ceil((shorter + 1) / 64) * Max(length_a, length_b));
}

/* Answers a request for the cost of a call; returns NULL if the arguments are not known. */
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

/* Answers a request for the selectivity of a test of a threshold. */
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

/*
 * Answers requests of the planner about measures and tests of strings: costs, selectivity and
 * index conditions.
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
			result = AnswerSelectivity(request, LimitKind(function.role));
	}
	else if (IsA(node, SupportRequestIndexCondition))
	{
		SupportRequestIndexCondition *request = (SupportRequestIndexCondition *) node;

		result = MakeIndexCondition(request, WhichFunction(request->funcid));
	}
	PG_RETURN_POINTER(result);
}

/*
 * Returns the selectivity of string <~ range.  If another operator uses this estimator, returns
 * a default.
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
	if (IsRangeConstructor(range, false))
	{
		Node *limit = lsecond(((FuncExpr *) range)->args);
		DocumentThreshold threshold =
			EstimateThreshold(root, LimitKind(WhichFunction(CalledFunction(range)).role), limit);

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

/* Returns the restriction selectivity of <~. */
Datum
lcs_range_sel(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(StringRangeSelectivity((PlannerInfo *) PG_GETARG_POINTER(0), PG_GETARG_OID(1),
											(List *) PG_GETARG_POINTER(2)));
}

PG_FUNCTION_INFO_V1(lcs_range_joinsel);

/* Returns the join selectivity of <~. */
Datum
lcs_range_joinsel(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(StringRangeSelectivity((PlannerInfo *) PG_GETARG_POINTER(0), PG_GETARG_OID(1),
											(List *) PG_GETARG_POINTER(2)));
}
