/*
 * cells.c
 *	  A threshold join as a set of cells: reads rows, makes cells, opens one block after another.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "../search/join_memory.h"
#include "../search/search.h"
#include "cells.h"

/*
 * Cells by a rule: their number per expected block, and the least number for each process, so that
 * all processes end at about the same time.  The buffers of their files, and the rule, get shares
 * of the memory, but FEWEST_BUFFERS are always allowed: with fewer, each cell would be read in many
 * blocks.
 */
#define CELLS_PER_BLOCK 2
#define CELLS_PER_PROCESS 8
#define BUFFERS_MEMORY 0.25
#define FEWEST_BUFFERS 128
#define RULE_MEMORY 0.25

/*
 * Numbers of cells, and the share of the memory for the buffers and for the rule, where rows turn
 * out not to fit beside a block that has filled the memory.
 */
#define UNPLANNED_CELLS 64
#define FEWEST_UNPLANNED_CELLS 8
#define UNPLANNED_MEMORY 0.125

/*
 * The most operations for which trees are divided by their nodes although the planner expected that
 * they fit: with more, a tree belongs to too many cells.
 */
#define MOST_UNPLANNED_OPERATIONS 6

/* Shares of the memory for a block beside one or two spools. */
#define BLOCK_SHARE_BESIDE_TWO JOIN_BLOCK_MEMORY
#define BLOCK_SHARE_BESIDE_ONE (JOIN_BLOCK_MEMORY + JOIN_DOCUMENTS_MEMORY)

/* Unseen rows that are returned at a time. */
#define UNSEEN_ROWS 1024

/* Whether a pair of documents is found in another cell. */
static bool
IsOfOtherCell(void *arg, DocumentsSide side, int32 probe, int32 indexed)
{
	const JoinCells *join = arg;
	RowSet set = side == JOIN_INDEXED ? BLOCK_ROWS : PROBE_ROWS;

	return !AreFoundHere(join, &join->sets[set][probe], &join->sets[BLOCK_ROWS][indexed]);
}

/* Whether two documents have rows of one group each, which differ. */
static bool
IsOfOtherGroup(void *arg, DocumentsSide side, int32 probe, int32 indexed)
{
	const JoinCells *join = arg;
	int64 a = join->groups[side == JOIN_INDEXED ? BLOCK_ROWS : PROBE_ROWS][probe];
	int64 b = join->groups[BLOCK_ROWS][indexed];

	return a != b && a != SEVERAL_GROUPS && b != SEVERAL_GROUPS;
}

void
KeepJoinedRow(JoinCells *join, RowSet set, int32 number, const JoinedRow *row)
{
	JoinRows *rows = &join->rows[set];
	bool known = number < rows->count;

	RowsKeep(rows, number, row->ordinal, join->plan.scan);
	if (number == NO_DOCUMENT)
		return;
	if (HasSets(join))
	{
		RESERVE(join->plan.context, join->sets[set], join->sets_room[set], (int64) number + 1);
		join->sets[set][number] = row->cells;
	}
	if (join->plan.grouped)
	{
		int64 **groups = &join->groups[set];

		RESERVE(join->plan.context, *groups, join->groups_room[set], (int64) number + 1);
		(*groups)[number] = known && (*groups)[number] != row->group ? SEVERAL_GROUPS : row->group;
	}
}

/* Adds the row in the scan tuple to the block. */
static void
AddToBlock(JoinCells *join, const JoinedRow *row)
{
	KeepJoinedRow(join, BLOCK_ROWS,
				  row->has_document ? PipelineAddIndexed(join->open.pipeline, row->document)
									: NO_DOCUMENT,
				  row);
}

Size
CellsMemoryUsed(const JoinCells *join)
{
	Size bytes = join->open.pipeline == NULL ? 0 : PipelineMemory(join->open.pipeline);

	for (int set = 0; set < ROW_SETS; set++)
		bytes += MemoryContextMemAllocated(join->rows[set].context, true);
	return bytes;
}

void
NoteCellsMemory(JoinCells *join)
{
	Size bytes = CellsMemoryUsed(join) + sizeof(Match) * (Size) join->match_capacity;

	if (join->rest != NULL)
		bytes += MemoryContextMemAllocated(join->rest->context, true);
	if (join->probes != NULL)
		bytes += MemoryContextMemAllocated(join->probes->context, true);
	for (int side = 0; side < 2; side++)
		if (join->files[side] != NULL)
			bytes += CellFilesMemory(join->files[side]);
	for (int set = 0; set < ROW_SETS; set++)
		bytes += sizeof(CellSet) * (Size) join->sets_room[set] +
				 sizeof(int64) * (Size) join->groups_room[set];
	if (join->plan.shared != NULL)
		bytes += TeamMemory(join->plan.shared->team) / (Size) join->plan.shared->participants;
	join->counts->memory = Max(join->counts->memory, (int64) bytes);
}

