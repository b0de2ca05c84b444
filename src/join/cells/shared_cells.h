/*
 * shared_cells.h
 *	  What the processes of a parallel join share that each read a part of the indexed side.
 *
 * If all rows are expected to fit, each process decodes the documents of its part, and all build
 * the index of a first block together (team.h).  Rows that do not fit are put aside, as one cell in
 * files that each process reads and sorts.  Otherwise, rows are divided into files of many cells
 * first.
 *
 * In a self-join, each pair is found by one process only.  Processes claim documents of the first
 * block as they make progress; later blocks and cells are claimed whole.
 *
 * As in a parallel hash join, no process ever waits for one that returns rows, since that process
 * may wait for the leader, and the leader may be the one that waits.  Processes wait only for
 * others that read; a process that comes later finds all work done.
 */
#ifndef TED_SHARED_CELLS_H
#define TED_SHARED_CELLS_H

#include "postgres.h"

#include "access/htup_details.h"
#include "access/parallel.h"
#include "utils/dsa.h"

#include "../search/pipeline.h"
#include "cell_files.h"
#include "kept_rows.h"
#include "shared_matches.h"

/* A process's handle of the shared memory. */
typedef struct SharedCells
{
	struct SharedState *state;
	DocumentThreshold *thresholds; /* by participant, wide enough for all of its rows */
	dsa_pointer *written;          /* what each has written to cells, by participant */
	Team *team;                    /* of the processes that build the first block */
	SharedMatches *matches;        /* in the first block, which one process finds for all */
	int participants;              /* processes that may take part */
	int participant;               /* the number of this one */
} SharedCells;

/*
 * Bytes returns the size of the shared memory at first; the leader creates the state there, and
 * workers attach to it.
 */
extern Size SharedCellsBytes(ParallelContext *pcxt);
extern SharedCells *SharedCellsCreate(ParallelContext *pcxt, void *place);
extern SharedCells *SharedCellsAttach(void *place);

/* Empties the block for another run; no worker may be attached. */
extern void SharedCellsReset(SharedCells *cells, dsa_area *area);

/* Joins the team; returns whether this process is to read its part of the inner side to the end. */
extern bool SharedCellsBegin(SharedCells *cells, dsa_area *area);

/*
 * Adds `bytes` to this process's memory besides that of the team; returns the bytes of all
 * processes and the team.
 */
extern Size SharedCellsGrow(SharedCells *cells, Size bytes);

/* Returns the ordinal among the rows of all processes, given the ordinal of this process's row. */
extern int64 SharedCellsOrdinal(const SharedCells *cells, int64 ordinal);

/* Returns the shared memory for dividing rows into cells. */
extern SharedFiles SharedCellsFiles(SharedCells *cells);

/* Waits for the other processes after rows have been stored, if no first block is read. */
extern void SharedCellsMeet(SharedCells *cells);

/*
 * Makes the documents that this process has read available to the others, with a threshold that is
 * wide enough for them.
 */
extern void SharedCellsPublish(SharedCells *cells, const DocumentThreshold *threshold,
							   JoinPipeline *pipeline);

/*
 * Builds the block together with the other processes, and widens the threshold to that of all.  The
 * rows of all processes then have the same document numbers in each process.
 */
extern void SharedCellsBuild(SharedCells *cells, DocumentThreshold *threshold,
							 JoinPipeline *pipeline, JoinRows *rows);

/*
 * Trees, and rows after them, are claimed from the first to the last, so that each process looks up
 * others.  Returns the number claimed in the first block; -1 if some process has come to a later
 * block.
 */
extern int64 SharedCellsClaimed(SharedCells *cells);

/*
 * Claims `count` documents or rows after the first `*claimed`; if others have been claimed
 * meanwhile, returns false and sets `*claimed` as above.
 */
extern bool SharedCellsClaim(SharedCells *cells, int64 *claimed, int32 count);

/*
 * Claims a later block, or a cell, by its number from 1; returns false if another process has
 * claimed it.
 */
extern bool SharedCellsClaimWhole(SharedCells *cells, int32 number);

#endif /* TED_SHARED_CELLS_H */
