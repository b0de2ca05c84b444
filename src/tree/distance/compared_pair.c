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
#include "../../core/tree/ted.h"
#include "compared_pair.h"

/* A copy of a value. */
typedef struct KeptValue
{
	struct varlena *bytes;
	Size capacity;
} KeptValue;

/* A pair of trees and its distance with unit costs. */
struct ComparedPair
{
	MemoryContext context;
	MemoryContextCallback forget;
	MemoryContext query; /* context of the functions that have compared the values */
	KeptValue values[2];
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

Size
ComparedBytes(Datum value)
{
	return VARSIZE_ANY(DatumGetPointer(value));
}

void
NoteCompared(ComparedPair *pair, FunctionCallInfo fcinfo, int32 distance)
{
	last_pair = NULL; /* in case of an error below */
	for (int i = 0; i < 2; i++)
	{
		const struct varlena *value = (const struct varlena *) PG_GETARG_POINTER(i);

		if (!IsKnownByBytes(value))
			return;
		if (!IsKeptValue(pair->values[i].bytes, value))
		{
			KeptValue *kept = &pair->values[i];
			Size size = VARSIZE_ANY(value);

			if (size > kept->capacity)
			{
				if (kept->bytes != NULL)
					pfree(kept->bytes);
				*kept = (KeptValue){.bytes = NULL};
				kept->bytes = MemoryContextAlloc(pair->context, size);
				kept->capacity = size;
			}
			memcpy(kept->bytes, value, size);
		}
	}
	pair->query = fcinfo->flinfo->fn_mcxt;
	pair->distance = distance;
	last_pair = pair;
}

int32
ComparedDistance(FunctionCallInfo fcinfo)
{
	/* the last pair of the same query */
	return (last_pair != NULL && last_pair->query == fcinfo->flinfo->fn_mcxt &&
			IsKeptValue(last_pair->values[0].bytes,
						(const struct varlena *) PG_GETARG_POINTER(0)) &&
			IsKeptValue(last_pair->values[1].bytes, (const struct varlena *) PG_GETARG_POINTER(1)))
			   ? last_pair->distance
			   : TED_BEYOND;
}