bool
ReadInputRow(JoinCells *join, DocumentsSide side, JoinedRow *row)
{
	CheckInterrupts();
	ProgressAtWork(&join->progress);
	*row = (JoinedRow){0};
	if (!join->plan.read(join->plan.arg, side, row))
		return false;
	join->counts->documents++;
	join->rows_read[side]++;
	return true;
}

/* Returns the form of the rows of a side. */
static RowForm *
FormOf(JoinCells *join, DocumentsSide side)
{
	const JoinedSide *described = &join->plan.sides[side];

	if (join->forms[side] == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(join->plan.context);

		join->forms[side] = RowFormCreate(join->plan.kind, join->plan.scan->tts_tupleDescriptor,
										  described->columns, described->column_count);
		MemoryContextSwitchTo(caller);
	}
	return join->forms[side];
}

/* Makes files for the rows of a side in a number of cells. */
static void
OpenFiles(JoinCells *join, DocumentsSide side, int cells)
{
	const CellsPlan *plan = &join->plan;
	MemoryContext caller = MemoryContextSwitchTo(plan->context);
	SharedFiles shared;

	if (plan->shared != NULL)
		shared = SharedCellsFiles(plan->shared);
	join->files[side] =
		CellFilesCreate(FormOf(join, side), plan->scan, plan->kind, &join->threshold, cells,
						plan->expected > 0 ? RULE_MEMORY : UNPLANNED_MEMORY,
						plan->shared == NULL || side == JOIN_PROBES ? NULL : &shared,
						side == JOIN_PROBES ? join->files[JOIN_INDEXED] : NULL);
	MemoryContextSwitchTo(caller);
}

/* Returns the number of cells into which a rule divides the rows. */
static int
CellsWanted(const JoinCells *join)
{
	const CellsPlan *plan = &join->plan;
	bool planned = plan->expected > 0;
	int processes = plan->shared == NULL ? 1 : plan->shared->participants;
	int buffers = (int) (JoinMemory(planned ? BUFFERS_MEMORY : UNPLANNED_MEMORY, 1) / BLCKSZ);
	double cells = Max(CELLS_PER_BLOCK * (double) plan->expected, CELLS_PER_PROCESS) * processes;

	if (planned)
		cells = Min(cells, Max(buffers, FEWEST_BUFFERS));
	else
		cells = Min(UNPLANNED_CELLS, Max(buffers, FEWEST_UNPLANNED_CELLS));
	return (int) Min(cells, MOST_CELLS);
}

/* Whether rows of the input are divided by a rule if they do not fit; `size` is that of one. */
static bool
DividesRows(const JoinCells *join, int32 size)
{
	const CellsPlan *plan = &join->plan;

	return plan->by_rule ||
		   (plan->may_divide && plan->shared == NULL &&
			DistanceAllowedAround(&join->threshold, size) <= MOST_UNPLANNED_OPERATIONS);
}

/* Makes the spool of a side. */
static RowSpool *
OpenSpool(JoinCells *join, DocumentsSide side)
{
	MemoryContext caller = MemoryContextSwitchTo(join->plan.context);
	RowSpool *spool = SpoolCreate(FormOf(join, side), join->plan.grouped);

	MemoryContextSwitchTo(caller);
	return spool;
}

void
StoreRow(JoinCells *join, DocumentsSide side, JoinedRow *row)
{
	RowSpool **spool = side == JOIN_INDEXED ? &join->rest : &join->probes;
	MemoryContext caller = MemoryContextSwitchTo(join->plan.row);

	/* fetch the document of a row that is stored */
	if (row->has_document && row->size == 0)
	{
		row->document = PointerGetDatum(
			detoast_external_attr((struct varlena *) DatumGetPointer(row->document)));
		row->size = join->plan.kind->size(row->document);
	}
	MemoryContextSwitchTo(caller);
	/* rows of a cell that do not fit are sorted */
	if (join->present < 0 && join->files[side] == NULL && *spool == NULL &&
		(side == JOIN_INDEXED ? DividesRows(join, row->size) : join->files[JOIN_INDEXED] != NULL))
		OpenFiles(join, side, CellsWanted(join));
	if (join->present < 0 && join->files[side] != NULL)
	{
		CellFilesAdd(join->files[side], row);
		return;
	}
	if (*spool == NULL)
		*spool = OpenSpool(join, side);
	SpoolAdd(*spool, row, join->plan.scan);
}

