/*
 * aggregate.c
 *	  Similarity joins as aggregates: the support functions that all kinds share.
 *
 * The state is an array of rows, kept expanded while it grows: a concrete type,
 * so that partial aggregates travel between processes and servers.  The join
 * itself runs in the final function.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/arrayaccess.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/typcache.h"

#include "../compat.h"
#include "aggregate.h"

/* Attributes of a row of the state. */
enum
{
	ROW_ID,
	ROW_SIDE,
	ROW_THRESHOLD,
	ROW_DOC,
	ROW_ATTRIBUTES
};

/* Attributes of a match. */
enum
{
	MATCH_LEFT_ID,
	MATCH_RIGHT_ID,
	MATCH_MEASURE,
	MATCH_ATTRIBUTES
};

/* A number of one of the two types that thresholds and measures have. */
static double
NumberFromDatum(Datum value, Oid type)
{
	return type == INT4OID ? DatumGetInt32(value) : DatumGetFloat8(value);
}

/* The reverse of it. */
static Datum
NumberGetDatum(double number, Oid type)
{
	return type == INT4OID ? Int32GetDatum((int32) number) : Float8GetDatum(number);
}

/*
 * Row type of the arrays that a function returns, looked up once.  Not from the
 * expression that calls it, which there is not where Citus computes in parts.
 */
static TupleDesc
ReturnedRowType(FmgrInfo *flinfo)
{
	if (flinfo->fn_extra == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(flinfo->fn_mcxt);
		Oid array_type = get_func_rettype(flinfo->fn_oid);

		flinfo->fn_extra = lookup_rowtype_tupdesc_copy(get_element_type(array_type), -1);
		BlessTupleDesc(flinfo->fn_extra);
		MemoryContextSwitchTo(caller);
	}
	return flinfo->fn_extra;
}

/* Memory context of the aggregate's state. */
static MemoryContext
AggregateContext(FunctionCallInfo fcinfo, const JoinKind *kind)
{
	MemoryContext context;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR, "%s support function called outside of an aggregate", kind->aggregate);
	return context;
}

/* Appends a row to the state, which is an expanded array. */
static Datum
AppendRow(Datum state, Datum row)
{
	ExpandedArrayHeader *array = DatumGetExpandedArray(state);
	int subscript = array->ndims == 0 ? 1 : array->lbound[0] + array->dims[0];

	return array_set_element(state, 1, &subscript, row, false, -1, array->typlen, array->typbyval,
							 array->typalign);
}

/* Reads the side argument of a two-sided join. */
static char
GetSide(FunctionCallInfo fcinfo, int argument)
{
	char side = PG_ARGISNULL(argument) ? '\0' : PG_GETARG_CHAR(argument);

	if (side != 'l' && side != 'r')
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("side of a similarity join must be \"l\" or \"r\""),
						errdetail("A document has another side, or none."),
						errhint("Mark each document as belonging to the left or the right side.")));
	return side;
}

/* Refuses a NULL where there has to be a value. */
static void
CheckNotNull(FunctionCallInfo fcinfo, int argument, const char *what)
{
	if (PG_ARGISNULL(argument))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("%s of a similarity join must not be null", what),
						errdetail("Only a document may be null; it is skipped."),
						errhint("Leave out such rows with a FILTER clause.")));
}

/* Reports a state that the transition function would not have made. */
static _Noreturn void
InvalidState(const JoinKind *kind, const char *detail)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("invalid state of a similarity join"), errdetail_internal("%s", detail),
					errhint("Use the aggregate %s().", kind->aggregate)));
}

