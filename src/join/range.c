/*
 * range.c
 *	  The type tree_range: a tree and a distance around it, as one operand of an index.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "funcapi.h"

#include "range.h"

/* Attributes of the type. */
enum
{
	RANGE_DOC,
	RANGE_MAX_DISTANCE,
	RANGE_ATTRIBUTES
};

/* Refuses a maximum distance below 0. */
void
CheckMaxDistance(int32 max_distance)
{
	if (max_distance < 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("maximum distance must not be negative"),
						errdetail("The maximum distance is %d.", max_distance),
						errhint("Use a maximum distance of at least 0.")));
}

/* Reads a value of type tree_range. */
bool
ReadTreeRange(Datum value, TreeRange *range)
{
	HeapTupleHeader row = DatumGetHeapTupleHeader(value);
	bool tree_is_null;
	bool distance_is_null;

	range->tree = GetAttributeByNum(row, RANGE_DOC + 1, &tree_is_null);
	range->max_distance =
		DatumGetInt32(GetAttributeByNum(row, RANGE_MAX_DISTANCE + 1, &distance_is_null));
	if (tree_is_null || distance_is_null)
		return false;
	CheckMaxDistance(range->max_distance);
	return true;
}

PG_FUNCTION_INFO_V1(tree_range);

/* Makes a tree_range. */
Datum
tree_range(PG_FUNCTION_ARGS)
{
	Datum values[RANGE_ATTRIBUTES] = {PG_GETARG_DATUM(0), PG_GETARG_DATUM(1)};
	bool nulls[RANGE_ATTRIBUTES] = {false};

	CheckMaxDistance(PG_GETARG_INT32(1));
	if (fcinfo->flinfo->fn_extra == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
		TupleDesc row_type;

		if (get_call_result_type(fcinfo, NULL, &row_type) != TYPEFUNC_COMPOSITE)
			elog(ERROR, "result of tree_range is not a row type");
		fcinfo->flinfo->fn_extra = BlessTupleDesc(CreateTupleDescCopy(row_type));
		MemoryContextSwitchTo(caller);
	}
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(fcinfo->flinfo->fn_extra, values, nulls)));
}