void
EndStore(JoinCells *join, DocumentsSide side)
{
	RowSpool *spool = side == JOIN_INDEXED ? join->rest : join->probes;

	NoteCellsMemory(join);
	if (join->present < 0 && join->files[side] != NULL)
	{
		CellFilesEnd(join->files[side]);
		join->counts->spooled += CellFilesBytes(join->files[side]);
		join->counts->written += CellFilesWritten(join->files[side]);
	}
	if (spool != NULL)
		join->counts->spooled += SpoolSort(spool);
	if (side == JOIN_PROBES)
		join->probes_stored = true;
}

/*
 * Sorts the rows of all processes, each of which has put its own aside as the one cell of a file;
 * all processes have the same rows in the same order then.
 */
static void
SortAside(JoinCells *join)
{
	CellFiles *files = join->files[JOIN_INDEXED];
	JoinedRow row;

	CellFilesTurnTo(files, 0);
	while (CellFilesNext(files, &row))
	{
		CheckInterrupts();
		if (join->rest == NULL)
			join->rest = OpenSpool(join, JOIN_INDEXED);
		SpoolAdd(join->rest, &row, join->plan.scan);
	}
	join->counts->spooled += CellFilesBytes(files);
	CellFilesFree(files);
	join->files[JOIN_INDEXED] = NULL;
	EndStore(join, JOIN_INDEXED);
}

/*
 * Reads and stores all rows of the indexed side.  Processes that each read a part divide them into
 * files of cells that all read.  If there is no rule, there is one such cell, which each sorts.
 */
static void
StoreIndexed(JoinCells *join)
{
	SharedCells *shared = join->plan.shared;
	bool reads = shared == NULL || SharedCellsBegin(shared, join->plan.area);
	JoinedRow row;

	if (join->plan.by_rule || shared != NULL)
		OpenFiles(join, JOIN_INDEXED, join->plan.by_rule ? CellsWanted(join) : 1);
	while (reads && ReadInputRow(join, JOIN_INDEXED, &row))
	{
		if (shared != NULL)
			row.ordinal = SharedCellsOrdinal(shared, row.ordinal);
		StoreRow(join, JOIN_INDEXED, &row);
	}
	if (shared == NULL || join->plan.by_rule)
		EndStore(join, JOIN_INDEXED);
	else
		CellFilesEnd(join->files[JOIN_INDEXED]);
	if (shared != NULL)
		SharedCellsMeet(shared);
	if (shared != NULL && !join->plan.by_rule)
	{
		SortAside(join);
		join->block = 1;
	}
	join->first_block = false;
	/* rows that are not sorted are in files, and the first cell comes next */
	join->reader_done = join->rest == NULL;
}

/* Reads and stores all rows of the other side. */
static void
StoreProbes(JoinCells *join)
{
	JoinedRow row;

	while (ReadInputRow(join, JOIN_PROBES, &row))
		StoreRow(join, JOIN_PROBES, &row);
	EndStore(join, JOIN_PROBES);
}

/* Begins the join: stores rows first if they are not expected to fit. */
static void
Begin(JoinCells *join)
{
	const CellsPlan *plan = &join->plan;

	join->first_block = true;
	join->reader_done = false;
	join->place = -1;
	join->present = plan->cell;
	join->block = 0;
	join->first_block_rows = join->spooled_rows = 0;
	join->rows_read[JOIN_INDEXED] = join->rows_read[JOIN_PROBES] = 0;
	join->open = (OpenBlock){0};
	join->passes_on = false;
	join->passed_count = 0;
	if (join->passed == NULL && SharesWork(join))
		join->passed =
			MemoryContextAlloc(plan->context, sizeof(MatchedDocuments) * SHARED_MATCHES_CHUNK);
	BeginCellProgress(join);
	if (plan->expected > 0)
		StoreIndexed(join);
	if (plan->has_probes && (plan->expected > 0 || (plan->probes_first && plan->shared == NULL)))
		StoreProbes(join);
}

