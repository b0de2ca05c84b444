/*
 * aggregate.c
 *	  Similarity joins as aggregates: support functions for all kinds of documents.
 *
 * The state is an array of rows, which stays expanded while it grows.  It has a concrete type, so
 * that partial aggregates can be sent between processes and servers.  The join runs in the final
 * function.
 *
 * If only our own final function will see the state, many documents are passed to a sort, which can
 * write them to disk.  Such a state has the array's type, but is an expanded object of our own.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "common/int.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/arrayaccess.h"
#include "utils/builtins.h"
#include "utils/expandeddatum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "../../compat.h"
#include "../../catalog/row_type.h"
#include "../output/pairs.h"
#include "aggregate.h"
#include "../search/join_memory.h"
#include "documents.h"

DocumentThreshold
MakeSimilarityThreshold(double min_similarity, const CostModel *model)
{
	(void) model;
	CheckMinSimilarity(min_similarity);
	return SimilarityThreshold(min_similarity);
}

/* Attributes of a row of the state; JoinKind.row has their types. */
enum
{
	ROW_ID,
	ROW_SIDE,
	ROW_THRESHOLD,
	ROW_DOC,
	ROW_COSTS, /* with a cost model only */
	ROW_ATTRIBUTES
};

/* A state whose documents are in a sort. */
typedef struct SortedState
{
	ExpandedObjectHeader hdr;
	JoinDocuments *documents;
} SortedState;

/* Values that a transition or combine function caches from call to call. */
typedef struct FunctionCache
{
	TupleDesc row_type;
	bool may_sort; /* only our final function sees the state */
} FunctionCache;

/* Raises an error: no caller needs the size of a sorted state as an array. */
static Size
SortedStateSize(ExpandedObjectHeader *state)
{
	(void) state;
	elog(ERROR, "state of a similarity join is not an array any more");
}

/* Raises an error: no caller needs a sorted state as an array. */
static void
FlattenSortedState(ExpandedObjectHeader *state, void *result, Size bytes)
{
	(void) result;
	(void) bytes;
	SortedStateSize(state);
}

static const ExpandedObjectMethods sorted_state_methods = {SortedStateSize, FlattenSortedState};

/* Returns the documents of a sorted state; NULL if the state is an array. */
static JoinDocuments *
SortedDocuments(Datum state)
{
	ExpandedObjectHeader *object;

	if (!VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(state)))
		return NULL;
	object = DatumGetEOHP(state);
	return object->eoh_methods == &sorted_state_methods ? ((SortedState *) object)->documents
														: NULL;
}

/* Returns the memory context of the aggregate's state. */
static MemoryContext
AggregateContext(FunctionCallInfo fcinfo, const JoinKind *kind)
{
	MemoryContext context;

	if (!AggCheckCallContext(fcinfo, &context))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("support function of %s() called outside of an aggregate", kind->aggregate),
				 errdetail("It keeps its state in the memory of an aggregate."),
				 errhint("Use the aggregate %s().", kind->aggregate)));
	return context;
}

/*
 * Returns the row type of the arrays that a function returns.  It is not taken from the calling
 * expression, which does not exist where Citus computes partial aggregates.
 */
static TupleDesc
ReturnedRowType(const FmgrInfo *function, const char *columns)
{
	return CopyRowType(get_element_type(get_func_rettype(function->fn_oid)), columns);
}

/* Whether only our final function, in this process, will see the state. */
static bool
IsOurs(FunctionCallInfo fcinfo, const JoinKind *kind)
{
	Aggref *call = AggGetAggref(fcinfo);
	HeapTuple aggregate;
	Oid final;
	FmgrInfo info;

	/* a window function has no Aggref; a partial aggregate has no final function */
	if (call == NULL || DO_AGGSPLIT_SKIPFINAL(call->aggsplit) || AggStateIsShared(fcinfo))
		return false;
	aggregate = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(call->aggfnoid));
	if (!HeapTupleIsValid(aggregate))
		elog(ERROR, "cache lookup failed for aggregate %u", call->aggfnoid);
	final = ((Form_pg_aggregate) GETSTRUCT(aggregate))->aggfinalfn;
	ReleaseSysCache(aggregate);
	if (!OidIsValid(final))
		return false;
	fmgr_info(final, &info);
	return info.fn_addr == kind->final;
}

/* Returns the cache of a support function. */
static const FunctionCache *
GetFunctionCache(FunctionCallInfo fcinfo, const JoinKind *kind)
{
	AggregateContext(fcinfo, kind);
	if (fcinfo->flinfo->fn_extra == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
		FunctionCache *cache = palloc_object(FunctionCache);

		cache->row_type = ReturnedRowType(fcinfo->flinfo, kind->row);
		cache->may_sort = IsOurs(fcinfo, kind);
		MemoryContextSwitchTo(caller);
		fcinfo->flinfo->fn_extra = cache;
	}
	return fcinfo->flinfo->fn_extra;
}

/*
 * Returns the state as an object to which rows can be added.  If it is not expanded yet, it is
 * NULL, or the initial value of an aggregate that another user has created, which can be any array
 * of the type.
 */
