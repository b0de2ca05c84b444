/*
 * cached_argument.c
 *	  Caches what a function makes of an argument from call to call.
 *
 * It lives as long as the FmgrInfo, that is, as the expression in a query.  An
 * argument is known again by its bytes, which for a value out of line are those
 * of its TOAST pointer: as long as a query can see the value, its id is not
 * given to another one.
 *
 * Which of both arguments stays the same shows only in the next call.  So they
 * are cached in turn until one is found again, and from then on the one at its
 * position.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "../compat.h"
#include "cached_argument.h"

typedef struct CachedArgument
{
	MemoryContext context; /* of `value` and `made` */
	struct varlena *value; /* NULL where nothing is cached */
	void *made;
	int position;
	bool found;   /* again, in a later call */
	void *memory; /* see CachedMemory() */
} CachedArgument;

/* The cache of a function, empty at first. */
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

/* Whether the bytes of a value say what it is, rather than where it is in memory. */
bool
IsKnownByBytes(const struct varlena *value)
{
	return !VARATT_IS_EXTERNAL(value) || VARATT_IS_EXTERNAL_ONDISK(value);
}

/* Whether an argument has the bytes of the cached one. */
static bool
IsCached(const CachedArgument *cached, const struct varlena *value)
{
	return cached->value != NULL && VARSIZE_ANY(value) == VARSIZE_ANY(cached->value) &&
		   memcmp(value, cached->value, VARSIZE_ANY(value)) == 0;
}

/* Copies a value as it is. */
static struct varlena *
CopyArgument(const struct varlena *value)
{
	Size size = VARSIZE_ANY(value);

	return memcpy(palloc(size), value, size);
}

/* Caches another value, in place of the one before. */
static void
CacheValue(FunctionCallInfo fcinfo, CachedArgument *cached, const struct varlena *value,
		   CachedArgumentMaker make)
{
	MemoryContext caller;

	cached->found = false;
	cached->value = NULL; /* until all is made: there may be an error */
	MemoryContextReset(cached->context);

	caller = MemoryContextSwitchTo(cached->context);
	cached->made = make(PointerGetDatum(value), PG_GET_COLLATION());
	if (IsKnownByBytes(value))
		cached->value = CopyArgument(value);
	MemoryContextSwitchTo(caller);
}

/* Returns what `make` has made of one of the first two arguments, and which one that is. */
void *
CacheArgument(FunctionCallInfo fcinfo, CachedArgumentMaker make, int *position)
{
	CachedArgument *cached = GetCachedArgument(fcinfo->flinfo);

	if (IsCached(cached, (const struct varlena *) PG_GETARG_POINTER(cached->position)))
		cached->found = true;
	else if (IsCached(cached, (const struct varlena *) PG_GETARG_POINTER(1 - cached->position)))
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

/* Returns what `make` has made of one argument. */
void *
CacheArgumentAt(FunctionCallInfo fcinfo, int position, CachedArgumentMaker make)
{
	CachedArgument *cached = GetCachedArgument(fcinfo->flinfo);
	const struct varlena *value = (const struct varlena *) PG_GETARG_POINTER(position);

	if (!IsCached(cached, value))
		CacheValue(fcinfo, cached, value, make);
	return cached->made;
}

/* Memory that lives as long as what is cached for a function. */
void *
CachedMemory(FunctionCallInfo fcinfo, Size bytes)
{
	CachedArgument *cached = GetCachedArgument(fcinfo->flinfo);

	if (cached->memory == NULL)
		cached->memory = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, bytes);
	return cached->memory;
}