/* Whether some process has to join a cell: it has pairs, or rows to be returned without a match. */
static bool
IsWanted(const JoinCells *join, int cell)
{
	const CellsPlan *plan = &join->plan;
	bool has[2];

	for (int side = 0; side < 2; side++)
		has[side] = join->files[side] != NULL && CellFilesHave(join->files[side], cell);
	return (has[JOIN_INDEXED] && (plan->within || has[JOIN_PROBES])) ||
		   (has[JOIN_INDEXED] && plan->sides[JOIN_INDEXED].keeps_all) ||
		   (has[JOIN_PROBES] && plan->sides[JOIN_PROBES].keeps_all);
}

/* Advances to the next cell that no other process joins; returns false if there is none. */
static bool
TurnToCell(JoinCells *join)
{
	if (join->cell_count == 0)
	{
		/* the rows of both sides have been stored, and the files know their cells */
		for (int side = 0; side < 2 && join->cell_count == 0; side++)
			if (join->files[side] != NULL)
			{
				join->cell_count = CellFilesCount(join->files[side]);
				CellFilesOrder(join->files[side], join->order);
			}
	}
	if (join->rest != NULL)
		SpoolFree(join->rest);
	join->rest = NULL;
	while (++join->place < join->cell_count)
	{
		join->present = join->order[join->place];
		if (IsWanted(join, join->present) &&
			(!SharesWork(join) || SharedCellsClaimWhole(join->plan.shared, join->place + 1)))
		{
			join->counts->cells++;
			join->spooled_rows = 0;
			return true;
		}
	}
	return false;
}

bool
CellsAreDone(const JoinCells *join, RowSet set, int32 number)
{
	if (join->place < 0 || number < 0)
		return true;
	for (int place = join->place + 1; place < join->cell_count; place++)
		if (CellSetHas(&join->sets[set][number], join->order[place]))
			return false;
	return true;
}

/* Reads the rows of the input or of a cell into the block, and stores those that do not fit. */
static void
ReadBlock(JoinCells *join)
{
	Size limit = join->open.empty_memory + JoinMemory(JOIN_ONLY_BLOCK_MEMORY, 1);
	CellFiles *files = join->first_block ? NULL : join->files[JOIN_INDEXED];
	bool fits = true;
	JoinedRow row;

	if (files != NULL)
		CellFilesTurnTo(files, join->present);
	while (files != NULL ? CellFilesNext(files, &row) : ReadInputRow(join, JOIN_INDEXED, &row))
	{
		CheckInterrupts();
		fits = fits && (join->rows[BLOCK_ROWS].kept_rows == 0 || CellsMemoryUsed(join) < limit);
		if (fits)
			AddToBlock(join, &row);
		else
			StoreRow(join, JOIN_INDEXED, &row);
	}
	if (!fits)
		EndStore(join, JOIN_INDEXED);
}

/* Reads this process's part of the indexed side; puts rows that do not fit aside. */
static void
ReadShare(JoinCells *join)
{
	SharedCells *shared = join->plan.shared;
	Size limit = JoinMemory(JOIN_ONLY_BLOCK_MEMORY, shared->participants);
	Size counted = join->open.empty_memory;
	JoinedRow row;

	while (ReadInputRow(join, JOIN_INDEXED, &row))
	{
		Size used = CellsMemoryUsed(join);

		if (SharedCellsGrow(shared, used - counted) < limit)
			AddToBlock(join, &row);
		else
		{
			row.ordinal = SharedCellsOrdinal(shared, row.ordinal);
			StoreRow(join, JOIN_INDEXED, &row);
		}
		counted = used;
	}
	CellFilesEnd(join->files[JOIN_INDEXED]);
	SharedCellsPublish(shared, &join->threshold, join->open.pipeline);
}

/* Reads the first block together with other processes. */
static void
ReadTogether(JoinCells *join)
{
	SharedCells *shared = join->plan.shared;
	JoinRows *rows = &join->rows[BLOCK_ROWS];
	bool reads;

	rows->packed.team = shared->team;
	reads = SharedCellsBegin(shared, join->plan.area);
	if (join->plan.has_probes && join->plan.probes_first)
	{
		/* the others wait for these thresholds; a process that begins later finds no rows */
		StoreProbes(join);
		join->open.pipeline->threshold = join->threshold;
	}
	OpenFiles(join, JOIN_INDEXED, 1);
	if (reads)
		ReadShare(join);
	SharedCellsBuild(shared, &join->threshold, join->open.pipeline, rows);
	SortAside(join);
}

