/*
 * compared_pair.c
 *	  The last pair of trees that a query has compared, and its distance.
 *
 * Rows that an index finds are checked by tree_within(), then by the clause from which that
 * was derived, and their distance may be in the result.  These functions need the same
 * distance of the same row in turn, and only the first of them computes it.
 *
 * Functions belong to the same query if they have the same memory context.  Values are
 * recognized by their bytes, as in cached_argument.c.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/cached_argument.h"
#include "compared_pair.h"

/* A copy of a value. */
typedef struct KeptValue
{
	struct varlena *bytes;
	Size capacity;
} KeptValue;

/* A pair of trees and its distance. */
struct ComparedPair
{
	MemoryContext context;
	MemoryContextCallback forget;
	MemoryContext query; /* context of the functions that have compared the values */
	KeptValue values[2];
	TedCosts costs;
	int32 distance;
};

/* The last pair, in a memory context of its query; NULL if there is none. */
static const ComparedPair *last_pair = NULL;

/* Forgets a pair when its memory is freed. */
static void
ForgetPair(void *pair)
{
	if (last_pair == pair)
		last_pair = NULL;
}

/* Makes the memory for a pair. */
ComparedPair *
ComparedPairCreate(void)
{
	ComparedPair *pair = palloc0_object(ComparedPair);

	pair->context = CurrentMemoryContext;
	pair->forget.func = ForgetPair;
	pair->forget.arg = pair;
	MemoryContextRegisterResetCallback(pair->context, &pair->forget);
	return pair;
}

/* Returns the bytes of memory for the copy of a value. */
Size
ComparedBytes(Datum value)
{
	return VARSIZE_ANY(DatumGetPointer(value));
}

/* Keeps a copy of a value. */
static void
KeepValueCopy(KeptValue *kept, const struct varlena *value, MemoryContext context)
{
	Size size = VARSIZE_ANY(value);

	if (size > kept->capacity)
	{
		if (kept->bytes != NULL)
			pfree(kept->bytes);
		*kept = (KeptValue){.bytes = NULL};
		kept->bytes = MemoryContextAlloc(context, size);
		kept->capacity = size;
	}
	memcpy(kept->bytes, value, size);
}

/* Records the distance of the first two arguments, in place of the last pair. */
void
NoteCompared(ComparedPair *pair, FunctionCallInfo fcinfo, const TedCosts *costs, int32 distance)
{
	last_pair = NULL; /* in case of an error below */
	if (ted_costs_by_label(costs))
		return;
	for (int i = 0; i < 2; i++)
	{
		const struct varlena *value = (const struct varlena *) PG_GETARG_POINTER(i);

		if (!IsKnownByBytes(value))
			return;
		if (!IsKeptValue(pair->values[i].bytes, value))
			KeepValueCopy(&pair->values[i], value, pair->context);
	}
	pair->query = fcinfo->flinfo->fn_mcxt;
	pair->costs = *costs;
	pair->distance = distance;
	last_pair = pair;
}

/* Whether the first two arguments are the last pair, and of the same query. */
static bool
IsLastPair(FunctionCallInfo fcinfo)
{
	return last_pair != NULL && last_pair->query == fcinfo->flinfo->fn_mcxt &&
		   IsKeptValue(last_pair->values[0].bytes, (const struct varlena *) PG_GETARG_POINTER(0)) &&
		   IsKeptValue(last_pair->values[1].bytes, (const struct varlena *) PG_GETARG_POINTER(1));
}

/*
 * Returns an upper bound on the distance of the first two arguments.  If they were compared
 * with other costs, the same operations suffice: their number is at most the distance
 * divided by the least of those costs.
 */
int32
ComparedAtMost(FunctionCallInfo fcinfo, const TedCosts *costs, bool *exact)
{
	const TedCosts *noted;
	int32 least;
	int64 most;

	*exact = false;
	if (ted_costs_by_label(costs) || !IsLastPair(fcinfo))
		return TED_NO_LIMIT;
	noted = &last_pair->costs;
	*exact = noted->insert == costs->insert && noted->delete_ == costs->delete_ &&
			 noted->rename == costs->rename;
	if (*exact)
		return last_pair->distance;
	least = Min(Min(noted->insert, noted->delete_), noted->rename);
	if (least == 0)
		return TED_NO_LIMIT;
	most = (int64) (last_pair->distance / least) *
		   Max(Max(costs->insert, costs->delete_), costs->rename);
	return (int32) Min(most, TED_NO_LIMIT);
}
