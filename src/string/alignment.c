/*
 * alignment.c
 *	  SQL functions that return a longest common subsequence, a shortest common
 *	  supersequence, or the differences of two strings.
 *
 * All of them follow the same common subsequence.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../catalog/row_type.h"
#include "../common/host.h"
#include "../core/string/lcs_runs.h"
#include "strings.h"

/* Two strings and the runs into which a longest common subsequence divides them. */
typedef struct Alignment
{
	Symbols a;
	Symbols b;
	ElementValues values; /* elements of both arrays; `a` and `b` are then places in it */
	LcsRuns runs;
} Alignment;

/* Bytes that AlignArguments() reserves for each array element: its value and its place. */
#define VALUE_BYTES (sizeof(Datum) + sizeof(uint32))

/* Copies the elements of an array to `values`, from entry `before` on.  Returns their places. */
static Symbols
TakeArrayValues(const ArrayType *array, const TypeCacheEntry *type, Datum *values, int32 before)
{
	int32 count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	Symbols places = {AllocSymbols(count), count};
	const char *element = ARR_DATA_PTR(array);

	for (int32 i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		values[before + i] = fetch_att(element, type->typbyval, type->typlen);
		places.symbol[i] = (uint32) (before + i);
		element = att_addlength_pointer(element, type->typlen, element);
		element = (const char *) att_align_nominal((uintptr_t) element, type->typalign);
	}
	return places;
}

/*
 * Replaces the symbols of both arrays by places among the elements' values: elements with
 * the same symbol are equal, but need not be identical.  The type of the first argument may be
 * int2vector or oidvector, whose output functions expect that an empty array has a dimension.
 */
static void
TakeValues(FunctionCallInfo fcinfo, const Datum *array, Alignment *strings,
		   const TypeCacheEntry *type)
{
	Size count = (Size) strings->a.count + strings->b.count;
	Datum *value = MemoryContextAllocHuge(CurrentMemoryContext, count * sizeof(Datum));
	Datum empty;

	switch (get_fn_expr_argtype(fcinfo->flinfo, 0))
	{
		case INT2VECTOROID:
			empty = PointerGetDatum(buildint2vector(NULL, 0));
			break;
		case OIDVECTOROID:
			empty = PointerGetDatum(buildoidvector(NULL, 0));
			break;
		default:
			empty = PointerGetDatum(construct_empty_array(type->type_id));
			break;
	}
	strings->a = TakeArrayValues(DatumGetArrayTypeP(array[0]), type, value, 0);
	strings->b = TakeArrayValues(DatumGetArrayTypeP(array[1]), type, value, strings->a.count);
	strings->values = (ElementValues){type, value, empty};
}

/* Finds a longest common subsequence of the first two arguments. */
static Alignment
AlignArguments(FunctionCallInfo fcinfo, const StringType *type)
{
	Alignment strings = {0};
	Datum argument[2];
	Elements *elements;
	CommonSubsequence common;
	Size reserved;

	for (int i = 0; i < 2; i++)
		argument[i] =
			type->is_array ? PointerGetDatum(PG_GETARG_ARRAYTYPE_P(i)) : PG_GETARG_DATUM(i);
	elements = CreateElementsOf(type, argument[0], PG_GET_COLLATION());
	strings.a = type->read(argument[0], elements, true);
	strings.b = type->read(argument[1], elements, true);
	/* a result can have as many symbols as both arguments together */
	reserved = ((Size) strings.a.count + strings.b.count) *
			   (sizeof(uint32) + (type->is_array ? VALUE_BYTES : 0));
	if (elements != NULL && elements->labels != NULL)
		reserved += LabelTableBytes(elements->labels);
	common = StringsSubsequence(strings.a, strings.b, reserved);
	strings.runs = (LcsRuns){.m = strings.a.count,
							 .n = strings.b.count,
							 .length = common.length,
							 .a_position = common.in_a,
							 .b_position = common.in_b};
	if (type->is_array)
		TakeValues(fcinfo, argument, &strings, elements->type.type);
	return strings;
}

