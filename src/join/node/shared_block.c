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

#include "../../compat.h"
#include "shared_block.h"

/* Bits of what has been claimed of one block. */
#define CLAIM_BITS 40

/* Something that a process has made. */
typedef struct Image
{
	dsa_pointer place; /* invalid where there is nothing */
	Size bytes;
} Image;

/* Rows and trees that a process has read. */
typedef struct Share
{
	DocumentThreshold threshold; /* wide enough for all rows, also for those put aside */
	Image trees;
	Image rows;
} Share;

/* In shared memory; the files' own state and the shares follow. */
typedef struct SharedState
{
	Barrier barrier;          /* phase 0 is reading */
	pg_atomic_uint64 bytes;   /* taken for rows by all processes */
	pg_atomic_uint64 claimed; /* what is looked up of a block, with the number of that above */
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
ClearSharedBlock(SharedBlock *block)
{
	SharedState *state = block->state;

	BarrierInit(&state->barrier, 0);
	pg_atomic_init_u64(&state->bytes, 0);
	pg_atomic_init_u64(&state->claimed, 0);
	for (int i = 0; i < state->participants; i++)
		block->shares[i] = (Share){.threshold = DistanceThreshold(-1)};
	/* before 14.7 and 15.2, not all of it is set below */
	memset(block->aside, 0, sts_estimate(state->participants));
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
	ClearSharedBlock(block);
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

/* Frees an image. */
static void
FreeImage(dsa_area *area, const Image *image)
{
	if (DsaPointerIsValid(image->place))
		dsa_free(area, image->place);
}

/* Empties the block. */
void
SharedBlockReset(SharedBlock *block, dsa_area *area)
{
	for (int i = 0; i < block->state->participants; i++)
	{
		FreeImage(area, &block->shares[i].trees);
		FreeImage(area, &block->shares[i].rows);
	}
	SharedFileSetDeleteAll(&block->state->files);
	SharedBlockEndReading(block);
	pfree(block->writer);
	ClearSharedBlock(block);
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

/* The ordinal among the rows of all processes. */
int64
SharedBlockOrdinal(const SharedBlock *block, int64 ordinal)
{
	return ordinal * block->state->participants + block->participant;
}

/* Puts a row aside. */
void
SharedBlockPutAside(SharedBlock *block, MinimalTuple row)
{
	sts_puttuple(block->writer, NULL, row);
}

/* Takes room for an image. */
static char *
MakeImage(dsa_area *area, Size bytes, Image *image)
{
	image->place = dsa_allocate_extended(area, bytes, DSA_ALLOC_HUGE);
	image->bytes = bytes;
	return dsa_get_address(area, image->place);
}

/* Makes an image of rows, if any. */
static void
PublishRows(dsa_area *area, const JoinRows *rows, Image *image)
{
	if (rows->count > 0)
		RowsExport(rows, MakeImage(area, RowsExportBytes(rows), image));
}

/* Passes on what has been read, and waits for the others to do so. */
void
SharedBlockPublish(SharedBlock *block, dsa_area *area, const DocumentThreshold *threshold,
				   const JoinPipeline *pipeline, const JoinRows *rows)
{
	Share *share = &block->shares[block->participant];

	share->threshold = *threshold;
	sts_end_write(block->writer);
	if (rows->count > 0)
		PipelineExport(pipeline, MakeImage(area, PipelineExportBytes(pipeline), &share->trees));
	PublishRows(area, rows, &share->rows);
	BarrierArriveAndWait(&block->state->barrier, PG_WAIT_EXTENSION);
	BarrierDetach(&block->state->barrier);
}

/* Shared memory that this process has taken to pass on what it has read. */
Size
SharedBlockOwnBytes(const SharedBlock *block)
{
	const Share *share = &block->shares[block->participant];

	return share->trees.bytes + share->rows.bytes;
}

/* Adds the rows of an image, if any. */
static void
ImportRows(dsa_area *area, const Image *image, const int32 *numbers, JoinRows *rows)
{
	if (DsaPointerIsValid(image->place))
		RowsImport(rows, dsa_get_address(area, image->place), image->bytes, numbers);
}

/* Adds the trees and rows that the other processes have read, and widens the threshold for them. */
void
SharedBlockImport(SharedBlock *block, dsa_area *area, DocumentThreshold *threshold,
				  JoinPipeline *pipeline, JoinRows *rows)
{
	for (int i = 0; i < block->state->participants; i++)
	{
		const Share *share = &block->shares[i];
		int32 *numbers;

		WidenThreshold(threshold, &share->threshold);
		if (i == block->participant || !DsaPointerIsValid(share->trees.place))
			continue;
		numbers = PipelineImport(pipeline, dsa_get_address(area, share->trees.place), i - 1);
		ImportRows(area, &share->rows, numbers, rows);
		pfree(numbers);
	}
}

/* What has been claimed where all of the blocks before one has been, but nothing of itself. */
static uint64
BlockStart(int32 number)
{
	return (uint64) number << CLAIM_BITS;
}

/* How much of a block has been claimed, by what has been claimed of all; -1 where that is all. */
static int64
ClaimedOf(int32 number, uint64 claimed)
{
	return claimed >> CLAIM_BITS == (uint64) number ? (int64) (claimed - BlockStart(number)) : -1;
}

/* Returns how much of a block has been claimed, or -1 where a process has come to a later one. */
int64
SharedBlockClaimed(SharedBlock *block, int32 number)
{
	uint64 claimed = pg_atomic_read_u64(&block->state->claimed);

	while (claimed < BlockStart(number))
		if (pg_atomic_compare_exchange_u64(&block->state->claimed, &claimed, BlockStart(number)))
			claimed = BlockStart(number);
	return ClaimedOf(number, claimed);
}

/* Claims what comes next, unless another process has been faster. */
bool
SharedBlockClaim(SharedBlock *block, int32 number, int64 *claimed, int32 count)
{
	uint64 expected = BlockStart(number) + (uint64) *claimed;

	if (pg_atomic_compare_exchange_u64(&block->state->claimed, &expected,
									   expected + (uint64) count))
		return true;
	*claimed = ClaimedOf(number, expected);
	return false;
}

/* Processes that may take part. */
int
SharedBlockParticipants(const SharedBlock *block)
{
	return block->state->participants;
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
