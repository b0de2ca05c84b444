/*
 * cost_text.c
 *	  Cost models as JSON, the text and stored form of the type tree_costs.
 */
#include "postgres.h"

#include <math.h>

#include "common/shortest_dec.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/json.h"
#include "utils/numeric.h"

#include "../../common/messages.h"
#include "../../compat.h"
#include "cost_text.h"

static const char *const text_measures[] = {"exact", "lcs", "levenshtein", NULL};
StaticAssertDecl(lengthof(text_measures) == TED_TEXT_MEASURES + 1, "each measure has a name");
static const char *const number_measures[] = {"exact", "value", "relative", NULL};
static const char *const array_orders[] = {"ordered", "unordered", NULL};

/* The value of "rename" if nodes are never renamed but deleted and inserted. */
#define NEVER "never"

/* Reports an invalid cost model, and returns false. */
#define REFUSE(context, detail, hint)                                                              \
	ereturn(context, false,                                                                        \
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION), errmsg("invalid cost model"), detail,   \
			 hint))

/* Returns the bytes of a JSON string. */
static Label
StringLabel(const JsonbValue *value)
{
	return (Label){value->val.string.val, value->val.string.len};
}

bool
ReadCost(float8 number, const char *name, int32 *cost, Node *context)
{
	if (isnan(number) || number < 0 || number > GREATEST_COST)
		ereturn(context, false,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("edit cost is out of range"),
				 ValueDetail(psprintf("It is the value of \"%s\".", name),
							 "The value of \"%s\" is %g.", name, number),
				 errhint("Use costs from 0 to %d; only their ratios matter.", GREATEST_COST)));
	*cost = (int32) rint(number * COST_SCALE);
	if ((float8) *cost / COST_SCALE != number)
		ereturn(context, false,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("edit cost has too many decimals"),
				 ValueDetail(psprintf("It is the value of \"%s\".", name),
							 "The value of \"%s\" is %.15g.", name, number),
				 errhint("Round it to three decimals.")));
	return true;
}

bool
ReadTolerance(float8 number, const char *name, float8 *tolerance, Node *context)
{
	if (isnan(number) || isinf(number) || number < 0)
		ereturn(context, false,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("tolerance is out of range"),
				 ValueDetail(psprintf("It is the value of \"%s\".", name),
							 "The value of \"%s\" is %g.", name, number),
				 errhint("Use 0, or the greatest difference of numbers that are the same.")));
	*tolerance = number;
	return true;
}

/* Reads a name as its position in a list.  The error for an unknown name has all names. */
static bool
ReadMeasure(Label name, const char *member, const char *const *names, int *measure, Node *context)
{
	StringInfoData valid;

	for (int i = 0; names[i] != NULL; i++)
		if (LabelIs(name, names[i]))
		{
			*measure = i;
			return true;
		}
	initStringInfo(&valid);
	for (int i = 0; names[i] != NULL; i++)
		appendStringInfo(&valid, "%s\"%s\"", i > 0 ? ", " : "", names[i]);
	REFUSE(context,
		   ValueDetail(psprintf("The value of \"%s\" is not known.", member),
					   "The value of \"%s\" is \"%s\".", member, pnstrdup(name.bytes, name.length)),
		   errhint("Use one of %s.", valid.data));
}

bool
ReadTextMeasure(Label name, int *measure, Node *context)
{
	return ReadMeasure(name, "texts", text_measures, measure, context);
}

bool
ReadNumberMeasure(Label name, int *measure, Node *context)
{
	return ReadMeasure(name, "numbers", number_measures, measure, context);
}

bool
ReadArrayOrder(Label name, int *order, Node *context)
{
	return ReadMeasure(name, "arrays", array_orders, order, context);
}

/* Reports a value of a wrong type, and returns false. */
static bool
RefuseType(Label member, const char *wanted, Node *context)
{
	REFUSE(
		context,
		errdetail("The value of \"%s\" has a wrong type.", pnstrdup(member.bytes, member.length)),
		errhint("Use %s.", wanted));
}

