/*
 * join_progress.c
 *	  Estimates the progress of a TedJoin.
 *
 * The number of pairs of similar size in a block is known once the block is indexed.  Otherwise,
 * work is measured in pairs of rows: n²/2 for the n rows of a self-join.  The first block has rows
 * of all sizes, and meets all other rows; the other rows are sorted, so a later block meets few of
 * them.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"

#include "join_progress.h"

/* Part of the leader's time that each worker takes, as the planner assumes. */
#define LEADER_LOSS 0.3

/* Returns the name of the current phase. */
static const char *
Phase(const TedJoinState *join)
{
	switch (join->phase)
	{
		case JOIN_BEGINS:
		case JOIN_READS_BLOCK:
			return join->pipeline != NULL && PipelineIsIndexed(join->pipeline)
					   ? "indexing documents"
					   : "reading documents";
		case JOIN_READS_UNMATCHED:
			return "returning rows without a match";
		default:
			return "comparing documents";
	}
}

/* Returns the part done of looking up the documents of the block in the block. */
static double
OwnPart(const TedJoinState *join, const TedJoinCounts *all)
{
	if (join->phase < JOIN_SEARCHES_BLOCK)
		return 0;
	if (join->phase > JOIN_SEARCHES_BLOCK)
		return 1;
	/* other processes only take part in the first block */
	return PipelineOwnPart(join->pipeline,
						   join->first_block ? all->pairs.window - join->counts->pairs.window : 0);
}

/* Returns the rows looked up in the block: those of earlier chunks, and some of this one. */
static double
RowsLookedUp(const TedJoinState *join)
{
	double rows = (double) (join->next_row - join->first_row);
	int32 documents = join->outer.rows[PROBE_ROWS].count;

	if (join->phase < JOIN_READS_PROBES)
		return 0;
	if (join->phase == JOIN_SEARCHES_PROBES && documents > 0)
		rows *= Min(PipelineLookedUp(join->pipeline) / documents, 1);
	return join->phase == JOIN_READS_PROBES ? join->first_row : join->first_row + rows;
}

/* Returns the number of processes that share the rows of the outer side. */
static double
Processes(const TedJoinState *join)
{
	int workers = join->shared_counts == NULL ? 0 : SharedCountsWorkers(join->shared_counts);
	double leader = parallel_leader_participation ? Max(1 - LEADER_LOSS * workers, 0) : 0;

	return workers == 0 ? 1 : workers + leader;
}

/* Returns the part of the outer side looked up in the block; negative if that is not known. */
static double
OuterPart(const TedJoinState *join, const TedJoinCounts *all)
{
	double rows = RowsLookedUp(join);
	double expected = join->outer.next_ordinal;

	if (!join->probes_stored)
	{
		expected = join->outer.plan->plan->plan_rows * Processes(join);
		rows += all->probes - join->counts->probes;
	}
	return rows > expected ? -1 : rows / Max(expected, 1);
}

/* Returns the part done of the partitions and of the large trees after them. */
static double
DividedPart(const JoinPartitions *divided)
{
	return Max(divided->place, 0) / (divided->count + 1.0);
}

/* Returns the part of a self-join that is done. */
static double
SelfPart(const TedJoinState *join, const TedJoinCounts *all)
{
	double block = join->reader->rows[BLOCK_ROWS].kept_rows;
	double rest = join->rest == NULL ? 0 : SpoolRows(join->rest);
	double first = join->first_block ? block : join->first_block_rows;
	double own = OwnPart(join, all);
	double unseen = Max(rest - join->spooled_rows, 1);
	double looked_up = Min(RowsLookedUp(join), unseen);
	double pairs = (first + rest) * (first + rest) / 2;

	if (join->is_divided)
		return DividedPart(&join->divided);
	if (join->first_block)
		return (own * block * block / 2 + block * looked_up) / Max(pairs, 1);
	/* the work after the first block, in equal parts for the remaining rows */
	block = join->spooled_rows - join->block_begin;
	return 1 - (rest / 2) * (rest - join->block_begin - block * (own + looked_up / unseen) / 2) /
				   Max(pairs, 1);
}

/* Returns the part of a join of two tables that is done; negative if that is not known. */
static double
TwoSidedPart(const TedJoinState *join, const TedJoinCounts *all)
{
	double block = join->inner.rows[BLOCK_ROWS].kept_rows;
	double rest = join->rest == NULL ? 0 : SpoolRows(join->rest);
	double outer = OuterPart(join, all);

	if (join->is_divided)
		return DividedPart(&join->divided);
	if (outer < 0)
		return -1;
	if (join->first_block)
		return block * outer / Max(block + rest, 1);
	block = join->spooled_rows - join->block_begin;
	return (join->first_block_rows + join->block_begin + block * outer) /
		   Max(join->first_block_rows + rest, 1);
}

/* Converts counts for a report. */
static ProgressCounts
CountsOf(const TedJoinCounts *counts)
{
	return (ProgressCounts){.documents = counts->documents,
							.pairs = counts->pairs.window,
							.verified = counts->pairs.verified,
							.results = counts->pairs.found};
}

/* Reports the progress of the join. */
static void
ReportJoinNode(void *arg, ProgressReport *report)
{
	TedJoinState *join = arg;
	TedJoinCounts all = *join->counts;

	if (join->shared_counts != NULL)
		SumSharedCounts(join->shared_counts, join->counts, &all);
	report->phase = Phase(join);
	report->own = CountsOf(join->counts);
	report->all = CountsOf(&all);
	/* nothing is known while rows are read for the first block */
	if (join->phase > JOIN_READS_BLOCK || !join->first_block)
		report->share = join->self ? SelfPart(join, &all) : TwoSidedPart(join, &all);
	if (report->share >= 0 && join->shared_counts != NULL && join->css.ss.ps.plan->parallel_aware)
		report->share = SharedPart(join->shared_counts, report->share);
}

/* Begins to report progress, if that is enabled. */
void
JoinProgressBegin(TedJoinState *join)
{
	MemoryContext caller = MemoryContextSwitchTo(join->css.ss.ps.state->es_query_cxt);

	join->progress.name = "TedJoin";
	join->progress.report = ReportJoinNode;
	join->progress.arg = join;
	if (join->shared_counts != NULL)
		join->progress.noticed = SharedCountsNoticed(join->shared_counts);
	ProgressBegin(&join->progress);
	MemoryContextSwitchTo(caller);
}
