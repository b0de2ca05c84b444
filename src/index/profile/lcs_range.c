/*
 * lcs_range.c
 *	  The type lcs_range: a string's profile and a threshold, as one operand of an index.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "executor/executor.h"
#include "fmgr.h"

#include "../../compat.h"
#include "../../string/lcs_threshold.h"
#include "../../catalog/row_type.h"
#include "lcs_range.h"

/* Attributes of the type; a limit that is NULL does not apply. */
enum
{
	RANGE_PROFILE,
	RANGE_MAX_DISTANCE,
	RANGE_MIN_SIMILARITY,
	RANGE_ATTRIBUTES
};

bool
ReadLcsRange(Datum value, LcsRange *range)
{
	HeapTupleHeader row = DatumGetHeapTupleHeader(value);
	Datum values[RANGE_ATTRIBUTES];
	bool nulls[RANGE_ATTRIBUTES];

	if (VARSIZE(row) < SizeofHeapTupleHeader || !IsLcsRangeType(HeapTupleHeaderGetTypeId(row)))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH), errmsg("operand of <~ is not an lcs_range"),
				 errdetail("The type has been altered, or an operator of an index does not fit "
						   "its operator class."),
				 errhint("Create the extension again, or use the operator class lcs_ops.")));
	for (int i = 0; i < RANGE_ATTRIBUTES; i++)
		values[i] = GetAttributeByNum(row, (AttrNumber) (i + 1), &nulls[i]);
	if (nulls[RANGE_PROFILE])
		return false;
	ReadProfile(values[RANGE_PROFILE], &range->profile);
	range->threshold = SimilarityThreshold(
		nulls[RANGE_MIN_SIMILARITY] ? 0 : DatumGetFloat8(values[RANGE_MIN_SIMILARITY]));
	if (!nulls[RANGE_MAX_DISTANCE])
		range->threshold.max_distance = DatumGetInt32(values[RANGE_MAX_DISTANCE]);
	return true;
}

bool
LcsRangeHas(const LcsRange *range, int32 length, int32 common)
{
	return common >= LeastCommon(&range->threshold, (int64) range->profile.length + length);
}

/* Makes a range around the first argument of a function; the limit is attribute `limit`. */
static Datum
MakeLcsRange(FunctionCallInfo fcinfo, ProfileMaker make, int limit, Datum value)
{
	Datum values[RANGE_ATTRIBUTES] = {0};
	bool nulls[RANGE_ATTRIBUTES] = {false, true, true};
	LcsProfile profile;

	make(PG_GETARG_DATUM(0), PG_GET_COLLATION(), &profile);
	values[RANGE_PROFILE] = StoreProfile(&profile);
	values[limit] = value;
	nulls[limit] = false;
	return FormRow(fcinfo, "yid", values, nulls);
}

/* Makes a range of all strings within a distance of a string. */
static Datum
LcsDistanceRange(FunctionCallInfo fcinfo, ProfileMaker make)
{
	PG_RETURN_DATUM(MakeLcsRange(fcinfo, make, RANGE_MAX_DISTANCE,
								 Int32GetDatum(MaxDistanceArgument(fcinfo, 1))));
}

/* Makes a range of all strings with at least this similarity to a string. */
static Datum
LcsSimilarityRange(FunctionCallInfo fcinfo, ProfileMaker make)
{
	CheckMinSimilarity(PG_GETARG_FLOAT8(1));
	PG_RETURN_DATUM(MakeLcsRange(fcinfo, make, RANGE_MIN_SIMILARITY, PG_GETARG_DATUM(1)));
}

/* Whether its length and classes of symbols allow a string to be in a range. */
static Datum
LcsMayBeWithin(FunctionCallInfo fcinfo, ProfileMaker make)
{
	LcsProfile profile;
	LcsRange range;

	if (!ReadLcsRange(PG_GETARG_DATUM(1), &range))
		PG_RETURN_NULL();
	make(PG_GETARG_DATUM(0), PG_GET_COLLATION(), &profile);
	PG_RETURN_BOOL(LcsRangeHas(
		&range, profile.length,
		Min(range.profile.length - MissingSymbols(&range.profile, &profile), profile.length)));
}

/* The SQL functions for a type of strings. */
#define RANGE_FUNCTION(name, function, make)                                                       \
	PG_FUNCTION_INFO_V1(name);                                                                     \
	Datum name(PG_FUNCTION_ARGS)                                                                   \
	{                                                                                              \
		return function(fcinfo, make);                                                             \
	}
#define RANGE_FUNCTIONS(type, make)                                                                \
	RANGE_FUNCTION(lcs_range_##type, LcsDistanceRange, make)                                       \
	RANGE_FUNCTION(lcs_similarity_range_##type, LcsSimilarityRange, make)                          \
	RANGE_FUNCTION(lcs_may_be_within_##type, LcsMayBeWithin, make)

RANGE_FUNCTIONS(text, TextProfile)
RANGE_FUNCTIONS(bytea, ByteaProfile)
RANGE_FUNCTIONS(array, ArrayProfile)
