/*
 * cost_type.c
 *	  The type tree_costs: input, output, and functions that make values of it.
 *
 * A value is the text of a cost model as WriteCostModel() writes it, so equal values have
 * equal bytes.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "libpq/pqformat.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/memutils.h"

#include "../../common/cached_argument.h"
#include "../../common/host.h"
#include "../../common/messages.h"
#include "../../compat.h"
#include "cost_text.h"
#include "cost_type.h"

/* An upper bound on the memory of PostgreSQL's parser for each byte of a cost model's JSON. */
#define PARSED_BYTES ((Size) 24)

/* Sends a notice if a cost model has useless costs of renaming. */
static void
NoticeIdleRenames(const CostModel *model)
{
	CostRule rule;

	if (CostModelHasIdleRenames(model, &rule))
		ereport(NOTICE, (errmsg("renaming costs more than deleting and inserting"),
						 ValueDetail("It does so for the nodes of a pattern.",
									 "For the pattern \"%s\", the costs are %s to rename, %s to "
									 "delete and %s to insert.",
									 WritePathPattern(&rule.pattern), WriteCost(rule.terms.rename),
									 WriteCost(rule.terms.delete_), WriteCost(rule.terms.insert)),
						 errhint("Such nodes are deleted and inserted, unless the other label "
								 "costs more.")));
}

/*
 * Reads a cost model from JSON text.  If `context` is not NULL, errors are reported to it
 * and the result is NULL.
 */
static CostModel *
ReadJson(const char *json, Node *context)
{
	MemoryContext caller = CurrentMemoryContext;
	Jsonb *volatile value = NULL;

	CheckMemoryLimit(PARSED_BYTES * strlen(json), "reading a cost model");
	PG_TRY();
	{
		value = DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(json)));
	}
	PG_CATCH();
	{
		ReportWithoutValues(caller, context, "invalid cost model", "It is not valid JSON.",
							"Write it as {\"insert\": 1, \"delete\": 1, \"rename\": 0.5}, or use "
							"tree_costs().");
	}
	PG_END_TRY();
	return value == NULL ? NULL : ReadCostModel(value, context);
}

/* Raises an error for a cost model in which arrays have no order. */
static void
RefuseUnorderedArrays(const CostModel *model)
{
	if (model->has_keys)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("keys of elements of arrays are not supported here"),
						errdetail("Elements with keys have no order."),
						errhint("Use json_edit_distance(), json_edit_mapping(), or differences and "
								"patches of JSON, or sort elements by the option \"array_keys\" of "
								"conversions.")));
	if (model->arrays != ARRAYS_ORDERED)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("arrays without an order are not supported here"),
						errdetail("The cost model has \"arrays\": \"unordered\"."),
						errhint("Use json_edit_distance(), json_edit_mapping(), or differences and "
								"patches of JSON, or a model "
								"with \"arrays\": \"ordered\".")));
}

void
RefuseUnordered(const CostModel *model)
{
	RefuseUnorderedArrays(model);
	if (model->has_unordered)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("children without an order are not supported here"),
						errdetail("The cost model has \"unordered\": true."),
						errhint("Use differences and patches of documents, or sort children by "
								"the option \"unordered\" of conversions.")));
}

CostModel *
DatumGetJsonCostModel(Datum value)
{
	return ReadJson(TextDatumGetCString(value), NULL);
}

CostModel *
DatumGetCostModel(Datum value)
{
	CostModel *model = DatumGetJsonCostModel(value);

	RefuseUnordered(model);
	return model;
}

/* Reads a cost model that is to be cached. */
static void *
MakeModel(Datum value, Oid collation)
{
	(void) collation;
	return DatumGetJsonCostModel(value);
}

const CostModel *
ArgumentJsonCostModel(FunctionCallInfo fcinfo, int argument)
{
	CostModel *model = CacheArgumentAt(fcinfo, argument, MakeModel);

	model->is_shown = AreWrittenByClient(fcinfo, argument, 1);
	return model;
}

const CostModel *
ArgumentJsonModelUnlessUnit(FunctionCallInfo fcinfo, int argument)
{
	const CostModel *model = ArgumentJsonCostModel(fcinfo, argument);

	return CostModelIsUnit(model) ? NULL : model;
}

