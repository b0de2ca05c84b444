/*
 * host.h
 *	  PostgreSQL as the host of the core: memory, interrupts, errors.
 */
#ifndef TED_HOST_H
#define TED_HOST_H

#include "postgres.h"

#include "../core/common/core.h"

/* Runs CHECK_FOR_INTERRUPTS(), which leaves by longjmp; never asks to stop otherwise. */
extern const TedInterrupt PgInterrupt;

/*
 * Asks for large pages for a new block that is larger than some of them: each
 * page that is first touched takes time, which is much of what a fast computation takes.
 */
extern void UseLargePages(void *block, Size bytes);

/* Gives the arena one block of the current memory context; free it with pfree(arena->base). */
extern void ArenaInit(TedArena *arena, Size bytes);

/*
 * Makes room in an arena that is used again and again, or is {0}, by a new block of a memory
 * context where the one it has is too small; what that had is lost then.
 */
extern void ArenaReserve(TedArena *arena, MemoryContext context, Size bytes);

/* ted.max_memory in kilobytes: the most scratch memory that one computation may take. */
extern int ted_max_memory;

/* Refuses a computation that needs more scratch memory than ted.max_memory allows. */
extern void CheckMemoryLimit(Size bytes, const char *what);

/* The same with a hint of its own. */
extern void CheckMemoryOrHint(Size bytes, const char *what, const char *hint);

/* The same for a computation that takes its memory in a context and below it, step by step. */
extern void CheckMemoryGrowth(MemoryContext context, Size bytes, const char *what);

/* Takes memory that is all zeros; interrupts are let in while a large block is cleared. */
extern void *AllocZeros(MemoryContext context, Size bytes);

/* Doubles the room of an array, of elements of `each` bytes; `what` names the use in errors. */
extern void *GrowArray(void *array, int32 *capacity, Size each, const char *what);

/*
 * Makes room for `count` elements in an array that has room for `capacity`, by a new one with at
 * least twice the room if need be.  An array that is NULL is made in a memory context.
 */
#define RESERVE(context, array, capacity, count)                                                   \
	((array) = ReserveArray(context, array, &(capacity), count, sizeof(*(array))))

extern void *ReserveArray(MemoryContext context, void *array, int32 *capacity, int64 count,
						  Size each);

/* Turns any status but TED_OK into an error. */
extern void CheckStatus(TedStatus status);

#endif /* TED_HOST_H */
