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

/* Bits of what has been claimed of one block. */
#define CLAIM_BITS 40

/* In shared memory; the thresholds, the partitions, the files' own state and the team follow. */
typedef struct SharedState
{
	pg_atomic_uint64 bytes;   /* taken by all processes for themselves */
	pg_atomic_uint64 rows;    /* of the first block */
	pg_atomic_uint64 claimed; /* what is looked up of a block, with the number of that above */
	SharedMatches matches;    /* of the first block */
	int participants;
	pg_atomic_uint64 rule; /* of partitions, or invalid */
	dsm_handle segment;
	SharedFileSet files;
} SharedState;

struct SharedBlock
{
	SharedState *state;
	DocumentThreshold *thresholds; /* by participant, wide enough for all of its rows */
	dsa_pointer *directories;      /* by participant: of its partitions */
	SharedTuplestore *aside;       /* rows put aside */
	Team *team;
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

	return MAXALIGN(sizeof(SharedState)) + MAXALIGN(sizeof(DocumentThreshold) * participants) +
		   MAXALIGN(sizeof(dsa_pointer) * participants) +
		   MAXALIGN(sts_estimate((int) participants)) + TeamBytes((int) participants);
}

/* Finds the parts of the shared memory. */
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

/* Where the team has its shared memory. */
static void *
TeamPlace(const SharedBlock *block)
{
	return (char *) block->aside + MAXALIGN(sts_estimate(block->state->participants));
}

/* Starts with nothing read. */
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

/* Prepares the shared memory. */
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

/* Attaches to it. */
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

/* Empties the block. */
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

/* The team of the processes. */
Team *
SharedBlockTeam(const SharedBlock *block)
{
	return block->team;
}

/* The matches that one process finds for all. */
SharedMatches *
SharedBlockMatches(const SharedBlock *block)
{
	return &block->state->matches;
}

/* Begins; returns whether to read. */
bool
SharedBlockBegin(SharedBlock *block, dsa_area *area)
{
	TeamUse(block->team, area);
	return TeamBegin(block->team);
}

/* Counts memory; returns what all processes have taken. */
Size
SharedBlockGrow(SharedBlock *block, Size bytes)
{
	return pg_atomic_add_fetch_u64(&block->state->bytes, (int64) bytes) + TeamMemory(block->team);
}

/* This process's part of the memory of the team. */
Size
SharedBlockMemoryPart(const SharedBlock *block)
{
	return TeamMemory(block->team) / (Size) block->state->participants;
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

/* Passes on what has been read. */
void
SharedBlockPublish(SharedBlock *block, const DocumentThreshold *threshold, JoinPipeline *pipeline)
{
	block->thresholds[block->participant] = *threshold;
	sts_end_write(block->writer);
	PipelinePublish(pipeline);
}

/* What the processes share to divide rows into partitions. */
SharedPartitions
SharedBlockPartitions(SharedBlock *block)
{
	return (SharedPartitions){.team = block->team,
							  .files = &block->state->files,
							  .rule = &block->state->rule,
							  .directories = block->directories};
}

/* Ends putting rows aside. */
void
SharedBlockEndAside(SharedBlock *block)
{
	sts_end_write(block->writer);
	TeamMeet(block->team);
	TeamEnd(block->team);
}

/* Makes the block of what all processes have read. */
void
SharedBlockBuild(SharedBlock *block, DocumentThreshold *threshold, JoinPipeline *pipeline,
				 JoinRows *rows)
{
	Team *team = block->team;
	const int32 *numbers;
	int32 trees;

	TeamMeet(team);
	for (int i = 0; i < block->state->participants; i++)
		WidenThreshold(threshold, &block->thresholds[i]);
	PipelineSetThreshold(pipeline, threshold);
	PipelineBuild(pipeline);
	trees = PipelineDocuments(pipeline);
	if (TeamClaim(team, 1) == 0)
		RowsReserveShared(team, trees);
	TeamMeet(team);
	numbers = PipelineNumbers(pipeline, block->participant);
	if (numbers != NULL)
		RowsShare(rows, numbers);
	pg_atomic_fetch_add_u64(&block->state->rows, rows->kept_rows);
	TeamMeet(team);
	TeamEnd(team);
	RowsTakeAll(rows, trees, (int64) pg_atomic_read_u64(&block->state->rows));
}

/* What has been claimed where all of the blocks before one has been, but nothing of itself. */
static uint64
BlockStart(int32 number)
{
	return (uint64) number << CLAIM_BITS;
}

/* How much of the first block has been claimed, by what has been claimed of all; or -1. */
static int64
ClaimedOfFirst(uint64 claimed)
{
	return claimed < BlockStart(1) ? (int64) claimed : -1;
}

/* Returns how much of the first block has been claimed, or -1 where a process is done with it. */
int64
SharedBlockClaimed(SharedBlock *block)
{
	return ClaimedOfFirst(pg_atomic_read_u64(&block->state->claimed));
}

/* Claims what comes next, unless another process has been faster. */
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

/* Claims a further block; processes come to all of them in the same order. */
bool
SharedBlockClaimWhole(SharedBlock *block, int32 number)
{
	uint64 claimed = pg_atomic_read_u64(&block->state->claimed);

	while (claimed < BlockStart(number))
		if (pg_atomic_compare_exchange_u64(&block->state->claimed, &claimed, BlockStart(number)))
			return true;
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
