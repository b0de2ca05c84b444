/*
 * lookup.c
 *	  Looks documents up in a block: those of the block itself, and probes in chunks.
 *
 * Chunks grow, so that the first matches come soon.  Processes that share a first block claim
 * documents of it, and probes, as they make progress.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "../search/join_memory.h"
#include "../search/search.h"
#include "cells.h"

/* Probes of the first chunk, the growth from one chunk to the next, and the most probes. */
#define FIRST_CHUNK 16
#define CHUNK_GROWTH 4
#define LARGEST_CHUNK 1024

/*
 * Limits of a chunk where several processes work, which should end at about the same time: rows,
 * bytes, and the sum of the squares of the sizes of the documents.
 */
#define LARGEST_PARALLEL_CHUNK 64
#define LARGEST_PARALLEL_BYTES ((Size) 64 << 10)
#define LARGEST_PARALLEL_WORK 1e6

/*
 * Portions of the remaining work per process; they are small, so that a wrong estimate does no
 * harm.  A process with a GPU, whose matches all processes deliver, gets a fixed part of the
 * remaining work.
 */
#define PORTIONS_PER_PROCESS 4
#define DEVICE_PORTION 0.5

/* The most probes of a chunk that is looked up on the GPU. */
#define LARGEST_GPU_CHUNK 65536

/* The share of the memory for a chunk beside a block that fits. */
#define CHUNK_SHARE (1 - JOIN_ONLY_BLOCK_MEMORY)

/* Adds a match; with its mirror image, if it is one of two rows of the same side. */
static void
AddMatch(JoinCells *join, Match match, bool mirrored)
{
	RESERVE(join->plan.context, join->matches, join->match_capacity, (int64) join->match_count + 2);
	join->matches[join->match_count++] = match;
	if (!mirrored)
		return;
	join->matches[join->match_count] = match;
	join->matches[join->match_count].outer = match.inner;
	join->matches[join->match_count].inner = match.outer;
	join->matches[join->match_count].outer_set = match.inner_set;
	join->matches[join->match_count++].inner_set = match.outer_set;
}

/* Adds matches of documents of the block. */
static void
AddMatchesOfBlock(JoinCells *join, const MatchedDocuments *pairs, int32 count)
{
	for (const MatchedDocuments *pair = pairs; pair < pairs + count; pair++)
	{
		Match match = {.outer = pair->probe, .inner = pair->indexed, .distance = pair->distance};

		if (join->plan.distances_wanted)
		{
			int32 size = PipelineSizeOf(join->open.pipeline, pair->probe);
			int32 other = PipelineSizeOf(join->open.pipeline, pair->indexed);

			match.larger_size = Max(size, other);
			match.smaller_size = Min(size, other);
		}
		AddMatch(join, match, join->plan.mirrored && pair->probe != pair->indexed);
	}
}

/* Passes the collected matches to all processes; those that find no room are added here. */
static void
PassAllOn(JoinCells *join)
{
	SharedCells *shared = join->plan.shared;

	if (join->passed_count > 0 &&
		!SharedMatchesPut(shared->matches, shared->team, join->passed, join->passed_count))
		AddMatchesOfBlock(join, join->passed, join->passed_count);
	join->passed_count = 0;
}

void
NoteMatch(void *arg, int32 probe, int32 indexed, int32 distance, int32 larger_size,
		  int32 smaller_size)
{
	JoinCells *join = arg;
	bool of_block = join->phase == CELLS_SEARCH_BLOCK;

	if (join->passes_on)
	{
		join->passed[join->passed_count++] = (MatchedDocuments){probe, indexed, distance};
		if (join->passed_count == SHARED_MATCHES_CHUNK)
			PassAllOn(join);
		return;
	}
	AddMatch(join,
			 (Match){.outer = probe,
					 .inner = indexed,
					 .outer_set = of_block ? BLOCK_ROWS : PROBE_ROWS,
					 .inner_set = BLOCK_ROWS,
					 .distance = distance,
					 .larger_size = larger_size,
					 .smaller_size = smaller_size},
			 join->plan.mirrored &&
				 (of_block ? probe != indexed : join->open.source == JOIN_INDEXED));
}

