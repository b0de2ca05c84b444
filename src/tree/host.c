/*
 * host.c
 *	  What the core asks of its host, given by PostgreSQL: memory, interrupts, errors.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "host.h"

int ted_max_memory = 1024 * 1024;

/* Lets PostgreSQL act on a pending cancel or terminate request. */
static bool
ProcessInterrupt(void *arg)
{
	(void) arg;
	CHECK_FOR_INTERRUPTS();
	return false;
}

const TedInterrupt PgInterrupt = {.check = ProcessInterrupt};

/* Gives the arena one block of the current memory context. */
void
ArenaInit(TedArena *arena, Size bytes)
{
	*arena =
		ted_arena_in(MemoryContextAllocHuge(CurrentMemoryContext, bytes + TED_ARENA_ALIGN), bytes);
}

/* Refuses a computation that needs more scratch memory than ted.max_memory allows. */
void
CheckMemoryLimit(Size bytes, const char *what)
{
	Size kilobytes = bytes / 1024 + 1;

	if (kilobytes <= (Size) ted_max_memory)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
			 errmsg("%s needs more memory than \"ted.max_memory\" allows", what),
			 errdetail("It would take %zu kB; the limit is %d kB.", kilobytes, ted_max_memory),
			 errhint("Increase \"ted.max_memory\" or compare smaller values.")));
}

/* Turns any status but TED_OK into an error. */
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
