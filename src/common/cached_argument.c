/*
 * cached_argument.c
 *	  Keeps what a function makes of an argument from call to call.
 *
 * It lives as long as the FmgrInfo, that is, as the expression in a query.  An
 * argument is known again by its bytes, which for a value out of line are those
 * of its TOAST pointer: as long as a query can see the value, its id is not
 * given to another one.
 *
 * Which of both arguments stays the same shows only in the next call.  So they
 * are kept in turn until one is found again, and from then on the one at its
 * position.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "../compat.h"
#include "cached_argument.h"

typedef struct CachedArgument
{
	MemoryContext context; /* of `value` and `made` */
	struct varlena *value; /* NULL where nothing is kept */
	void *made;
	int position;
	bool found; /* again, in a later call */
} CachedArgument;

/* The cache of a function, empty at first. */
static CachedArgument *
GetCachedArgument(FmgrInfo *function)
{
	CachedArgument *kept = function->fn_extra;

	if (kept == NULL)
	{
		kept = MemoryContextAllocZero(function->fn_mcxt, sizeof(CachedArgument));
		kept->context =
			AllocSetContextCreate(function->fn_mcxt, "ted cached argument", ALLOCSET_DEFAULT_SIZES);
		kept->position = 1;
		function->fn_extra = kept;
	}
	return kept;
}

/* Whether the bytes of a value say what it is, rather than where it is in memory. */
static bool
IsCacheable(const struct varlena *value)
{
	return !VARATT_IS_EXTERNAL(value) || VARATT_IS_EXTERNAL_ONDISK(value);
}

/* Whether an argument has the bytes of the kept one. */
static bool
IsCached(const CachedArgument *kept, const struct varlena *value)
{
	return kept->value != NULL && VARSIZE_ANY(value) == VARSIZE_ANY(kept->value) &&
		   memcmp(value, kept->value, VARSIZE_ANY(value)) == 0;
}

/* Copies a value as it is. */
static struct varlena *
CopyValue(const struct varlena *value)
{
	Size size = VARSIZE_ANY(value);

	return memcpy(palloc(size), value, size);
}

/* Keeps another argument, in place of the one before. */
static void
CacheAnother(CachedArgument *kept, FunctionCallInfo fcinfo, CachedArgumentMaker make)
{
	const struct varlena *value;
	MemoryContext caller;

	if (!kept->found)
		kept->position = 1 - kept->position;
	kept->found = false;
	kept->value = NULL; /* until all is made: there may be an error */
	MemoryContextReset(kept->context);

	value = (const struct varlena *) PG_GETARG_POINTER(kept->position);
	caller = MemoryContextSwitchTo(kept->context);
	kept->made = make(PointerGetDatum(value));
	if (IsCacheable(value))
		kept->value = CopyValue(value);
	MemoryContextSwitchTo(caller);
}

/* Returns what `make` has made of one of the first two arguments, and which one that is. */
void *
CacheArgument(FunctionCallInfo fcinfo, CachedArgumentMaker make, int *position)
{
	CachedArgument *kept = GetCachedArgument(fcinfo->flinfo);

	if (IsCached(kept, (const struct varlena *) PG_GETARG_POINTER(kept->position)))
		kept->found = true;
	else if (IsCached(kept, (const struct varlena *) PG_GETARG_POINTER(1 - kept->position)))
	{
		kept->found = true;
		kept->position = 1 - kept->position;
	}
	else
		CacheAnother(kept, fcinfo, make);
	*position = kept->position;
	return kept->made;
}