/* Sets the next run; false after the last one. */
static bool
NextRun(Alignment *strings, LcsRun *run)
{
	bool found;

	CHECK_FOR_INTERRUPTS();
	CheckStatus(lcs_next_run(&strings->runs, &PgInterrupt, run, &found));
	return found;
}

/* Appends the symbols `from` to `to` - 1 of a string.  Returns the new end. */
static uint32 *
AppendPart(uint32 *end, Symbols string, int32 from, int32 to)
{
	memcpy(end, string.symbol + from, (Size) (to - from) * sizeof(uint32));
	return end + (to - from);
}

/* Returns a longest common subsequence of both arguments. */
static Datum
Lcs(FunctionCallInfo fcinfo, const StringType *type)
{
	Alignment strings = AlignArguments(fcinfo, type);
	Size count = strings.runs.length;
	uint32 *symbol = AllocSymbols(count);
	uint32 *end = symbol;
	LcsRun run;

	while (NextRun(&strings, &run))
		if (run.kind == LCS_RUN_EQUAL)
			end = AppendPart(end, strings.a, run.a_from, run.a_to);
	return type->make(symbol, count, &strings.values);
}

/*
 * Returns a shortest common supersequence.  Between common symbols, those of the first
 * argument come first.
 */
static Datum
Scs(FunctionCallInfo fcinfo, const StringType *type)
{
	Alignment strings = AlignArguments(fcinfo, type);
	Size count = (Size) strings.a.count + strings.b.count - strings.runs.length;
	uint32 *symbol = AllocSymbols(count);
	uint32 *end = symbol;
	LcsRun run;

	while (NextRun(&strings, &run))
	{
		end = AppendPart(end, strings.a, run.a_from, run.a_to);
		if (run.kind != LCS_RUN_EQUAL)
			end = AppendPart(end, strings.b, run.b_from, run.b_to);
	}
	return type->make(symbol, count, &strings.values);
}

/* Attributes of a row of lcs_opcodes(). */
enum
{
	OPERATION,
	A_FROM,
	A_TO,
	B_FROM,
	B_TO,
	A_PART,
	B_PART,
	ATTRIBUTES
};

/*
 * Returns the runs of deleted, inserted, replaced and equal symbols from the first argument
 * to the second.
 */
static Datum
LcsOpcodes(FunctionCallInfo fcinfo, const StringType *type)
{
	static const char *const operations[] = {[LCS_RUN_EQUAL] = "equal",
											 [LCS_RUN_DELETE] = "delete",
											 [LCS_RUN_INSERT] = "insert",
											 [LCS_RUN_REPLACE] = "replace"};
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext row_context =
		AllocSetContextCreate(CurrentMemoryContext, "ted run", ALLOCSET_DEFAULT_SIZES);
	Alignment strings;
	LcsRun run;

	InitRows(fcinfo, (char[]){'s', 'i', 'i', 'i', 'i', type->letter, type->letter, '\0'});
	strings = AlignArguments(fcinfo, type);
	while (NextRun(&strings, &run))
	{
		MemoryContext caller = MemoryContextSwitchTo(row_context);
		Size of_a = run.a_to - run.a_from;
		Size of_b = run.b_to - run.b_from;
		/* positions are from 1 */
		Datum values[ATTRIBUTES] = {
			[OPERATION] = PointerGetDatum(cstring_to_text(operations[run.kind])),
			[A_FROM] = Int32GetDatum(run.a_from + 1),
			[A_TO] = Int32GetDatum(run.a_to),
			[B_FROM] = Int32GetDatum(run.b_from + 1),
			[B_TO] = Int32GetDatum(run.b_to),
			[A_PART] = type->make(strings.a.symbol + run.a_from, of_a, &strings.values),
			[B_PART] = type->make(strings.b.symbol + run.b_from, of_b, &strings.values)};
		bool nulls[ATTRIBUTES] = {false};

		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
		MemoryContextSwitchTo(caller);
		MemoryContextReset(row_context);
	}
	return (Datum) 0;
}

STRING_FUNCTIONS(lcs, Lcs)
STRING_FUNCTIONS(scs, Scs)
STRING_FUNCTIONS(lcs_opcodes, LcsOpcodes)