/* Whether other processes look up other rows in this block, and all should end together. */
static bool
SharesBlock(const JoinCells *join)
{
	return join->plan.parallel && (join->first_block || !SharesWork(join));
}

/* Returns the number of rows or documents to look up next. */
static int
NextChunkRows(JoinCells *join)
{
	int rows = Max(join->open.chunk_rows, FIRST_CHUNK);
	int largest = PipelineTakesAll(join->open.pipeline) ? LARGEST_GPU_CHUNK
				  : SharesBlock(join)                   ? LARGEST_PARALLEL_CHUNK
														: LARGEST_CHUNK;

	join->open.chunk_rows = Min(rows * CHUNK_GROWTH, largest);
	return rows;
}

/*
 * Sets the range of documents of the first block to look up next, of which `claimed` have been
 * claimed.  A few of the smallest documents come first, so that the first rows come early; then
 * come the most expensive ones, in ever smaller portions.
 */
static void
TurnToShare(JoinCells *join, int32 claimed, int32 most)
{
	OpenBlock *open = &join->open;
	int participants = join->plan.shared->participants;
	int32 documents = PipelineDocuments(open->pipeline);
	int32 smallest = Min(participants * FIRST_CHUNK, documents / 4);
	double portion = PipelineTakesAll(open->pipeline) ? DEVICE_PORTION
													  : 1.0 / (PORTIONS_PER_PROCESS * participants);

	if (claimed < smallest)
	{
		open->next_place = claimed;
		open->end_place = Min(claimed + FIRST_CHUNK, smallest);
		return;
	}
	open->end_place = documents - (claimed - smallest);
	open->next_place = PipelinePortion(open->pipeline, open->end_place, portion);
	open->next_place = Max(open->next_place, Max(open->end_place - most, smallest));
}

/* Advances to the next documents of the block to look up in it; returns false if there are none. */
static bool
ClaimDocuments(JoinCells *join)
{
	OpenBlock *open = &join->open;
	int32 documents = PipelineDocuments(open->pipeline);
	int32 wanted = PipelineTakesAll(open->pipeline) ? documents : NextChunkRows(join);
	int64 claimed;

	if (!SharesWork(join) || !join->first_block)
	{
		open->next_place = open->end_place;
		open->end_place = Min(open->next_place + wanted, documents);
		return open->next_place < documents;
	}
	claimed = SharedCellsClaimed(join->plan.shared);
	do
	{
		if (claimed < 0 || claimed >= documents)
			return false;
		TurnToShare(join, (int32) claimed, wanted);
	} while (!SharedCellsClaim(join->plan.shared, &claimed, open->end_place - open->next_place));
	return true;
}

/* Adds matches that another process has found; returns false if there are none. */
static bool
TakeMatches(JoinCells *join)
{
	SharedCells *shared = join->plan.shared;
	int32 count = SharedMatchesTake(shared->matches, shared->team, join->passed);

	AddMatchesOfBlock(join, join->passed, count);
	return count > 0;
}

/*
 * Finds the matches of some of the current documents with others of the block and with themselves.
 */
static void
SearchDocuments(JoinCells *join)
{
	OpenBlock *open = &join->open;
	int32 place = open->next_place;

	open->next_place = PipelineRunSelf(open->pipeline, place, open->end_place);
	for (; place < open->next_place; place++)
	{
		int32 number = open->pipeline->by_size[place];
		int32 size = join->plan.distances_wanted ? PipelineSizeOf(open->pipeline, number) : 0;

		if (join->passes_on || !HasSets(join) ||
			AreFoundHere(join, &join->sets[BLOCK_ROWS][number], &join->sets[BLOCK_ROWS][number]))
			NoteMatch(join, number, number, 0, size, size);
	}
}