/* Reads a JSON value as a cost. */
static bool
ReadCostValue(Label member, const JsonbValue *value, int32 *cost, Node *context)
{
	Datum number;

	if (LabelIs(member, "rename") && value->type == jbvString && LabelIs(StringLabel(value), NEVER))
	{
		*cost = TED_NEVER_RENAMED;
		return true;
	}
	if (value->type != jbvNumeric)
		return RefuseType(
			member, LabelIs(member, "rename") ? "a number, or \"" NEVER "\"" : "a number", context);
	number = DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(value->val.numeric));
	return ReadCost(DatumGetFloat8(number), pnstrdup(member.bytes, member.length), cost, context);
}

/* Reads a JSON value as a flag. */
static bool
ReadFlag(Label member, const JsonbValue *value, int *flag, Node *context)
{
	if (value->type != jbvBool)
		return RefuseType(member, "true or false", context);
	*flag = value->val.boolean;
	return true;
}

/* Reads a JSON value as a tolerance. */
static bool
ReadToleranceValue(Label member, const JsonbValue *value, float8 *tolerance, Node *context)
{
	Datum number;

	if (value->type != jbvNumeric)
		return RefuseType(member, "a number", context);
	number = DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(value->val.numeric));
	return ReadTolerance(DatumGetFloat8(number), pnstrdup(member.bytes, member.length), tolerance,
						 context);
}

/* Reads a JSON value as a measure of texts or numbers. */
static bool
ReadMeasureValue(Label member, const JsonbValue *value, CostTerms *terms, Node *context)
{
	if (value->type != jbvString)
		return RefuseType(member, "a string", context);
	if (LabelIs(member, "texts"))
		return ReadTextMeasure(StringLabel(value), &terms->texts, context);
	return ReadNumberMeasure(StringLabel(value), &terms->numbers, context);
}

/* Reads a member that both cost models and rules can have; `known` says whether it is one. */
static bool
ReadTerm(Label member, const JsonbValue *value, CostTerms *terms, bool *known, Node *context)
{
	*known = true;
	if (LabelIs(member, "insert"))
		return ReadCostValue(member, value, &terms->insert, context);
	if (LabelIs(member, "delete"))
		return ReadCostValue(member, value, &terms->delete_, context);
	if (LabelIs(member, "rename"))
		return ReadCostValue(member, value, &terms->rename, context);
	if (LabelIs(member, "texts") || LabelIs(member, "numbers"))
		return ReadMeasureValue(member, value, terms, context);
	if (LabelIs(member, "unordered"))
		return ReadFlag(member, value, &terms->unordered, context);
	if (LabelIs(member, "tolerance"))
		return ReadToleranceValue(member, value, &terms->tolerance, context);
	if (LabelIs(member, "relative_tolerance"))
		return ReadToleranceValue(member, value, &terms->relative, context);
	*known = false;
	return true;
}

/* Reports an unknown member of a cost model or a rule, and returns false. */
static bool
RefuseMember(Label member, const char *of, const char *members, Node *context)
{
	REFUSE(context,
		   ValueDetail(psprintf("A %s has a member that is not known.", of),
					   "A %s has no member \"%s\".", of, pnstrdup(member.bytes, member.length)),
		   errhint("Members are %s.", members));
}

/*
 * Reads a member of a rule, and adds the bytes of memory that it takes.  A null has no effect.
 */
static bool
ReadRuleMember(Label member, const JsonbValue *value, CostRule *rule, Size *bytes, Node *context)
{
	bool known;

	if (LabelIs(member, "pattern"))
	{
		if (value->type != jbvString)
			return RefuseType(member, "a string", context);
		*bytes += PathPatternBytes(value->val.string.len);
		return ReadPathPattern(StringLabel(value), &rule->pattern, context);
	}
	if (value->type == jbvNull)
		return true;
	if (LabelIs(member, "matches"))
	{
		if (value->type != jbvString)
			return RefuseType(member, "a string", context);
		*bytes += (Size) value->val.string.len;
		return ReadCostExpression(StringLabel(value), &rule->matches, context);
	}
	if (LabelIs(member, "ignore"))
		return ReadFlag(member, value, &rule->terms.ignored, context);
	if (LabelIs(member, "key"))
	{
		int is_key = 0;

		if (!ReadFlag(member, value, &is_key, context))
			return false;
		rule->is_key = is_key;
		return true;
	}
	if (!ReadTerm(member, value, &rule->terms, &known, context))
		return false;
	return known ||
		   RefuseMember(member, "rule",
						"\"pattern\", \"matches\", \"insert\", \"delete\", \"rename\", \"texts\", "
						"\"numbers\", \"tolerance\", \"relative_tolerance\", \"unordered\", "
						"\"key\" and \"ignore\"",
						context);
}

