/*
 * join_memory.h
 *	  Memory that a join may take, and its parts.
 *
 * Joins, of whatever form, write to disk what has no room in memory: ted.max_memory, a limit
 * of what cannot go to disk, is no limit of theirs, but of one document and of one comparison.
 */
#ifndef TED_JOIN_MEMORY_H
#define TED_JOIN_MEMORY_H

#include "postgres.h"

/*
 * Memory in bytes that a join may take, as a hash join does: work_mem, with
 * hash_mem_multiplier, for each process of those that take part together; a share of all.
 */
extern Size JoinMemory(double share, int processes);

/* The same in kilobytes, for sorting by one process. */
extern int SortMemory(double share);

/* Shares of it. */
#define JOIN_DOCUMENTS_MEMORY 0.125 /* the documents of a side until they go to disk */
#define JOIN_IDS_MEMORY 0.0625      /* and their ids */
#define JOIN_BLOCK_MEMORY 0.375     /* what is indexed at once */
#define JOIN_ONLY_BLOCK_MEMORY 0.75 /* the same where it is not expected to be one of several */
#define JOIN_CHUNK_MEMORY 0.125     /* probes that are looked up at once */

/* Defines the setting for tests. */
extern void JoinMemoryInit(void);

#endif /* TED_JOIN_MEMORY_H */
