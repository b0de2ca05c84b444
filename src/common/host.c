/*
 * host.c
 *	  Memory, interrupts and errors of the core, provided by PostgreSQL.
 */
#include "postgres.h"

#include <math.h>
#include <sys/mman.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "host.h"
#include "messages.h"
#include "progress.h"

/* Bytes of a large page, where pages are of 4 kB. */
#define LARGE_PAGE ((Size) 2 << 20)

/* Bytes that are cleared or copied between interrupt checks. */
#define BYTES_PER_CHECK ((Size) 16 << 20)

int ted_max_memory = 1024 * 1024;

/*
 * Processes a pending cancel or terminate request, and reports progress; never asks the core to
 * stop.
 */
static bool
ProcessInterrupt(void *arg)
{
	(void) arg;
	CheckInterrupts();
	return false;
}

const TedInterrupt PgInterrupt = {.check = ProcessInterrupt};

void
UseLargePages(void *block, Size bytes)
{
#ifdef MADV_HUGEPAGE
	uintptr_t first = TYPEALIGN(LARGE_PAGE, block);
	uintptr_t end = TYPEALIGN_DOWN(LARGE_PAGE, (uintptr_t) block + bytes);

	if (bytes >= 2 * LARGE_PAGE)
		madvise((void *) first, end - first, MADV_HUGEPAGE);
#else
	(void) block;
	(void) bytes;
#endif
}

void *
HostAllocate(void *context, size_t bytes)
{
	void *block = MemoryContextAllocExtended(context, bytes, MCXT_ALLOC_HUGE | MCXT_ALLOC_NO_OOM);

	if (block != NULL)
		UseLargePages(block, bytes);
	return block;
}

void
HostRelease(void *context, void *block)
{
	(void) context;
	pfree(block);
}

void
ArenaInit(TedArena *arena, Size bytes)
{
	void *block = MemoryContextAllocHuge(CurrentMemoryContext, bytes + TED_ARENA_ALIGN);

	UseLargePages(block, bytes);
	*arena = ted_arena_in(block, bytes);
}

void
ArenaReserve(TedArena *arena, MemoryContext context, Size bytes)
{
	char *smaller = arena->base;
	MemoryContext caller;

	if (bytes <= arena->size - arena->used)
		return;
	*arena = (TedArena){0};
	if (smaller != NULL)
		pfree(smaller);
	caller = MemoryContextSwitchTo(context);
	ArenaInit(arena, bytes);
	MemoryContextSwitchTo(caller);
}

/* The units of memory, each of 1,024 of the one before. */
static const char *const units[] = {"kB", "MB", "GB", "TB", "PB"};

char *
MemoryText(Size bytes)
{
	Size kilobytes = bytes / 1024 + 1;
	double size = (double) kilobytes;
	int unit = 0;

	while (size >= 1000 && unit < (int) lengthof(units) - 1)
	{
		size /= 1024;
		unit++;
	}
	if (unit > 0 && size < 10)
		return psprintf("%.1f %s", ceil(size * 10) / 10, units[unit]);
	return psprintf("%.0f %s", ceil(size), units[unit]);
}

/* Returns ted.max_memory in the largest unit in which it is a whole number, as SHOW does. */
char *
MemoryLimitText(void)
{
	int limit = ted_max_memory;
	int unit = 0;

	while (limit % 1024 == 0 && limit > 0 && unit < (int) lengthof(units) - 1)
	{
		limit /= 1024;
		unit++;
	}
	return psprintf("%d %s", limit, units[unit]);
}

void
CheckMemoryLimit(Size bytes, const char *what)
{
	CheckMemoryOrHint(bytes, what, "Increase \"ted.max_memory\" or use smaller values.");
}

void
CheckMemoryOrHint(Size bytes, const char *what, const char *hint)
{
	if (bytes / 1024 + 1 <= (Size) ted_max_memory)
		return;
	ereport(ERROR, (errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
					errmsg("%s needs more memory than \"ted.max_memory\" allows", what),
					ValueDetail(psprintf("The limit is %s.", MemoryLimitText()),
								"It would take %s; the limit is %s.", MemoryText(bytes),
								MemoryLimitText()),
					errhint("%s", hint)));
}

void
CheckMemoryGrowth(MemoryContext context, Size bytes, const char *what)
{
	CheckMemoryLimit(MemoryContextMemAllocated(context, true) + bytes, what);
}

void *
AllocZeros(MemoryContext context, Size bytes)
{
	char *block = MemoryContextAllocHuge(context, bytes);

	for (Size begin = 0; begin < bytes; begin += BYTES_PER_CHECK)
	{
		CHECK_FOR_INTERRUPTS();
		memset(block + begin, 0, Min(bytes - begin, BYTES_PER_CHECK));
	}
	return block;
}

void
CopyBlock(void *to, const void *from, Size bytes)
{
	for (Size begin = 0; begin < bytes; begin += BYTES_PER_CHECK)
	{
		CHECK_FOR_INTERRUPTS();
		memcpy((char *) to + begin, (const char *) from + begin,
			   Min(bytes - begin, BYTES_PER_CHECK));
	}
}

void
AppendBlock(StringInfo out, const char *bytes, int length)
{
	enlargeStringInfo(out, length);
	CopyBlock(out->data + out->len, bytes, (Size) length);
	out->len += length;
	out->data[out->len] = '\0';
}

struct varlena *
CopyToValue(const char *bytes, Size length)
{
	struct varlena *copy = palloc(VARHDRSZ + length);

	SET_VARSIZE(copy, VARHDRSZ + length);
	CopyBlock(VARDATA(copy), bytes, length);
	return copy;
}

/* Initial capacity of an array. */
#define FEWEST_ELEMENTS 16

/* Makes room for `count` elements in an array. */
void *
ReserveArray(MemoryContext context, void *array, int32 *capacity, int64 count, Size each)
{
	if (count <= *capacity)
		return array;
	if (count > PG_INT32_MAX)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("array would have more than %d elements", PG_INT32_MAX),
						errhint("Use smaller values.")));
	count = Max(Max(count, FEWEST_ELEMENTS), Min(2 * (int64) *capacity, PG_INT32_MAX));
	array = array == NULL ? MemoryContextAllocHuge(context, each * (Size) count)
						  : repalloc_huge(array, each * (Size) count);
	/* not before: an allocation may fail */
	*capacity = (int32) count;
	return array;
}

void *
ReserveCounted(MemoryContext counted, void *array, int32 *capacity, int64 count, Size each,
			   const char *what)
{
	CheckMemoryGrowth(counted, each * (Size) Max(*capacity, count - *capacity), what);
	return ReserveArray(counted, array, capacity, count, each);
}

void
CheckStatus(TedStatus status)
{
	switch (status)
	{
		case TED_OK:
			break;
		case TED_CANCELLED:
			ereport(ERROR, (errcode(ERRCODE_QUERY_CANCELED),
							errmsg("canceling computation due to user request")));
			break;
		case TED_OUT_OF_ARENA:
			elog(ERROR, "arena is smaller than its estimate");
			break;
	}
}