bool
SearchBlock(JoinCells *join)
{
	OpenBlock *open = &join->open;
	bool together = SharesWork(join) && join->first_block;
	bool device = together && PipelineTakesAll(open->pipeline);

	if (together && !device && TakeMatches(join))
		return true;
	if (open->next_place < open->end_place || ClaimDocuments(join))
	{
		if (device)
		{
			SharedMatches *matches = join->plan.shared->matches;
			bool more_to_come;

			/* other processes expect more, unless this one delivers matches, or has found all */
			SharedMatchesExpect(matches, true);
			join->passes_on = true;
			SearchDocuments(join);
			join->passes_on = false;
			more_to_come = join->open.next_place < join->open.end_place &&
						   PipelineTakesAll(join->open.pipeline);
			if (!more_to_come)
				PassAllOn(join);
			SharedMatchesExpect(matches, more_to_come && join->match_count == 0);
		}
		else
			SearchDocuments(join);
		return true;
	}
	open->next_place = open->end_place;
	if (together)
	{
		/* all documents have been claimed; wait for matches if there is nothing else to do */
		bool more = join->reader_done && SharedMatchesAwait(join->plan.shared->matches);

		return TakeMatches(join) || more;
	}
	return false;
}

/* Starts reading the probes of the block from a side. */
static void
TurnToSource(JoinCells *join, DocumentsSide source)
{
	OpenBlock *open = &join->open;

	open->source = source;
	open->source_cell = -1;
	join->rows[PROBE_ROWS].kept = join->plan.sides[source].kept;
	if (source == JOIN_INDEXED)
	{
		if (join->rest != NULL)
			SpoolMark(join->rest);
	}
	else if (join->present >= 0 && join->files[JOIN_PROBES] != NULL)
		CellFilesTurnTo(join->files[JOIN_PROBES], join->present);
	else if (join->probes_stored && join->probes != NULL)
		SpoolReturn(join->probes);
}

void
StartLookup(JoinCells *join)
{
	OpenBlock *open = &join->open;

	open->next_place = open->end_place = 0;
	open->first_row = open->next_row = open->end_row = 0;
	open->probe_size = open->greatest_size;
	TurnToSource(join, join->plan.within ? JOIN_INDEXED : JOIN_PROBES);
}

/* Returns the place of a sorted row among those that may match rows of the block. */
static SizePlace
PlaceOfRow(const JoinCells *join, const JoinedRow *row)
{
	const OpenBlock *open = &join->open;

	if (join->plan.grouped && row->group < open->first_group)
		return BEFORE_SIZES;
	if (join->plan.grouped && row->group > open->last_group)
		return BEHIND_SIZES;
	/* in a block of several groups, sizes begin anew with each */
	if (open->unsorted || (join->plan.grouped && open->first_group != open->last_group))
		return AMONG_SIZES;
	return PlaceAmongSizes(join->plan.kind, &join->threshold, row->size, open->least_size,
						   open->greatest_size);
}

/* Reads the next sorted probe; returns false if there is none for the block. */
static bool
NextSortedProbe(JoinCells *join, RowSpool *spool, JoinedRow *row)
{
	while (SpoolNext(spool, row, join->plan.scan) && row->has_document)
	{
		CheckInterrupts();
		switch (PlaceOfRow(join, row))
		{
			case AMONG_SIZES:
				return true;
			case BEHIND_SIZES:
				return false;
			case BEFORE_SIZES:
				/*
				 * later blocks are even farther in size and do not need it; for rows that meet
				 * those of their own side, there are none
				 */
				SpoolMark(spool);
		}
	}
	return false;
}

/* Reads the next of all rows in the files of a side: each from the first of its cells. */
static bool
NextOfAllCells(JoinCells *join, CellFiles *files, JoinedRow *row)
{
	OpenBlock *open = &join->open;

	for (;;)
	{
		if (open->source_cell < 0 || !CellFilesNext(files, row))
		{
			if (++open->source_cell >= CellFilesCount(files))
				return false;
			CellFilesTurnTo(files, open->source_cell);
		}
		else if (FirstCommonCell(&row->cells, &row->cells) == open->source_cell &&
				 row->has_document)
			return true;
		CheckInterrupts();
	}
}

