/*
 * join_memory.c
 *	  Memory that a join may take, and its parts.
 */
#include "postgres.h"

#include <limits.h>

#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "join_memory.h"

/*
 * In kilobytes.  With less memory, a join takes this much: smaller blocks would cost more than
 * they hold.  Tests set less, to have several blocks of few documents.
 */
static int least_memory = 1024;

/* Memory that a join of some processes may take: a share of all. */
Size
JoinMemory(double share, int processes)
{
	Size memory = Max(get_hash_memory_limit(), (Size) least_memory * 1024);

	return (Size) Min(share * (double) memory * processes, (double) MaxAllocHugeSize);
}

/* The same in kilobytes, for sorting by one process. */
int
SortMemory(double share)
{
	return (int) Min(JoinMemory(share, 1) / 1024, MAX_KILOBYTES);
}

/* Defines the setting for tests. */
void
JoinMemoryInit(void)
{
	DefineCustomIntVariable("ted.least_join_memory",
							"Sets the memory that a join takes where work_mem is less; for tests.",
							NULL, &least_memory, least_memory, 64, MAX_KILOBYTES, PGC_USERSET,
							GUC_UNIT_KB | GUC_NO_SHOW_ALL | GUC_NOT_IN_SAMPLE, NULL, NULL, NULL);
}