const CostModel *
ArgumentXmlModelUnlessUnit(FunctionCallInfo fcinfo, int argument)
{
	const CostModel *model = ArgumentJsonCostModel(fcinfo, argument);

	RefuseUnorderedArrays(model);
	return CostModelIsUnit(model) ? NULL : model;
}

const CostModel *
ArgumentCostModel(FunctionCallInfo fcinfo, int argument)
{
	const CostModel *model = ArgumentJsonCostModel(fcinfo, argument);

	RefuseUnordered(model);
	return model;
}

const CostModel *
ArgumentModelUnlessUnit(FunctionCallInfo fcinfo, int argument)
{
	const CostModel *model = ArgumentCostModel(fcinfo, argument);

	return CostModelIsUnit(model) ? NULL : model;
}

/* Makes a value of a cost model. */
static Datum
CostModelGetDatum(const CostModel *model)
{
	return CStringGetTextDatum(WriteCostModel(model));
}

PG_FUNCTION_INFO_V1(tree_costs_in);

/* Reads a cost model. */
Datum
tree_costs_in(PG_FUNCTION_ARGS)
{
	ErrorContextCallback reading;
	CostModel *model;

	BeginReading(&reading, AreWrittenByClient(fcinfo, 0, 1));
	model = ReadJson(PG_GETARG_CSTRING(0), fcinfo->context);
	if (model != NULL)
		NoticeIdleRenames(model);
	EndReading(&reading);
	if (model == NULL)
		PG_RETURN_NULL();
	return CostModelGetDatum(model);
}

PG_FUNCTION_INFO_V1(tree_costs_recv);

/* Reads a cost model sent as text. */
Datum
tree_costs_recv(PG_FUNCTION_ARGS)
{
	StringInfo buffer = (StringInfo) PG_GETARG_POINTER(0);
	int length;
	const char *json = pq_getmsgtext(buffer, buffer->len - buffer->cursor, &length);

	return CostModelGetDatum(ReadJson(json, NULL));
}

PG_FUNCTION_INFO_V1(tree_costs_symmetric);

/* Whether distances by a cost model are symmetric. */
Datum
tree_costs_symmetric(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(CostModelIsSymmetric(DatumGetJsonCostModel(PG_GETARG_DATUM(0))));
}

/* What the elements of an argument of tree_costs() say. */
typedef enum RuleArgument
{
	IGNORED_NODES,
	IGNORED_VALUES, /* regular expressions, not patterns */
	UNORDERED_NODES,
	ARRAY_KEYS
} RuleArgument;

/* Adds a rule for each element of an argument. */
static void
AddRules(CostModel *model, ArrayType *argument, RuleArgument meaning)
{
	Datum *values;
	bool *nulls;
	int count;

	deconstruct_array(argument, TEXTOID, -1, false, TYPALIGN_INT, &values, &nulls, &count);
	for (int i = 0; i < count; i++)
	{
		CostRule rule = {.terms = NO_TERMS};
		Label text;

		if (nulls[i])
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("patterns of a cost model must not be null"),
							errdetail("A null selects no node."),
							errhint("Remove nulls with array_remove().")));
		text = TextLabel(values[i]);
		if (meaning == UNORDERED_NODES)
			rule.terms.unordered = 1;
		else if (meaning == ARRAY_KEYS)
			rule.is_key = true;
		else
			rule.terms.ignored = 1;
		if (meaning == IGNORED_VALUES)
			ReadCostExpression(text, &rule.matches, NULL);
		ReadPathPattern(meaning == IGNORED_VALUES ? (Label){"*", 1} : text, &rule.pattern, NULL);
		CostModelAdd(model, &rule, PathPatternBytes(text.length));
	}
}

PG_FUNCTION_INFO_V1(tree_costs);