/* Adds a document to the state. */
Datum
JoinTransition(FunctionCallInfo fcinfo, const JoinKind *kind)
{
	MemoryContext context = AggregateContext(fcinfo, kind);
	TupleDesc row_type = ReturnedRowType(fcinfo->flinfo);
	bool two_sided = PG_NARGS() == 5;
	Datum state;
	Datum values[ROW_ATTRIBUTES];
	bool nulls[ROW_ATTRIBUTES] = {false};
	HeapTuple row;

	if (PG_ARGISNULL(2))
	{
		if (PG_ARGISNULL(0))
			PG_RETURN_NULL();
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	}
	CheckNotNull(fcinfo, 1, "id");
	CheckNotNull(fcinfo, 3, kind->threshold);

	values[ROW_ID] = PG_GETARG_DATUM(1);
	nulls[ROW_SIDE] = !two_sided;
	values[ROW_SIDE] = CharGetDatum(two_sided ? GetSide(fcinfo, 4) : '\0');
	values[ROW_THRESHOLD] = PG_GETARG_DATUM(3);
	/* fetched, but left compressed */
	values[ROW_DOC] =
		PointerGetDatum(detoast_external_attr((struct varlena *) PG_GETARG_POINTER(2)));
	row = heap_form_tuple(row_type, values, nulls);

	if (PG_ARGISNULL(0))
		state =
			EOHPGetRWDatum(&construct_empty_expanded_array(row_type->tdtypeid, context, NULL)->hdr);
	else
		state = PG_GETARG_DATUM(0);
	PG_RETURN_DATUM(AppendRow(state, HeapTupleGetDatum(row)));
}

/* Adds the rows of one partial state to another. */
Datum
JoinCombine(FunctionCallInfo fcinfo, const JoinKind *kind)
{
	MemoryContext context = AggregateContext(fcinfo, kind);
	AnyArrayType *rows;
	array_iter it;
	int count;
	Datum state;

	if (PG_ARGISNULL(1))
	{
		if (PG_ARGISNULL(0))
			PG_RETURN_NULL();
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	}
	if (PG_ARGISNULL(0))
		PG_RETURN_DATUM(expand_array(PG_GETARG_DATUM(1), context, NULL));

	state = PG_GETARG_DATUM(0);
	rows = PG_GETARG_ANY_ARRAY_P(1);
	count = ArrayGetNItems(AARR_NDIM(rows), AARR_DIMS(rows));
	array_iter_setup(&it, rows);
	for (int i = 0; i < count; i++)
	{
		bool isnull;
		Datum row = array_iter_next(&it, &isnull, i, -1, false, TYPALIGN_DOUBLE);

		CHECK_FOR_INTERRUPTS();
		if (isnull)
			InvalidState(kind, "A row of the state is null.");
		state = AppendRow(state, row);
	}
	PG_RETURN_DATUM(state);
}

/* Reads a document from a row of the state, and its threshold. */
static JoinDocument
ReadRow(const JoinKind *kind, Datum row, TupleDesc row_type, double *threshold)
{
	HeapTupleHeader header = DatumGetHeapTupleHeader(row);
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(header), .t_data = header};
	Datum values[ROW_ATTRIBUTES];
	bool nulls[ROW_ATTRIBUTES];
	char side;

	heap_deform_tuple(&tuple, row_type, values, nulls);
	if (nulls[ROW_ID] || nulls[ROW_THRESHOLD] || nulls[ROW_DOC])
		InvalidState(kind, "A row of the state has no id, no threshold or no document.");
	side = nulls[ROW_SIDE] ? '\0' : DatumGetChar(values[ROW_SIDE]);
	if (!nulls[ROW_SIDE] && side != 'l' && side != 'r')
		InvalidState(kind, "A row of the state has a side that is neither \"l\" nor \"r\".");
	*threshold =
		NumberFromDatum(values[ROW_THRESHOLD], TupleDescAttr(row_type, ROW_THRESHOLD)->atttypid);
	return (JoinDocument){
		.id = DatumGetInt64(values[ROW_ID]), .side = side, .doc = values[ROW_DOC]};
}

