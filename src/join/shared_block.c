/*
 * shared_block.c
 *	  The block of the inner side that the processes of a parallel TedJoin read together.
 */
#include "postgres.h"

#include "pgstat.h"
#include "port/atomics.h"
#include "storage/barrier.h"
#include "storage/sharedfileset.h"
#include "utils/sharedtuplestore.h"

#include "../compat.h"
#include "shared_block.h"

/* What a process has read. */
typedef struct Share
{
	dsa_pointer trees; /* invalid if it has read nothing */
	dsa_pointer rows;
	Size row_bytes;
} Share;

/* In shared memory; the files' own state and the shares follow. */
typedef struct SharedState
{
	Barrier barrier;        /* phase 0 is reading */
	pg_atomic_uint64 bytes; /* taken for rows by all processes */
	bool put_aside;         /* some row */
	int participants;
	dsm_handle segment;
	SharedFileSet files;
} SharedState;

struct SharedBlock
{
	SharedState *state;
	Share *shares;           /* by participant */
	SharedTuplestore *aside; /* rows put aside */
	int participant;
	SharedTuplestoreAccessor *writer;
	SharedTuplestoreAccessor *reader; /* NULL until one is read */
	SharedTuplestore *own_aside;      /* the reader's */
};

/* Processes that may take part. */
static int
Participants(ParallelContext *pcxt)
{
	return pcxt->nworkers + 1;
}

/* Bytes of shared memory to begin with. */
Size
SharedBlockBytes(ParallelContext *pcxt)
{
	Size participants = (Size) Participants(pcxt);

	return MAXALIGN(sizeof(SharedState)) + MAXALIGN(sizeof(Share) * participants) +
		   sts_estimate((int) participants);
}

/* Finds the parts of the shared memory. */
static SharedBlock *
Locate(void *place, int participants, int participant)
{
	SharedBlock *block = palloc0_object(SharedBlock);

	block->state = place;
	block->shares = (Share *) ((char *) place + MAXALIGN(sizeof(SharedState)));
	block->aside = (SharedTuplestore *) ((char *) block->shares +
										 MAXALIGN(sizeof(Share) * (Size) participants));
	block->participant = participant;
	return block;
}

/* Starts with nothing read. */
static void
Clear(SharedBlock *block)
{
	SharedState *state = block->state;

	BarrierInit(&state->barrier, 0);
	pg_atomic_init_u64(&state->bytes, 0);
	state->put_aside = false;
	for (int i = 0; i < state->participants; i++)
		block->shares[i] = (Share){.trees = InvalidDsaPointer, .rows = InvalidDsaPointer};
	block->writer = sts_initialize(block->aside, state->participants, block->participant, 0, 0,
								   &state->files, "aside");
}

/* Prepares the shared memory. */
SharedBlock *
SharedBlockCreate(ParallelContext *pcxt, void *place)
{
	SharedBlock *block = Locate(place, Participants(pcxt), 0);

	block->state->participants = Participants(pcxt);
	block->state->segment = dsm_segment_handle(pcxt->seg);
	SharedFileSetInit(&block->state->files, pcxt->seg);
	Clear(block);
	return block;
}

/* Attaches to it. */
SharedBlock *
SharedBlockAttach(void *place)
{
	SharedState *state = place;
	SharedBlock *block = Locate(place, state->participants, ParallelWorkerNumber + 1);

	SharedFileSetAttach(&state->files, dsm_find_mapping(state->segment));
	block->writer = sts_attach(block->aside, block->participant, &state->files);
	return block;
}

/* Empties the block. */
void
SharedBlockReset(SharedBlock *block, dsa_area *area)
{
	for (int i = 0; i < block->state->participants; i++)
		if (DsaPointerIsValid(block->shares[i].trees))
		{
			dsa_free(area, block->shares[i].trees);
			dsa_free(area, block->shares[i].rows);
		}
	SharedFileSetDeleteAll(&block->state->files);
	SharedBlockEndReading(block);
	pfree(block->writer);
	Clear(block);
}

/* Begins; returns whether to read. */
bool
SharedBlockBegin(SharedBlock *block)
{
	if (BarrierAttach(&block->state->barrier) == 0)
		return true;
	BarrierDetach(&block->state->barrier);
	return false;
}

/* Counts memory; returns what all processes have taken. */
Size
SharedBlockGrow(SharedBlock *block, Size bytes)
{
	return pg_atomic_add_fetch_u64(&block->state->bytes, bytes);
}

/* Puts a row aside. */
void
SharedBlockPutAside(SharedBlock *block, MinimalTuple row)
{
	block->state->put_aside = true;
	sts_puttuple(block->writer, NULL, row);
}

/* Passes on what has been read, and waits for the others to do so. */
void
SharedBlockPublish(SharedBlock *block, dsa_area *area, const JoinPipeline *pipeline,
				   const JoinRows *rows)
{
	Share *share = &block->shares[block->participant];

	sts_end_write(block->writer);
	if (rows->count > 0)
	{
		share->row_bytes = RowsExportBytes(rows);
		share->trees = dsa_allocate_extended(area, PipelineExportBytes(pipeline), DSA_ALLOC_HUGE);
		share->rows = dsa_allocate_extended(area, share->row_bytes, DSA_ALLOC_HUGE);
		PipelineExport(pipeline, dsa_get_address(area, share->trees));
		RowsExport(rows, dsa_get_address(area, share->rows));
	}
	BarrierArriveAndWait(&block->state->barrier, PG_WAIT_EXTENSION);
	BarrierDetach(&block->state->barrier);
}

/* Adds all trees and rows that the processes have read. */
void
SharedBlockImport(SharedBlock *block, dsa_area *area, JoinPipeline *pipeline, JoinRows *rows)
{
	for (int i = 0; i < block->state->participants; i++)
	{
		const Share *share = &block->shares[i];
		int32 *numbers;

		if (!DsaPointerIsValid(share->trees))
			continue;
		numbers = PipelineImport(pipeline, dsa_get_address(area, share->trees));
		RowsImport(rows, dsa_get_address(area, share->rows), share->row_bytes, numbers);
		pfree(numbers);
	}
}

/* Whether rows were put aside. */
bool
SharedBlockAnyAside(const SharedBlock *block)
{
	return block->state->put_aside;
}

/* Begins to read all rows put aside; processes that scan one tuplestore would share them. */
static void
BeginReading(SharedBlock *block)
{
	SharedState *state = block->state;
	Size bytes = sts_estimate(state->participants);

	block->own_aside = palloc(bytes);
	memcpy(block->own_aside, block->aside, bytes);
	block->reader = sts_attach(block->own_aside, block->participant, &state->files);
	sts_begin_parallel_scan(block->reader);
}

/* The next row that was put aside. */
MinimalTuple
SharedBlockNextAside(SharedBlock *block)
{
	if (block->reader == NULL)
		BeginReading(block);
	return sts_parallel_scan_next(block->reader, NULL);
}

/* Gives back what it takes to read the rows put aside. */
void
SharedBlockEndReading(SharedBlock *block)
{
	if (block->reader == NULL)
		return;
	sts_end_parallel_scan(block->reader);
	pfree(block->reader);
	pfree(block->own_aside);
	block->reader = NULL;
}
