/*
 * shared_block.c
 *	  The block of the inner side that the processes of a parallel TedJoin read together.
 */
#include "postgres.h"

#include "pgstat.h"
#include "port/atomics.h"
#include "storage/sharedfileset.h"
#include "utils/sharedtuplestore.h"

#include "../../compat.h"
#include "shared_block.h"

/* Bits of the part claimed of one block; the number of the block is above them. */
#define CLAIM_BITS 40

/*
 * State in shared memory; it is followed by the thresholds, the directories, the tuplestore and the
 * team.
 */
typedef struct SharedState
{
	pg_atomic_uint64 bytes;   /* that all processes have allocated for themselves */
	pg_atomic_uint64 rows;    /* rows of the first block */
	pg_atomic_uint64 claimed; /* documents claimed of a block, and the number of the block */
	SharedMatches matches;    /* matches in the first block */
	int participants;
	pg_atomic_uint64 rule; /* address of the partition rule; or invalid */
	dsm_handle segment;
	SharedFileSet files;
} SharedState;

struct SharedBlock
{
	SharedState *state;
	DocumentThreshold *thresholds; /* by participant, wide enough for all of its rows */
	dsa_pointer *directories;      /* directory of partitions, by participant */
	SharedTuplestore *aside;       /* rows put aside */
	Team *team;
	int participant;
	SharedTuplestoreAccessor *writer;
	SharedTuplestoreAccessor *reader; /* NULL until a row is read */
	SharedTuplestore *own_aside;      /* copy of `aside` for the reader */
};

/* Returns the number of processes that may take part. */
static int
Participants(ParallelContext *pcxt)
{
	return pcxt->nworkers + 1;
}

/* Returns the bytes of shared memory that the block needs at first. */
Size
SharedBlockBytes(ParallelContext *pcxt)
{
	Size participants = (Size) Participants(pcxt);

	return MAXALIGN(sizeof(SharedState)) + MAXALIGN(sizeof(DocumentThreshold) * participants) +
		   MAXALIGN(sizeof(dsa_pointer) * participants) +
		   MAXALIGN(sts_estimate((int) participants)) + TeamBytes((int) participants);
}

/* Computes the addresses of the parts of the shared memory. */
static SharedBlock *
Locate(void *place, int participants, int participant)
{
	SharedBlock *block = palloc0_object(SharedBlock);

	block->state = place;
	block->thresholds = (DocumentThreshold *) ((char *) place + MAXALIGN(sizeof(SharedState)));
	block->directories =
		(dsa_pointer *) ((char *) block->thresholds +
						 MAXALIGN(sizeof(DocumentThreshold) * (Size) participants));
	block->aside = (SharedTuplestore *) ((char *) block->directories +
										 MAXALIGN(sizeof(dsa_pointer) * (Size) participants));
	block->participant = participant;
	return block;
}

/* Returns the address of the team's shared memory. */
static void *
TeamPlace(const SharedBlock *block)
{
	return (char *) block->aside + MAXALIGN(sts_estimate(block->state->participants));
}

/* Initializes the shared memory of an empty block. */
static void
ClearSharedBlock(SharedBlock *block)
{
	SharedState *state = block->state;

	pg_atomic_init_u64(&state->bytes, 0);
	pg_atomic_init_u64(&state->rows, 0);
	pg_atomic_init_u64(&state->claimed, 0);
	SharedMatchesClear(&state->matches);
	pg_atomic_init_u64(&state->rule, InvalidDsaPointer);
	for (int i = 0; i < state->participants; i++)
		block->directories[i] = InvalidDsaPointer;
	for (int i = 0; i < state->participants; i++)
		block->thresholds[i] = DistanceThreshold(-1);
	/* before 14.7 and 15.2, not all of it is set below */
	memset(block->aside, 0, sts_estimate(state->participants));
	block->writer = sts_initialize(block->aside, state->participants, block->participant, 0, 0,
								   &state->files, "aside");
}

/* Initializes the shared memory in the leader. */
SharedBlock *
SharedBlockCreate(ParallelContext *pcxt, void *place)
{
	SharedBlock *block = Locate(place, Participants(pcxt), 0);

	block->state->participants = Participants(pcxt);
	block->state->segment = dsm_segment_handle(pcxt->seg);
	SharedFileSetInit(&block->state->files, pcxt->seg);
	block->team = TeamCreate(TeamPlace(block), Participants(pcxt));
	ClearSharedBlock(block);
	return block;
}

/* Attaches a worker to the shared memory. */
SharedBlock *
SharedBlockAttach(void *place)
{
	SharedState *state = place;
	SharedBlock *block = Locate(place, state->participants, ParallelWorkerNumber + 1);

	SharedFileSetAttach(&state->files, dsm_find_mapping(state->segment));
	block->writer = sts_attach(block->aside, block->participant, &state->files);
	block->team = TeamAttach(TeamPlace(block), block->participant);
	return block;
}

/* Empties the block for another run. */
void
SharedBlockReset(SharedBlock *block, dsa_area *area)
{
	TeamUse(block->team, area);
	TeamReset(block->team);
	SharedFileSetDeleteAll(&block->state->files);
	SharedBlockEndReading(block);
	pfree(block->writer);
	ClearSharedBlock(block);
}