/* Reads the documents of a state, and the threshold that all of them share. */
static JoinDocument *
ReadState(const JoinKind *kind, AnyArrayType *rows, int count, double *shared)
{
	JoinDocument *documents = palloc_extended(sizeof(JoinDocument) * (Size) count, MCXT_ALLOC_HUGE);
	TupleDesc row_type = lookup_rowtype_tupdesc(AARR_ELEMTYPE(rows), -1);
	array_iter it;

	array_iter_setup(&it, rows);
	for (int i = 0; i < count; i++)
	{
		bool isnull;
		Datum row = array_iter_next(&it, &isnull, i, -1, false, TYPALIGN_DOUBLE);
		double threshold;

		CHECK_FOR_INTERRUPTS();
		if (isnull)
			InvalidState(kind, "A row of the state is null.");
		documents[i] = ReadRow(kind, row, row_type, &threshold);
		if (i > 0 && (documents[i].side == 0) != (documents[0].side == 0))
			InvalidState(kind, "Some rows of the state have a side, others have none.");
		kind->check_threshold(threshold);
		if (i > 0 && threshold != *shared)
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("%s of a similarity join varies", kind->threshold),
							errdetail("It is %s for one document and %s for another.",
									  float8out_internal(*shared), float8out_internal(threshold)),
							errhint("Use one %s, or GROUP BY it.", kind->threshold)));
		*shared = threshold;
	}
	ReleaseTupleDesc(row_type);
	return documents;
}

/* Room that one match takes in an array, the tuple header and its length word included. */
static Size
MatchBytes(TupleDesc match_type)
{
	return MAXALIGN(SizeofHeapTupleHeader) +
		   MAXALIGN(2 * sizeof(int64) + TupleDescAttr(match_type, MATCH_MEASURE)->attlen);
}

/* Matches that fit in an array. */
static int64
MaxMatches(TupleDesc match_type)
{
	return (MaxAllocSize - ARR_OVERHEAD_NONULLS(1)) / MatchBytes(match_type);
}

/* Makes the array of matches, one row at a time, so that nothing else takes memory. */
static ArrayType *
MatchArray(const JoinResult *result, TupleDesc match_type)
{
	Size match_bytes = MatchBytes(match_type);
	Size bytes = ARR_OVERHEAD_NONULLS(1) + match_bytes * (Size) result->count;
	Oid measure_type = TupleDescAttr(match_type, MATCH_MEASURE)->atttypid;
	ArrayType *array;
	char *p;

	if (result->count == 0)
		return construct_empty_array(match_type->tdtypeid);

	array = palloc0(bytes);
	SET_VARSIZE(array, bytes);
	array->ndim = 1;
	array->elemtype = match_type->tdtypeid;
	ARR_DIMS(array)[0] = (int) result->count;
	ARR_LBOUND(array)[0] = 1;
	p = ARR_DATA_PTR(array);
	for (int64 i = 0; i < result->count; i++, p += match_bytes)
	{
		Datum values[MATCH_ATTRIBUTES];
		bool nulls[MATCH_ATTRIBUTES] = {false};
		HeapTuple tuple;

		CHECK_FOR_INTERRUPTS();
		values[MATCH_LEFT_ID] = Int64GetDatum(result->matches[i].left_id);
		values[MATCH_RIGHT_ID] = Int64GetDatum(result->matches[i].right_id);
		values[MATCH_MEASURE] = NumberGetDatum(result->matches[i].measure, measure_type);
		tuple = heap_form_tuple(match_type, values, nulls);
		Assert(MAXALIGN(tuple->t_len) == match_bytes);
		memcpy(p, tuple->t_data, tuple->t_len);
		heap_freetuple(tuple);
	}
	return array;
}

/* Runs the join over all documents of the state. */
Datum
JoinFinal(FunctionCallInfo fcinfo, const JoinKind *kind)
{
	TupleDesc match_type = ReturnedRowType(fcinfo->flinfo);
	AnyArrayType *rows;
	JoinDocument *documents;
	JoinResult result;
	double threshold = 0;
	int count;

	AggregateContext(fcinfo, kind);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	rows = PG_GETARG_ANY_ARRAY_P(0);
	count = ArrayGetNItems(AARR_NDIM(rows), AARR_DIMS(rows));
	documents = ReadState(kind, rows, count, &threshold);
	result = SimilarityJoin(kind, documents, count, threshold, MaxMatches(match_type));
	PG_RETURN_ARRAYTYPE_P(MatchArray(&result, match_type));
}
