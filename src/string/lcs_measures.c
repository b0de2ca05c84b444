/*
 * lcs_measures.c
 *	  SQL functions for the length of the longest common subsequence, and for distances
 *	  and similarities derived from it.
 *
 * Every function exists for each type of strings.
 */
#include "postgres.h"

#include "../compat.h"
#include "lcs_threshold.h"
#include "strings.h"

/* Returns a value as int32, or raises an error if it is too large. */
static int32
CheckInteger(int64 value, const char *what)
{
	if (value > PG_INT32_MAX)
		ereport(ERROR, (errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE), errmsg("integer out of range"),
						errdetail("The %s is more than %d.", what, PG_INT32_MAX),
						errhint("Compare shorter values.")));
	return (int32) value;
}

/* Returns the length of the longest common subsequence of both arguments. */
static Datum
LcsLength(FunctionCallInfo fcinfo, const StringType *type)
{
	StringPair pair;

	StringArguments(fcinfo, type, &pair);
	PG_RETURN_INT32(StringPairLength(&pair, 0));
}

/* Returns the length of the shortest common supersequence of both arguments. */
static Datum
ScsLength(FunctionCallInfo fcinfo, const StringType *type)
{
	StringPair pair;

	StringArguments(fcinfo, type, &pair);
	PG_RETURN_INT32(CheckInteger(StringPairTotal(&pair) - StringPairLength(&pair, 0),
								 "length of the shortest common supersequence"));
}

/* Returns the number of insertions and deletions that make one argument into the other. */
static Datum
LcsDistance(FunctionCallInfo fcinfo, const StringType *type)
{
	StringPair pair;

	StringArguments(fcinfo, type, &pair);
	PG_RETURN_INT32(
		CheckInteger(StringPairTotal(&pair) - 2 * (int64) StringPairLength(&pair, 0), "distance"));
}

/* Returns the similarity of both arguments. */
static Datum
LcsSimilarityOf(FunctionCallInfo fcinfo, const StringType *type)
{
	StringPair pair;

	StringArguments(fcinfo, type, &pair);
	PG_RETURN_FLOAT8(LcsSimilarity(StringPairLength(&pair, 0), StringPairTotal(&pair)));
}

/* Returns the distance as float8, for the operator <~>. */
static Datum
LcsDistanceOp(FunctionCallInfo fcinfo, const StringType *type)
{
	StringPair pair;

	StringArguments(fcinfo, type, &pair);
	PG_RETURN_FLOAT8((float8) (StringPairTotal(&pair) - 2 * (int64) StringPairLength(&pair, 0)));
}

/* Returns 1 - similarity, for the operator <%>. */
static Datum
LcsDissimilarity(FunctionCallInfo fcinfo, const StringType *type)
{
	StringPair pair;

	StringArguments(fcinfo, type, &pair);
	PG_RETURN_FLOAT8(1.0 - LcsSimilarity(StringPairLength(&pair, 0), StringPairTotal(&pair)));
}

/*
 * Returns the length of the longest common subsequence if it is at least `least`, else
 * LCS_BELOW.
 */
static int32
LengthAtLeast(const StringPair *pair, int64 least)
{
	if (least > Min(pair->a.length, pair->b.length))
		return LCS_BELOW;
	return StringPairLength(pair, (int32) least);
}

/* Whether the similarity of the first two arguments is at least the third. */
static Datum
LcsSimilar(FunctionCallInfo fcinfo, const StringType *type)
{
	float8 min_similarity = PG_GETARG_FLOAT8(2);
	StringPair pair;
	int64 least;

	CheckMinSimilarity(min_similarity);
	StringArguments(fcinfo, type, &pair);
	least = LeastCommonSimilar(min_similarity, StringPairTotal(&pair));
	PG_RETURN_BOOL(LengthAtLeast(&pair, least) != LCS_BELOW);
}

/* Whether the distance between the first two arguments is at most the third. */
static Datum
LcsWithin(FunctionCallInfo fcinfo, const StringType *type)
{
	int32 max_distance = MaxDistanceArgument(fcinfo, 2);
	StringPair pair;
	int64 least;

	StringArguments(fcinfo, type, &pair);
	least = LeastCommonWithin(max_distance, StringPairTotal(&pair));
	PG_RETURN_BOOL(LengthAtLeast(&pair, least) != LCS_BELOW);
}

/*
 * Returns the distance between the first two arguments if it is at most the third, else a
 * larger number.
 */
static Datum
LcsDistanceLessEqual(FunctionCallInfo fcinfo, const StringType *type)
{
	int32 limit = Max(MaxDistanceArgument(fcinfo, 2), 0);
	StringPair pair;
	int64 total;
	int32 length;

	StringArguments(fcinfo, type, &pair);
	total = StringPairTotal(&pair);
	length = LengthAtLeast(&pair, LeastCommonWithin(limit, total));
	if (length == LCS_BELOW)
		PG_RETURN_INT32(CheckInteger((int64) limit + 1, "distance"));
	PG_RETURN_INT32(CheckInteger(total - 2 * (int64) length, "distance"));
}

STRING_FUNCTIONS(lcs_length, LcsLength)
STRING_FUNCTIONS(scs_length, ScsLength)
STRING_FUNCTIONS(lcs_distance, LcsDistance)
STRING_FUNCTIONS(lcs_similarity, LcsSimilarityOf)
STRING_FUNCTIONS(lcs_distance_op, LcsDistanceOp)
STRING_FUNCTIONS(lcs_dissimilarity, LcsDissimilarity)
STRING_FUNCTIONS(lcs_similar, LcsSimilar)
STRING_FUNCTIONS(lcs_within, LcsWithin)
STRING_FUNCTIONS(lcs_distance_less_equal, LcsDistanceLessEqual)
