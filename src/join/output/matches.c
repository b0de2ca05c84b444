/*
 * matches.c
 *	  The result of a threshold join: an array of rows (left_id, right_id, measure).
 *
 * Matches are collected and sorted in the array itself, so that a result takes no other memory.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "matches.h"

/* A match as an element of the array: a row with its tuple header. */
typedef struct MatchRow
{
	char header[MAXALIGN(SizeofHeapTupleHeader)];
	int64 left_id;
	int64 right_id;
	union
	{
		int32 distance;
		float8 similarity;
	} measure;
} MatchRow;

StaticAssertDecl(sizeof(MatchRow) == MAXALIGN(SizeofHeapTupleHeader) + 3 * sizeof(int64),
				 "rows of matches have no gaps");

struct JoinMatches
{
	const JoinKind *kind;
	bool is_distance; /* whether the measure's type is integer */
	MatchRow empty;   /* template of a row */
	ArrayType *array;
	int64 count;
	int64 capacity;
};

#define ST_SORT SortMatches
#define ST_ELEMENT_TYPE MatchRow
#define ST_COMPARE(a, b)                                                                           \
	(a->left_id != b->left_id ? (a->left_id < b->left_id ? -1 : 1)                                 \
							  : (a->right_id > b->right_id) - (a->right_id < b->right_id))
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* Returns the bytes of an array with this number of matches. */
static Size
MatchArrayBytes(int64 count)
{
	return ARR_OVERHEAD_NONULLS(1) + sizeof(MatchRow) * (Size) count;
}

/* Returns the most matches that an array can have. */
static int64
MostMatches(void)
{
	Size bytes = Min(MaxAllocSize, (Size) ted_max_memory * 1024);

	return (int64) ((bytes - ARR_OVERHEAD_NONULLS(1)) / sizeof(MatchRow));
}

/* Returns the rows of the array. */
static MatchRow *
Rows(const JoinMatches *matches)
{
	return (MatchRow *) ARR_DATA_PTR(matches->array);
}

JoinMatches *
MatchesCreate(const JoinKind *kind, TupleDesc match_type)
{
	JoinMatches *matches = palloc0_object(JoinMatches);
	Datum values[3] = {Int64GetDatum(0), Int64GetDatum(0), (Datum) 0};
	bool nulls[3] = {false};
	HeapTuple row;

	matches->kind = kind;
	matches->capacity = Min(1024, MostMatches());
	matches->array = palloc(MatchArrayBytes(matches->capacity));
	memset(matches->array, 0, ARR_OVERHEAD_NONULLS(1));
	matches->is_distance = TupleDescAttr(match_type, 2)->atttypid == INT4OID;
	if (!matches->is_distance)
		values[2] = Float8GetDatum(0);
	row = heap_form_tuple(match_type, values, nulls);
	Assert(MAXALIGN(row->t_len) == sizeof(MatchRow));
	memcpy(&matches->empty, row->t_data, row->t_len);
	heap_freetuple(row);

	matches->array->ndim = 1;
	matches->array->elemtype = match_type->tdtypeid;
	ARR_LBOUND(matches->array)[0] = 1;
	return matches;
}

void
MatchesAdd(void *arg, int64 left_id, int64 right_id, double measure)
{
	JoinMatches *matches = arg;
	MatchRow *row;

	if (matches->count == matches->capacity)
	{
		int64 most = MostMatches();

		/* double the room, up to the limit */
		if (matches->capacity >= most)
			ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
							errmsg("similarity join has too many results"),
							errdetail("An array, which may take 1 GB and no more than "
									  "\"ted.max_memory\", has room for %lld pairs.",
									  (long long) most),
							errhint("%s", matches->kind->fewer)));
		matches->capacity = Min(2 * matches->capacity, most);
		matches->array = repalloc(matches->array, MatchArrayBytes(matches->capacity));
	}
	row = &Rows(matches)[matches->count++];
	*row = matches->empty;
	row->left_id = left_id;
	row->right_id = right_id;
	if (matches->is_distance)
		row->measure.distance = (int32) measure;
	else
		row->measure.similarity = measure;
}

ArrayType *
MatchesArray(JoinMatches *matches)
{
	if (matches->count == 0)
		return construct_empty_array(matches->array->elemtype);
	SortMatches(Rows(matches), (size_t) matches->count);
	ARR_DIMS(matches->array)[0] = (int) matches->count;
	SET_VARSIZE(matches->array, MatchArrayBytes(matches->count));
	return matches->array;
}
