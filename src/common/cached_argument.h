/*
 * cached_argument.h
 *	  Caches what a function makes of an argument from call to call.
 */
#ifndef TED_CACHED_ARGUMENT_H
#define TED_CACHED_ARGUMENT_H

#include "postgres.h"

#include "fmgr.h"

/* Makes of an argument, in the current memory context, what is cached; by a collation. */
typedef void *(*CachedArgumentMaker)(Datum argument, Oid collation);

/*
 * Returns what `make` has made of one of the first two arguments, and which one
 * that is.  Where one of them is the same as in the last call, as a constant
 * or the outer side of a nested loop is, nothing is made again.  Both arguments
 * are varlena and not NULL; a function calls this with one maker only.
 */
extern void *CacheArgument(FunctionCallInfo fcinfo, CachedArgumentMaker make, int *position);

/* The same for one argument, at a position; for functions that cache no other. */
extern void *CacheArgumentAt(FunctionCallInfo fcinfo, int position, CachedArgumentMaker make);

/*
 * Memory that lives as long as what is cached for a function, and is zero at first; of one
 * size for a function.
 */
extern void *CachedMemory(FunctionCallInfo fcinfo, Size bytes);

/* Whether the bytes of a value say what it is, rather than where it is in memory. */
extern bool IsKnownByBytes(const struct varlena *value);

#endif /* TED_CACHED_ARGUMENT_H */
