/*
 * cached_argument.c
 *	  Caches a value that a function derives from an argument, from call to call.
 *
 * The cache lives as long as the FmgrInfo, that is, as the expression in a query.  Arguments are
 * compared by their bytes; those of a value out of line are its TOAST pointer.  As long as a query
 * can see the value, its value id is not reused.
 *
 * Which of two arguments stays the same shows only in the next call.  So the arguments are cached
 * alternately until one of them is found again; from then on, the argument at that position is
 * cached.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "../compat.h"
#include "cached_argument.h"
#include "host.h"

typedef struct CachedArgument
{
	MemoryContext context; /* owns `value` and `made` */
	struct varlena *value; /* copy of the argument, NULL where nothing is cached */
	void *made;
	int position;
	bool found;   /* whether a later call has found the cached argument again */
	void *memory; /* memory of CachedMemory() */
} CachedArgument;

/* Returns the cache of a function, an empty one in the first call. */
static CachedArgument *
GetCachedArgument(FmgrInfo *function)
{
	CachedArgument *cached = function->fn_extra;

	if (cached == NULL)
	{
		cached = MemoryContextAllocZero(function->fn_mcxt, sizeof(CachedArgument));
		cached->context =
			AllocSetContextCreate(function->fn_mcxt, "ted cached argument", ALLOCSET_DEFAULT_SIZES);
		cached->position = 1;
		function->fn_extra = cached;
	}
	return cached;
}

bool
IsKnownByBytes(const struct varlena *value)
{
	return !VARATT_IS_EXTERNAL(value) || VARATT_IS_EXTERNAL_ONDISK(value);
}

bool
IsKeptValue(const struct varlena *kept, const struct varlena *value)
{
	return kept != NULL && VARSIZE_ANY(value) == VARSIZE_ANY(kept) &&
		   memcmp(value, kept, VARSIZE_ANY(value)) == 0;
}

/* Copies a value without detoasting it. */
struct varlena *
KeepValue(const struct varlena *value)
{
	Size size = VARSIZE_ANY(value);
	struct varlena *copy = palloc(size);

	CopyBlock(copy, value, size);
	return copy;
}

/* Replaces the cached value by another one. */
static void
CacheValue(FunctionCallInfo fcinfo, CachedArgument *cached, const struct varlena *value,
		   CachedArgumentMaker make)
{
	MemoryContext caller;

	cached->found = false;
	cached->value = NULL; /* stays NULL if an error occurs below */
	MemoryContextReset(cached->context);

	caller = MemoryContextSwitchTo(cached->context);
	cached->made = make(PointerGetDatum(value), PG_GET_COLLATION());
	if (IsKnownByBytes(value))
		cached->value = KeepValue(value);
	MemoryContextSwitchTo(caller);
}

void *
CacheArgument(FunctionCallInfo fcinfo, CachedArgumentMaker make, int *position)
{
	CachedArgument *cached = GetCachedArgument(fcinfo->flinfo);

	if (IsKeptValue(cached->value, (const struct varlena *) PG_GETARG_POINTER(cached->position)))
		cached->found = true;
	else if (IsKeptValue(cached->value,
						 (const struct varlena *) PG_GETARG_POINTER(1 - cached->position)))
	{
		cached->found = true;
		cached->position = 1 - cached->position;
	}
	else
	{
		if (!cached->found)
			cached->position = 1 - cached->position;
		CacheValue(fcinfo, cached, (const struct varlena *) PG_GETARG_POINTER(cached->position),
				   make);
	}
	*position = cached->position;
	return cached->made;
}

/* Returns the value that `make` derives from the argument at a position. */
void *
CacheArgumentAt(FunctionCallInfo fcinfo, int position, CachedArgumentMaker make)
{
	CachedArgument *cached = GetCachedArgument(fcinfo->flinfo);
	const struct varlena *value = (const struct varlena *) PG_GETARG_POINTER(position);

	if (!IsKeptValue(cached->value, value))
		CacheValue(fcinfo, cached, value, make);
	return cached->made;
}

void *
CachedMemory(FunctionCallInfo fcinfo, Size bytes)
{
	CachedArgument *cached = GetCachedArgument(fcinfo->flinfo);

	if (cached->memory == NULL)
		cached->memory = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, bytes);
	return cached->memory;
}