/* Returns the team of the processes. */
Team *
SharedBlockTeam(const SharedBlock *block)
{
	return block->team;
}

/* Returns the matches that one process finds for all. */
SharedMatches *
SharedBlockMatches(const SharedBlock *block)
{
	return &block->state->matches;
}

/* Joins the team; returns whether this process is to read its part. */
bool
SharedBlockBegin(SharedBlock *block, dsa_area *area)
{
	TeamUse(block->team, area);
	return TeamBegin(block->team);
}

/* Adds this process's memory; returns the memory of all processes and the team in bytes. */
Size
SharedBlockGrow(SharedBlock *block, Size bytes)
{
	return pg_atomic_add_fetch_u64(&block->state->bytes, (int64) bytes) + TeamMemory(block->team);
}

/* Returns this process's share of the team's memory in bytes. */
Size
SharedBlockMemoryPart(const SharedBlock *block)
{
	return TeamMemory(block->team) / (Size) block->state->participants;
}

/* Returns the ordinal of this process's row among the rows of all processes. */
int64
SharedBlockOrdinal(const SharedBlock *block, int64 ordinal)
{
	return ordinal * block->state->participants + block->participant;
}

/* Puts a row aside, for all processes to read. */
void
SharedBlockPutAside(SharedBlock *block, MinimalTuple row)
{
	sts_puttuple(block->writer, NULL, row);
}

/* Makes the documents that this process has read available to the others. */
void
SharedBlockPublish(SharedBlock *block, const DocumentThreshold *threshold, JoinPipeline *pipeline)
{
	block->thresholds[block->participant] = *threshold;
	sts_end_write(block->writer);
	PipelinePublish(pipeline);
}

/* Returns the shared memory for dividing rows into partitions. */
SharedPartitions
SharedBlockPartitions(SharedBlock *block)
{
	return (SharedPartitions){.team = block->team,
							  .files = &block->state->files,
							  .rule = &block->state->rule,
							  .directories = block->directories};
}

/* Ends putting rows aside, and waits for the other processes. */
void
SharedBlockEndAside(SharedBlock *block)
{
	sts_end_write(block->writer);
	TeamMeet(block->team);
	TeamEnd(block->team);
}

/* Builds the block from the rows of all processes. */
void
SharedBlockBuild(SharedBlock *block, DocumentThreshold *threshold, JoinPipeline *pipeline,
				 JoinRows *rows)
{
	Team *team = block->team;
	const int32 *numbers;
	int32 documents;

	TeamMeet(team);
	for (int i = 0; i < block->state->participants; i++)
		WidenThreshold(threshold, &block->thresholds[i]);
	PipelineSetThreshold(pipeline, threshold);
	PipelineBuild(pipeline);
	documents = PipelineDocuments(pipeline);
	if (TeamClaim(team, 1) == 0)
		RowsReserveShared(team, documents);
	TeamMeet(team);
	numbers = PipelineNumbers(pipeline, block->participant);
	if (numbers != NULL)
		RowsShare(rows, numbers);
	pg_atomic_fetch_add_u64(&block->state->rows, rows->kept_rows);
	TeamMeet(team);
	TeamEnd(team);
	RowsTakeAll(rows, documents, (int64) pg_atomic_read_u64(&block->state->rows));
}

/* Returns the value of `claimed` at the start of a block, after all earlier blocks. */
static uint64
BlockStart(int32 number)
{
	return (uint64) number << CLAIM_BITS;
}

/* Returns the part claimed of the first block; -1 if a later block has been claimed. */
static int64
ClaimedOfFirst(uint64 claimed)
{
	return claimed < BlockStart(1) ? (int64) claimed : -1;
}

/* Returns the part claimed of the first block; -1 if a later block has been claimed. */
int64
SharedBlockClaimed(SharedBlock *block)
{
	return ClaimedOfFirst(pg_atomic_read_u64(&block->state->claimed));
}

/* Claims the next `count` documents or rows; returns false if another process has been faster. */
bool
SharedBlockClaim(SharedBlock *block, int64 *claimed, int32 count)
{
	uint64 expected = (uint64) *claimed;

	if (pg_atomic_compare_exchange_u64(&block->state->claimed, &expected,
									   expected + (uint64) count))
		return true;
	*claimed = ClaimedOfFirst(expected);
	return false;
}

/* Claims a whole later block; all processes come to the blocks in the same order. */
bool
SharedBlockClaimWhole(SharedBlock *block, int32 number)
{
	uint64 claimed = pg_atomic_read_u64(&block->state->claimed);

	while (claimed < BlockStart(number))
		if (pg_atomic_compare_exchange_u64(&block->state->claimed, &claimed, BlockStart(number)))
			return true;
	return false;
}

/* Returns the number of processes that may take part. */
int
SharedBlockParticipants(const SharedBlock *block)
{
	return block->state->participants;
}

/* Begins to read all rows put aside, from a private copy: a shared scan would divide the rows. */
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

/* Returns the next row that was put aside; NULL at the end. */
MinimalTuple
SharedBlockNextAside(SharedBlock *block)
{
	if (block->reader == NULL)
		BeginReading(block);
	return sts_parallel_scan_next(block->reader, NULL);
}

/* Ends reading the rows put aside. */
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
