/*
 * join_memory.c
 *	  The memory that a join may take, and its shares.
 */
#include "postgres.h"

#include <limits.h>

#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "join_memory.h"

/*
 * In kilobytes.  A join takes at least this much memory: smaller blocks would not pay.  Tests set
 * less, to get several blocks with few documents; below the least work_mem, a join takes this much
 * whatever work_mem is, so that a block has one or two documents.
 */
static int least_memory = 1024;

/* The least work_mem, in kilobytes. */
#define LEAST_WORK_MEM 64

Size
JoinMemory(double share, int processes)
{
	Size memory = (Size) least_memory * 1024;

	if (least_memory >= LEAST_WORK_MEM)
		memory = Max(memory, get_hash_memory_limit());

	return (Size) Min(share * (double) memory * processes, (double) MaxAllocHugeSize);
}

int
SortMemory(double share)
{
	return (int) Max(Min(JoinMemory(share, 1) / 1024, MAX_KILOBYTES), LEAST_WORK_MEM);
}

void
JoinMemoryInit(void)
{
	DefineCustomIntVariable("ted.least_join_memory",
							"Sets the memory that a join takes where work_mem is less; for tests.",
							NULL, &least_memory, least_memory, 1, MAX_KILOBYTES, PGC_USERSET,
							GUC_UNIT_KB | GUC_NO_SHOW_ALL | GUC_NOT_IN_SAMPLE, NULL, NULL, NULL);
}
