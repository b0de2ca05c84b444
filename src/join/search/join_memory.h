/*
 * join_memory.h
 *	  Memory that a join may take, and its parts.
 */
#ifndef TED_JOIN_MEMORY_H
#define TED_JOIN_MEMORY_H

#include "postgres.h"

/*
 * Memory in bytes that a join may take of work_mem, with hash_mem_multiplier:
 * a share of all.
 */
extern Size JoinMemory(double share);

/* The same in kilobytes, for sorting. */
extern int SortMemory(double share);

/* Shares of it. */
#define JOIN_DOCUMENTS_MEMORY 0.125 /* the documents of a side until they go to disk */
#define JOIN_IDS_MEMORY 0.0625      /* and their ids */
#define JOIN_BLOCK_MEMORY 0.375     /* what is indexed at once */
#define JOIN_CHUNK_MEMORY 0.125     /* probes that are looked up at once */

#endif /* TED_JOIN_MEMORY_H */
