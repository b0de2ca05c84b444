/*
 * cached_argument.h
 *	  Caches a value that a function derives from an argument, from call to call.
 */
#ifndef TED_CACHED_ARGUMENT_H
#define TED_CACHED_ARGUMENT_H

#include "postgres.h"

#include "fmgr.h"

/* Derives the value to be cached from an argument, in the current memory context. */
typedef void *(*CachedArgumentMaker)(Datum argument, Oid collation);

/*
 * Returns the value that `make` derives from one of the first two arguments, and sets `position` to
 * the position of that argument, 0 or 1.  The value is not computed again if one of the arguments
 * is the same as in the last call, as a constant or the outer side of a nested loop is.  Both
 * arguments are varlena and not NULL; a function always passes the same `make`.
 */
extern void *CacheArgument(FunctionCallInfo fcinfo, CachedArgumentMaker make, int *position);

/* Returns the value of the argument at a position, for functions that cache no other argument. */
extern void *CacheArgumentAt(FunctionCallInfo fcinfo, int position, CachedArgumentMaker make);

/*
 * Returns memory that lives as long as the function's cache.  It is zero at first; a function
 * always passes the same number of bytes.
 */
extern void *CachedMemory(FunctionCallInfo fcinfo, Size bytes);

/* Whether the bytes of a value determine it; false for a pointer to a value in memory. */
extern bool IsKnownByBytes(const struct varlena *value);

/* Copies such a value without detoasting it. */
extern struct varlena *KeepValue(const struct varlena *value);

/* Whether a value has the same bytes as a copy that was kept; false if that is NULL. */
extern bool IsKeptValue(const struct varlena *kept, const struct varlena *value);

#endif /* TED_CACHED_ARGUMENT_H */
