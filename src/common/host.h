/*
 * host.h
 *	  Memory, interrupts and errors of the core, provided by PostgreSQL.
 */
#ifndef TED_HOST_H
#define TED_HOST_H

#include "postgres.h"

#include "lib/stringinfo.h"

#include "../core/common/core.h"

/* Calls CHECK_FOR_INTERRUPTS(), which leaves by longjmp; never asks the core to stop. */
extern const TedInterrupt PgInterrupt;

/*
 * Advises the kernel to use large pages for a new block of at least two large pages.  The first
 * access to each page takes time, which is much of the time of a fast computation.
 */
extern void UseLargePages(void *block, Size bytes);

/* Memory of an engine, from a memory context; HostAllocate() returns NULL where there is none. */
extern void *HostAllocate(void *context, size_t bytes);
extern void HostRelease(void *context, void *block);

/* Gives the arena one block of the current memory context; free it with pfree(arena->base). */
extern void ArenaInit(TedArena *arena, Size bytes);

/*
 * Makes room for `bytes` in a reusable arena, which may be {0}.  If the arena is too small, it gets
 * a new block in a memory context, and its contents are lost.
 */
extern void ArenaReserve(TedArena *arena, MemoryContext context, Size bytes);

/* ted.max_memory in kilobytes: the most scratch memory that one computation may take. */
extern int ted_max_memory;

/* Returns a number of bytes as a person reads it, rounded up, and ted.max_memory as it is set. */
extern char *MemoryText(Size bytes);
extern char *MemoryLimitText(void);

/*
 * Raises an error if a computation needs more scratch memory than ted.max_memory allows; `what`
 * names it.
 */
extern void CheckMemoryLimit(Size bytes, const char *what);

/* Raises that error with a given hint. */
extern void CheckMemoryOrHint(Size bytes, const char *what, const char *hint);

/* Raises it for a computation that allocates step by step, in a context and its children. */
extern void CheckMemoryGrowth(MemoryContext context, Size bytes, const char *what);

/* Allocates memory that is all zeros; checks for interrupts while a large block is cleared. */
extern void *AllocZeros(MemoryContext context, Size bytes);

/* Copies bytes between blocks that do not overlap; checks for interrupts while many are copied. */
extern void CopyBlock(void *to, const void *from, Size bytes);

/* Appends bytes to a string, with such checks. */
extern void AppendBlock(StringInfo out, const char *bytes, int length);

/* Returns a value of variable length whose content is a copy of the bytes. */
extern struct varlena *CopyToValue(const char *bytes, Size length);

/*
 * Makes room for `count` elements in an array with room for `capacity`; a new array has at least
 * twice the room.  An array that is NULL is allocated in `context`.
 */
#define RESERVE(context, array, capacity, count)                                                   \
	((array) = ReserveArray(context, array, &(capacity), count, sizeof(*(array))))

extern void *ReserveArray(MemoryContext context, void *array, int32 *capacity, int64 count,
						  Size each);

/* Makes such room; raises an error first if the context may not grow by it. */
#define RESERVE_COUNTED(counted, array, capacity, count, what)                                     \
	((count) <= (capacity) ? (void) 0                                                              \
						   : (void) ((array) = ReserveCounted(counted, array, &(capacity), count,  \
															  sizeof(*(array)), what)))

extern void *ReserveCounted(MemoryContext counted, void *array, int32 *capacity, int64 count,
							Size each, const char *what);

/* Raises an error for any status but TED_OK. */
extern void CheckStatus(TedStatus status);

#endif /* TED_HOST_H */
