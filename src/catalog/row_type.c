/*
 * row_type.c
 *	  Row types, whose columns are those that the code reads and writes, or an error is raised.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"
#include "utils/typcache.h"

#include "../compat.h"
#include "identity.h"
#include "row_type.h"

/*
 * Returns the index of the first column of a row that is dropped, missing, or not of its type; -1
 * if there is none.
 */
static int
OtherColumn(TupleDesc row, const char *columns)
{
	int count = (int) strlen(columns);

	for (int i = 0; i < count && i < row->natts; i++)
		if (TupleDescAttr(row, i)->attisdropped ||
			!IsOfType(columns[i], TupleDescAttr(row, i)->atttypid))
			return i;
	return row->natts == count ? -1 : Min(row->natts, count);
}

bool
HasColumns(TupleDesc row, const char *columns)
{
	return OtherColumn(row, columns) < 0;
}

/* Describes why a column is not the one that the code expects. */
static char *
WhatDiffers(TupleDesc row, const char *columns, int column)
{
	int count = (int) strlen(columns);

	if (column == row->natts || column == count)
		return psprintf("It has %d columns instead of %d.", row->natts, count);
	if (TupleDescAttr(row, column)->attisdropped)
		return psprintf("Column %d is dropped.", column + 1);
	return psprintf("Column %d has type %s.", column + 1,
					format_type_be(TupleDescAttr(row, column)->atttypid));
}

/* Raises an error if a row has other columns; `function` is the one whose result it is, if any. */
static void
CheckColumns(TupleDesc row, const char *columns, Oid function)
{
	int other = OtherColumn(row, columns);

	if (other < 0)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 row->tdtypeid != RECORDOID
				 ? errmsg("type %s has been altered", format_type_be(row->tdtypeid))
				 : errmsg("result of function %s has been altered", format_procedure(function)),
			 errdetail_internal("%s", WhatDiffers(row, columns, other)),
			 errhint("Update the extension, or create it again.")));
}

/* Whether a type is a row type with columns of these types, and no others. */
static bool
IsRowOf(Oid type, const char *columns)
{
	TupleDesc row;
	bool same;

	if (get_typtype(type) != TYPTYPE_COMPOSITE)
		return false;
	row = lookup_rowtype_tupdesc_noerror(type, -1, true);
	if (row == NULL)
		return false;
	same = HasColumns(row, columns);
	ReleaseTupleDesc(row);
	return same;
}

/* Whether a type is a row of a tree, a float8 distance and tree_costs. */
bool
IsTreeRangeType(Oid type)
{
	return IsRowOf(type, "tdm");
}

/* Whether a type is a row of a bytea profile, an int4 distance and a float8 similarity. */
bool
IsLcsRangeType(Oid type)
{
	return IsRowOf(type, "yid");
}

TupleDesc
CopyRowType(Oid type, const char *columns)
{
	TupleDesc row = BlessTupleDesc(lookup_rowtype_tupdesc_copy(type, -1));

	CheckColumns(row, columns, InvalidOid);
	return row;
}

TupleDesc
ResultRowType(FunctionCallInfo fcinfo, const char *columns)
{
	TupleDesc row;

	if (get_call_result_type(fcinfo, NULL, &row) != TYPEFUNC_COMPOSITE)
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("result of function %s is not a row type",
							   format_procedure(fcinfo->flinfo->fn_oid)),
						errdetail("Its declaration has no columns."),
						errhint("Update the extension, or create it again.")));
	CheckColumns(row, columns, fcinfo->flinfo->fn_oid);
	return BlessTupleDesc(row);
}

Datum
FormRow(FunctionCallInfo fcinfo, const char *columns, const Datum *values, const bool *nulls)
{
	return HeapTupleGetDatum(heap_form_tuple(
		ResultRowType(fcinfo, columns), unconstify(Datum *, values), unconstify(bool *, nulls)));
}

void
InitRows(FunctionCallInfo fcinfo, const char *columns)
{
	InitMaterializedSRF(fcinfo, 0);
	CheckColumns(((ReturnSetInfo *) fcinfo->resultinfo)->setDesc, columns, fcinfo->flinfo->fn_oid);
}