static Datum
GrowingState(FunctionCallInfo fcinfo, const JoinKind *kind, const FunctionCache *cache)
{
	MemoryContext context = AggregateContext(fcinfo, kind);
	ExpandedArrayHeader *array;

	if (!PG_ARGISNULL(0))
	{
		Datum state = PG_GETARG_DATUM(0);

		if (VARATT_IS_EXTERNAL_EXPANDED_RW(DatumGetPointer(state)))
			return state;
		return expand_array(state, context, NULL);
	}
	array = construct_empty_expanded_array(cache->row_type->tdtypeid, context, NULL);
	return EOHPGetRWDatum(&array->hdr);
}

/* Reads the side argument of a two-sided join. */
static char
GetSide(FunctionCallInfo fcinfo, int argument)
{
	const text *value = PG_ARGISNULL(argument) ? NULL : PG_GETARG_TEXT_PP(argument);
	char side = value != NULL && VARSIZE_ANY_EXHDR(value) == 1 ? *VARDATA_ANY(value) : '\0';

	if (!DocumentsSideExists(side))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("side of a similarity join must be \"l\", \"r\" or \"o\""),
						errdetail("A document has another side, or none."),
						errhint("Mark each document as belonging to the left or the right side.")));
	return side;
}

/* Raises an error if an argument is NULL; `what` names it. */
static void
CheckNotNull(FunctionCallInfo fcinfo, int argument, const char *what)
{
	if (PG_ARGISNULL(argument))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("%s of a similarity join must not be null", what),
						errdetail("Only a document may be null; it is skipped."),
						errhint("Leave out such rows with a FILTER clause.")));
}

/* Raises an error for a state that the transition function cannot have made. */
static _Noreturn void
InvalidState(const JoinKind *kind, const char *detail)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("invalid state of a similarity join"), errdetail_internal("%s", detail),
					errhint("Use the aggregate %s().", kind->aggregate)));
}

/* Appends a row to a state that is an expanded array. */
static Datum
AppendStateRow(const JoinKind *kind, Datum state, Datum row)
{
	ExpandedArrayHeader *array = DatumGetExpandedArray(state);
	int subscript = 1;

	if (array->ndims > 1)
		InvalidState(kind, "The state has more than one dimension.");
	if (array->ndims == 1 && pg_add_s32_overflow(array->lbound[0], array->dims[0], &subscript))
		InvalidState(kind, "The state has no subscript left.");
	return array_set_element(state, 1, &subscript, row, false, -1, array->typlen, array->typbyval,
							 array->typalign);
}

/* Adds the document of a row to the sort. */
static void
SortRow(const JoinKind *kind, JoinDocuments *documents, Datum row, TupleDesc row_type)
{
	HeapTupleHeader header = DatumGetHeapTupleHeader(row);
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(header), .t_data = header};
	bool is_integer = TupleDescAttr(row_type, ROW_THRESHOLD)->atttypid == INT4OID;
	Datum values[ROW_ATTRIBUTES];
	bool nulls[ROW_ATTRIBUTES];
	const text *costs = NULL;
	char side;

	heap_deform_tuple(&tuple, row_type, values, nulls);
	if (nulls[ROW_ID] || nulls[ROW_THRESHOLD] || nulls[ROW_DOC])
		InvalidState(kind, "A row of the state has no id, no threshold or no document.");
	if (IsByModel(kind))
	{
		if (nulls[ROW_COSTS])
			InvalidState(kind, "A row of the state has no model of costs.");
		costs = DatumGetTextPP(values[ROW_COSTS]);
	}
	side = nulls[ROW_SIDE] ? '\0' : DatumGetChar(values[ROW_SIDE]);
	if (!nulls[ROW_SIDE] && !DocumentsSideExists(side))
		InvalidState(kind, "A row of the state has a side other than \"l\", \"r\" and \"o\".");
	DocumentsAdd(documents, DatumGetInt64(values[ROW_ID]), side,
				 is_integer ? DatumGetInt32(values[ROW_THRESHOLD])
							: DatumGetFloat8(values[ROW_THRESHOLD]),
				 costs, values[ROW_DOC], NULL);
}

/* Reads the rows of an array in turn. */
typedef struct RowReader
{
	array_iter it;
	int count;
	int next;
} RowReader;

/* Starts reading the rows of an array. */
static RowReader
ReadStateRows(AnyArrayType *array)
{
	RowReader reader = {.count = ArrayGetNItems(AARR_NDIM(array), AARR_DIMS(array))};

	ArrayIterSetup(&reader.it, array, -1, false, TYPALIGN_DOUBLE);
	return reader;
}

/* Reads the next row; returns false at the end. */
static bool
NextStateRow(RowReader *reader, const JoinKind *kind, Datum *row)
{
	bool isnull;

	CHECK_FOR_INTERRUPTS();
	if (reader->next == reader->count)
		return false;
	*row = ArrayIterNext(&reader->it, &isnull, reader->next++, -1, false, TYPALIGN_DOUBLE);
	if (isnull)
		InvalidState(kind, "A row of the state is null.");
	return true;
}