/* Reads a rule. */
static bool
ReadRule(CostModel *model, JsonbContainer *json, Node *context)
{
	CostRule rule = {.terms = NO_TERMS};
	JsonbIterator *iterator = JsonbIteratorInit(json);
	JsonbValue member;
	JsonbValue value;
	Size bytes = 0; /* memory of the pattern and the expression */

	JsonbIteratorNext(&iterator, &member, true);
	while (JsonbIteratorNext(&iterator, &member, true) == WJB_KEY)
	{
		JsonbIteratorNext(&iterator, &value, true);
		if (!ReadRuleMember(StringLabel(&member), &value, &rule, &bytes, context))
			return false;
	}
	if (rule.pattern.steps == NULL && !rule.pattern.anywhere)
		REFUSE(context, errdetail("A rule has no pattern."),
			   errhint("Say what it applies to, as in {\"pattern\": \"attribute()\", \"insert\": "
					   "0.5}."));
	CostModelAdd(model, &rule, bytes);
	return true;
}

bool
ReadCostRules(CostModel *model, JsonbContainer *json, Node *context)
{
	JsonbIterator *iterator = JsonbIteratorInit(json);
	JsonbValue value;
	bool is_array = JsonContainerIsArray(json) && !JsonContainerIsScalar(json);

	JsonbIteratorNext(&iterator, &value, true);
	while (is_array && JsonbIteratorNext(&iterator, &value, true) == WJB_ELEM)
	{
		CHECK_FOR_INTERRUPTS();
		if (value.type != jbvBinary || !JsonContainerIsObject(value.val.binary.data))
			REFUSE(context, errdetail("A rule must be an object."),
				   errhint("Write a rule as {\"pattern\": \"attribute()\", \"insert\": 0.5}."));
		if (!ReadRule(model, value.val.binary.data, context))
			return false;
	}
	if (!is_array)
		REFUSE(context, errdetail("The rules must be an array."),
			   errhint("Write rules as [{\"pattern\": \"attribute()\", \"insert\": 0.5}]."));
	return true;
}

/* Reads a member of a cost model. */
static bool
ReadModelMember(CostModel *model, Label member, const JsonbValue *value, Node *context)
{
	bool known;

	if (LabelIs(member, "rules"))
		return value->type == jbvBinary ? ReadCostRules(model, value->val.binary.data, context)
										: RefuseType(member, "an array of rules", context);
	if (LabelIs(member, "arrays"))
		return value->type == jbvString
				   ? ReadArrayOrder(StringLabel(value), &model->arrays, context)
				   : RefuseType(member, "a string", context);
	if (!ReadTerm(member, value, &model->terms, &known, context))
		return false;
	return known ||
		   RefuseMember(
			   member, "cost model",
			   "\"insert\", \"delete\", \"rename\", \"texts\", \"numbers\", "
			   "\"tolerance\", \"relative_tolerance\", \"unordered\", \"arrays\" and \"rules\"; a "
			   "rule ignores nodes: {\"rules\": [{\"pattern\": \"id\", \"ignore\": true}]}",
			   context);
}

CostModel *
ReadCostModel(Jsonb *json, Node *context)
{
	CostModel *model = CostModelCreate();
	JsonbIterator *iterator = JsonbIteratorInit(&json->root);
	JsonbValue member;
	JsonbValue value;

	if (!JB_ROOT_IS_OBJECT(json))
		ereturn(context, NULL,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION), errmsg("invalid cost model"),
				 errdetail("A cost model is a JSON object."),
				 errhint("Write it as {\"insert\": 1, \"delete\": 1, \"rename\": 0.5}, or use "
						 "tree_costs().")));
	JsonbIteratorNext(&iterator, &member, true);
	while (JsonbIteratorNext(&iterator, &member, true) == WJB_KEY)
	{
		JsonbIteratorNext(&iterator, &value, true);
		if (!ReadModelMember(model, StringLabel(&member), &value, context))
			return NULL;
	}
	return CostModelFinish(model, context) ? model : NULL;
}

