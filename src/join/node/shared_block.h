/*
 * shared_block.h
 *	  The block of the inner side that the processes of a parallel TedJoin read together.
 *
 * Each process reads a part of the inner side and decodes its documents.  When all processes have
 * reached the end, they build the index of all documents together (team.h).  Rows that no longer
 * fit in memory are put aside, in files that each process reads.
 *
 * In a self-join, each document is to be looked up in a block by one process only.  Processes claim
 * documents of the first block as they make progress, and then whole later blocks, which consist of
 * the rows put aside.
 *
 * As in a parallel hash join, no process ever waits for one that returns rows, since that process
 * may wait for the leader, and the leader may be the one that waits.  Processes wait only for
 * others that read; a process that comes later finds all work done.
 */
#ifndef TED_SHARED_BLOCK_H
#define TED_SHARED_BLOCK_H

#include "postgres.h"

#include "access/htup_details.h"
#include "access/parallel.h"
#include "utils/dsa.h"

#include "../search/pipeline.h"
#include "partitions.h"
#include "rows.h"
#include "shared_matches.h"

/* A process's handle of the block. */
typedef struct SharedBlock SharedBlock;

/*
 * Bytes returns the size of the shared memory at first; the leader creates the block there, and
 * workers attach to it.
 */
extern Size SharedBlockBytes(ParallelContext *pcxt);
extern SharedBlock *SharedBlockCreate(ParallelContext *pcxt, void *place);
extern SharedBlock *SharedBlockAttach(void *place);

/* Empties the block for another run; no worker may be attached. */
extern void SharedBlockReset(SharedBlock *block, dsa_area *area);

/* Returns the team of the processes that build the block. */
extern Team *SharedBlockTeam(const SharedBlock *block);

/* Returns the matches in the first block that one process finds for all. */
extern SharedMatches *SharedBlockMatches(const SharedBlock *block);

/* Joins the team; returns whether this process is to read its part of the inner side to the end. */
extern bool SharedBlockBegin(SharedBlock *block, dsa_area *area);

/*
 * Adds `bytes` to this process's memory besides that of the team; returns the bytes of all
 * processes and the team.
 */
extern Size SharedBlockGrow(SharedBlock *block, Size bytes);

/* Returns this process's share of the team's memory in bytes, for EXPLAIN. */
extern Size SharedBlockMemoryPart(const SharedBlock *block);

/* Returns the ordinal among the rows of all processes, given the ordinal of this process's row. */
extern int64 SharedBlockOrdinal(const SharedBlock *block, int64 ordinal);

/* Puts a row aside, for all processes to read. */
extern void SharedBlockPutAside(SharedBlock *block, MinimalTuple row);

/*
 * If all rows are put aside instead of read into a first block: returns the shared memory for
 * dividing them into partitions; ends putting rows aside, and waits for the other processes.
 */
extern SharedPartitions SharedBlockPartitions(SharedBlock *block);
extern void SharedBlockEndAside(SharedBlock *block);

/*
 * Makes the documents that this process has read available to the others, with a threshold that is
 * wide enough for them.
 */
extern void SharedBlockPublish(SharedBlock *block, const DocumentThreshold *threshold,
							   JoinPipeline *pipeline);

/*
 * Builds the block together with the other processes, and widens the threshold to that of all.  The
 * rows of all processes then have the same document numbers in each process.
 */
extern void SharedBlockBuild(SharedBlock *block, DocumentThreshold *threshold,
							 JoinPipeline *pipeline, JoinRows *rows);

/*
 * Trees, and rows after them, are claimed from the first to the last, so that each process looks up
 * others.  Returns the number claimed in the first block; -1 if some process has come to a later
 * block.
 */
extern int64 SharedBlockClaimed(SharedBlock *block);

/*
 * Claims `count` documents or rows after the first `*claimed`; if others have been claimed
 * meanwhile, returns false and sets `*claimed` as above.
 */
extern bool SharedBlockClaim(SharedBlock *block, int64 *claimed, int32 count);

/*
 * Claims a later block, or a partition, by its number from 1; returns false if another process has
 * claimed it.
 */
extern bool SharedBlockClaimWhole(SharedBlock *block, int32 number);

/* Returns the number of processes that may take part. */
extern int SharedBlockParticipants(const SharedBlock *block);

/* Returns the next row that any process has put aside; NULL at the end. */
extern MinimalTuple SharedBlockNextAside(SharedBlock *block);

/* Ends reading the rows put aside. */
extern void SharedBlockEndReading(SharedBlock *block);

#endif /* TED_SHARED_BLOCK_H */