/* Reads the next probe of the block from the current source; returns false if there is none. */
static bool
NextProbe(JoinCells *join, JoinedRow *row)
{
	DocumentsSide source = join->open.source;
	CellFiles *files = join->files[source];
	RowSpool *sorted = source == JOIN_INDEXED ? join->rest : join->probes;

	if (source == JOIN_PROBES && !join->probes_stored)
	{
		bool stores = join->rest != NULL || join->files[JOIN_INDEXED] != NULL;

		/* store probes if there are further blocks */
		if (!ReadInputRow(join, JOIN_PROBES, row))
		{
			if (stores)
				EndStore(join, JOIN_PROBES);
			return false;
		}
		if (stores)
			StoreRow(join, JOIN_PROBES, row);
		return true;
	}
	/* rows in files that are not of the cell being joined meet the first block only */
	if (join->place < 0 && files != NULL)
		return NextOfAllCells(join, files, row);
	if (source == JOIN_PROBES && files != NULL)
		return CellFilesNext(files, row);
	return sorted != NULL && NextSortedProbe(join, sorted, row);
}

/*
 * Claims rows after the block that no other process looks up in it, and skips the rows before them;
 * returns false if there are none.
 */
static bool
ClaimProbes(JoinCells *join, int most)
{
	OpenBlock *open = &join->open;
	double size = Max(open->probe_size, 1);
	int rows = (int) Max(Min(LARGEST_PARALLEL_WORK / (size * size), most), 1);
	int64 claimed = SharedCellsClaimed(join->plan.shared);
	JoinedRow row;

	do
	{
		if (claimed < 0)
			return false;
		/* the documents of the block are claimed first, and all of them have been */
		open->end_row = claimed - PipelineDocuments(open->pipeline) + rows;
	} while (!SharedCellsClaim(join->plan.shared, &claimed, rows));
	for (; open->next_row < open->end_row - rows; open->next_row++)
		if (!NextProbe(join, &row))
			return false;
	return true;
}

/* Reads the next probes from the current source; returns false if there are none. */
static bool
ReadChunk(JoinCells *join)
{
	OpenBlock *open = &join->open;
	int rows = NextChunkRows(join);
	Size limit = JoinMemory(join->first_block ? CHUNK_SHARE : JOIN_CHUNK_MEMORY, 1);
	bool claims = SharesWork(join) && join->first_block;
	int count = 0;
	JoinedRow row;

	if (claims && open->next_row == open->end_row && !ClaimProbes(join, rows))
		open->probes_done = true;
	if (SharesBlock(join))
		limit = Min(limit, LARGEST_PARALLEL_BYTES);
	limit += CellsMemoryUsed(join);
	if (claims)
		rows = (int) (open->end_row - open->next_row);
	open->first_row = open->next_row;
	for (; count < rows && !open->probes_done && CellsMemoryUsed(join) <= limit; count++)
	{
		int32 number = NO_DOCUMENT;

		open->probes_done = !NextProbe(join, &row);
		if (open->probes_done)
			break;
		if (row.has_document)
			number = join->rows[BLOCK_ROWS].count > 0
						 ? PipelineAddProbe(open->pipeline, row.document)
						 : join->rows[PROBE_ROWS].count;
		KeepJoinedRow(join, PROBE_ROWS, number, &row);
		open->next_row++;
		open->probe_size = row.size;
	}
	return count > 0;
}

bool
ReadProbes(JoinCells *join)
{
	OpenBlock *open = &join->open;

	NoteCellsMemory(join);
	RowsForget(&join->rows[PROBE_ROWS]);
	for (;;)
	{
		if (!open->probes_done && ReadChunk(join))
			return true;
		if (!join->plan.has_probes || open->source == JOIN_PROBES)
			return false;
		/* documents of the other side come after those of the same side */
		TurnToSource(join, JOIN_PROBES);
		open->probes_done = false;
	}
}
