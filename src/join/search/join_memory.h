/*
 * join_memory.h
 *	  The memory that a join may take, and its shares.
 *
 * All kinds of joins write data to disk that do not fit in memory.  ted.max_memory, which limits
 * computations that cannot use disk, limits a single document and a single comparison, but not a
 * join.
 */
#ifndef TED_JOIN_MEMORY_H
#define TED_JOIN_MEMORY_H

#include "postgres.h"

#include "../../catalog/identity.h"

/*
 * Returns a share of the bytes that a join may take.  As for a hash join, this is work_mem times
 * hash_mem_multiplier for each of the processes that take part.
 */
extern Size JoinMemory(double share, int processes);

/* Returns the same in kilobytes, for a sort by one process. */
extern int SortMemory(double share);

/* Shares of the memory of a join. */
#define JOIN_DOCUMENTS_MEMORY 0.125 /* documents of a side, before they go to disk */
#define JOIN_IDS_MEMORY 0.0625      /* ids of these documents */
#define JOIN_BLOCK_MEMORY 0.375     /* documents that are indexed at once */
#define JOIN_ONLY_BLOCK_MEMORY 0.75 /* the same, if a single block is expected */
#define JOIN_CHUNK_MEMORY 0.125     /* probes that are looked up at once */

/* Estimates the bytes of a document on the indexed side: of a tree by its nodes, or of a string. */
static inline double
IndexedBytes(DocumentType documents, double size)
{
	return AreTrees(documents) ? 40 * size : 3 * size + 120;
}

/* Defines the setting for tests. */
extern void JoinMemoryInit(void);

#endif /* TED_JOIN_MEMORY_H */