/* Makes a cost model of its parts. */
Datum
tree_costs(PG_FUNCTION_ARGS)
{
	CostModel *model = CostModelCreate();
	CostTerms *terms = &model->terms;
	ErrorContextCallback reading;

	BeginReading(&reading, AreWrittenByClient(fcinfo, 0, PG_NARGS()));
	ReadCost(PG_GETARG_FLOAT8(0), "insert", &terms->insert, NULL);
	ReadCost(PG_GETARG_FLOAT8(1), "delete", &terms->delete_, NULL);
	ReadCost(PG_GETARG_FLOAT8(2), "rename", &terms->rename, NULL);
	ReadTextMeasure(TextLabel(PG_GETARG_DATUM(3)), &terms->texts, NULL);
	ReadNumberMeasure(TextLabel(PG_GETARG_DATUM(4)), &terms->numbers, NULL);
	AddRules(model, PG_GETARG_ARRAYTYPE_P(5), IGNORED_NODES);
	ReadCostRules(model, &PG_GETARG_JSONB_P(6)->root, NULL);
	ReadArrayOrder(TextLabel(PG_GETARG_DATUM(7)), &model->arrays, NULL);
	ReadTolerance(PG_GETARG_FLOAT8(8), "tolerance", &terms->tolerance, NULL);
	ReadTolerance(PG_GETARG_FLOAT8(9), "relative_tolerance", &terms->relative, NULL);
	AddRules(model, PG_GETARG_ARRAYTYPE_P(10), IGNORED_VALUES);
	AddRules(model, PG_GETARG_ARRAYTYPE_P(11), UNORDERED_NODES);
	AddRules(model, PG_GETARG_ARRAYTYPE_P(12), ARRAY_KEYS);
	CostModelFinish(model, NULL);
	NoticeIdleRenames(model);
	EndReading(&reading);
	return CostModelGetDatum(model);
}

/* The state of an aggregate: a cost model and its memory context. */
typedef struct CostState
{
	MemoryContext context;
	CostModel *model;
} CostState;

/* Makes the state of a group. */
static CostState *
CreateState(MemoryContext aggregate_context)
{
	MemoryContext context =
		AllocSetContextCreate(aggregate_context, "cost model", ALLOCSET_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	CostState *state = palloc_object(CostState);

	state->context = context;
	state->model = CostModelCreate();
	MemoryContextSwitchTo(caller);
	return state;
}

/* Reads a cost argument, unless it is NULL. */
static void
ReadCostArgument(FunctionCallInfo fcinfo, int argument, const char *name, int32 *cost)
{
	if (!PG_ARGISNULL(argument))
		ReadCost(PG_GETARG_FLOAT8(argument), name, cost, NULL);
}

PG_FUNCTION_INFO_V1(tree_costs_agg_transfn);

/* Adds a rule: a pattern, and the costs of the nodes that it selects, which may be NULL. */
Datum
tree_costs_agg_transfn(PG_FUNCTION_ARGS)
{
	MemoryContext aggregate_context;
	MemoryContext caller;
	CostState *state;
	Label pattern;
	Size bytes;
	CostRule rule = {.terms = NO_TERMS};

	if (!AggCheckCallContext(fcinfo, &aggregate_context))
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("support function of tree_costs_agg() called outside of an "
							   "aggregate"),
						errdetail("It keeps its state in the memory of an aggregate."),
						errhint("Use the aggregate tree_costs_agg().")));
	if (PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("pattern of a cost must not be null"), errdetail("A null selects no node."),
				 errhint("Use the pattern \"*\" for all nodes.")));
	state = PG_ARGISNULL(0) ? CreateState(aggregate_context) : (CostState *) PG_GETARG_POINTER(0);
	ReadCostArgument(fcinfo, 2, "insert", &rule.terms.insert);
	ReadCostArgument(fcinfo, 3, "delete", &rule.terms.delete_);
	ReadCostArgument(fcinfo, 4, "rename", &rule.terms.rename);

	pattern = TextLabel(PG_GETARG_DATUM(1));
	bytes = PathPatternBytes(pattern.length);
	CheckMemoryGrowth(state->context, bytes, "reading a cost model");
	caller = MemoryContextSwitchTo(state->context);
	ReadPathPattern(pattern, &rule.pattern, NULL);
	CostModelAdd(state->model, &rule, bytes);
	MemoryContextSwitchTo(caller);
	PG_RETURN_POINTER(state);
}

PG_FUNCTION_INFO_V1(tree_costs_agg_finalfn);

/* Returns the cost model of all rules. */
Datum
tree_costs_agg_finalfn(PG_FUNCTION_ARGS)
{
	CostModel *model;

	if (!AggCheckCallContext(fcinfo, NULL))
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("support function of tree_costs_agg() called outside of an "
							   "aggregate"),
						errdetail("Its argument is the state of an aggregate."),
						errhint("Use the aggregate tree_costs_agg().")));
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	model = ((CostState *) PG_GETARG_POINTER(0))->model;
	CostModelFinish(model, NULL);
	NoticeIdleRenames(model);
	return CostModelGetDatum(model);
}