/* Adds the documents of an array to the sort. */
static void
SortArray(const JoinKind *kind, JoinDocuments *documents, Datum array, TupleDesc row_type)
{
	RowReader reader = ReadStateRows(DatumGetAnyArrayP(array));
	Datum row;

	while (NextStateRow(&reader, kind, &row))
		SortRow(kind, documents, row, row_type);
}

/* Closes the temporary files of a sorted state, at the end of the aggregate. */
static void
CloseSortedState(Datum documents)
{
	DocumentsClose((JoinDocuments *) DatumGetPointer(documents));
}

/* Makes a sorted state from an array. */
static Datum
MakeSortedState(FunctionCallInfo fcinfo, const JoinKind *kind, Datum state, TupleDesc row_type)
{
	MemoryContext context = AllocSetContextCreate(
		AggregateContext(fcinfo, kind), "ted similarity join state", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	SortedState *sorted = palloc_object(SortedState);

	EOH_init_header(&sorted->hdr, &sorted_state_methods, context);
	sorted->documents = DocumentsCreate(kind);
	AggRegisterCallback(fcinfo, CloseSortedState, PointerGetDatum(sorted->documents));
	MemoryContextSwitchTo(caller);
	SortArray(kind, sorted->documents, state, row_type);
	/* nodeAgg.c deletes a state that was passed in when another one is returned */
	if (PG_ARGISNULL(0) || state != PG_GETARG_DATUM(0))
		DeleteExpandedObject(state);
	return EOHPGetRWDatum(&sorted->hdr);
}

/* Adds a row to the state; a large state becomes a sorted one. */
static Datum
AddStateRow(FunctionCallInfo fcinfo, const JoinKind *kind, const FunctionCache *cache, Datum state,
			Datum row)
{
	JoinDocuments *documents = SortedDocuments(state);

	if (documents != NULL)
	{
		SortRow(kind, documents, row, cache->row_type);
		return state;
	}
	state = AppendStateRow(kind, state, row);
	if (cache->may_sort && MemoryContextMemAllocated(DatumGetEOHP(state)->eoh_context, true) >
							   JoinMemory(JOIN_DOCUMENTS_MEMORY, 1))
		state = MakeSortedState(fcinfo, kind, state, cache->row_type);
	return state;
}

Datum
JoinTransition(FunctionCallInfo fcinfo, const JoinKind *kind, Datum threshold)
{
	const FunctionCache *cache = GetFunctionCache(fcinfo, kind);
	bool by_model = IsByModel(kind);
	int costs = PG_NARGS() - 1; /* number of the argument */
	bool two_sided = PG_NARGS() == (by_model ? 6 : 5);
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
	if (by_model)
		CheckNotNull(fcinfo, costs, "model of costs");

	values[ROW_ID] = PG_GETARG_DATUM(1);
	nulls[ROW_SIDE] = !two_sided;
	values[ROW_SIDE] = CharGetDatum(two_sided ? GetSide(fcinfo, 4) : '\0');
	values[ROW_THRESHOLD] = threshold;
	/* copied from TOAST, but still compressed */
	values[ROW_DOC] =
		PointerGetDatum(detoast_external_attr((struct varlena *) PG_GETARG_POINTER(2)));
	if (by_model)
		values[ROW_COSTS] = PointerGetDatum(PG_GETARG_TEXT_PP(costs));
	row = heap_form_tuple(cache->row_type, values, nulls);
	state = GrowingState(fcinfo, kind, cache);
	PG_RETURN_DATUM(AddStateRow(fcinfo, kind, cache, state, HeapTupleGetDatum(row)));
}

Datum
JoinCombine(FunctionCallInfo fcinfo, const JoinKind *kind)
{
	const FunctionCache *cache = GetFunctionCache(fcinfo, kind);
	RowReader reader;
	Datum state;
	Datum row;

	if (PG_ARGISNULL(1))
	{
		if (PG_ARGISNULL(0))
			PG_RETURN_NULL();
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	}
	state = GrowingState(fcinfo, kind, cache);
	reader = ReadStateRows(PG_GETARG_ANY_ARRAY_P(1));
	while (NextStateRow(&reader, kind, &row))
		state = AddStateRow(fcinfo, kind, cache, state, row);
	PG_RETURN_DATUM(state);
}

Datum
JoinFinal(FunctionCallInfo fcinfo, const JoinKind *kind)
{
	TupleDesc match_type;
	JoinDocuments *documents;
	ArrayType *result;

	AggregateContext(fcinfo, kind);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	match_type = ReturnedRowType(fcinfo->flinfo, kind->match);
	documents = SortedDocuments(PG_GETARG_DATUM(0));
	if (documents != NULL)
		PG_RETURN_ARRAYTYPE_P(MatchesArray(FindSimilar(documents, match_type)));

	documents = DocumentsCreate(kind);
	SortArray(kind, documents, PG_GETARG_DATUM(0),
			  CopyRowType(AARR_ELEMTYPE(PG_GETARG_ANY_ARRAY_P(0)), kind->row));
	result = MatchesArray(FindSimilar(documents, match_type));
	DocumentsClose(documents);
	PG_RETURN_ARRAYTYPE_P(result);
}
