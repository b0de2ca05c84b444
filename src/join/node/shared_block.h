/*
 * shared_block.h
 *	  The block of the inner side that the processes of a parallel TedJoin read together.
 *
 * Each process reads a part of the inner side and decodes its documents.  When
 * all have come to the end, they build the index of all documents together (team.h).
 * Rows that do not fit in memory any more are put aside, in files that each process
 * reads on its own.
 *
 * In a self-join each tree is to be looked up by one process only, in each block
 * that it has to be looked up in: processes claim trees as they get along in the first
 * block, and then one of the further blocks after the other, which are made of the rows
 * put aside.
 *
 * As in a parallel hash join no process ever waits for one that delivers rows,
 * as that one may wait for the leader, which may be the one that waits: all
 * waiting is for others that read, and who comes later finds all work done.
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

/* A process's hold on the block. */
typedef struct SharedBlock SharedBlock;

/* Bytes of shared memory to begin with; the leader prepares it, workers attach to it. */
extern Size SharedBlockBytes(ParallelContext *pcxt);
extern SharedBlock *SharedBlockCreate(ParallelContext *pcxt, void *place);
extern SharedBlock *SharedBlockAttach(void *place);

/* Empties the block for another run, without any worker. */
extern void SharedBlockReset(SharedBlock *block, dsa_area *area);

/* The team of the processes, which build the block together. */
extern Team *SharedBlockTeam(const SharedBlock *block);

/* The matches in the first block that one of them finds for all. */
extern SharedMatches *SharedBlockMatches(const SharedBlock *block);

/* Begins; returns whether to read, which goes on until the inner side has no more rows. */
extern bool SharedBlockBegin(SharedBlock *block, dsa_area *area);

/*
 * Counts memory that this process has taken besides that of the team; returns what all of
 * them have, and the team.
 */
extern Size SharedBlockGrow(SharedBlock *block, Size bytes);

/* This process's part of the memory of the team, for EXPLAIN. */
extern Size SharedBlockMemoryPart(const SharedBlock *block);

/* The ordinal among the rows of all processes of this process's row with that ordinal. */
extern int64 SharedBlockOrdinal(const SharedBlock *block, int64 ordinal);

/* Puts a row aside. */
extern void SharedBlockPutAside(SharedBlock *block, MinimalTuple row);

/*
 * What the processes share to put all rows aside, in partitions or as above, in place of a first
 * block; ends doing so, and waits until all have.
 */
extern SharedPartitions SharedBlockPartitions(SharedBlock *block);
extern void SharedBlockEndAside(SharedBlock *block);

/* Passes on what has been read, with a threshold that is wide enough for it. */
extern void SharedBlockPublish(SharedBlock *block, const DocumentThreshold *threshold,
							   JoinPipeline *pipeline);

/*
 * Makes the block of what all processes have read, with them, and widens the threshold for all
 * of it; their rows are those of trees with the same numbers in all processes.
 */
extern void SharedBlockBuild(SharedBlock *block, DocumentThreshold *threshold,
							 JoinPipeline *pipeline, JoinRows *rows);

/*
 * What is to be looked up in the first block is claimed from the first to the last, so that
 * each process has a part of its own.  Returns how much of it has been claimed, or -1 where a
 * process has come to a later block.
 */
extern int64 SharedBlockClaimed(SharedBlock *block);

/*
 * Claims what comes next after `*claimed`; false where that is no longer what has
 * been claimed, and is set as above.
 */
extern bool SharedBlockClaim(SharedBlock *block, int64 *claimed, int32 count);

/*
 * Claims a further block, or a partition, by its number from 1; false where another process has
 * done so.
 */
extern bool SharedBlockClaimWhole(SharedBlock *block, int32 number);

/* Processes that may take part. */
extern int SharedBlockParticipants(const SharedBlock *block);

/* The next one of the rows that were put aside by any process; NULL if there is none left. */
extern MinimalTuple SharedBlockNextAside(SharedBlock *block);

/* Gives back what it takes to read them. */
extern void SharedBlockEndReading(SharedBlock *block);

#endif /* TED_SHARED_BLOCK_H */