/* Appends a cost in thousandths as a decimal number. */
static void
AppendCost(StringInfo out, int32 cost)
{
	int decimals = 3;

	if (cost == TED_NEVER_RENAMED)
	{
		appendStringInfoString(out, "\"" NEVER "\"");
		return;
	}
	appendStringInfo(out, "%d.%03d", cost / COST_SCALE, cost % COST_SCALE);
	while (decimals > 0 && out->data[out->len - 1] == '0')
	{
		out->len--;
		decimals--;
	}
	if (decimals == 0)
		out->len--;
	out->data[out->len] = '\0';
}

const char *
WriteCost(int32 cost)
{
	StringInfoData text;

	initStringInfo(&text);
	AppendCost(&text, cost);
	return text.data;
}

/* Appends a JSON member for a tolerance. */
static void
AppendTolerance(StringInfo json, const char *name, float8 tolerance)
{
	char digits[DOUBLE_SHORTEST_DECIMAL_LEN];

	double_to_shortest_decimal_buf(tolerance, digits);
	appendStringInfo(json, ", \"%s\": %s", name, digits);
}

/* Appends JSON members for the terms that are set. */
static void
AppendTerms(StringInfo json, const CostTerms *terms, const char *separator)
{
	const struct
	{
		const char *name;
		int32 cost;
	} costs[] = {{"insert", terms->insert}, {"delete", terms->delete_}, {"rename", terms->rename}};

	for (int i = 0; i < (int) lengthof(costs); i++)
		if (costs[i].cost != NO_TERM)
		{
			appendStringInfo(json, "%s\"%s\": ", separator, costs[i].name);
			AppendCost(json, costs[i].cost);
			separator = ", ";
		}
	if (terms->texts != NO_TERM)
		appendStringInfo(json, ", \"texts\": \"%s\"", text_measures[terms->texts]);
	if (terms->numbers != NO_TERM)
		appendStringInfo(json, ", \"numbers\": \"%s\"", number_measures[terms->numbers]);
	if (terms->tolerance >= 0)
		AppendTolerance(json, "tolerance", terms->tolerance);
	if (terms->relative >= 0)
		AppendTolerance(json, "relative_tolerance", terms->relative);
	if (terms->unordered != NO_TERM)
		appendStringInfo(json, ", \"unordered\": %s", terms->unordered ? "true" : "false");
	if (terms->ignored != NO_TERM)
		appendStringInfo(json, ", \"ignore\": %s", terms->ignored ? "true" : "false");
}

char *
WriteCostModel(const CostModel *model)
{
	StringInfoData json;
	CostTerms terms = model->terms;
	int first = model->begin[RULE_ANY];

	if (terms.texts == TED_TEXTS_EXACT)
		terms.texts = NO_TERM;
	if (terms.numbers == NUMBERS_EXACT)
		terms.numbers = NO_TERM;
	if (terms.tolerance == 0)
		terms.tolerance = NO_TERM;
	if (terms.relative == 0)
		terms.relative = NO_TERM;
	if (terms.unordered == 0)
		terms.unordered = NO_TERM;
	terms.ignored = NO_TERM;
	initStringInfo(&json);
	appendStringInfoChar(&json, '{');
	AppendTerms(&json, &terms, "");
	if (model->arrays != ARRAYS_ORDERED)
		appendStringInfo(&json, ", \"arrays\": \"%s\"", array_orders[model->arrays]);
	for (int i = first; i < model->count; i++)
	{
		char *pattern;

		CHECK_FOR_INTERRUPTS();
		appendStringInfoString(&json, i == first ? ", \"rules\": [" : ", ");
		appendStringInfoString(&json, "{\"pattern\": ");
		pattern = WritePathPattern(&model->rules[i].pattern);
		escape_json(&json, pattern);
		pfree(pattern);
		if (model->rules[i].matches != NULL)
		{
			appendStringInfoString(&json, ", \"matches\": ");
			escape_json(&json, text_to_cstring(model->rules[i].matches));
		}
		AppendTerms(&json, &model->rules[i].terms, ", ");
		if (model->rules[i].is_key)
			appendStringInfoString(&json, ", \"key\": true");
		appendStringInfoChar(&json, '}');
	}
	appendStringInfoString(&json, model->count > first ? "]}" : "}");
	return json.data;
}