/*
 * Reads the next sorted row of a block; returns false at the end of the block, which is before the
 * next group if it has enough rows.
 */
static bool
NextBlockRow(JoinCells *join, JoinedRow *row)
{
	bool complete =
		join->plan.grouped && join->spooled_rows - join->open.begin >= LEAST_GROUPED_ROWS;

	if (complete)
		SpoolMark(join->rest);
	join->reader_done = !SpoolNext(join->rest, row, join->plan.scan);
	if (join->reader_done)
		return false;
	if (complete && row->has_document && row->group != join->open.last_group)
	{
		SpoolReturn(join->rest);
		return false;
	}
	return true;
}

/* Reads a block of sorted rows; skips those of a block that another process has claimed. */
static void
ReadSortedBlock(JoinCells *join)
{
	OpenBlock *open = &join->open;
	bool shared = SharesWork(join) && join->place < 0;
	Size share =
		JoinMemory(join->plan.has_probes ? BLOCK_SHARE_BESIDE_TWO : BLOCK_SHARE_BESIDE_ONE, 1);
	Size limit = share + (shared ? 0 : open->empty_memory);
	bool passed = shared && !SharedCellsClaimWhole(join->plan.shared, join->block);
	Size bytes = 0;
	bool first = true;
	JoinedRow row;

	/* a block has at least one row */
	while (
		(join->spooled_rows == open->begin || (shared ? bytes : CellsMemoryUsed(join)) < limit) &&
		NextBlockRow(join, &row))
	{
		CheckInterrupts();
		join->spooled_rows++;
		if (!passed)
			AddToBlock(join, &row);
		if (!row.has_document)
			continue;
		/* unlike the memory in use, this is the same in all processes, as their blocks must be */
		bytes += sizeof(JoinRow *) + RowBytes(join->rows[BLOCK_ROWS].kept, join->plan.scan) +
				 PipelineDocumentBytes(join->open.pipeline, row.size);
		open->first_group = first ? row.group : open->first_group;
		open->last_group = row.group;
		open->least_size = first ? row.size : Min(open->least_size, row.size);
		open->greatest_size = first ? row.size : Max(open->greatest_size, row.size);
		first = false;
	}
	open->probes_done = passed;
}

/* Reads and indexes the next block; returns false if there is none. */
static bool
OpenNextBlock(JoinCells *join)
{
	const CellsPlan *plan = &join->plan;
	OpenBlock *open = &join->open;
	bool together = join->first_block && plan->shared != NULL;
	MemoryContext caller;

	if (join->reader_done && !TurnToCell(join))
		return false;
	caller = MemoryContextSwitchTo(plan->context);
	open->pipeline = PipelineOpen(&(JoinPipeline){.kind = plan->kind,
												  .elements = plan->elements,
												  .model = plan->model,
												  .threshold = join->threshold,
												  .distances_wanted = plan->distances_wanted,
												  .counts = &join->counts->pairs,
												  .emit = NoteMatch,
												  .arg = join,
												  .team = together ? plan->shared->team : NULL});
	MemoryContextSwitchTo(caller);
	open->empty_memory = CellsMemoryUsed(join);
	open->begin = join->spooled_rows;
	open->probes_done = false;
	open->unsorted = join->first_block || join->rest == NULL;
	if (!open->unsorted)
		ReadSortedBlock(join);
	else
	{
		if (together)
			ReadTogether(join);
		else
			ReadBlock(join);
		join->reader_done = join->rest == NULL;
	}
	if (join->rows[BLOCK_ROWS].count > 0)
	{
		open->pipeline->threshold = join->threshold;
		if (HasSets(join))
			open->pipeline->elsewhere = IsOfOtherCell;
		else if (plan->grouped && open->first_group != open->last_group)
			open->pipeline->elsewhere = IsOfOtherGroup;
		if (plan->connects)
			PipelineConnect(open->pipeline);
		PipelineIndex(open->pipeline);
		join->counts->blocks++;
	}
	NoteCellsMemory(join);
	StartLookup(join);
	ProgressCompares(&join->progress);
	return true;
}

/* Reads sorted probes again, which may have met no block; returns false if there are no more. */
static bool
ReadUnseen(JoinCells *join)
{
	JoinedRow row;

	RowsForget(&join->rows[PROBE_ROWS]);
	if (join->probes == NULL || !join->plan.sides[JOIN_PROBES].keeps_all)
		return false;
	for (int count = 0; count < UNSEEN_ROWS; count++)
	{
		if (!SpoolNext(join->probes, &row, join->plan.scan))
			return count > 0;
		RowsKeep(&join->rows[PROBE_ROWS], NO_DOCUMENT, row.ordinal, join->plan.scan);
	}
	return true;
}

