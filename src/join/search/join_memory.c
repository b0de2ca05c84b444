/*
 * join_memory.c
 *	  Memory that a join may take, and its parts.
 */
#include "postgres.h"

#include <limits.h>

#include "miscadmin.h"
#include "utils/guc.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "join_memory.h"

/* With less memory, a join takes this much: smaller blocks would cost more than they hold. */
#define LEAST_MEMORY ((Size) 1 << 20)

/* Memory that a join may take: a share of all. */
Size
JoinMemory(double share)
{
	Size memory = Max(get_hash_memory_limit(), LEAST_MEMORY);

	return (Size) (share * (double) Min(memory, (Size) ted_max_memory * 1024));
}

/* The same in kilobytes, for sorting. */
int
SortMemory(double share)
{
	return (int) Min(JoinMemory(share) / 1024, MAX_KILOBYTES);
}
