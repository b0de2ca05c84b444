/*
 * shared_cells.c
 *	  What the processes of a parallel join share that each read a part of the indexed side.
 */
#include "postgres.h"

#include "port/atomics.h"
#include "storage/sharedfileset.h"

#include "../../compat.h"
#include "shared_cells.h"

/* Bits of the part claimed of one block; the number of the block is above them. */
#define CLAIM_BITS 40

/*
 * State in shared memory; it is followed by the thresholds, the addresses of what members have
 * written, and the team.
 */
typedef struct SharedState
{
	pg_atomic_uint64 bytes;   /* that all processes have allocated for themselves */
	pg_atomic_uint64 rows;    /* rows of the first block */
	pg_atomic_uint64 claimed; /* documents claimed of a block, and the number of the block */
	SharedMatches matches;    /* matches in the first block */
	int participants;
	pg_atomic_uint64 rule; /* address of the rule; or invalid */
	dsm_handle segment;
	SharedFileSet files;
} SharedState;

Size
SharedCellsBytes(ParallelContext *pcxt)
{
	Size participants = (Size) pcxt->nworkers + 1;

	return MAXALIGN(sizeof(SharedState)) + MAXALIGN(sizeof(DocumentThreshold) * participants) +
		   MAXALIGN(sizeof(dsa_pointer) * participants) + TeamBytes((int) participants);
}

/* Computes the addresses of the parts of the shared memory; sets where the team's part begins. */
static SharedCells *
Locate(void *place, int participants, int participant, void **team)
{
	SharedCells *cells = palloc0_object(SharedCells);

	cells->state = place;
	cells->thresholds = (DocumentThreshold *) ((char *) place + MAXALIGN(sizeof(SharedState)));
	cells->written = (dsa_pointer *) ((char *) cells->thresholds +
									  MAXALIGN(sizeof(DocumentThreshold) * (Size) participants));
	*team = (char *) cells->written + MAXALIGN(sizeof(dsa_pointer) * (Size) participants);
	cells->matches = &cells->state->matches;
	cells->participants = participants;
	cells->participant = participant;
	return cells;
}

/* Initializes the shared memory of an empty block. */
static void
ClearSharedCells(SharedCells *cells)
{
	SharedState *state = cells->state;

	pg_atomic_init_u64(&state->bytes, 0);
	pg_atomic_init_u64(&state->rows, 0);
	pg_atomic_init_u64(&state->claimed, 0);
	SharedMatchesClear(&state->matches);
	pg_atomic_init_u64(&state->rule, InvalidDsaPointer);
	for (int i = 0; i < cells->participants; i++)
		cells->written[i] = InvalidDsaPointer;
	for (int i = 0; i < cells->participants; i++)
		cells->thresholds[i] = DistanceThreshold(-1); /* before any is widened */
}

SharedCells *
SharedCellsCreate(ParallelContext *pcxt, void *place)
{
	void *team;
	SharedCells *cells = Locate(place, pcxt->nworkers + 1, 0, &team);

	cells->state->participants = cells->participants;
	cells->state->segment = dsm_segment_handle(pcxt->seg);
	SharedFileSetInit(&cells->state->files, pcxt->seg);
	cells->team = TeamCreate(team, cells->participants);
	ClearSharedCells(cells);
	return cells;
}

SharedCells *
SharedCellsAttach(void *place)
{
	SharedState *state = place;
	void *team;
	SharedCells *cells = Locate(place, state->participants, ParallelWorkerNumber + 1, &team);

	SharedFileSetAttach(&state->files, dsm_find_mapping(state->segment));
	cells->team = TeamAttach(team, cells->participant);
	return cells;
}

void
SharedCellsReset(SharedCells *cells, dsa_area *area)
{
	cells->team->area = area;
	TeamReset(cells->team);
	SharedFileSetDeleteAll(&cells->state->files);
	ClearSharedCells(cells);
}

bool
SharedCellsBegin(SharedCells *cells, dsa_area *area)
{
	cells->team->area = area;
	return TeamBegin(cells->team);
}

Size
SharedCellsGrow(SharedCells *cells, Size bytes)
{
	return pg_atomic_add_fetch_u64(&cells->state->bytes, (int64) bytes) + TeamMemory(cells->team);
}

int64
SharedCellsOrdinal(const SharedCells *cells, int64 ordinal)
{
	return ordinal * cells->participants + cells->participant;
}

void
SharedCellsPublish(SharedCells *cells, const DocumentThreshold *threshold, JoinPipeline *pipeline)
{
	cells->thresholds[cells->participant] = *threshold;
	PipelinePublish(pipeline);
}

SharedFiles
SharedCellsFiles(SharedCells *cells)
{
	return (SharedFiles){.team = cells->team,
						 .files = &cells->state->files,
						 .rule = &cells->state->rule,
						 .written = cells->written};
}

void
SharedCellsMeet(SharedCells *cells)
{
	TeamMeet(cells->team);
	TeamEnd(cells->team);
}

void
SharedCellsBuild(SharedCells *cells, DocumentThreshold *threshold, JoinPipeline *pipeline,
				 JoinRows *rows)
{
	Team *team = cells->team;
	const int32 *numbers;
	int32 documents;

	TeamMeet(team);
	for (int i = 0; i < cells->participants; i++)
		WidenThreshold(threshold, &cells->thresholds[i]);
	pipeline->threshold = *threshold;
	PipelineBuild(pipeline);
	documents = PipelineDocuments(pipeline);
	if (TeamClaim(team, 1) == 0)
		RowsReserveShared(team, documents);
	TeamMeet(team);
	numbers = PipelineNumbers(pipeline, cells->participant);
	if (numbers != NULL)
		RowsShare(rows, numbers);
	pg_atomic_fetch_add_u64(&cells->state->rows, rows->kept_rows);
	TeamMeet(team);
	TeamEnd(team);
	RowsTakeAll(rows, documents, (int64) pg_atomic_read_u64(&cells->state->rows));
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

int64
SharedCellsClaimed(SharedCells *cells)
{
	return ClaimedOfFirst(pg_atomic_read_u64(&cells->state->claimed));
}

bool
SharedCellsClaim(SharedCells *cells, int64 *claimed, int32 count)
{
	uint64 expected = (uint64) *claimed;

	if (pg_atomic_compare_exchange_u64(&cells->state->claimed, &expected,
									   expected + (uint64) count))
		return true;
	*claimed = ClaimedOfFirst(expected);
	return false;
}

bool
SharedCellsClaimWhole(SharedCells *cells, int32 number)
{
	uint64 claimed = pg_atomic_read_u64(&cells->state->claimed);

	while (claimed < BlockStart(number))
		if (pg_atomic_compare_exchange_u64(&cells->state->claimed, &claimed, BlockStart(number)))
			return true;
	return false;
}