CellsResult
CellsNext(JoinCells *join)
{
	OpenBlock *open = &join->open;

	join->match_count = 0;
	ProgressAtWork(&join->progress);
	for (;;)
	{
		CheckInterrupts();
		switch (join->phase)
		{
			case CELLS_BEGIN:
				Begin(join);
				join->phase = CELLS_OPEN_BLOCK;
				break;

			case CELLS_OPEN_BLOCK:
				if (OpenNextBlock(join))
				{
					join->phase = CELLS_SEARCH_BLOCK;
					break;
				}
				if (join->probes != NULL)
					SpoolRewind(join->probes);
				join->phase = CELLS_READ_UNSEEN;
				break;

			case CELLS_SEARCH_BLOCK:
				if (join->plan.within && SearchBlock(join))
					return CELLS_MATCHES;
				join->phase = CELLS_READ_PROBES;
				break;

			case CELLS_READ_PROBES:
				join->phase = ReadProbes(join) ? CELLS_SEARCH_PROBES : CELLS_CLOSE_BLOCK;
				if (join->phase == CELLS_CLOSE_BLOCK)
					return CELLS_BLOCK_DONE;
				break;

			case CELLS_SEARCH_PROBES:
				if (join->rows[BLOCK_ROWS].count > 0 && join->rows[PROBE_ROWS].count > 0 &&
					PipelineRunProbes(open->pipeline))
					return CELLS_MATCHES;
				join->counts->probes += open->next_row - open->first_row;
				open->first_row = open->next_row;
				join->phase = CELLS_READ_PROBES;
				/* sorted probes are read again when all blocks have been closed */
				if (open->source == JOIN_PROBES && join->reader_done && join->probes == NULL &&
					!(join->first_block && join->files[JOIN_PROBES] != NULL))
					return CELLS_PROBES_DONE;
				return CELLS_MATCHES;

			case CELLS_CLOSE_BLOCK:
				NoteCellsMemory(join);
				PipelineClose(join->open.pipeline);
				join->open.pipeline = NULL;
				if (join->first_block)
					join->first_block_rows = join->rows[BLOCK_ROWS].kept_rows;
				RowsForget(&join->rows[BLOCK_ROWS]);
				RowsForget(&join->rows[PROBE_ROWS]);
				if (join->plan.within && join->rest != NULL)
					SpoolReturn(join->rest);
				join->first_block = false;
				join->block++;
				join->phase = CELLS_OPEN_BLOCK;
				break;

			case CELLS_READ_UNSEEN:
				if (ReadUnseen(join))
					return CELLS_PROBES_DONE;
				ProgressEnd(&join->progress);
				join->phase = CELLS_END;
				break;

			case CELLS_END:
				return CELLS_NOTHING_LEFT;
		}
	}
}

void
CellsInit(JoinCells *join)
{
	join->phase = CELLS_BEGIN;
	for (int set = 0; set < ROW_SETS; set++)
		RowsInit(&join->rows[set],
				 join->plan.sides[set == BLOCK_ROWS ? JOIN_INDEXED : JOIN_PROBES].kept);
}

void
CellsReset(JoinCells *join)
{
	ProgressEnd(&join->progress);
	if (join->open.pipeline != NULL)
		PipelineClose(join->open.pipeline);
	join->open.pipeline = NULL;
	if (join->rest != NULL)
		SpoolFree(join->rest);
	if (join->probes != NULL)
		SpoolFree(join->probes);
	join->rest = join->probes = NULL;
	join->probes_stored = false;
	join->cell_count = 0;
	for (int side = 0; side < 2; side++)
	{
		if (join->files[side] != NULL)
			CellFilesFree(join->files[side]);
		join->files[side] = NULL;
	}
	for (int set = 0; set < ROW_SETS; set++)
	{
		RowsForget(&join->rows[set]);
		if (join->sets[set] != NULL)
			pfree(join->sets[set]);
		if (join->groups[set] != NULL)
			pfree(join->groups[set]);
		join->sets[set] = NULL;
		join->groups[set] = NULL;
		join->sets_room[set] = join->groups_room[set] = 0;
	}
	join->match_count = 0;
	join->phase = CELLS_BEGIN;
}
