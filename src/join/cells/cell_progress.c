/*
 * cell_progress.c
 *	  Estimates the progress of a join.
 *
 * The number of pairs of similar size in a block is known once the block is indexed.  Otherwise,
 * work is measured in pairs of rows: n²/2 for n rows that meet each other.  The first block has
 * rows of all sizes, and meets all other rows; the other rows are sorted, so a later block meets
 * few of them.  Cells by a rule count alike.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"

#include "cells.h"

/* Part of the leader's time that each worker takes, as the planner assumes. */
#define LEADER_LOSS 0.3

/* Returns the name of the current phase. */
static const char *
PhaseName(const JoinCells *join)
{
	if (join->phase <= CELLS_OPEN_BLOCK)
		return join->open.pipeline != NULL && join->open.pipeline->by_size != NULL
				   ? "indexing documents"
				   : "reading documents";
	return join->phase == CELLS_READ_UNSEEN ? "returning rows without a match"
											: "comparing documents";
}

/* Returns the part done of looking up the documents of the block in the block. */
static double
OwnPart(const JoinCells *join, const JoinedCounts *all)
{
	if (join->phase < CELLS_SEARCH_BLOCK)
		return 0;
	if (join->phase > CELLS_SEARCH_BLOCK)
		return 1;
	/* other processes only take part in the first block */
	return PipelineOwnPart(join->open.pipeline,
						   join->first_block ? all->pairs.window - join->counts->pairs.window : 0);
}

/* Returns the rows looked up in the block: those of earlier chunks, and some of this one. */
static double
RowsLookedUp(const JoinCells *join)
{
	const OpenBlock *open = &join->open;
	double rows = (double) (open->next_row - open->first_row);
	int32 documents = join->rows[PROBE_ROWS].count;

	if (join->phase < CELLS_READ_PROBES)
		return 0;
	if (join->phase == CELLS_READ_PROBES)
		return open->first_row;
	if (join->phase == CELLS_SEARCH_PROBES && documents > 0)
		rows *= Min(PipelineLookedUp(open->pipeline) / documents, 1);
	return open->first_row + rows;
}

/* Returns the number of processes that share the rows of the other side. */
static double
Processes(const JoinCells *join)
{
	int workers = join->shared_counts == NULL ? 0 : join->shared_counts->workers;
	double leader = parallel_leader_participation ? Max(1 - LEADER_LOSS * workers, 0) : 0;

	return workers == 0 ? 1 : workers + leader;
}

/* Returns the part of the join that is done; negative if that is not known. */
static double
PartDone(const JoinCells *join, const JoinedCounts *all)
{
	double block = join->rows[BLOCK_ROWS].kept_rows;
	double rest = join->rest == NULL ? 0 : join->rest->rows;
	double first = join->first_block ? block : join->first_block_rows;
	double looked_up = RowsLookedUp(join);
	double pairs = (first + rest) * (first + rest) / 2;
	double own;
	double unseen;

	/* nothing is known while rows are read for the first block */
	if (join->phase <= CELLS_OPEN_BLOCK && join->first_block)
		return -1;
	if (join->cell_count > 0)
		return Max(join->place, 0) / (double) join->cell_count;
	if (join->first_block && join->files[JOIN_INDEXED] != NULL)
		return 0;
	if (join->plan.within && join->plan.has_probes)
		return -1;
	if (join->plan.within)
	{
		own = OwnPart(join, all);
		unseen = Max(rest - join->spooled_rows, 1);
		looked_up = Min(looked_up, unseen);
		if (join->first_block)
			return (own * block * block / 2 + block * looked_up) / Max(pairs, 1);
		/* the work after the first block, in equal parts for the remaining rows */
		block = join->spooled_rows - join->open.begin;
		return 1 - (rest / 2) * (rest - join->open.begin - block * (own + looked_up / unseen) / 2) /
					   Max(pairs, 1);
	}
	unseen = join->rows_read[JOIN_PROBES];
	if (!join->probes_stored)
	{
		unseen = join->plan.sides[JOIN_PROBES].expected_rows * Processes(join);
		looked_up += all->probes - join->counts->probes;
	}
	if (looked_up > unseen)
		return -1;
	looked_up /= Max(unseen, 1);
	if (join->first_block)
		return block * looked_up / Max(block + rest, 1);
	block = join->spooled_rows - join->open.begin;
	return (join->first_block_rows + join->open.begin + block * looked_up) /
		   Max(join->first_block_rows + rest, 1);
}

/* Converts counts for a report. */
static ProgressCounts
CountsOf(const JoinedCounts *counts)
{
	return (ProgressCounts){.documents = counts->documents,
							.pairs = counts->pairs.window,
							.verified = counts->pairs.verified,
							.results = counts->pairs.found};
}

/* Reports the progress of the join. */
static void
ReportCells(void *arg, ProgressReport *report)
{
	const JoinCells *join = arg;
	JoinedCounts all = *join->counts;

	if (join->shared_counts != NULL)
		SumSharedCounts(join->shared_counts, join->counts, &all);
	report->phase = PhaseName(join);
	report->own = CountsOf(join->counts);
	report->all = CountsOf(&all);
	report->share = PartDone(join, &all);
	if (report->share >= 0 && join->shared_counts != NULL && join->plan.parallel)
		report->share = SharedPart(join->shared_counts, report->share);
}

void
BeginCellProgress(JoinCells *join)
{
	MemoryContext caller = MemoryContextSwitchTo(join->plan.context);

	join->progress.report = ReportCells;
	join->progress.arg = join;
	if (join->shared_counts != NULL)
		join->progress.noticed = &join->shared_counts->noticed;
	ProgressBegin(&join->progress);
	MemoryContextSwitchTo(caller);
}
